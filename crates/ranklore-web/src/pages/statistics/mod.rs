//! The statistics of all competitors of a run.

pub(crate) mod distribution;

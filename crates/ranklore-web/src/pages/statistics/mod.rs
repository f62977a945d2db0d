//! The statistics of all competitors of a run.

pub(crate) mod distribution;
pub(crate) mod movers;
pub(crate) mod records;

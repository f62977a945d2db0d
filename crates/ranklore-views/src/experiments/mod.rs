//! Experiments: rating systems over altered contests, or measured otherwise than by an evaluation.
//!
//! Imports `predictions` and `names`.

pub(crate) mod contests;
pub(crate) mod curves;
pub(crate) mod farm;
pub(crate) mod group_size;
pub(crate) mod inflation;
pub(crate) mod performance;

//! Rating runs: their rows, and the state to resume a run from.
//! Imports `results`, `file` and the batch.

pub(crate) mod ratings;
pub(crate) mod resume;

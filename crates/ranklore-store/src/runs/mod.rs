//! Rating runs: their rows, and the state to resume a run from.
//! Imports `results` and `file`.

pub(crate) mod ratings;
pub(crate) mod resume;

//! Comparisons that views show: stored evaluations, and the ratings of two runs.
//!
//! Imports `predictions`, `views` and `runs`.

pub(crate) mod evaluations;
pub(crate) mod scatter;

//! Rating runs: their rows, and the state from which a run continues.
//!
//! Imports `results` and `file`.

pub(crate) mod current_ratings;
pub(crate) mod evaluations;
pub(crate) mod ratings;
pub(crate) mod resume;
pub(crate) mod trials;

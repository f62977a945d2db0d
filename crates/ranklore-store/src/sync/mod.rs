//! State of syncs: hosts, listings, completeness, official ratings, history.
//!
//! Imports `results`, `runs` and `file`.

pub(crate) mod completeness;
pub(crate) mod history;
pub(crate) mod mining;
pub(crate) mod official;

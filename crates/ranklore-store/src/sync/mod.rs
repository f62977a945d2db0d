//! The memory of syncs: hosts, lists, completeness, official ratings, and the history of syncs.
//! Imports `results`, `runs` and `file`.

pub(crate) mod completeness;
pub(crate) mod history;
pub(crate) mod mining;
pub(crate) mod official;

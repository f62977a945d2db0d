//! The memory of syncs: hosts, lists, official ratings, and the history of syncs.
//! Imports `results`, `runs` and `file`.

pub(crate) mod history;
pub(crate) mod mining;

//! What people decided about competitors: merges, names, tombstones, pseudonyms.
//! Imports `results`, `file` and the batch.

pub(crate) mod decisions;
pub(crate) mod pseudonyms;
pub(crate) mod teams;
pub(crate) mod tombstones;

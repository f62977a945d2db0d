//! Decisions about competitors: merges, names, tombstones, pseudonyms.
//!
//! Imports `results` and `file`.

pub(crate) mod decisions;
pub(crate) mod names;
pub(crate) mod pseudonyms;
pub(crate) mod teams;
pub(crate) mod texts;
pub(crate) mod tombstones;

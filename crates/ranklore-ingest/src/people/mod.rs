//! Decisions about competitors: merges, splits, names given by a user or said by a document.
//! Imports the errors beside this folder, and neither `derive` nor `mine`.

pub(crate) mod by_hand;
pub(crate) mod decide;
pub(crate) mod redaction;
pub(crate) mod said;

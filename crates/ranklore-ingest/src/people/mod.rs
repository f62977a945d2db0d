//! Decisions about competitors: merges, splits, names from users and documents, redaction. Imports
//! the errors beside this folder, and neither `derive` nor `mine`.

pub(crate) mod by_hand;
pub(crate) mod decide;
pub(crate) mod redaction;
pub(crate) mod said;

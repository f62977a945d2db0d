//! Archived documents: content, redaction, deletion, and clearing a source before a rebuild.
//!
//! Imports `file`.

pub(crate) mod deletions;
pub(crate) mod documents;
pub(crate) mod rebuild;
pub(crate) mod redactions;
pub(crate) mod undo;

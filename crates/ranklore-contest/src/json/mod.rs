//! Reads and writes contest files in JSON. Imports `contest`, `annotations` and `reading` from the
//! parent folder.

pub(crate) mod competitors;
mod form;
pub(crate) mod read;
pub(crate) mod write;

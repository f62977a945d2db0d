//! Reads and writes contest files in JSON. Imports `annotations` and `reading` from the parent
//! folder.

pub(crate) mod competitors;
pub(crate) mod read;
mod schema;
pub(crate) mod write;

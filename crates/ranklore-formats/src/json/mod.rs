//! Reads and writes contest files in JSON. Imports `annotations`, `file_format`, `limits` and `reading` from the parent
//! folder.

pub(crate) mod competitors;
mod detect;
pub(crate) mod object;
pub(crate) mod read;
mod schema;
pub(crate) mod write;

//! Reads and writes contest files in JSON. Imports `contest`, `annotations` and `reading` from the
//! parent folder.

pub(crate) mod competitors;
mod error_text;
pub(crate) mod read;
mod schema;
pub(crate) mod write;

pub use error_text::describe_json_error;

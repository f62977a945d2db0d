//! SQLite files of plain tables: written for other programs, read from untrusted sources. Imports
//! the errors beside this folder and `ranklore_store::sqlite`, and nothing of the dataset tables.

mod names;
mod pragmas;
mod read;
mod table;
mod write;

pub use read::PlainReader;
pub use table::{PlainColumn, PlainKind, PlainReference, PlainTable, PlainValue};
pub use write::PlainWriter;

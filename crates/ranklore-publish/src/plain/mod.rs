//! SQLite files of plain tables, written for others and read from anybody. Imports the errors
//! beside this folder and `ranklore_store::sqlite`, and nothing that knows the tables of a dataset.

mod names;
mod pragmas;
mod read;
mod table;
mod write;

pub use read::PlainReader;
pub use table::{PlainColumn, PlainKind, PlainReference, PlainTable, PlainValue};
pub use write::PlainWriter;

#![doc = include_str!("../README.md")]

mod annotations;
mod feed;
mod file_format;
mod forget;
mod icpc;
mod json;
mod limits;
mod openfootball;
mod options;
mod packed_contests;
mod pgn;
mod read;
mod reading;
mod table;
mod texts;
mod workbook;
mod zip_directory;

pub use file_format::FileFormat;
pub use json::write::{contest_json, contest_json_with};
pub use options::{DateOrder, MemberSeparator, OutcomeNumbers, ReadOptions, StatedLayout};
pub use packed_contests::PackedContests;
pub use read::{ArchivedBy, read, read_archived};
pub use reading::{
    DatedName, FileReadError, FileReading, Location, MAX_DOCUMENT_BYTES, RecognisedColumn,
    RefusedEntry, TableLayout, TableShape,
};
pub use table::{CellStatus, ColumnMeaning, MAX_COLUMNS};
pub use texts::{Unsearchable, any_text};
pub use zip_directory::check_zip_directory;

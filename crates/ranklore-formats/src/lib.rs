#![doc = include_str!("../README.md")]

mod annotations;
mod cross_tables;
mod feed;
mod file_format;
mod forget;
mod icpc;
mod json;
mod layouts;
mod openfootball;
mod options;
mod packed_contests;
mod pgn;
mod races;
mod read;
mod reading;
mod schema;
mod table;
mod unread_formats;
mod values;
mod vocabulary;
mod workbook;
mod xml;

pub use file_format::FileFormat;
pub use json::write::{contest_json, contest_json_with};
pub use options::{
    DateOrder, DecimalMark, MemberSeparator, OutcomeNumbers, ReadOptions, RowCondition,
    StatedCells, StatedLayout,
};
pub use packed_contests::PackedContests;
pub use ranklore_grid::{
    ArchivedBy, CommandOptions, FileReadError, Location, MAX_COLUMNS, MAX_DOCUMENT_BYTES, any_text,
    check_zip_directory,
};
pub use read::{read, read_archived};
pub use reading::{
    DatedName, FileReading, RecognisedColumn, RefusedEntry, TableLayout, TableShape,
};
pub use unread_formats::describe_unread_name;
pub use values::cells::CellStatus;
pub use values::dates::{find_year_in_file_name, may_mention_time};
pub use vocabulary::meanings::ColumnMeaning;

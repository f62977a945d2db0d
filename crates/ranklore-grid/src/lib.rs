#![doc = include_str!("../README.md")]

mod aligned;
mod delimiters;
mod document;
mod encodings;
mod grid;
mod headings;
mod json;
mod limits;
mod lists;
mod packed_file;
mod parquet;
mod quotes;
mod reason;
mod spelling;
mod text;
mod texts;
mod workbooks;
mod zip_directory;

pub use document::{FileReadError, Location, MAX_DOCUMENT_BYTES};
pub use encodings::decode_text;
pub use grid::{CellGrid, ElementPaths, MAX_COLUMNS, Records, column_letters, trim_cell};
pub use headings::{FieldRole, GameRole, Headings, SEARCHED_ROWS};
pub use json::documents::{read_json, read_json_lines};
pub use json::yaml::convert_yaml;
pub use limits::{ArchivedBy, MAX_RESULTS, ReadLimits};
pub use packed_file::unpack_only_file;
pub use parquet::read_parquet;
pub use reason::{CommandOptions, Reason};
pub use spelling::normalise_spelling;
pub use text::read_text;
pub use texts::any_text;
pub use workbooks::{
    Sheet, SheetCells, Workbook, is_ruler_below, list_sheets, open_html, open_markdown, open_ods,
    open_xls, open_xlsx, read_sheet,
};
pub use zip_directory::check_zip_directory;

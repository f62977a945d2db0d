//! Reads tables: text and workbooks become a grid, headings get meanings, rows become contests.
//! Imports `contest`, `options`, `reading` and `time` from the parent folder.

pub(crate) mod columns;
pub(crate) mod formats;
mod games;
pub(crate) mod grid;
mod header;
mod long;
mod members;
mod name_parts;
mod numbering;
mod people;
mod rankings;
mod read;
mod result_columns;
mod round_headings;
mod standings;
mod starting_ratings;
mod statuses;
mod values;
mod wide;

pub use columns::ColumnMeaning;
pub(crate) use games::find_game_header;
pub use grid::MAX_COLUMNS;
pub(crate) use header::find_header_row;
pub(crate) use long::file_stem;
pub(crate) use numbering::{check_numbered_order, nth_contest_time};
pub(crate) use read::read;
pub use values::cells::CellStatus;
pub(crate) use values::dates::{DateError, DateRules, find_date, find_date_in_file_name};

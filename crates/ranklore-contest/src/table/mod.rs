//! Reads tables: text and workbooks become a grid, headings get meanings, rows become contests.
//! Imports `contest`, `options`, `reading` and `time` from the parent folder.

pub(crate) mod columns;
pub(crate) mod formats;
pub(crate) mod grid;
mod header;
mod layouts;
mod lines;
mod open;
mod parts;
mod rated;
mod round_headings;
mod standings;
mod values;

pub use grid::MAX_COLUMNS;
pub(crate) use open::read;
pub(crate) use parts::file_stem;
pub(crate) use values::dates::find_date_in_name;

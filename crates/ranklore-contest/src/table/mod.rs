//! Tables: text and workbooks become a grid, headings get meanings, rows become contests.

mod cells;
mod columns;
mod dates;
mod grid;
mod header;
mod lines;
mod long;
mod numbers;
mod open;
mod parts;
mod rated;
mod raw_cells;
mod redact;
mod round_headings;
mod sheet;
mod standings;
mod text;
mod wide;

pub(crate) use dates::date_in_name;
pub use grid::MAX_COLUMNS;
pub(crate) use open::{read_text, read_workbook};
pub(crate) use parts::stem;
pub(crate) use redact::{redact_scraps, redact_text, redact_workbook};

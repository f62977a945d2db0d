//! Tables: text and workbooks become a grid, headings get meanings, rows become contests.
//! Imports the vocabulary and the readings beside this folder, and `forget` for what it redacts.

mod columns;
mod formats;
mod grid;
mod header;
mod layouts;
mod lines;
mod open;
mod parts;
mod rated;
mod redact;
mod round_headings;
mod standings;
mod values;

pub use grid::MAX_COLUMNS;
pub(crate) use open::{read_text, read_workbook};
pub(crate) use parts::stem;
pub(crate) use redact::{redact_scraps, redact_text, redact_workbook};
pub(crate) use values::dates::date_in_name;

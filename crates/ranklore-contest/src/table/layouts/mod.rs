//! Rows to contests: a line for each result, or a line for each competitor.
//! Imports the modules of the table beside this folder, and no format.

pub(crate) mod long;
pub(crate) mod wide;

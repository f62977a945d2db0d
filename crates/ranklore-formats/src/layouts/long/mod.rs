//! Reads tables with one row per result. Imports the modules of the parent folder, and no format.

mod contests;
mod dating;
mod doubts;
mod marks;
mod placed_rows;
mod ranges;
mod read;
mod repeats;
mod restarts;
mod rows;
mod separation;
mod unplaced;

pub(crate) use dating::file_stem;
pub(crate) use dating::{describe_missing_dates, find_file_date};
pub(crate) use read::read;

//! Reads tables with one row per result. Imports the modules of the parent folder, and no format.

mod columns;
mod contests;
mod dating;
mod doubts;
mod read;
mod rows;
mod separation;

pub(crate) use dating::file_stem;
pub(super) use dating::{describe_missing_dates, find_file_date};
pub(super) use read::read;

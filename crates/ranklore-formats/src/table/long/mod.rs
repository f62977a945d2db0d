//! Reads tables with one row per result. Imports the modules of the parent folder, and no format.

mod columns;
mod contests;
mod doubts;
mod read;
mod rows;
mod separation;

pub(super) use contests::describe_missing_dates;
pub(crate) use contests::file_stem;
pub(super) use read::read;

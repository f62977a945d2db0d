//! Contests, competitors and standings, written and read row by row.
//!
//! Imports `file`.

pub(crate) mod contests;
pub(crate) mod order;
pub(crate) mod rows;

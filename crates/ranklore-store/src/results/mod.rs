//! Contests, competitors and standings, written and read row by row.
//! Imports `file` and the batch.

pub(crate) mod contests;
pub(crate) mod members;
pub(crate) mod order;
pub(crate) mod rows;

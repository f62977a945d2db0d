//! Parses single cells: statuses and places, dates, numbers. Imports `columns` from the parent
//! folder.

pub(crate) mod cells;
pub(crate) mod dates;
pub(crate) mod numbers;

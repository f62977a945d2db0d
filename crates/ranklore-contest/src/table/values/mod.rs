//! One cell to one value: statuses and places, dates, numbers.
//! Imports `columns` beside this folder.

pub(crate) mod cells;
pub(crate) mod dates;
pub(crate) mod numbers;

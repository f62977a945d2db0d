//! Parses single cells: statuses and places, dates, numbers. Imports `columns`, `grid` and
//! `header` from the parent folder.

pub(crate) mod cells;
pub(crate) mod dates;
pub(crate) mod numbers;
pub(crate) mod statuses;

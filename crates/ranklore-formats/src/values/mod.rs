//! Parses single cells: statuses and places, dates, numbers. Imports `vocabulary`.

pub(crate) mod cells;
pub(crate) mod dates;
pub(crate) mod doubtful_scores;
pub(crate) mod numbers;
pub(crate) mod rankings;
pub(crate) mod set_scores;
pub(crate) mod statuses;

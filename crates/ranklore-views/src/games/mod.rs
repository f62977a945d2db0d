//! Games, which are contests of two entrants: records, and the scores that ratings expected.

pub(crate) mod expected;
pub(crate) mod load;
pub(crate) mod ratings_before;
pub(crate) mod record;
pub(crate) mod summary;

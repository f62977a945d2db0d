//! Dates of documents that an import doubts. Imports `reading_note` and `error` only.

pub(crate) mod same_bytes;
pub(crate) mod time_bound;

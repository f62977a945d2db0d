//! Dates of documents that an import doubts, or that they lack.

pub(crate) mod assumed_start;
pub(crate) mod same_bytes;
pub(crate) mod time_bound;

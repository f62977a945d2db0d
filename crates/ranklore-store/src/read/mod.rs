//! Queries for replays, views and datasets.
//! Imports `results` and `runs`; writes nothing.

pub(crate) mod histories;
pub(crate) mod published;
pub(crate) mod replay;
pub(crate) mod views;

//! Queries for replays, views, datasets, checks and hashes of a whole database.
//! Imports all other folders but `archive` and `sync`; writes nothing.

pub(crate) mod check;
pub(crate) mod fingerprint;
pub(crate) mod histories;
pub(crate) mod members;
pub(crate) mod published;
pub(crate) mod replay;
pub(crate) mod views;

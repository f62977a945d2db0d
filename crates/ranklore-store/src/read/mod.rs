//! Queries for replays, views, datasets and content hashes. Writes nothing.
//!
//! Imports all other folders except `archive`, and of `sync` only `completeness`.

pub(crate) mod content_hash;
pub(crate) mod contest;
pub(crate) mod details;
pub(crate) mod event_numbers;
pub(crate) mod games;
pub(crate) mod histories;
pub(crate) mod lists;
pub(crate) mod members;
pub(crate) mod periods;
pub(crate) mod ranking;
pub(crate) mod ratable_contests;
pub(crate) mod replay;
pub(crate) mod state_hash;
pub(crate) mod views;

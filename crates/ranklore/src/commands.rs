//! The commands, one file each.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod check_dataset;
pub(crate) mod competitor;
pub(crate) mod contest;
pub(crate) mod demo;
pub(crate) mod documents;
pub(crate) mod evaluate;
pub(crate) mod export;
pub(crate) mod forget;
pub(crate) mod import;
mod import_dataset;
mod imported;
pub(crate) mod leaderboard;
pub(crate) mod mine;
pub(crate) mod mine_dump;
mod mine_threads;
pub(crate) mod new_source;
pub(crate) mod player;
pub(crate) mod prune;
pub(crate) mod rate;
pub(crate) mod rebuild;
pub(crate) mod sources;
pub(crate) mod status;
pub(crate) mod systems;
pub(crate) mod withdraw;

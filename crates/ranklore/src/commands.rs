//! The commands, one file each.

pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod import;
pub(crate) mod leaderboard;
pub(crate) mod rate;

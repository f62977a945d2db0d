//! The commands, one file each.

pub(crate) mod competitor;
pub(crate) mod contest;
pub(crate) mod demo;
pub(crate) mod evaluate;
pub(crate) mod forget;
pub(crate) mod import;
pub(crate) mod leaderboard;
pub(crate) mod player;
pub(crate) mod rate;
pub(crate) mod rebuild;
pub(crate) mod withdraw;

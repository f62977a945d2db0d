//! Views of ratings: leaderboard, player, contest; search by name.
//!
//! Imports `runs` and writes nothing.

pub(crate) mod cache;
pub(crate) mod contest;
pub(crate) mod coverage;
pub(crate) mod earlier_ratings;
pub(crate) mod find;
pub(crate) mod fuzzy;
pub(crate) mod games;
pub(crate) mod history;
pub(crate) mod leaderboard;
pub(crate) mod names;
pub(crate) mod page;
pub(crate) mod player;
pub(crate) mod pseudonyms;
pub(crate) mod ranking;
mod rating_state;

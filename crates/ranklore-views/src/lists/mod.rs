//! Lists of sources, contests, competitors, changes and records, the distribution of ratings, and
//! rating systems.
//!
//! Imports `runs` and `views`, and writes nothing.

pub(crate) mod contests;
pub(crate) mod distribution;
pub(crate) mod movers;
mod period;
pub(crate) mod players;
pub(crate) mod records;
pub(crate) mod sources;
pub(crate) mod systems;

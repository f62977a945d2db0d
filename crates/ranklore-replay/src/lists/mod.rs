//! Lists of sources, of contests, of competitors, of changes and of the distribution of ratings, and of rating
//! systems.
//!
//! Imports `runs` and `views`, and writes nothing.

pub(crate) mod contests;
pub(crate) mod distribution;
pub(crate) mod movers;
mod period;
pub(crate) mod players;
pub(crate) mod sources;
pub(crate) mod systems;

//! Lists of contests, of competitors, and of changes of ratings.
//!
//! Imports `runs` and `views`, and writes nothing.

pub(crate) mod contests;
pub(crate) mod movers;
pub(crate) mod players;

//! Commands that list contests, competitors, and changes of ratings. Uses `ratings` and the output.

pub(crate) mod contests;
pub(crate) mod movers;
pub(crate) mod players;

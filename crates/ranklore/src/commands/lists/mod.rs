//! Commands that list contests, competitors, and changes of ratings. Uses the output.

pub(crate) mod contests;
pub(crate) mod movers;
pub(crate) mod players;

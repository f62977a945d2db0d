//! Cross tables of tournaments: each player has a row, with a cell for each round that names the
//! opponent by number.
//!
//! `trf`, `h9` and `opengotha` parse the rows, `dates` finds the day of each round, and `games` makes contests of
//! the games.

mod dates;
mod games;
pub(crate) mod h9;
pub(crate) mod opengotha;
pub(crate) mod trf;

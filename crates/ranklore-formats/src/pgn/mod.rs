//! Games of chess in portable game notation. Only the tags of a game are read, not its moves.
//! Source: PGN Specification and Implementation Guide, Steven J. Edwards, 1994.
//!
//! `tags` splits the text into games, `dates` parses their dates, `players` chooses what identifies
//! the players, `identity` gives each game an id and its order, and `read` makes contests of them.

mod dates;
mod identity;
mod players;
mod read;
mod tags;

pub(crate) use identity::{GameIds, GameOrder};
pub(crate) use players::is_fide_id;
pub(crate) use read::{decode_lines, read};

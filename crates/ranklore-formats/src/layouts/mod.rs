//! The layouts of tables: rows of results, rows of players, rows of games. Each turns rows into
//! contests by the columns that the schema has decided.

pub(crate) mod dated_names;
pub(crate) mod games;
pub(crate) mod long;
pub(crate) mod numbering;
mod published_ratings;
mod race_points;
mod standings;
mod starting_ratings;
pub(crate) mod wide;

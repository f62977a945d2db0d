//! Turns tables of other arrangements into tables with one row per result or per competitor.

pub(crate) mod conditions;
pub(crate) mod keyed_scores;
pub(crate) mod listed_players;
pub(crate) mod place_columns;
pub(crate) mod sections;
pub(crate) mod set_columns;
pub(crate) mod sideways;

//! The schema of a table: the row of headings, the meaning of each column, and the layout.
//!
//! Headings propose meanings ([`header_row`], [`table`]), [`rules`] look at the cells and the other
//! columns, and [`layout`] decides how results are arranged. A doubt is refused where it arises, with
//! the option that settles it. Imports `vocabulary` and `values`.

pub(crate) mod dates;
pub(crate) mod evidence;
pub(crate) mod game_claims;
pub(crate) mod games;
pub(crate) mod header_row;
pub(crate) mod joined_columns;
pub(crate) mod joint_names;
pub(crate) mod layout;
pub(crate) mod league_table;
pub(crate) mod long;
pub(crate) mod people;
pub(crate) mod ragged;
pub(crate) mod reshape;
pub(crate) mod rules;
pub(crate) mod series;
pub(crate) mod table;
pub(crate) mod unnamed_competitors;
pub(crate) mod unnamed_games;

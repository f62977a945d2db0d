//! The pages in HTML. They show what the views return, and work without scripts.
//!
//! `layout` and `parts` import no page.

pub(crate) mod chart;
pub(crate) mod contest;
pub(crate) mod contests;
pub(crate) mod format;
pub(crate) mod home;
pub(crate) mod layout;
pub(crate) mod leaderboard;
pub(crate) mod parts;
pub(crate) mod player;
pub(crate) mod players;
pub(crate) mod predictions;
pub(crate) mod request;
pub(crate) mod statistics;
pub(crate) mod tables;

use crate::views::Rows;

/// The rows of a list on a page.
pub(crate) const ROWS: Rows = Rows {
    usual: 50,
    max: 200,
};

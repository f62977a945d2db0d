//! HTML pages, the twins of the feeds: the match list, and the statistics of a round.
//! Imports `values` and the modules beside this folder, and no feed.

pub(crate) mod matches;
pub(crate) mod stats;

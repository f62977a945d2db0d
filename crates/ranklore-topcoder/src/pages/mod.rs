//! HTML pages with the contents of the feeds: the match list and the statistics of a round.
//! Uses `values` and the modules beside this folder, not `feeds`.

pub(crate) mod match_list;
pub(crate) mod round_stats;

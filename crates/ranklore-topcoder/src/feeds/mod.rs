//! XML feeds: the list of rounds, and the results of a round.
//! Imports `values` and the modules beside this folder, and no page.

pub(crate) mod feed;
pub(crate) mod results;
pub(crate) mod rounds;
pub(crate) mod row;

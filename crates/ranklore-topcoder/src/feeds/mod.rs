//! XML feeds: the list of rounds and the results of a round.
//! Uses `values` and the modules beside this folder, not `pages`.

pub(crate) mod reader;
pub(crate) mod results;
pub(crate) mod rounds;
pub(crate) mod row;

//! Work on a whole database: rebuild, anonymise, prune, status, what may be published.
//! Imports all other folders but `mine`.

pub(crate) mod forget;
pub(crate) mod prune;
pub(crate) mod publishing;
pub(crate) mod rebuild;
pub(crate) mod status;

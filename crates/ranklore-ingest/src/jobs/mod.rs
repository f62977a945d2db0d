//! Maintenance of a whole database: rebuild, forget, prune, status, terms for publication. Imports
//! all other folders but `mine`.

pub(crate) mod forget;
pub(crate) mod prune;
pub(crate) mod publication;
pub(crate) mod rebuild;
pub(crate) mod status;

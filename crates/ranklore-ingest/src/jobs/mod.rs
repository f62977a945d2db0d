//! Maintenance of a whole database: decisions, rebuild, undo, removal, forget, prune, status, terms for
//! publication. Imports all other folders but `mine`.

pub(crate) mod affected_runs;
pub(crate) mod decisions;
pub(crate) mod forget;
pub(crate) mod forget_plan;
pub(crate) mod prune;
pub(crate) mod publication;
pub(crate) mod rebuild;
pub(crate) mod removal;
pub(crate) mod status;
pub(crate) mod undo;

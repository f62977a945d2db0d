//! Commands that maintain the database: sources, runs, documents, status, check, backup, prune, rebuild.
//! Uses `ratings`, the reports of imports and runs, and the output.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod documents;
pub(crate) mod prune;
pub(crate) mod rebuild;
pub(crate) mod runs;
pub(crate) mod source;
mod source_show;
pub(crate) mod sources;
pub(crate) mod status;

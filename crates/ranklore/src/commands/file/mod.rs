//! Commands that maintain the database: sources, documents, status, check, backup, prune, rebuild.
//! Uses `ratings`, the import reports and the output.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod documents;
pub(crate) mod prune;
pub(crate) mod rebuild;
pub(crate) mod sources;
pub(crate) mod status;

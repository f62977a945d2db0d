//! Commands that look after the file: status, archive, check, backup, prune, rebuild.
//! Imports the folder `ratings`, what is said of imports, and the output of the program.

pub(crate) mod backup;
pub(crate) mod check;
pub(crate) mod documents;
pub(crate) mod prune;
pub(crate) mod rebuild;
pub(crate) mod sources;
pub(crate) mod status;

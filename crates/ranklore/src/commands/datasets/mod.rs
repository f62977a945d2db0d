//! Commands that write datasets, verify them and import them.
//! Uses the import reports and the output.

pub(crate) mod export;
mod export_table;
pub(crate) mod import_dataset;
pub(crate) mod verify;

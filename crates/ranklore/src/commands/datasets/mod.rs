//! Commands that write datasets, verify them and import them.
//! Imports what is said of imports beside it and the output of the program.

pub(crate) mod export;
pub(crate) mod import_dataset;
pub(crate) mod verify;

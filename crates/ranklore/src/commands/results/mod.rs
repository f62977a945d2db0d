//! Commands that bring results in: import and mine.
//! Imports the folder `datasets`, what is said of imports beside it, and the output of the program.

pub(crate) mod import;
pub(crate) mod mine;
pub(crate) mod mine_dump;
pub(crate) mod mine_options;
mod mine_probe;

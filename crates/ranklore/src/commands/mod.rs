//! The commands, one file each, in folders by what they are about. They import the output and the
//! words of the program, and the crates that do the work.

pub(crate) mod completions;
pub(crate) mod datasets;
pub(crate) mod demo;
pub(crate) mod file;
mod imported;
pub(crate) mod man;
pub(crate) mod new_source;
pub(crate) mod people;
pub(crate) mod ratings;
pub(crate) mod results;

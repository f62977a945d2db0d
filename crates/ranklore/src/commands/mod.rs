//! The commands: one file each, in folders by subject. They parse arguments, call the crates that do
//! the work, and print the result.

pub(crate) mod completions;
mod confirm;
pub(crate) mod datasets;
pub(crate) mod demo;
pub(crate) mod file;
mod import_report;
pub(crate) mod lists;
pub(crate) mod man;
pub(crate) mod new_source;
pub(crate) mod people;
pub(crate) mod ratings;
pub(crate) mod reproduce;
pub(crate) mod results;
mod runs_report;
#[cfg(feature = "web")]
pub(crate) mod serve;
#[cfg(feature = "web")]
pub(crate) mod site;
mod source_argument;
pub(crate) mod synth;

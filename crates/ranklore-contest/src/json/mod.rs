//! The JSON format of contest files: read, written, and what it tells of competitors.
//! Imports the vocabulary beside this folder.

pub(crate) mod competitors;
mod form;
pub(crate) mod read;
pub(crate) mod write;

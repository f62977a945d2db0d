//! Names: finds competitors and contests by them, and chooses those that are shown.
//!
//! Imports no other folder of the crate.

pub(crate) mod find;
pub(crate) mod fuzzy;
pub(crate) mod labels;
pub(crate) mod pseudonyms;

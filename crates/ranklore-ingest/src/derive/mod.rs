//! Archived responses to contests: one site, its lists, its names and its deletions.
//! Imports `people` and the modules beside this folder; sends no request.

pub(crate) mod answers;
pub(crate) mod deletions;
pub(crate) mod derived;
pub(crate) mod display_names;
pub(crate) mod event;
pub(crate) mod listing;
pub(crate) mod parts;
pub(crate) mod shared;
pub(crate) mod site;
pub(crate) mod write;

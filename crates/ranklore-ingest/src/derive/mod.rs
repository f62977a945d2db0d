//! From archived responses to contests: one site, its lists, its names and its deletions. Imports
//! `people` and the modules beside this folder; sends no request.

pub(crate) mod archive;
pub(crate) mod contest;
pub(crate) mod deletions;
pub(crate) mod display_names;
pub(crate) mod listing;
pub(crate) mod noise;
pub(crate) mod official;
pub(crate) mod reread;
pub(crate) mod site;
pub(crate) mod sync_state;
pub(crate) mod write;

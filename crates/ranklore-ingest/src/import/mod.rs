//! Files to contests: finding documents, reading them ahead, taking them in, previews.
//! Imports `people`, `derive` and the modules beside this folder, and not `mine`.

pub(crate) mod dataset;
pub(crate) mod documents;
pub(crate) mod dump;
pub(crate) mod files;
pub(crate) mod intake;
pub(crate) mod preview;

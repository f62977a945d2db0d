//! Files to contests: finding documents, reading them ahead, taking them in, previews.
//! Imports `people`, the registry and the notes beside this folder, and neither `mine` nor `derive`.

pub(crate) mod dataset;
pub(crate) mod documents;
pub(crate) mod dump;
pub(crate) mod files;
pub(crate) mod intake;
pub(crate) mod preview;

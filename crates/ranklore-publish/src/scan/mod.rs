//! The published rows of a database, read and put into the order of a dataset. Imports the
//! dictionary, batches, digests and errors beside this folder, and no format of a dataset.

pub(crate) mod arrange;
pub(crate) mod gather;
pub(crate) mod naming;
pub(crate) mod piece;
pub(crate) mod selection;

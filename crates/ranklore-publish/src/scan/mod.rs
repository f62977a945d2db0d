//! The published rows of a database, read and put into the order of a dataset. Imports the
//! dictionary, batches, digests and errors beside this folder, and no format of a dataset.

pub(crate) mod items;
pub(crate) mod naming;
pub(crate) mod order;
pub(crate) mod reader;
pub(crate) mod selection;

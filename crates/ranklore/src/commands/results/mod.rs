//! Commands that collect results: import and mine. Uses `datasets`, the import reports and the
//! output.

pub(crate) mod import;
mod mapping;
pub(crate) mod mine;
pub(crate) mod mine_dump;
pub(crate) mod mine_options;
mod mine_probe;

//! Commands that collect results: import and mine. Uses `datasets`, the reports of imports and
//! runs, and the output.

pub(crate) mod import;
mod mapping;
pub(crate) mod mine;
pub(crate) mod mine_dump;
pub(crate) mod mine_options;
mod mine_probe;
mod settlements;
mod undo;

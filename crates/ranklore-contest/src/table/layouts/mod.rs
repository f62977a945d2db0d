//! Turns rows into contests: one row per result, or one row per competitor. Imports the modules of
//! the parent folder, and no format.

pub(crate) mod long;
pub(crate) mod wide;

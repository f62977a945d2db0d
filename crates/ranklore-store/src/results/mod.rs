//! Settings of sources, and contests, competitors and standings, written and read row by row.
//!
//! Imports `file`.

pub(crate) mod contest_state;
pub(crate) mod contests;
pub(crate) mod external_ids;
pub(crate) mod row_inserter;
pub(crate) mod source_settings;

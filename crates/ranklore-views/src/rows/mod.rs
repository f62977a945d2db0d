//! The columns of lists, which tables, CSV and pages share.

pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod data;
pub mod format;

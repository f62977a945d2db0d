//! Reads JSON and JSON Lines as tables: the rows are objects, the headings their keys.
//!
//! `documents` finds the rows, `records` makes cells of their fields.

pub(crate) mod documents;
mod records;

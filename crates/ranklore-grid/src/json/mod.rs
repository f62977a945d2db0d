//! Reads JSON and JSON Lines as tables: the rows are objects, the headings their keys.
//!
//! `documents` finds the rows, `row_lists` chooses among several arrays, `keyed_lists` reads them all, `joins` finds objects of
//! the others by id, `records` makes cells of fields, `scalars` of their values.

pub(crate) mod documents;
mod joins;
mod keyed_lists;
mod records;
mod row_lists;
mod scalars;
pub(crate) mod yaml;

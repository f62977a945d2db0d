//! Reads bytes into a grid of cells: delimited text, JSON and workbooks. Imports `grid`, `header` and
//! `columns` from the parent folder, and no layout.

pub(crate) mod json;
pub(crate) mod sheet;
pub(crate) mod text;

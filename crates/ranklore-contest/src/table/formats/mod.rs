//! Bytes to a grid of cells: delimited text and workbooks.
//! Imports `grid`, `header` and `columns` beside this folder, and no layout.

pub(crate) mod sheet;
pub(crate) mod text;

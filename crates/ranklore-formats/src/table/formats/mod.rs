//! Reads bytes into a grid of cells: delimited text, JSON, Parquet and workbooks. Imports `grid`, `header` and
//! `columns` from the parent folder, and no layout.

pub(crate) mod json;
mod lists;
pub(crate) mod parquet;
pub(crate) mod sheet;
pub(crate) mod text;

//! Reads bytes into a grid of cells: delimited text, JSON, Parquet and workbooks. Imports `grid`, `header` and
//! `columns` from the parent folder, and no layout.

pub(crate) mod json;
mod lists;
mod ods;
pub(crate) mod parquet;
pub(crate) mod sheet;
pub(crate) mod text;
mod workbook_zip;
mod xls;
mod xls_formats;
mod xls_records;
pub(crate) mod xls_texts;
mod xlsx;

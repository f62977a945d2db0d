//! Reads bytes into a grid of cells: delimited text, JSON, Parquet and workbooks. Imports `grid`, `header` and
//! `columns` from the parent folder, and no layout.

use crate::file_format::FileFormat;
use crate::limits::ReadLimits;
use crate::reading::FileReadError;

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

/// Opens a workbook of this format.
pub(crate) fn open_workbook<'b>(
    format: FileFormat,
    bytes: &'b [u8],
    limits: ReadLimits,
) -> Result<Box<dyn sheet::Workbook + 'b>, FileReadError> {
    Ok(match format {
        FileFormat::Xls => Box::new(xls::XlsWorkbook::open(bytes, limits)?),
        FileFormat::Ods => Box::new(ods::OdsWorkbook::open(bytes, limits)?),
        _ => Box::new(xlsx::XlsxWorkbook::open(bytes, limits)?),
    })
}

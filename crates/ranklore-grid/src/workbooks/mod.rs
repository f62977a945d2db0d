//! Reads workbooks: .xlsx, .xls and .ods. `sheet` has what all have in common, `zip` the limits of
//! archives.

mod ods;
mod sheet;
mod xls;
mod xls_formats;
mod xls_records;
pub(crate) mod xls_texts;
mod xlsx;
mod zip;

pub use sheet::{Sheet, SheetCells, Workbook, list_sheets, read_sheet};

use crate::document::FileReadError;
use crate::limits::ReadLimits;

/// Opens an .xlsx workbook.
///
/// # Errors
/// [`FileReadError`] if it is not one, is encrypted, or exceeds the limits.
pub fn open_xlsx(
    bytes: &[u8],
    limits: ReadLimits,
) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(xlsx::XlsxWorkbook::open(bytes, limits)?))
}

/// Opens an .xls workbook of Excel 5 to 2003.
///
/// # Errors
/// [`FileReadError`] if it is not one, is encrypted, or exceeds the limits.
pub fn open_xls(bytes: &[u8], limits: ReadLimits) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(xls::XlsWorkbook::open(bytes, limits)?))
}

/// Opens an .ods workbook.
///
/// # Errors
/// [`FileReadError`] if it is not one, is encrypted, or exceeds the limits.
pub fn open_ods(bytes: &[u8], limits: ReadLimits) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(ods::OdsWorkbook::open(bytes, limits)?))
}

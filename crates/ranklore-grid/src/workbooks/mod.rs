//! Reads workbooks: .xlsx, .xls and .ods, and the tables of Markdown and HTML as sheets. `sheet` has
//! what all have in common, `zip` the limits of archives.

mod html;
mod markdown;
mod ods;
mod sheet;
mod xls;
mod xls_formats;
mod xls_records;
pub(crate) mod xls_texts;
mod xlsx;
mod zip;

pub use markdown::is_ruler_below;
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

/// Opens a Markdown document, whose tables are sheets.
///
/// # Errors
/// [`FileReadError`] if it is not a text.
pub fn open_markdown(
    bytes: &[u8],
    limits: ReadLimits,
) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(markdown::MarkdownTables::open(bytes, limits)?))
}

/// Opens an HTML page, or Markdown with HTML, whose tables are sheets.
///
/// # Errors
/// [`FileReadError`] if it is not a text, or exceeds the limits.
pub fn open_html(
    bytes: &[u8],
    limits: ReadLimits,
) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(html::HtmlTables::open(bytes, limits)?))
}

/// Opens an .ods workbook.
///
/// # Errors
/// [`FileReadError`] if it is not one, is encrypted, or exceeds the limits.
pub fn open_ods(bytes: &[u8], limits: ReadLimits) -> Result<Box<dyn Workbook + '_>, FileReadError> {
    Ok(Box::new(ods::OdsWorkbook::open(bytes, limits)?))
}

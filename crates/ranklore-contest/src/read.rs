//! Reads a document of any format.

use crate::options::{Format, ReadOptions};
use crate::reading::{MAX_DOCUMENT_BYTES, ReadError, Reading};
use crate::table::formats::{sheet, text};
use crate::{feed, json, table};

/// Reads a document. `file_name` (or a path) names the contest of a table or a feed that names
/// none, and may contain its date.
///
/// Pure: the same bytes, name and options always give the same reading.
///
/// # Errors
/// [`FileReadError`] if nothing can be read: the document is too long, is not JSON, text or a
/// workbook, has no known columns, or needs an option. Refused contests and rows are not errors:
/// they are in [`FileReading::refused`].
pub fn read(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
) -> Result<Reading, ReadError> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(ReadError::whole(format!(
            "the document has {} bytes, more than the limit of {MAX_DOCUMENT_BYTES}; split it",
            bytes.len()
        )));
    }
    let candidates = match format {
        Format::Json => json::read::read(bytes)?,
        Format::CtftimeFeed => feed::read(bytes, file_name, options)?,
        Format::Table => table::read(text::grid(bytes)?, file_name, options)?,
        Format::Xlsx => {
            let grid = sheet::grid(bytes, options.sheet.as_deref())?;
            table::read(grid, file_name, options)?
        }
    };
    Ok(candidates.admit())
}

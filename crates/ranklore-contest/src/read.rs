//! Reading a document of any format.

use crate::options::{Format, ReadOptions};
use crate::reading::{MAX_DOCUMENT_BYTES, ReadError, Reading};
use crate::table::formats::{sheet, text};
use crate::{feed, json, table};

/// Reads a document. `file_name` (a path will do) names the contest of a table or a feed that names
/// none, and may say when it was held.
///
/// Pure: the same bytes, name and options always read the same.
///
/// # Errors
/// [`ReadError`] when nothing at all can be read: the document is too long, is not JSON, text
/// or a workbook, has no columns known here, or leaves open what only the options can say.
/// Contests and rows that cannot be taken are no error: they are in [`Reading::refused`].
pub fn read(
    format: Format,
    bytes: &[u8],
    file_name: &str,
    options: &ReadOptions,
) -> Result<Reading, ReadError> {
    if bytes.len() > MAX_DOCUMENT_BYTES {
        return Err(ReadError::whole(format!(
            "the document has {} bytes, more than the {MAX_DOCUMENT_BYTES} that are read; split it",
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

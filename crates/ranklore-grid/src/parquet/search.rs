//! Finds texts in the values of a Parquet file, whose pages are compressed.

use super::batches::{ParquetFile, unreadable};
use super::cells::{WriteCell, cell_writer};
use super::columns::is_bounded;
use crate::document::FileReadError;
use crate::limits::ReadLimits;

/// Calls `is_found` with the names of columns and with the values of some rows, all columns of a
/// row side by side, until it returns true.
pub(crate) fn search(
    bytes: Vec<u8>,
    is_found: &dyn Fn(&str) -> bool,
) -> Result<bool, FileReadError> {
    ParquetFile::open_with(bytes, |file| {
        let schema = file.metadata.file_metadata().schema_descr();
        if schema.columns().iter().any(|column| is_found(&column.path().string())) {
            return Ok(true);
        }
        if !file.fields.iter().all(|field| is_bounded(field.data_type())) {
            return Err(unreadable("it has columns of long bytes"));
        }
        let leaves: Vec<usize> = (0..schema.num_columns()).collect();
        let mut has_match = false;
        let mut text = String::new();
        file.read_batches(&leaves, ReadLimits::ARCHIVED, |batch| {
            let columns = batch.columns();
            let writers: Vec<WriteCell<'_>> =
                columns.iter().map(|column| cell_writer(column, false)).collect();
            for row in 0..batch.num_rows() {
                for (column, write) in columns.iter().zip(&writers) {
                    if !column.is_null(row) {
                        // A value that is no text names nobody.
                        let _ = write(row, &mut text);
                    }
                    text.push('\n');
                }
                if text.len() > SEARCHED_BYTES || row + 1 == batch.num_rows() {
                    has_match = has_match || is_found(&text);
                    text.clear();
                }
            }
            Ok(())
        })?;
        Ok(has_match)
    })
}

/// The size of a text from which it is searched.
const SEARCHED_BYTES: usize = 1 << 20;

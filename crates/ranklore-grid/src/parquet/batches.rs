//! Reads a Parquet file in batches of rows, one row group after the other.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use arrow_array::RecordBatch;
use arrow_schema::Fields;
use bytes::Bytes;
use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
use parquet::arrow::{ProjectionMask, parquet_to_arrow_field_levels, parquet_to_arrow_schema};
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};

use super::columns::fields_to_read;
use super::footer::check_footer;
use super::pages::BoundedRowGroup;
use crate::document::{FileReadError, MAX_DOCUMENT_BYTES};
use crate::limits::ReadLimits;
use ranklore_contest::shorten;

/// The most values of a batch, which bounds its memory whatever the number of columns.
const BATCH_VALUES: usize = 1 << 17;

/// A Parquet file whose footer was read.
pub(super) struct ParquetFile {
    bytes: Arc<Bytes>,
    pub(super) metadata: Arc<ParquetMetaData>,
    pub(super) fields: Fields,
}

impl ParquetFile {
    /// Opens a file and calls `read` with it. An error of `read` is returned.
    pub(super) fn open_with<T>(
        bytes: Vec<u8>,
        read: impl FnOnce(Self) -> Result<T, FileReadError>,
    ) -> Result<T, FileReadError> {
        let bytes = Bytes::from(bytes);
        check_footer(&bytes).map_err(FileReadError::whole_document)?;
        // The library may panic on a broken page that no check here knows.
        let read = catch_unwind(AssertUnwindSafe(|| read(Self::open(bytes)?)));
        read.unwrap_or_else(|_| Err(unreadable("it is broken")))
    }

    fn open(bytes: Bytes) -> Result<Self, FileReadError> {
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&bytes).map_err(unreadable)?;
        let file = metadata.file_metadata();
        // Only durations need the schema that Arrow stores, which a file need not have.
        let stored_schema = parquet_to_arrow_schema(file.schema_descr(), file.key_value_metadata());
        let schema = parquet_to_arrow_schema(file.schema_descr(), None).map_err(unreadable)?;
        let fields = fields_to_read(
            &schema.fields,
            stored_schema.as_ref().ok().map(|stored| &stored.fields),
        );
        Ok(Self {
            bytes: Arc::new(bytes),
            metadata: Arc::new(metadata),
            fields,
        })
    }

    /// Calls `each` with batches of these leaves of the schema.
    pub(super) fn read_batches(
        &self,
        leaves: &[usize],
        limits: ReadLimits,
        mut each: impl FnMut(&RecordBatch) -> Result<(), FileReadError>,
    ) -> Result<(), FileReadError> {
        if leaves.is_empty() {
            return Ok(());
        }
        let schema = self.metadata.file_metadata().schema_descr();
        let mask = ProjectionMask::leaves(schema, leaves.iter().copied());
        let levels = parquet_to_arrow_field_levels(schema, mask, Some(&self.fields));
        let levels = levels.map_err(unreadable)?;
        let rows = (BATCH_VALUES / leaves.len()).max(1);
        let bytes_left = Arc::new(AtomicU64::new(MAX_DOCUMENT_BYTES as u64));
        for index in 0..self.metadata.num_row_groups() {
            let group = BoundedRowGroup {
                file: Arc::clone(&self.bytes),
                metadata: Arc::clone(&self.metadata),
                index,
                bytes_left: Arc::clone(&bytes_left),
                max_values: limits.cells as u64,
            };
            let batches =
                ParquetRecordBatchReader::try_new_with_row_groups(&levels, &group, rows, None);
            for batch in batches.map_err(unreadable)? {
                each(&batch.map_err(unreadable)?)?;
            }
        }
        Ok(())
    }
}

/// Returns the error of the library for the user.
pub(super) fn unreadable(reason: impl Display) -> FileReadError {
    let message = reason.to_string();
    let mut reason = &*message;
    for prefix in ["Parquet argument error: ", "Parquet error: "] {
        reason = reason.strip_prefix(prefix).unwrap_or(reason);
    }
    let reason = shorten(reason);
    FileReadError::whole_document(format!("this Parquet file cannot be read: {reason}"))
}

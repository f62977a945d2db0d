//! Parquet with Zstandard compression.

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch,
    StringArray, TimestampMillisecondArray,
};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::RowEncoder;
use crate::batch::{BATCH_ROWS, ColumnValues, RowBatch};
use crate::dictionary::{ColumnKind, TableId};
use crate::digest::FORMAT_VERSION;
use crate::read::arrow_type;

/// Rows of a row group: enough to compress well, few enough for parallel readers and bounded memory
/// of the writer.
const ROW_GROUP_ROWS: usize = 4 * BATCH_ROWS;

pub(super) struct ParquetEncoder {
    schema: Arc<Schema>,
    writer: ArrowWriter<BufWriter<File>>,
}

impl ParquetEncoder {
    /// Begins a file with the columns of a table.
    pub(super) fn create(file: File, table: TableId) -> io::Result<Box<dyn RowEncoder>> {
        let schema = Arc::new(arrow_schema(table));
        let options = ArrowWriterOptions::new()
            .with_properties(writer_properties(table))
            // The metadata would make the bytes depend on how batches are built.
            .with_skip_arrow_metadata(true);
        let file = BufWriter::with_capacity(1 << 18, file);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)?;
        Ok(Box::new(Self { schema, writer }))
    }
}

impl RowEncoder for ParquetEncoder {
    fn write(&mut self, batch: &RowBatch) -> io::Result<()> {
        let columns = batch.columns.iter().map(to_arrow_array).collect();
        let rows =
            RecordBatch::try_new(Arc::clone(&self.schema), columns).map_err(ParquetError::from)?;
        Ok(self.writer.write(&rows)?)
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        self.writer.into_inner()?.into_inner().map_err(IntoInnerError::into_error)
    }
}

fn writer_properties(table: TableId) -> WriterProperties {
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let mut properties = WriterProperties::builder();
    // Ratings rarely repeat: a dictionary costs time and saves nothing.
    let columns = table.spec().columns.iter();
    for column in columns.filter(|c| table == TableId::Rating && c.kind == ColumnKind::Number) {
        properties = properties.set_column_dictionary_enabled(column.name.into(), false);
    }
    let notes = [
        ("format_version", &*FORMAT_VERSION.to_string()),
        ("table", table.name()),
        ("meaning", table.spec().meaning),
        ("order", table.spec().order),
    ]
    .map(|(key, value)| KeyValue::new(format!("ranklore:{key}"), value.to_owned()));
    properties
        .set_created_by("ranklore".to_owned())
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(notes.into()))
        .build()
}

fn arrow_schema(table: TableId) -> Schema {
    let fields = table.spec().columns.iter().map(|column| {
        let kind = match column.kind {
            ColumnKind::Text => {
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
            }
            kind => arrow_type(kind),
        };
        Field::new(column.name, kind, column.nullable)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

fn to_arrow_array(values: &ColumnValues) -> ArrayRef {
    match values {
        ColumnValues::Text(texts) => {
            let keys: Int32Array = texts.keys().collect();
            let texts: StringArray = texts.distinct_texts().map(Some).collect();
            Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(texts)))
        }
        ColumnValues::Integer(numbers) => Arc::new(numbers.iter().copied().collect::<Int64Array>()),
        ColumnValues::Number(numbers) => {
            Arc::new(numbers.iter().copied().collect::<Float64Array>())
        }
        ColumnValues::Time(times) => {
            let millis = times.iter().map(|at| at.map(|seconds| seconds * 1000));
            let times: TimestampMillisecondArray = millis.collect();
            Arc::new(times.with_timezone("UTC"))
        }
        ColumnValues::Boolean(flags) => Arc::new(flags.iter().copied().collect::<BooleanArray>()),
    }
}

//! Writer of Parquet: one file per table, or one per source and year.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
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

use super::{TableWriter, WrittenFile, create_parent_folders};
use crate::batch::{BATCH_ROWS, ColumnValues, RowBatch};
use crate::dictionary::{ColumnKind, TableId};
use crate::digest::FORMAT_VERSION;
use crate::error::Error;
use crate::read::arrow_type;
use crate::scan::items::Partition;

/// Rows of a row group: enough to compress well, few enough for parallel readers and bounded memory
/// of the writer.
const ROW_GROUP_ROWS: usize = 4 * BATCH_ROWS;

/// Writes `parquet/TABLE.parquet`, or `parquet/TABLE/source=S/year=Y/0.parquet`.
pub(crate) struct ParquetWriter {
    root: PathBuf,
    partitioned: bool,
    open: [Option<OpenFile>; TableId::ALL.len()],
    written: Vec<WrittenFile>,
}

struct OpenFile {
    part: Partition,
    path: PathBuf,
    schema: Arc<Schema>,
    writer: ArrowWriter<BufWriter<File>>,
}

impl ParquetWriter {
    /// Creates a writer below the folder `root`; `partitioned` by source and year or not.
    pub(crate) fn new(root: &Path, partitioned: bool) -> Self {
        Self {
            root: root.to_owned(),
            partitioned,
            open: Default::default(),
            written: Vec::new(),
        }
    }

    fn open(&mut self, table: TableId, part: &Partition) -> Result<OpenFile, Error> {
        let relative = self.partition_path(table, part);
        let path = create_parent_folders(&self.root, &relative)?;
        let file = File::create_new(&path).map_err(Error::from_io(&path))?;
        let schema = Arc::new(arrow_schema(table));
        let options = ArrowWriterOptions::new()
            .with_properties(writer_properties(table))
            // The metadata would make the bytes depend on how batches are built.
            .with_skip_arrow_metadata(true);
        let file = BufWriter::with_capacity(1 << 18, file);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)
            .map_err(parquet_error(&path))?;
        self.written.push(WrittenFile {
            table: Some(table),
            path: relative,
        });
        Ok(OpenFile {
            part: part.clone(),
            path,
            schema,
            writer,
        })
    }

    fn partition_path(&self, table: TableId, part: &Partition) -> String {
        let name = table.name();
        match (&part.source, part.year) {
            (Some(source), Some(year)) if self.partitioned => {
                format!("parquet/{name}/source={source}/year={year}/0.parquet")
            }
            (Some(source), None) if self.partitioned => {
                format!("parquet/{name}/source={source}/0.parquet")
            }
            _ => format!("parquet/{name}.parquet"),
        }
    }
}

impl TableWriter for ParquetWriter {
    fn write(&mut self, part: &Partition, batch: &RowBatch) -> Result<(), Error> {
        let index = batch.table.index();
        let mut open = match self.open[index].take() {
            Some(open) if !self.partitioned || open.part == *part => open,
            other => {
                close_file(other)?;
                self.open(batch.table, part)?
            }
        };
        let columns = batch.columns.iter().map(to_arrow_array).collect();
        let rows = RecordBatch::try_new(Arc::clone(&open.schema), columns)
            .map_err(|error| parquet_error(&open.path)(error.into()))?;
        open.writer.write(&rows).map_err(parquet_error(&open.path))?;
        self.open[index] = Some(open);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        for open in &mut self.open {
            close_file(open.take())?;
        }
        // An empty table has a file too, so that readers find its columns.
        for table in TableId::ALL {
            if !self.written.iter().any(|file| file.table == Some(table)) {
                close_file(Some(self.open(table, &Partition::WHOLE)?))?;
            }
        }
        Ok(self.written)
    }
}

fn close_file(open: Option<OpenFile>) -> Result<(), Error> {
    let Some(OpenFile { path, writer, .. }) = open else {
        return Ok(());
    };
    let buffer = writer.into_inner().map_err(parquet_error(&path))?;
    let file = buffer.into_inner().map_err(std::io::IntoInnerError::into_error);
    file.and_then(|file| file.sync_all()).map_err(Error::from_io(&path))
}

fn parquet_error(path: &Path) -> impl FnOnce(ParquetError) -> Error + '_ {
    move |error| Error::Parquet {
        path: path.to_owned(),
        reason: error.to_string(),
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

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
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::{TableWriter, Written, place};
use crate::batch::{BATCH_ROWS, Batch, Values};
use crate::dictionary::{Kind, TableId};
use crate::digest::FORMAT_VERSION;
use crate::error::Error;
use crate::scan::piece::Part;

/// Rows of a row group: enough to compress well, few enough for parallel readers and bounded memory
/// of the writer.
const ROW_GROUP: usize = 4 * BATCH_ROWS;

/// Writes `parquet/TABLE.parquet`, or `parquet/TABLE/source=S/year=Y/0.parquet`.
pub(crate) struct ParquetWriter {
    root: PathBuf,
    parted: bool,
    open: [Option<OpenFile>; TableId::ALL.len()],
    written: Vec<Written>,
}

struct OpenFile {
    part: Part,
    path: PathBuf,
    schema: Arc<Schema>,
    writer: ArrowWriter<BufWriter<File>>,
}

impl ParquetWriter {
    /// Creates a writer below the folder `root`; `partitioned` by source and year or not.
    pub(crate) fn new(root: &Path, parted: bool) -> Self {
        Self {
            root: root.to_owned(),
            parted,
            open: Default::default(),
            written: Vec::new(),
        }
    }

    fn open(&mut self, table: TableId, part: &Part) -> Result<OpenFile, Error> {
        let relative = self.path_of(table, part);
        let path = place(&self.root, &relative)?;
        let file = File::create_new(&path).map_err(Error::io(&path))?;
        let schema = Arc::new(schema(table));
        let options = ArrowWriterOptions::new()
            .with_properties(properties(table))
            // The metadata would make the bytes depend on how batches are built.
            .with_skip_arrow_metadata(true);
        let file = BufWriter::with_capacity(1 << 18, file);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options)
            .map_err(failed(&path))?;
        self.written.push(Written {
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

    fn path_of(&self, table: TableId, part: &Part) -> String {
        let name = table.name();
        match (&part.source, part.year) {
            (Some(source), Some(year)) if self.parted => {
                format!("parquet/{name}/source={source}/year={year}/0.parquet")
            }
            (Some(source), None) if self.parted => {
                format!("parquet/{name}/source={source}/0.parquet")
            }
            _ => format!("parquet/{name}.parquet"),
        }
    }
}

impl TableWriter for ParquetWriter {
    fn write(&mut self, part: &Part, batch: &Batch) -> Result<(), Error> {
        let index = batch.table.index();
        let mut open = match self.open[index].take() {
            Some(open) if !self.parted || open.part == *part => open,
            other => {
                close(other)?;
                self.open(batch.table, part)?
            }
        };
        let columns = batch.columns.iter().map(array).collect();
        let rows = RecordBatch::try_new(Arc::clone(&open.schema), columns)
            .map_err(|error| failed(&open.path)(error.into()))?;
        open.writer.write(&rows).map_err(failed(&open.path))?;
        self.open[index] = Some(open);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<Vec<Written>, Error> {
        for open in &mut self.open {
            close(open.take())?;
        }
        // An empty table has a file too, so that readers find its columns.
        for table in TableId::ALL {
            if !self.written.iter().any(|file| file.table == Some(table)) {
                let empty = self.open(table, &Part::WHOLE)?;
                close(Some(empty))?;
            }
        }
        Ok(self.written)
    }
}

fn close(open: Option<OpenFile>) -> Result<(), Error> {
    let Some(OpenFile { path, writer, .. }) = open else {
        return Ok(());
    };
    let file = writer.into_inner().map_err(failed(&path))?;
    let file = file
        .into_inner()
        .map_err(std::io::IntoInnerError::into_error);
    let file = file.map_err(Error::io(&path))?;
    file.sync_all().map_err(Error::io(&path))
}

fn failed(path: &Path) -> impl FnOnce(ParquetError) -> Error + '_ {
    move |error| Error::Parquet {
        path: path.to_owned(),
        reason: error.to_string(),
    }
}

fn properties(table: TableId) -> WriterProperties {
    let note = |key: &str, value: String| KeyValue::new(format!("ranklore:{key}"), value);
    let level = ZstdLevel::try_new(3).unwrap_or_default();
    let mut properties = WriterProperties::builder();
    // Ratings rarely repeat: a dictionary costs time and saves nothing.
    let columns = table.table().columns.iter();
    for column in columns.filter(|of| table == TableId::Rating && of.kind == Kind::Number) {
        properties = properties.set_column_dictionary_enabled(column.name.into(), false);
    }
    properties
        .set_created_by("ranklore".to_owned())
        .set_compression(Compression::ZSTD(level))
        .set_max_row_group_row_count(Some(ROW_GROUP))
        .set_statistics_enabled(EnabledStatistics::Chunk)
        .set_key_value_metadata(Some(vec![
            note("format_version", FORMAT_VERSION.to_string()),
            note("table", table.name().to_owned()),
            note("meaning", table.table().meaning.to_owned()),
            note("order", table.table().order.to_owned()),
        ]))
        .build()
}

fn schema(table: TableId) -> Schema {
    let fields = table.table().columns.iter().map(|column| {
        let kind = match column.kind {
            Kind::Text => DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)),
            Kind::Integer => DataType::Int64,
            Kind::Number => DataType::Float64,
            Kind::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
            Kind::Boolean => DataType::Boolean,
        };
        Field::new(column.name, kind, column.nullable)
    });
    Schema::new(fields.collect::<Vec<_>>())
}

fn array(values: &Values) -> ArrayRef {
    match values {
        Values::Text(texts) => {
            let keys: Int32Array = texts.keys().collect();
            let texts: StringArray = texts.texts().map(Some).collect();
            Arc::new(DictionaryArray::<Int32Type>::new(keys, Arc::new(texts)))
        }
        Values::Integer(of) => Arc::new(of.iter().copied().collect::<Int64Array>()),
        Values::Number(of) => Arc::new(of.iter().copied().collect::<Float64Array>()),
        Values::Time(of) => {
            let millis = of.iter().map(|at| at.map(|seconds| seconds * 1000));
            let times: TimestampMillisecondArray = millis.collect();
            Arc::new(times.with_timezone("UTC"))
        }
        Values::Boolean(of) => Arc::new(of.iter().copied().collect::<BooleanArray>()),
    }
}

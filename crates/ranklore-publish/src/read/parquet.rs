//! Reader of untrusted Parquet files.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use parquet::file::metadata::RowGroupMetaData;
use ranklore_contest::UnixSeconds;

use super::wrong;
use crate::batch::{BATCH_ROWS, Batch, Value, Values};
use crate::dictionary::{Column, Kind, TableId};
use crate::error::Error;

/// Maximum uncompressed bytes of a row group. Exported files have a few dozen megabytes.
const MAX_ROW_GROUP: i64 = 1 << 30;

/// The rows of a file.
pub(super) struct Rows {
    path: PathBuf,
    table: TableId,
    reader: ParquetRecordBatchReader,
    row: u64,
}

pub(super) fn open(path: PathBuf, table: TableId) -> Result<Rows, Error> {
    let file = File::open(&path).map_err(Error::io(&path))?;
    let failed = |reason: String| Error::Parquet {
        path: path.clone(),
        reason,
    };
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| failed(error.to_string()))?;
    let fields = builder.schema().fields();
    let columns = table.table().columns;
    let fits = fields.len() == columns.len()
        && fields.iter().zip(columns).all(|(field, column)| {
            field.name() == column.name && *field.data_type() == type_of(column.kind)
        });
    if !fits {
        let reason = format!("its columns are not those of the table {}", table.name());
        return Err(failed(reason));
    }
    let groups = builder.metadata().row_groups().iter();
    if !groups
        .map(RowGroupMetaData::total_byte_size)
        .all(|bytes| (0..=MAX_ROW_GROUP).contains(&bytes))
    {
        return Err(failed("a row group is larger than 1 GiB".to_owned()));
    }
    let reader = builder
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(|error| failed(error.to_string()))?;
    Ok(Rows {
        path,
        table,
        reader,
        row: 0,
    })
}

fn type_of(kind: Kind) -> DataType {
    match kind {
        Kind::Text => DataType::Utf8,
        Kind::Integer => DataType::Int64,
        Kind::Number => DataType::Float64,
        Kind::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        Kind::Boolean => DataType::Boolean,
    }
}

impl Iterator for Rows {
    type Item = Result<Batch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match self.reader.next()? {
            Ok(rows) => rows,
            Err(error) => {
                return Some(Err(Error::Parquet {
                    path: self.path.clone(),
                    reason: error.to_string(),
                }));
            }
        };
        let batch = batch_of(self.table, &rows, &self.path, self.row);
        self.row += rows.num_rows() as u64;
        Some(batch)
    }
}

fn batch_of(table: TableId, rows: &RecordBatch, path: &Path, before: u64) -> Result<Batch, Error> {
    let mut batch = Batch::new(table);
    batch.rows = rows.num_rows();
    let columns = table.table().columns.iter().zip(rows.columns());
    for (values, (column, array)) in batch.columns.iter_mut().zip(columns) {
        put_all(values, column, array.as_ref())
            .map_err(|(row, reason)| wrong(path, before + row as u64 + 1, column.name, reason))?;
    }
    Ok(batch)
}

/// Row index and error of an invalid value.
type Wrong = (usize, &'static str);

fn put_all(values: &mut Values, column: &Column, array: &dyn Array) -> Result<(), Wrong> {
    let nullable = column.nullable;
    match column.kind {
        Kind::Text => {
            let of = array.as_string::<i32>();
            put(values, of, nullable, |row| Ok(Value::Text(of.value(row))))
        }
        Kind::Integer => {
            let of = array.as_primitive::<Int64Type>();
            put(values, of, nullable, |row| {
                Ok(Value::Integer(of.value(row)))
            })
        }
        Kind::Number => {
            let of = array.as_primitive::<Float64Type>();
            put(values, of, nullable, |row| finite(of.value(row)))
        }
        Kind::Time => {
            let of = array.as_primitive::<TimestampMillisecondType>();
            put(values, of, nullable, |row| moment(of.value(row)))
        }
        Kind::Boolean => {
            let of = array.as_boolean();
            put(values, of, nullable, |row| {
                Ok(Value::Boolean(of.value(row)))
            })
        }
    }
}

/// Appends all values of an array; the type is matched once, not per value.
fn put<'a>(
    values: &mut Values,
    array: &'a impl Array,
    nullable: bool,
    value: impl Fn(usize) -> Result<Value<'a>, &'static str>,
) -> Result<(), Wrong> {
    let nulls = array.nulls();
    for row in 0..array.len() {
        let value = match nulls {
            Some(nulls) if nulls.is_null(row) && nullable => Ok(Value::Missing),
            Some(nulls) if nulls.is_null(row) => Err("a value is missing"),
            _ => value(row),
        };
        values.push(value.map_err(|reason| (row, reason))?);
    }
    Ok(())
}

fn finite(value: f64) -> Result<Value<'static>, &'static str> {
    if value.is_finite() {
        Ok(Value::Number(value))
    } else {
        Err("it is no finite number")
    }
}

fn moment(millis: i64) -> Result<Value<'static>, &'static str> {
    let at = UnixSeconds::new(millis.div_euclid(1000));
    match at.filter(|_| millis.rem_euclid(1000) == 0) {
        Some(at) => Ok(Value::Time(at.get())),
        None => Err("it is no whole second from 1970 to 2199"),
    }
}

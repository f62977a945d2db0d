//! Reader of untrusted Parquet files.

use std::fs::File;
use std::path::{Path, PathBuf};

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMillisecondType};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_reader::{ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder};
use ranklore_contest::ContestTime;

use super::invalid_value;
use crate::batch::{BATCH_ROWS, ColumnValues, RowBatch, Value};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId};
use crate::error::Error;

/// Maximum uncompressed bytes of a row group. Exported files have a few dozen megabytes.
const MAX_ROW_GROUP_BYTES: i64 = 1 << 30;

/// The rows of a file.
pub(super) struct ParquetRows {
    path: PathBuf,
    table: TableId,
    columns: &'static [ColumnSpec],
    reader: ParquetRecordBatchReader,
    row: u64,
}

pub(super) fn open(
    path: PathBuf,
    table: TableId,
    columns: &'static [ColumnSpec],
) -> Result<ParquetRows, Error> {
    let file = File::open(&path).map_err(Error::from_io(&path))?;
    let builder = ParquetRecordBatchReaderBuilder::try_new(file)
        .map_err(|error| parquet_error(&path, error.to_string()))?;
    let fields = builder.schema().fields();
    let has_columns = fields.len() == columns.len()
        && fields.iter().zip(columns).all(|(field, column)| {
            field.name() == column.name && *field.data_type() == arrow_type(column.kind)
        });
    if !has_columns {
        let reason = format!("its columns are not those of the table {}", table.name());
        return Err(parquet_error(&path, reason));
    }
    for group in builder.metadata().row_groups() {
        if !(0..=MAX_ROW_GROUP_BYTES).contains(&group.total_byte_size()) {
            return Err(parquet_error(&path, "a row group is larger than 1 GiB"));
        }
    }
    let reader = builder
        .with_batch_size(BATCH_ROWS)
        .build()
        .map_err(|error| parquet_error(&path, error.to_string()))?;
    Ok(ParquetRows {
        path,
        table,
        columns,
        reader,
        row: 0,
    })
}

fn parquet_error(path: &Path, reason: impl Into<String>) -> Error {
    Error::Parquet {
        path: path.to_owned(),
        reason: reason.into(),
    }
}

/// Returns the type of the values of a column, as Arrow reads them.
pub(crate) fn arrow_type(kind: ColumnKind) -> DataType {
    match kind {
        ColumnKind::Text => DataType::Utf8,
        ColumnKind::Integer => DataType::Int64,
        ColumnKind::Number => DataType::Float64,
        ColumnKind::Time => DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into())),
        ColumnKind::Boolean => DataType::Boolean,
    }
}

impl Iterator for ParquetRows {
    type Item = Result<RowBatch, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match self.reader.next()? {
            Ok(rows) => rows,
            Err(error) => return Some(Err(parquet_error(&self.path, error.to_string()))),
        };
        let batch = self.convert_batch(&rows);
        self.row += rows.num_rows() as u64;
        Some(batch)
    }
}

impl ParquetRows {
    fn convert_batch(&self, rows: &RecordBatch) -> Result<RowBatch, Error> {
        let mut batch = RowBatch::new(self.table);
        batch.rows = rows.num_rows();
        let columns = self.columns.iter().zip(rows.columns());
        for (values, (column, array)) in batch.columns.iter_mut().zip(columns) {
            push_array(values, column, array.as_ref()).map_err(|(row, reason)| {
                let number = self.row + row as u64 + 1;
                invalid_value(&self.path, number, column.name, reason)
            })?;
        }
        Ok(batch)
    }
}

/// Row index and error of an invalid value.
type InvalidCell = (usize, &'static str);

fn push_array(
    values: &mut ColumnValues,
    column: &ColumnSpec,
    array: &dyn Array,
) -> Result<(), InvalidCell> {
    let nullable = column.nullable;
    match column.kind {
        ColumnKind::Text => {
            let array = array.as_string::<i32>();
            push_values(values, array, nullable, |i| Ok(Value::Text(array.value(i))))
        }
        ColumnKind::Integer => {
            let array = array.as_primitive::<Int64Type>();
            push_values(values, array, nullable, |i| Ok(Value::Integer(array.value(i))))
        }
        ColumnKind::Number => {
            let array = array.as_primitive::<Float64Type>();
            push_values(values, array, nullable, |i| finite_number(array.value(i)))
        }
        ColumnKind::Time => {
            let array = array.as_primitive::<TimestampMillisecondType>();
            push_values(values, array, nullable, |i| whole_seconds(array.value(i)))
        }
        ColumnKind::Boolean => {
            let array = array.as_boolean();
            push_values(values, array, nullable, |i| Ok(Value::Boolean(array.value(i))))
        }
    }
}

/// Appends all values of an array; the type is matched once, not per value.
fn push_values<'a>(
    values: &mut ColumnValues,
    array: &'a impl Array,
    nullable: bool,
    value: impl Fn(usize) -> Result<Value<'a>, &'static str>,
) -> Result<(), InvalidCell> {
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

fn finite_number(value: f64) -> Result<Value<'static>, &'static str> {
    if value.is_finite() {
        Ok(Value::Number(value))
    } else {
        Err("it is no finite number")
    }
}

fn whole_seconds(millis: i64) -> Result<Value<'static>, &'static str> {
    let at = ContestTime::new(millis.div_euclid(1000));
    match at.filter(|_| millis.rem_euclid(1000) == 0) {
        Some(at) => Ok(Value::Time(at.get())),
        None => Err("it is no whole second from 1583 to 2199"),
    }
}

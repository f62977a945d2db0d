//! Parquet, as whoever wrote it.

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
use crate::Error;
use crate::batch::{BATCH_ROWS, Batch, Value};
use crate::dictionary::{Column, Kind, TableId};

/// No row group is larger once it is unpacked, in bytes. Those that are written here have a few
/// dozen megabytes.
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
        return Err(failed("a row group of it has more than 1 GiB".to_owned()));
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
    for (index, column) in table.table().columns.iter().enumerate() {
        let array = rows.column(index);
        for row in 0..rows.num_rows() {
            let value = value_at(array.as_ref(), row, column)
                .map_err(|reason| wrong(path, before + row as u64 + 1, column.name, reason))?;
            batch.columns[index].push(value);
        }
    }
    Ok(batch)
}

fn value_at<'a>(
    array: &'a dyn Array,
    row: usize,
    column: &Column,
) -> Result<Value<'a>, &'static str> {
    if array.is_null(row) {
        return if column.nullable {
            Ok(Value::Missing)
        } else {
            Err("a value is missing")
        };
    }
    Ok(match column.kind {
        Kind::Text => Value::Text(array.as_string::<i32>().value(row)),
        Kind::Integer => Value::Integer(array.as_primitive::<Int64Type>().value(row)),
        Kind::Number => {
            let value = array.as_primitive::<Float64Type>().value(row);
            if !value.is_finite() {
                return Err("it is no finite number");
            }
            Value::Number(value)
        }
        Kind::Time => {
            let millis = array.as_primitive::<TimestampMillisecondType>().value(row);
            let at = UnixSeconds::new(millis.div_euclid(1000));
            match at.filter(|_| millis.rem_euclid(1000) == 0) {
                Some(at) => Value::Time(at.get()),
                None => return Err("it is no whole second from 1970 to 2199"),
            }
        }
        Kind::Boolean => Value::Boolean(array.as_boolean().value(row)),
    })
}

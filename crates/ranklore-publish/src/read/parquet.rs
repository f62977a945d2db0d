//! Reader of untrusted Parquet files.

use arrow_array::Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampMillisecondType};
use arrow_schema::{DataType, TimeUnit};
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::errors::ParquetError;
use ranklore_contest::ContestTime;

use super::FileRows;
use crate::batch::{BATCH_ROWS, ColumnValues, Value};
use crate::dictionary::{ColumnKind, ColumnSpec};
use crate::error::Error;

/// Maximum uncompressed bytes of a row group. Exported files have a few dozen megabytes.
const MAX_ROW_GROUP_BYTES: i64 = 1 << 30;

pub(super) fn read(mut rows: FileRows<'_>) -> Result<(), Error> {
    let file = rows.file;
    let failed = |error: ParquetError| file.invalid(error.to_string());
    let builder = ParquetRecordBatchReaderBuilder::try_new(file.open()?).map_err(failed)?;
    let fields = builder.schema().fields();
    let stored = fields.iter().map(|field| (field.name().as_str(), field.data_type().clone()));
    let expected = rows.columns.iter().map(|column| (column.name, arrow_type(column.kind)));
    file.require_columns(stored.eq(expected))?;
    for group in builder.metadata().row_groups() {
        if !(0..=MAX_ROW_GROUP_BYTES).contains(&group.total_byte_size()) {
            return Err(file.invalid("a row group is larger than 1 GiB"));
        }
    }
    for batch in builder.with_batch_size(BATCH_ROWS).build().map_err(failed)? {
        let batch = batch.map_err(|error| file.invalid(error.to_string()))?;
        let columns = rows.columns.iter().zip(batch.columns());
        for (values, (column, array)) in rows.batch.columns.iter_mut().zip(columns) {
            push_array(values, column, array.as_ref()).map_err(|(row, reason)| {
                file.invalid_value(rows.row + row as u64 + 1, column, reason)
            })?;
        }
        rows.batch.rows = batch.num_rows();
        rows.row += batch.num_rows() as u64;
        rows.emit_batch()?;
    }
    Ok(())
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

/// Row index and error of an invalid value.
type InvalidCell = (usize, &'static str);

fn push_array(
    values: &mut ColumnValues,
    column: &ColumnSpec,
    array: &dyn Array,
) -> Result<(), InvalidCell> {
    match column.kind {
        ColumnKind::Text => {
            let texts = array.as_string::<i32>();
            push_values(values, column, texts, |text| Ok(Value::Text(text)))
        }
        ColumnKind::Integer => {
            let integers = array.as_primitive::<Int64Type>();
            push_values(values, column, integers, |value| Ok(Value::Integer(value)))
        }
        ColumnKind::Number => {
            push_values(values, column, array.as_primitive::<Float64Type>(), finite_number)
        }
        ColumnKind::Time => {
            let times = array.as_primitive::<TimestampMillisecondType>();
            push_values(values, column, times, whole_seconds)
        }
        ColumnKind::Boolean => {
            push_values(values, column, array.as_boolean(), |value| Ok(Value::Boolean(value)))
        }
    }
}

/// Appends all values of an array; the type is matched once, not per value.
fn push_values<'v, T>(
    values: &mut ColumnValues,
    column: &ColumnSpec,
    cells: impl IntoIterator<Item = Option<T>>,
    convert: impl Fn(T) -> Result<Value<'v>, &'static str>,
) -> Result<(), InvalidCell> {
    for (row, cell) in cells.into_iter().enumerate() {
        let value = match cell {
            Some(cell) => convert(cell),
            None if column.nullable => Ok(Value::Missing),
            None => Err("a value is missing"),
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

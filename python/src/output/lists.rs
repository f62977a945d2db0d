//! Columns as lists of Python values, for those without a data-frame library.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, TimestampSecondType, UInt32Type};
use arrow_array::{Array, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::error::Failure;
use crate::table::GivenTable;

/// Returns the columns of a table of this package: names and values.
#[pyfunction]
pub(crate) fn to_columns<'py>(
    table: &Bound<'py, PyAny>,
) -> PyResult<Vec<(String, Bound<'py, PyList>)>> {
    let columns = GivenTable::take(table)?.read()?.into_columns();
    let columns = columns.into_iter().map(|column| {
        let values = PyList::empty(table.py());
        for chunk in &column.chunks {
            append(chunk, &values)?;
        }
        Ok((column.name, values))
    });
    columns.collect()
}

fn append(chunk: &ArrayRef, values: &Bound<'_, PyList>) -> PyResult<()> {
    match chunk.data_type() {
        DataType::Null => (0..chunk.len()).try_for_each(|_| values.append(values.py().None())),
        DataType::Utf8 => chunk.as_string::<i32>().iter().try_for_each(|v| values.append(v)),
        DataType::Boolean => chunk.as_boolean().iter().try_for_each(|v| values.append(v)),
        DataType::Int64 => {
            chunk.as_primitive::<Int64Type>().iter().try_for_each(|v| values.append(v))
        }
        DataType::UInt32 => {
            chunk.as_primitive::<UInt32Type>().iter().try_for_each(|v| values.append(v))
        }
        DataType::Float64 => {
            chunk.as_primitive::<Float64Type>().iter().try_for_each(|v| values.append(v))
        }
        DataType::Timestamp(TimeUnit::Second, _) => append_times(chunk, values),
        other => Err(Failure::new(format!("a column of {other} has no list; report it")).into()),
    }
}

fn append_times(chunk: &ArrayRef, values: &Bound<'_, PyList>) -> PyResult<()> {
    let datetime = values.py().import("datetime")?;
    let utc = datetime.getattr("timezone")?.getattr("utc")?;
    let epoch = datetime.getattr("datetime")?.call1((1970, 1, 1, 0, 0, 0, 0, utc))?;
    let duration = datetime.getattr("timedelta")?;
    for seconds in chunk.as_primitive::<TimestampSecondType>() {
        let time = seconds.map(|seconds| epoch.add(duration.call1((0, seconds))?)).transpose()?;
        values.append(time)?;
    }
    Ok(())
}

//! Tables to Python.

pub(crate) mod given;
pub(crate) mod lists;

use std::sync::Arc;

use arrow_array::types::Float64Type;
use arrow_array::{
    ArrayRef, Float64Array, PrimitiveArray, RecordBatch, TimestampSecondArray, UInt32Array,
};
use arrow_schema::{Field, Schema};
use pyo3_arrow::PyTable;

use crate::error::Failure;

/// The columns of a table.
pub(crate) type Columns = Vec<(&'static str, ArrayRef)>;

/// Returns an object with the Arrow stream capsule.
pub(crate) fn to_table(columns: Columns) -> Result<PyTable, Failure> {
    let fields = columns
        .iter()
        .map(|(name, array)| Field::new(*name, array.data_type().clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(Failure::new)?;
    PyTable::try_new(vec![batch], schema).map_err(Failure::new)
}

/// Returns numbers, of which NaN is none.
pub(crate) fn optional(numbers: &[f64]) -> ArrayRef {
    let values = numbers.iter().map(|number| Some(*number).filter(|number| !number.is_nan()));
    Arc::new(values.collect::<PrimitiveArray<Float64Type>>())
}

/// Returns numbers.
pub(crate) fn floats(numbers: &[f64]) -> ArrayRef {
    Arc::new(Float64Array::from(numbers.to_vec()))
}

/// Returns whole numbers.
pub(crate) fn counts(numbers: Vec<u32>) -> ArrayRef {
    Arc::new(UInt32Array::from(numbers))
}

/// Returns times in seconds since 1970.
pub(crate) fn times(seconds: Vec<i64>) -> ArrayRef {
    Arc::new(TimestampSecondArray::from(seconds).with_timezone("UTC"))
}

/// Returns times in seconds since 1970, where they are known.
pub(crate) fn optional_times(seconds: Vec<Option<i64>>) -> ArrayRef {
    Arc::new(TimestampSecondArray::from(seconds).with_timezone("UTC"))
}

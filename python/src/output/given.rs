//! Tables from dicts of Python.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;
use pyo3_arrow::PyTable;

use crate::error::Failure;
use crate::table::GivenTable;

/// Returns a dict of columns as a table.
#[pyfunction]
pub(crate) fn from_columns(columns: &Bound<'_, PyAny>) -> PyResult<PyTable> {
    let columns = GivenTable::take(columns)?.read()?.into_columns();
    let fields = columns
        .iter()
        .map(|column| Field::new(&column.name, column.data_type.clone(), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let arrays = columns.into_iter().flat_map(|column| column.chunks).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).map_err(Failure::new)?;
    PyTable::try_new(vec![batch], schema)
}

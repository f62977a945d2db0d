//! Tables from Python: any object with the Arrow stream capsule, or a dict of columns.

mod lists;
pub(crate) mod names;
pub(crate) mod values;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use pyo3_arrow::PyChunkedArray;
use pyo3_arrow::input::AnyRecordBatch;

use crate::error::Failure;

/// A table that was handed over and is not read yet: the stream may run a query.
pub(crate) enum GivenTable {
    /// A stream of batches.
    Stream(Box<dyn RecordBatchReader + Send>),
    /// The columns of a dict.
    Columns(Vec<Column>),
}

impl GivenTable {
    /// Takes a table from Python.
    pub(crate) fn take(table: &Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(columns) = table.cast::<PyDict>() {
            let columns = columns.iter().map(|(name, values)| {
                let name: String = name.extract().map_err(|_| {
                    Failure::new(format!(
                        "the column name {name} is no text; name columns by texts"
                    ))
                })?;
                Column::from_values(name, &values)
            });
            return Ok(Self::Columns(columns.collect::<PyResult<_>>()?));
        }
        if !table.hasattr("__arrow_c_stream__")? && !table.hasattr("__arrow_c_array__")? {
            let message = format!(
                "cannot read a table from {}: pass a data frame of Polars, pandas 2.2 or newer, \
                 PyArrow or DuckDB, or a dict of columns",
                table.get_type().fully_qualified_name()?
            );
            return Err(Failure::new(message).into());
        }
        Ok(Self::Stream(table.extract::<AnyRecordBatch>()?.into_reader()?))
    }

    /// Reads the whole table. Runs without the interpreter lock.
    pub(crate) fn read(self) -> Result<Table, Failure> {
        let columns = match self {
            Self::Columns(columns) => columns,
            Self::Stream(reader) => {
                let schema = reader.schema();
                let batches: Vec<RecordBatch> = reader
                    .collect::<Result<_, ArrowError>>()
                    .map_err(|error| Failure::new(format!("cannot read the table: {error}")))?;
                let fields = schema.fields().iter().enumerate();
                let columns = fields.map(|(index, field)| Column {
                    name: field.name().clone(),
                    data_type: field.data_type().clone(),
                    chunks: batches.iter().map(|batch| Arc::clone(batch.column(index))).collect(),
                });
                columns.collect()
            }
        };
        Table::new(columns)
    }
}

/// A column of a table, in chunks.
pub(crate) struct Column {
    pub(crate) name: String,
    pub(crate) data_type: DataType,
    pub(crate) chunks: Vec<ArrayRef>,
}

impl Column {
    fn from_values(name: String, values: &Bound<'_, PyAny>) -> PyResult<Self> {
        let is_arrow =
            values.hasattr("__arrow_c_stream__")? || values.hasattr("__arrow_c_array__")?;
        if is_arrow {
            match values.extract::<PyChunkedArray>() {
                Ok(array) => {
                    let (chunks, field) = array.into_inner();
                    return Ok(Self {
                        name,
                        data_type: field.data_type().clone(),
                        chunks,
                    });
                }
                // Older versions of Polars hand over dates as numbers of another type.
                Err(error) if error.is_instance_of::<PyTypeError>(values.py()) => {}
                Err(error) => return Err(error),
            }
        }
        let array = lists::to_array(&name, values)?;
        Ok(Self {
            data_type: array.data_type().clone(),
            chunks: vec![array],
            name,
        })
    }

    /// Returns the number of rows.
    pub(crate) fn len(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    /// Returns the failure of a value that is refused; `reason` says what is wrong and what to do.
    pub(crate) fn refuse(&self, row: usize, reason: impl std::fmt::Display) -> Failure {
        let name = &self.name;
        Failure::new(format!("column \"{name}\", row {row}: {reason}")).at(row, name)
    }

    /// Returns the failure of a column of another type.
    pub(crate) fn refuse_type(&self, expected: &str) -> Failure {
        let (name, data_type) = (&self.name, &self.data_type);
        Failure::new(format!("column \"{name}\" has the type {data_type}; {expected}")).at(0, name)
    }
}

/// A table whose columns have the same number of rows.
pub(crate) struct Table {
    columns: Vec<Column>,
    /// The number of rows.
    pub(crate) rows: usize,
}

impl Table {
    fn new(columns: Vec<Column>) -> Result<Self, Failure> {
        let rows = columns.first().map_or(0, Column::len);
        if let Some(other) = columns.iter().find(|column| column.len() != rows) {
            return Err(Failure::new(format!(
                "column \"{}\" has {} rows, and column \"{}\" {rows}; give columns of one length",
                other.name,
                other.len(),
                columns[0].name,
            )));
        }
        if u32::try_from(rows).is_err() {
            return Err(Failure::new(format!(
                "the table has {rows} rows, more than 4,294,967,295"
            )));
        }
        Ok(Self { columns, rows })
    }

    /// Returns all columns.
    pub(crate) fn into_columns(self) -> Vec<Column> {
        self.columns
    }

    /// Returns the column of this name, if there is one.
    pub(crate) fn find(&self, name: &str) -> Result<Option<&Column>, Failure> {
        let mut columns = self.columns.iter().filter(|column| column.name == name);
        let column = columns.next();
        if columns.next().is_some() {
            return Err(Failure::new(format!("two columns are named \"{name}\"; rename one")));
        }
        Ok(column)
    }

    /// Returns the column of this name.
    pub(crate) fn column(&self, name: &str) -> Result<&Column, Failure> {
        self.find(name)?.ok_or_else(|| {
            let names: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            Failure::new(format!(
                "there is no column \"{name}\"; the table has {}",
                if names.is_empty() {
                    "none".to_owned()
                } else {
                    names.join(", ")
                }
            ))
        })
    }
}

//! Chooses the columns of a Parquet file that are cells of a row.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields};

/// The longest value of a column of fixed length. Decimals have up to 32 bytes.
const MAX_FIXED_BYTES: i32 = 64;

/// The columns of a file.
#[derive(Default)]
pub(super) struct ColumnChoice {
    /// The indices of the leaves of the schema that are read.
    pub(super) leaves: Vec<usize>,
    /// The paths of the columns that are read.
    pub(super) headings: Vec<String>,
    /// The paths of those that are not: arrays of objects, maps, long bytes.
    pub(super) unread: Vec<String>,
    next_leaf: usize,
}

impl ColumnChoice {
    pub(super) fn new(fields: &Fields) -> Self {
        let mut choice = Self::default();
        choice.add_fields(fields, "");
        choice
    }

    fn add_fields(&mut self, fields: &Fields, within: &str) {
        for field in fields {
            let name = field.name().trim();
            let path = if within.is_empty() {
                name.to_owned()
            } else {
                format!("{within}.{name}")
            };
            match field.data_type() {
                DataType::Struct(children) => self.add_fields(children, &path),
                DataType::List(element) if is_scalar(element.data_type()) => self.add(path),
                other if is_scalar(other) => self.add(path),
                other => {
                    self.next_leaf += count_leaves(other);
                    self.unread.push(path);
                }
            }
        }
    }

    fn add(&mut self, path: String) {
        self.leaves.push(self.next_leaf);
        self.headings.push(path);
        self.next_leaf += 1;
    }
}

fn is_scalar(kind: &DataType) -> bool {
    match kind {
        DataType::FixedSizeBinary(bytes) => (1..=MAX_FIXED_BYTES).contains(bytes),
        DataType::Interval(_) => false,
        other => !other.is_nested(),
    }
}

/// True if no value within has a fixed length of many bytes.
pub(super) fn is_bounded(kind: &DataType) -> bool {
    match kind {
        DataType::Struct(fields) => fields.iter().all(|field| is_bounded(field.data_type())),
        DataType::List(field) | DataType::Map(field, _) => is_bounded(field.data_type()),
        DataType::FixedSizeBinary(bytes) => (1..=MAX_FIXED_BYTES).contains(bytes),
        _ => true,
    }
}

fn count_leaves(kind: &DataType) -> usize {
    match kind {
        DataType::Struct(fields) => {
            fields.iter().map(|field| count_leaves(field.data_type())).sum()
        }
        DataType::List(field) | DataType::Map(field, _) => count_leaves(field.data_type()),
        _ => 1,
    }
}

/// Returns the schema to read: with the durations of the one that Arrow may have stored beside it,
/// which for Parquet are whole numbers, and with texts as views, which share the bytes of a
/// dictionary.
pub(super) fn fields_to_read(fields: &Fields, stored: Option<&Fields>) -> Fields {
    let stored = stored.filter(|stored| stored.len() == fields.len());
    let fields = fields.iter().enumerate();
    fields
        .map(|(index, field)| field_to_read(field, stored.map(|stored| stored[index].data_type())))
        .collect()
}

fn field_to_read(field: &Field, stored: Option<&DataType>) -> Arc<Field> {
    let kind = match (field.data_type(), stored) {
        (DataType::Int64, Some(duration @ DataType::Duration(_))) => duration.clone(),
        (DataType::Utf8 | DataType::LargeUtf8, _) => DataType::Utf8View,
        (DataType::Binary | DataType::LargeBinary, _) => DataType::BinaryView,
        (DataType::Struct(fields), Some(DataType::Struct(stored))) => {
            DataType::Struct(fields_to_read(fields, Some(stored)))
        }
        (DataType::Struct(fields), _) => DataType::Struct(fields_to_read(fields, None)),
        (DataType::List(field), _) => DataType::List(field_to_read(field, None)),
        (DataType::Map(field, sorted), _) => DataType::Map(field_to_read(field, None), *sorted),
        (kind, _) => kind.clone(),
    };
    Arc::new(field.clone().with_data_type(kind))
}

/// A column of a batch.
pub(super) struct BatchColumn {
    pub(super) values: ArrayRef,
    /// The objects that it is in: where one is null, its fields are.
    parents: Vec<ArrayRef>,
}

impl BatchColumn {
    pub(super) fn is_null(&self, row: usize) -> bool {
        self.values.is_null(row) || self.parents.iter().any(|parent| parent.is_null(row))
    }
}

/// Returns the columns of a batch, those of objects in place of the objects.
pub(super) fn flatten(batch: &RecordBatch) -> Vec<BatchColumn> {
    let mut columns = Vec::new();
    for array in batch.columns() {
        add_columns(array, &[], &mut columns);
    }
    columns
}

fn add_columns(array: &ArrayRef, parents: &[ArrayRef], columns: &mut Vec<BatchColumn>) {
    if let Some(object) = array.as_struct_opt() {
        let mut parents = parents.to_vec();
        if array.null_count() > 0 {
            parents.push(Arc::clone(array));
        }
        for child in object.columns() {
            add_columns(child, &parents, columns);
        }
    } else {
        columns.push(BatchColumn {
            values: Arc::clone(array),
            parents: parents.to_vec(),
        });
    }
}

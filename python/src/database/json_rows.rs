//! Columns from rows of JSON, which have the same keys and values as the output of the command.

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, StringArray};
use serde_json::Value;

use crate::output::{Columns, optional_times};

/// The columns of the standings of a contest.
pub(super) const CONTEST_COLUMNS: [&str; 14] = [
    "place",
    "status",
    "name",
    "external_id",
    "kind",
    "counts_as",
    "counted",
    "counts_in",
    "mu_before",
    "mu",
    "sigma",
    "change",
    "performance",
    "predicted",
];

/// Returns the columns with these paths of keys, such as `last_sync.kind`.
pub(super) fn to_columns(rows: &[Value], paths: &[&'static str]) -> Columns {
    let columns = paths.iter().map(|&path| {
        let values: Vec<&Value> = rows.iter().map(|row| find(row, path)).collect();
        (path, to_array(path, &values))
    });
    columns.collect()
}

fn find<'v>(row: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(row, |value, key| value.get(key).unwrap_or(&Value::Null))
}

fn to_array(path: &str, values: &[&Value]) -> ArrayRef {
    let all = |is_type: fn(&Value) -> bool| values.iter().all(|v| v.is_null() || is_type(v));
    if path.ends_with("_at") && all(Value::is_i64) {
        return optional_times(values.iter().map(|value| value.as_i64()).collect());
    }
    if all(Value::is_boolean) && !all(Value::is_null) {
        return Arc::new(values.iter().map(|value| value.as_bool()).collect::<BooleanArray>());
    }
    if all(Value::is_i64) && !all(Value::is_null) {
        return Arc::new(values.iter().map(|value| value.as_i64()).collect::<Int64Array>());
    }
    if all(Value::is_number) && !all(Value::is_null) {
        return Arc::new(values.iter().map(|value| value.as_f64()).collect::<Float64Array>());
    }
    let texts = values.iter().map(|value| match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        // Lists have no type that all libraries read.
        other => Some(other.to_string()),
    });
    Arc::new(texts.collect::<StringArray>())
}

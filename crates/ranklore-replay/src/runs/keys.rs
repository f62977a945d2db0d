//! The run that a view is of.

use ranklore_store::RunRow;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};
use serde_json::Value;

/// Serialises the keys that identify the run in every view into the object that contains it; all
/// values are null if there is no run. Selection and parameters are objects.
///
/// # Errors
/// The errors of the serializer.
pub fn serialize_run<'a, S: Serializer>(
    run: impl Into<Option<&'a RunRow>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let run = run.into();
    let mut keys = serializer.serialize_map(Some(5))?;
    keys.serialize_entry("run_id", &run.map(|run| run.run_id))?;
    keys.serialize_entry("run_name", &run.map(|run| &run.name))?;
    keys.serialize_entry("system", &run.map(|run| &run.system))?;
    keys.serialize_entry("selection", &run.map(|run| value(&run.selection)))?;
    keys.serialize_entry("parameters", &run.map(|run| value(&run.parameters)))?;
    keys.end()
}

/// Serialises JSON that is stored as text.
///
/// # Errors
/// The errors of the serializer.
pub fn serialize_json_text<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    value(text).serialize(serializer)
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

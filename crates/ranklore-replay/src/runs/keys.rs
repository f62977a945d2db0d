//! The run that a view is of.

use ranklore_store::{RunId, RunRow};
use serde::{Serialize, Serializer};
use serde_json::Value;

/// The keys that identify the run in every view; all null if there is no run.
#[derive(Serialize)]
struct RunKeys<'a> {
    /// The id, for `--run`.
    run_id: Option<RunId>,
    /// The rating system, or `official`.
    system: Option<&'a str>,
    /// The selection of contests, as an object.
    selection: Option<Value>,
    /// All parameters of the system, as an object.
    parameters: Option<Value>,
}

/// Serialises the keys of a run into the object that contains it.
pub(crate) fn serialize_run<S: Serializer>(run: &RunRow, serializer: S) -> Result<S::Ok, S::Error> {
    keys(Some(run)).serialize(serializer)
}

/// Serialises the keys of a run, or nulls, into the object that contains it.
pub(crate) fn serialize_run_if_any<S: Serializer>(
    run: &Option<RunRow>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    keys(run.as_ref()).serialize(serializer)
}

/// Serialises JSON that is stored as text.
pub(crate) fn serialize_json_text<S: Serializer>(
    text: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value(text).serialize(serializer)
}

fn keys(run: Option<&RunRow>) -> RunKeys<'_> {
    RunKeys {
        run_id: run.map(|run| run.run_id),
        system: run.map(|run| run.system.as_str()),
        selection: run.map(|run| value(&run.selection)),
        parameters: run.map(|run| value(&run.parameters)),
    }
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}

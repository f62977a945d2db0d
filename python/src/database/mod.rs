//! The file of Ranklore: the views of the command, and whole tables as Arrow.

mod json_rows;
mod tables;

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3_arrow::PyTable;
use ranklore_contest::SourceName;
use ranklore_replay::find_run_by_key;
use ranklore_store::Store;
use ranklore_views::{
    List, load_contest_view, load_leaderboard, load_player_view, load_source_list,
    parse_json_request,
};
use serde::Serialize;
use serde_json::Value;

use crate::error::Failure;
use crate::output::to_table;

/// A database that is open for reading.
#[pyclass(frozen, module = "ranklore._ranklore")]
pub(crate) struct Database {
    store: Mutex<Option<Store>>,
}

/// The rows of a view, and its other values as JSON.
type View = (PyTable, String);

#[pymethods]
impl Database {
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let store = py.detach(|| Store::open_reader(path)).map_err(Failure::from)?;
        Ok(Self {
            store: Mutex::new(Some(store)),
        })
    }

    /// Closes the file.
    fn close(&self, py: Python<'_>) {
        py.detach(|| drop(self.store.lock().unwrap_or_else(PoisonError::into_inner).take()));
    }

    /// Returns a view: `sources`, `leaderboard`, `player` or `contest`. `names` are its positional
    /// arguments, `request` its options as JSON.
    fn view(
        &self,
        py: Python<'_>,
        view: &str,
        names: Vec<String>,
        request: &str,
    ) -> PyResult<View> {
        self.read(py, |store| load_view(store, view, &names, request))
    }

    /// Returns all runs.
    fn runs(&self, py: Python<'_>) -> PyResult<PyTable> {
        self.read(py, |store| to_table(tables::runs(store)?))
    }

    /// Returns all ratings of a run, in the order of replay.
    fn ratings(&self, py: Python<'_>, run: &str) -> PyResult<PyTable> {
        self.read(py, |store| {
            let run =
                find_run_by_key(store, &ranklore_replay::parse_run(run).map_err(Failure::new)?)?;
            to_table(tables::ratings(store, run.run_id)?)
        })
    }

    /// Returns all results of a source, as `rate` reads them.
    fn standings(&self, py: Python<'_>, source: &str) -> PyResult<PyTable> {
        let source = SourceName::new(source).map_err(Failure::new)?;
        self.read(py, |store| to_table(tables::standings(store, &source)?))
    }
}

impl Database {
    /// Reads one state of the database, without the interpreter lock.
    fn read<T: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&Store) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        Ok(py.detach(|| {
            let store = self.store.lock().unwrap_or_else(PoisonError::into_inner);
            let store =
                store.as_ref().ok_or_else(|| Failure::new("the database is closed; open it"))?;
            let snapshot = store.snapshot()?;
            let result = read(store);
            drop(snapshot);
            result
        })?)
    }
}

fn load_view(store: &Store, view: &str, names: &[String], request: &str) -> Result<View, Failure> {
    let request: Value = serde_json::from_str(request).map_err(Failure::new)?;
    match (view, names) {
        ("sources", []) => {
            let request = parse_json_request(&request).map_err(Failure::new)?;
            listed(&load_source_list(store, &request)?)
        }
        ("leaderboard", []) => {
            let request = parse_json_request(&request).map_err(Failure::new)?;
            listed(&load_leaderboard(store, &request)?)
        }
        ("player", [source, name]) => {
            let request = parse_json_request(&request).map_err(Failure::new)?;
            let source = SourceName::new(source).map_err(Failure::new)?;
            listed(&load_player_view(store, &source, name, &request)?)
        }
        ("contest", [source, name]) => {
            let request = parse_json_request(&request).map_err(Failure::new)?;
            let source = SourceName::new(source).map_err(Failure::new)?;
            let view = load_contest_view(store, &source, name, &request)?;
            to_view(&view, &json_rows::CONTEST_COLUMNS)
        }
        _ => Err(Failure::new(format!("there is no view {view} of {} names", names.len()))),
    }
}

/// Returns a list with the columns of its CSV.
fn listed<L: List + Serialize>(list: &L) -> Result<View, Failure> {
    to_view(list, &list.columns().keys())
}

fn to_view(view: &impl Serialize, columns: &[&'static str]) -> Result<View, Failure> {
    let mut json = serde_json::to_value(view).map_err(Failure::new)?;
    let rows = json.as_object_mut().and_then(|members| members.remove("rows"));
    let rows = rows.as_ref().and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    Ok((to_table(json_rows::to_columns(rows, columns))?, json.to_string()))
}

//! Stored evaluations of a source, and the ratings of two of its runs.

use ranklore_contest::SourceName;
use ranklore_replay::{
    ComparisonList, NamesPolicy, RunKey, RunScatter, load_comparisons, load_run_scatter,
};
use ranklore_store::Store;
use serde::Serialize;

use crate::failure::Failure;
use crate::parameters::Parameters;

pub(crate) const NAMES: &[&str] = &["slice", "x", "y"];

/// A comparison of systems and runs.
#[derive(Debug, Serialize)]
pub(crate) struct ComparisonView {
    pub(crate) evaluations: ComparisonList,
    /// None without two runs.
    pub(crate) scatter: Option<RunScatter>,
}

/// Loads the comparisons of a source.
pub(crate) fn load(
    store: &Store,
    source: &SourceName,
    parameters: &Parameters,
) -> Result<ComparisonView, Failure> {
    let x = parameters.text("x")?.map(RunKey::parse);
    let y = parameters.text("y")?.map(RunKey::parse);
    Ok(ComparisonView {
        evaluations: load_comparisons(store, source, parameters.text("slice")?)?,
        scatter: load_run_scatter(store, source, x, y, NamesPolicy::Publishable)?,
    })
}

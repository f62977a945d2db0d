//! Stored evaluations of a source, and the ratings of two of its runs.

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_replay::{RunKey, parse_run};
use ranklore_store::Store;
use ranklore_views::{ComparisonList, NamesPolicy, RunScatter, load_comparisons, load_run_scatter};
use serde::Serialize;

use crate::failure::Failure;
use crate::parameters::Parameters;

/// The parameters of a comparison.
#[derive(Args)]
pub(crate) struct ComparisonParameters {
    #[arg(long)]
    slice: Option<String>,
    #[arg(long, value_parser = parse_run)]
    x: Option<RunKey>,
    #[arg(long, value_parser = parse_run)]
    y: Option<RunKey>,
}

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
    let ComparisonParameters { slice, x, y } = parameters.request()?;
    Ok(ComparisonView {
        evaluations: load_comparisons(store, source, slice.as_deref())?,
        scatter: load_run_scatter(store, source, x, y, NamesPolicy::Publishable)?,
    })
}

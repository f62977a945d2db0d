//! The keys that commands add to reports in JSON.

use ranklore_contest::SourceName;
use serde::Serialize;

/// A report about one source.
#[derive(Serialize)]
pub(crate) struct OfSource<'a, R> {
    pub(crate) source: &'a SourceName,
    #[serde(flatten)]
    pub(crate) report: R,
}

/// A report of what a command would do, or did.
#[derive(Serialize)]
pub(crate) struct DryRun<R> {
    pub(crate) dry_run: bool,
    #[serde(flatten)]
    pub(crate) report: R,
}

/// Serialises a single report as an object, and several as an array.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum OneOrAll<R> {
    One(R),
    All(Vec<R>),
}

impl<R> OneOrAll<R> {
    pub(crate) fn new(mut reports: Vec<R>) -> Self {
        match (reports.pop(), reports.is_empty()) {
            (Some(one), true) => Self::One(one),
            (last, _) => {
                reports.extend(last);
                Self::All(reports)
            }
        }
    }
}

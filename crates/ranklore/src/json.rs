//! The keys that commands add to reports in JSON.

use ranklore_contest::SourceName;
use serde::Serialize;

/// A report about one source.
#[derive(Serialize)]
pub(crate) struct OfSource<'a, R> {
    /// The source.
    pub(crate) source: &'a SourceName,
    /// The report; its keys stand beside `source`.
    #[serde(flatten)]
    pub(crate) report: R,
}

impl<'a, R> OfSource<'a, R> {
    pub(crate) const fn new(source: &'a SourceName, report: R) -> Self {
        Self { source, report }
    }
}

/// A report of what a command would do, or did.
#[derive(Serialize)]
pub(crate) struct DryRun<R> {
    /// True if nothing was written.
    pub(crate) dry_run: bool,
    /// The report; its keys stand beside `dry_run`.
    #[serde(flatten)]
    pub(crate) report: R,
}

impl<R> DryRun<R> {
    pub(crate) const fn new(dry_run: bool, report: R) -> Self {
        Self { dry_run, report }
    }
}

/// Serialises a single report as an object, and several as an array.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum OneOrAll<R> {
    /// A single report.
    One(R),
    /// No report, or several.
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

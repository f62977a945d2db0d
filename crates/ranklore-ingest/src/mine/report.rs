//! What came of a sync.

use std::collections::BTreeMap;

use ranklore_fetch::Failed;
use ranklore_source::assemble::Refusal;
use ranklore_store::Completeness;
use serde::Serialize;

use crate::mine::breaker::is_walled;

/// What came of a sync.
#[derive(Clone, Debug, Default)]
pub struct MineReport {
    /// Answers of the site.
    pub answers: u64,
    /// Contests with results that were not there before.
    pub added: u64,
    /// Contests whose result changed.
    pub revised: u64,
    /// Contests asked about that are as they were.
    pub unchanged: u64,
    /// Contests asked about that have no results.
    pub without_results: u64,
    /// Results in all that were read.
    pub results: u64,
    /// Competitors whom the site knows by another name, found this time.
    pub renamed: u64,
    /// What contests that were read leave out as they have to, by what it is, with how many.
    pub left_out: BTreeMap<String, u64>,
    /// What could not be had or read.
    pub refused: Vec<Refusal>,
    /// Contests of which much less arrived than the site announced, by external id: stored, not
    /// rated, and requested again by the next sync.
    pub incomplete: Vec<(String, Completeness)>,
    /// Contests that were due and are still to be asked about.
    pub left: u64,
    /// Why the sync ended before its end, if it did.
    pub stopped: Option<Stopped>,
    /// The user asked to end; what was done until then is kept.
    pub interrupted: bool,
}

/// Why a sync ended before its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Stopped {
    /// In words.
    pub why: String,
    /// Whether the site does not want to be asked now; else it could not be reached.
    pub blocked: bool,
}

impl Stopped {
    /// It ended by this failure.
    pub(crate) fn by(failed: &Failed) -> Self {
        Self {
            why: failed.to_string(),
            blocked: failed.is_blocked() || is_walled(failed),
        }
    }
}

//! What came of a sync.

use std::collections::BTreeMap;

use ranklore_fetch::Failed;
use ranklore_source::assemble::Refusal;
use ranklore_store::Completeness;
use serde::Serialize;

use crate::import::intake::ContestCounts;
use crate::mine::breaker::is_walled;

/// What came of a sync.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MineReport {
    /// Answers of the site.
    pub answers: u64,
    /// The contests asked about.
    pub contests: MinedContests,
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
    pub incomplete: Vec<IncompleteContest>,
    /// Contests that were due and are still to be asked about.
    pub left: u64,
    /// Why the sync ended before its end, if it did.
    pub stopped: Option<Stopped>,
    /// The user asked to end; what was done until then is kept.
    pub interrupted: bool,
}

/// Contests that a sync asked about, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MinedContests {
    /// Those with results.
    #[serde(flatten)]
    pub with_results: ContestCounts,
    /// Those without results.
    pub without_results: u64,
}

/// A contest of which much less arrived than its site announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncompleteContest {
    /// Its external id.
    pub contest: String,
    /// The announced items compared with those that arrived.
    pub completeness: Completeness,
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

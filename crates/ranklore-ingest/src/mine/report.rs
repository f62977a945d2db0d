//! The report of a sync.

use std::collections::BTreeMap;

use ranklore_fetch::FetchError;
use ranklore_source::assemble::RefusedInput;
use ranklore_store::{Completeness, RunId, UpsertOutcome};
use serde::Serialize;

use crate::import::report::ContestCounts;
use crate::mine::answers::fetch_failure::is_access_denied;

/// The outcome of a sync.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MineReport {
    /// Answers received.
    pub answers: u64,
    /// The contests asked about.
    pub contests: MinedContests,
    /// Results in all contests that were read.
    pub results: u64,
    /// Accounts newly found under another name.
    pub renamed: u64,
    /// Items that the contests leave out by design, such as comments of deleted accounts, with
    /// their numbers.
    pub left_out: BTreeMap<String, u64>,
    /// Requests that failed and documents that could not be read.
    pub refused: Vec<RefusedInput>,
    /// Contests of which much less arrived than the site announced, by external id: stored but not
    /// rated, and requested again by the next sync.
    pub incomplete: Vec<IncompleteContest>,
    /// Due contests that were not requested.
    pub left: u64,
    /// Runs that are stale after the sync: `rate` computes them again.
    pub stale_runs: Vec<RunId>,
    /// The reason why the sync stopped early.
    pub stopped: Option<StopReason>,
    /// True if the user interrupted the sync; what was done before is kept.
    pub interrupted: bool,
}

impl MineReport {
    /// Returns the report of a sync that ends with this error before any request.
    pub(crate) fn from_stop(failure: &FetchError) -> Self {
        let mut report = Self::default();
        report.stop(failure);
        report
    }

    /// Records that the sync ends because of this error.
    pub(crate) fn stop(&mut self, failure: &FetchError) {
        match failure {
            FetchError::Interrupted => self.interrupted = true,
            failure => self.stopped = Some(StopReason::from_error(failure)),
        }
    }
}

/// Contests that a sync asked about, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct MinedContests {
    /// Contests with results.
    #[serde(flatten)]
    pub with_results: ContestCounts,
    /// Rated contests that the site took back.
    pub withdrawn: u64,
    /// Withdrawn contests that are rated again.
    pub restored: u64,
    /// Contests without results.
    pub without_results: u64,
}

impl MinedContests {
    /// Returns the number of all contests with results.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.with_results.total() + self.withdrawn + self.restored
    }

    /// Returns the number of contests whose change alters ratings.
    #[must_use]
    pub const fn changed(&self) -> u64 {
        self.with_results.changed() + self.withdrawn + self.restored
    }

    pub(crate) const fn count(&mut self, change: UpsertOutcome) {
        match change {
            UpsertOutcome::Withdrawn => self.withdrawn += 1,
            UpsertOutcome::Restored => self.restored += 1,
            change => self.with_results.count(change),
        }
    }
}

/// A contest of which much less arrived than its site announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct IncompleteContest {
    /// The external id.
    pub contest: String,
    /// The announced items compared with those that arrived.
    pub completeness: Completeness,
}

/// The reason why a sync stopped early.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StopReason {
    /// The reason in words.
    pub why: String,
    /// True if the site refuses requests for now; false if it could not be reached.
    pub blocked: bool,
}

impl StopReason {
    /// Returns the reason for a stop by a fetch error.
    pub(crate) fn from_error(failure: &FetchError) -> Self {
        Self {
            why: failure.to_string(),
            blocked: failure.is_blocked() || is_access_denied(failure),
        }
    }
}

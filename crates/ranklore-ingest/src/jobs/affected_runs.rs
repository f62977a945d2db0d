//! Runs over sources whose contests are derived again: their ratings are deleted before, since the
//! contests get new ids, and computed again afterwards.

use std::collections::BTreeSet;
use std::fmt;

use ranklore_contest::UnixSeconds;
use ranklore_replay::{
    EmptySelection, Error as ReplayError, Progress, RateReport, RateRequest, RunSelection, System,
    rate_in_batch,
};
use ranklore_store::{OFFICIAL, RunId, RunRow, StoredEvaluation, WriteBatch};
use serde::{Serialize, Serializer};

use crate::error::Error;

/// The fingerprint of a run without contests.
const EMPTY_FINGERPRINT: [u8; 32] = [0; 32];

/// Runs without ratings, to be rated again.
pub(crate) struct AffectedRuns(Vec<(RunRow, Option<StoredEvaluation>)>);

/// A run that keeps no ratings: it is stale.
#[derive(Clone, Debug, Serialize)]
pub struct EmptiedRun {
    /// The run.
    pub run_id: RunId,
    /// The reason.
    pub why: EmptiedReason,
}

/// The reason why a run keeps no ratings. Displays as a clause.
#[derive(Clone, Debug)]
pub enum EmptiedReason {
    /// The run has no contests by now.
    NoContests(EmptySelection),
    /// The system cannot rate the contests: the text of the error.
    CannotRate(String),
}

impl fmt::Display for EmptiedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoContests(empty) => empty.fmt(f),
            Self::CannotRate(error) => f.write_str(error),
        }
    }
}

impl Serialize for EmptiedReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl AffectedRuns {
    /// Deletes the ratings of every run over any of these sources. Ratings of a site are derived
    /// with its contests.
    pub(crate) fn truncate(
        batch: &mut WriteBatch<'_>,
        sources: &BTreeSet<String>,
        watch: &dyn Progress,
    ) -> Result<Self, Error> {
        let mut runs = Vec::new();
        for run in batch.runs()? {
            if batch.sources_of_run(&run)?.is_disjoint(sources) {
                continue;
            }
            if run.system == OFFICIAL {
                batch.clear_official_run(run.run_id)?;
                continue;
            }
            let evaluation = batch.evaluation(run.run_id)?;
            batch.truncate_run(run.run_id, 0)?;
            runs.push((run, evaluation));
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
        }
        Ok(Self(runs))
    }

    /// Takes a source that is removed out of the selections of the runs. Deletes a run over this
    /// source alone, and one that would be the same as another run. Returns the deleted runs.
    pub(crate) fn leave_out(
        &mut self,
        batch: &mut WriteBatch<'_>,
        source: &str,
    ) -> Result<Vec<RunId>, Error> {
        batch.delete_comparisons(source)?;
        batch.delete_trials(source)?;
        let mut deleted = Vec::new();
        for run in batch.runs()? {
            if run.system == OFFICIAL && batch.sources_of_run(&run)?.contains(source) {
                batch.delete_run(run.run_id)?;
                deleted.push(run.run_id);
            }
        }
        let mut remaining = Vec::new();
        for (mut run, evaluation) in std::mem::take(&mut self.0) {
            let mut selection = RunSelection::from_canonical_json(&run.selection);
            selection.sources.retain(|name| name.as_str() != source);
            let json = selection.canonical_json();
            let duplicate = batch.find_matching_run(&run.system, &run.parameters, &json)?;
            if selection.sources.is_empty() || duplicate.is_some() {
                batch.delete_run(run.run_id)?;
                deleted.push(run.run_id);
                continue;
            }
            batch.update_run_selection(run.run_id, &json)?;
            run.selection = json;
            remaining.push((run, evaluation));
        }
        self.0 = remaining;
        Ok(deleted)
    }

    /// Rates the runs again. Also returns those that cannot be rated: one run stops no other work.
    pub(crate) fn rate(
        self,
        batch: &mut WriteBatch<'_>,
        clock: fn() -> UnixSeconds,
        watch: &dyn Progress,
    ) -> Result<(Vec<RateReport>, Vec<EmptiedRun>), Error> {
        let mut rated = Vec::new();
        let mut emptied = Vec::new();
        for (run, evaluation) in self.0 {
            let report = System::from_run(&run).and_then(|system| {
                let request = RateRequest {
                    selection: RunSelection::from_canonical_json(&run.selection),
                    system,
                    // The run exists: it left out what its system does not rate.
                    skip_unsupported: true,
                    now: clock(),
                };
                rate_in_batch(batch, request, watch)
            });
            match report {
                Ok(report) => {
                    // The same ratings have the same evaluation.
                    let fingerprint = batch.run(report.run_id)?.map(|run| run.fingerprint);
                    if fingerprint == Some(run.fingerprint)
                        && let Some(evaluation) = evaluation
                    {
                        batch.replace_evaluation(&StoredEvaluation {
                            selection: run.selection,
                            ..evaluation
                        })?;
                    }
                    rated.push(report);
                }
                Err(error @ (ReplayError::Store(_) | ReplayError::Interrupted)) => {
                    return Err(error.into());
                }
                Err(error) => {
                    // Ratings may have been written until they diverged.
                    batch.truncate_run(run.run_id, 0)?;
                    batch.finish_run(run.run_id, EMPTY_FINGERPRINT)?;
                    emptied.push(EmptiedRun {
                        run_id: run.run_id,
                        why: match error {
                            ReplayError::NoContests(empty) => EmptiedReason::NoContests(*empty),
                            error => EmptiedReason::CannotRate(error.to_string()),
                        },
                    });
                }
            }
        }
        Ok((rated, emptied))
    }
}

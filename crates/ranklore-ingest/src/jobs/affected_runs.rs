//! Runs over sources whose contests are derived again: their ratings are deleted before, since the
//! contests get new ids, and computed again afterwards.

use std::collections::BTreeSet;

use ranklore_contest::UnixSeconds;
use ranklore_replay::{
    EmptySelection, Error as ReplayError, Progress, RateReport, RateRequest, RunSelection, System,
    rate_in_batch,
};
use ranklore_store::{OFFICIAL, RunId, RunRow, StoredEvaluation, WriteBatch};
use serde::Serialize;

use crate::error::Error;

/// The fingerprint of a run without contests.
const EMPTY_FINGERPRINT: [u8; 32] = [0; 32];

/// Runs without ratings, to be rated again.
pub(crate) struct AffectedRuns(Vec<(RunRow, Option<StoredEvaluation>)>);

/// A run without contests by now.
#[derive(Clone, Debug, Serialize)]
pub struct EmptiedRun {
    /// The run.
    pub run_id: RunId,
    /// The reason.
    #[serde(rename = "why")]
    pub selection: EmptySelection,
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

    /// Rates the runs again. Also returns those without contests.
    pub(crate) fn rate(
        self,
        batch: &mut WriteBatch<'_>,
        clock: fn() -> UnixSeconds,
        watch: &dyn Progress,
    ) -> Result<(Vec<RateReport>, Vec<EmptiedRun>), Error> {
        let mut rated = Vec::new();
        let mut emptied = Vec::new();
        for (run, evaluation) in self.0 {
            let request = RateRequest {
                selection: RunSelection::from_canonical_json(&run.selection),
                system: System::from_run(&run)?,
                // The run exists: it left out what its system does not rate.
                skip_unsupported: true,
                now: clock(),
            };
            match rate_in_batch(batch, request, watch) {
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
                Err(ReplayError::NoContests(empty)) => {
                    batch.finish_run(run.run_id, EMPTY_FINGERPRINT)?;
                    emptied.push(EmptiedRun {
                        run_id: run.run_id,
                        selection: *empty,
                    });
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok((rated, emptied))
    }
}

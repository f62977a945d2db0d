//! Removal of a source.

use std::collections::BTreeSet;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{Progress, RateReport, find_source};
use ranklore_store::{Decision, DecisionAction, RunId, SourceId, WriteBatch, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::jobs::affected_runs::{AffectedRuns, EmptiedRun};
use crate::jobs::forget::finish_forgetting;

/// The outcome of the removal of a source.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RemovalReport {
    /// Documents deleted.
    pub documents: u64,
    /// Contests deleted, in any state.
    pub contests: u64,
    /// Results in these contests.
    pub results: u64,
    /// Decisions about the source, deleted.
    pub decisions: u64,
    /// Runs deleted: those over this source alone, and those that without it are the same as
    /// another run.
    pub deleted_runs: Vec<RunId>,
    /// The other runs over this source, rated again without it.
    pub runs: Vec<RateReport>,
    /// Runs that have no contests any more, or cannot be rated.
    pub emptied: Vec<EmptiedRun>,
}

/// Deletes a source with its documents, contests, competitors and decisions, in one transaction,
/// and rates the runs over it and other sources again. Its forgotten persons stay forgotten if its
/// name is used again. [`Writer::compact`] returns the space to the file system.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Interrupted`], [`Error::VacuumFailed`] if an
/// interrupted [`forget`](crate::forget()) cannot be finished, [`Error::Store`]. After an error the
/// source is unchanged.
pub fn remove_source(
    store: &mut Writer,
    source: &SourceName,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<RemovalReport, Error> {
    // Afterwards the command that finishes it would not know the source.
    finish_forgetting(store, source, clock())?;
    let mut batch = store.batch()?;
    let source_id = find_source(&batch, source)?;
    let mut report = RemovalReport {
        decisions: batch.decisions(source_id)?.len() as u64,
        ..RemovalReport::default()
    };
    let mut rows = batch.sources()?.into_iter();
    if let Some(row) = rows.find(|row| row.source_id == source_id) {
        report.documents = row.documents;
        report.contests = row.contests;
        report.results = row.results;
    }
    batch.delete_decisions(source_id)?;
    let (deleted_runs, runs) = take_out(&mut batch, source, source_id, clock(), watch)?;
    let decision = Decision::new(DecisionAction::Remove, source.as_str());
    batch.record_decision(source_id, &decision, None, clock())?;
    report.deleted_runs = deleted_runs;
    (report.runs, report.emptied) = runs.rate(&mut batch, clock, watch)?;
    batch.commit()?;
    Ok(report)
}

/// Deletes everything of a source except its decisions and forgotten persons, and takes it out of
/// the runs. Returns the deleted runs, and the other runs that were over the source.
pub(crate) fn take_out(
    batch: &mut WriteBatch<'_>,
    source: &SourceName,
    source_id: SourceId,
    now: UnixSeconds,
    watch: &dyn Progress,
) -> Result<(Vec<RunId>, AffectedRuns), Error> {
    let sources = BTreeSet::from([source.as_str().to_owned()]);
    let mut runs = AffectedRuns::truncate(batch, &sources, watch)?;
    let deleted = runs.leave_out(batch, source.as_str())?;
    batch.remove_source(source_id, now)?;
    Ok((deleted, runs))
}

//! How things stand: the file, its sources and whether its runs are up to date.

use std::path::PathBuf;

use ranklore_replay::{EmptySelection, Error as ReplayError, RunSelection, is_current};
use ranklore_source::Asked;
use ranklore_store::{
    ContestRow, ContestState, ContestSync, FileSize, Holder, HostRow, OFFICIAL, RunRow, SourceId,
    SourceRow, Store, SyncRun, Unswept, compare_external_ids,
};

use crate::error::Error;

/// How things stand in a file.
#[derive(Clone, Debug)]
pub struct Status {
    /// The file.
    pub path: PathBuf,
    /// How large it is.
    pub size: FileSize,
    /// Who writes to it now, if anybody does.
    pub writer: Option<Holder>,
    /// Every source, by name.
    pub sources: Vec<SourceStatus>,
    /// Every host that was asked for something, by name.
    pub hosts: Vec<(String, HostRow)>,
    /// Every run, oldest first.
    pub runs: Vec<RunStatus>,
    /// Persons who are forgotten.
    pub forgotten: u64,
    /// Those of them who are still to be swept out of the file.
    pub unswept: Option<Unswept>,
}

/// How things stand with a source.
#[derive(Clone, Debug)]
pub struct SourceStatus {
    /// With its counts.
    pub row: SourceRow,
    /// What last changed something in it.
    pub last_sync: Option<SyncRun>,
    /// Contests in documents that tell of them beside the one that is believed.
    pub disbelieved: u64,
    /// How many contests are in each state, without those that none is in.
    pub states: Vec<(ContestState, u64)>,
    /// What could not be had from the site or not be read and is no contest's, by its question.
    pub refused_documents: Vec<ContestSync>,
    /// Contests that could not be had from the site or not be read, in whole or in part, by
    /// external id.
    pub refused: Vec<ContestSync>,
    /// Contests of which much less arrived than the site announced, by external id: not rated
    /// while their state is `incomplete`.
    pub incomplete: Vec<ContestRow>,
    /// What its documents take in the archive, in bytes.
    pub archived_bytes: u64,
}

/// How things stand with a run.
#[derive(Clone, Debug)]
pub struct RunStatus {
    /// The run.
    pub run: RunRow,
    /// Whether it fits the results.
    pub state: RunState,
}

/// Whether a run fits the results as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It was made of them.
    Current,
    /// They have changed since.
    Stale,
    /// Its selection has no rated contest any more.
    NoContests(Box<EmptySelection>),
    /// The database has a source of its selection no more; the reason in words.
    NoSource(String),
    /// It is the numbers of a site itself, which nothing is rated from.
    Official,
}

/// Says how things stand. Reads only, and disturbs no writer.
///
/// # Errors
/// [`Error::Store`].
pub fn status(store: &Store) -> Result<Status, Error> {
    let (mut sources, mut forgotten) = (Vec::new(), 0);
    for row in store.sources()? {
        let (refused_documents, refused) = refused(store, row.source_id)?;
        let mut incomplete = store.incomplete_contests(row.source_id)?;
        incomplete.sort_by(|a, b| compare_external_ids(&a.external_id, &b.external_id));
        forgotten += store.tombstones(row.source_id)?.len() as u64;
        sources.push(SourceStatus {
            last_sync: store.last_sync(row.source_id)?,
            disbelieved: store.disbelieved(row.source_id)?.len() as u64,
            states: store.contest_states(row.source_id)?,
            refused_documents,
            refused,
            incomplete,
            archived_bytes: store.archived_bytes(row.source_id)?,
            row,
        });
    }
    let mut runs = Vec::new();
    for run in store.runs()? {
        let state = run_state(store, &run)?;
        runs.push(RunStatus { run, state });
    }
    Ok(Status {
        path: store.path().to_owned(),
        size: store.file_size()?,
        writer: store.writer_now(),
        hosts: store.hosts()?,
        sources,
        runs,
        forgotten,
        unswept: store.unswept()?,
    })
}

/// What of a source did not come or could not be read the last time: documents that are no
/// contest's, and contests.
pub(crate) fn refused(
    store: &Store,
    source_id: SourceId,
) -> Result<(Vec<ContestSync>, Vec<ContestSync>), Error> {
    let mut refused = store.contest_syncs(source_id)?;
    refused.retain(|sync| sync.is_refused() || sync.reason.is_some());
    refused.sort_by(|a, b| compare_external_ids(&a.external_id, &b.external_id));
    Ok((refused.into_iter()).partition(|sync| Asked::parse(&sync.external_id).is_some()))
}

/// Whether a run fits the results as they are now.
///
/// # Errors
/// [`Error::Store`].
pub fn run_state(store: &Store, run: &RunRow) -> Result<RunState, Error> {
    if run.system == OFFICIAL {
        return Ok(RunState::Official);
    }
    let selection = RunSelection::from_canonical_json(&run.selection);
    match selection.contests(store) {
        Ok(contests) if is_current(store, run, &contests)? => Ok(RunState::Current),
        Ok(_) => Ok(RunState::Stale),
        Err(ReplayError::NoContests(empty)) => Ok(RunState::NoContests(empty)),
        Err(error @ ReplayError::NoSource { .. }) => Ok(RunState::NoSource(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

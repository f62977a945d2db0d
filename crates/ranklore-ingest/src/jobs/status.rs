//! Status of a database: its file, its sources and whether its runs are up to date.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ranklore_replay::{EmptySelection, Error as ReplayError, RunSelection, Staleness, is_current};
use ranklore_source::RequestKey;
use ranklore_store::{
    Completeness, ContestRow, ContestState, ContestSync, FileSize, HostRow, LockHolder, OFFICIAL,
    PendingVacuum, RunId, RunRow, SCHEMA_VERSION, SourceId, SourceRow, Store, SyncOutcome, SyncRun,
    compare_external_ids,
};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::error::Error;

/// The state of a database.
#[derive(Clone, Debug, Serialize)]
pub struct DatabaseStatus {
    /// The path of the database.
    #[serde(rename = "db", serialize_with = "serialize_path")]
    pub path: PathBuf,
    /// The size of the database.
    #[serde(flatten)]
    pub size: FileSize,
    /// The version of its schema.
    pub schema_version: i64,
    /// The process that is writing to it, if there is one.
    pub writer: Option<LockHolder>,
    /// All sources, ordered by name.
    pub sources: Vec<SourceStatus>,
    /// Every host that was requested, by name.
    pub hosts: Vec<HostStatus>,
    /// All runs, oldest first.
    pub runs: Vec<RunStatus>,
    /// The sources with contests without a run over all of them. The numbers of a site itself are
    /// no such run.
    pub unrated: Vec<String>,
    /// The number of forgotten persons.
    pub forgotten: u64,
    /// Forgotten persons whose names may still be in unused pages of the file.
    #[serde(serialize_with = "serialize_unswept")]
    pub unswept: Option<PendingVacuum>,
}

fn serialize_unswept<'a, S: Serializer>(
    unswept: impl Into<Option<&'a PendingVacuum>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let persons = unswept.into().map_or(0, |unswept| unswept.persons);
    persons.serialize(serializer)
}

/// Serialises a path as text; bytes that are not UTF-8 become replacement characters.
fn serialize_path<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// The state of a source.
#[derive(Clone, Debug, Serialize)]
pub struct SourceStatus {
    /// The source and its counts.
    #[serde(flatten)]
    pub row: SourceRow,
    /// The sync that last changed something in it.
    pub last_sync: Option<SyncRun>,
    /// Contests that a second document of one import has too, and whose second version was
    /// rejected.
    #[serde(rename = "disbelieved")]
    pub rejected: u64,
    /// The number of contests in each state that occurs.
    pub states: BTreeMap<ContestState, u64>,
    /// Documents that could not be fetched or read and belong to no contest, then contests that
    /// could not be fetched or read, in whole or in part, by external id.
    pub refused: Vec<RefusedItem>,
    /// Contests of which much less arrived than the site announced, by external id; not rated while
    /// their state is `incomplete`.
    #[serde(serialize_with = "serialize_incomplete")]
    pub incomplete: Vec<ContestRow>,
    /// The size of its documents in the archive, in bytes.
    pub archived_bytes: u64,
}

/// A contest or a document that could not be fetched or read.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum RefusedItem {
    /// The request of a document that belongs to no contest, and the failure.
    Document(#[serde(with = "DocumentSync")] ContestSync),
    /// A contest, and the failure.
    Contest(ContestSync),
}

/// The keys of a document that failed.
#[derive(Serialize)]
#[serde(remote = "ContestSync")]
struct DocumentSync {
    #[serde(rename = "document")]
    external_id: String,
    outcome: SyncOutcome,
    tried_at: i64,
    due_at: Option<i64>,
    reason: Option<String>,
}

fn serialize_incomplete<S: Serializer>(
    contests: &[ContestRow],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Incomplete<'a> {
        contest: &'a str,
        state: ContestState,
        completeness: Option<&'a Completeness>,
    }
    serializer.collect_seq(contests.iter().map(|row| Incomplete {
        contest: &row.external_id,
        state: row.state,
        completeness: row.completeness.as_ref(),
    }))
}

/// A host that was requested.
#[derive(Clone, Debug, Serialize)]
pub struct HostStatus {
    /// The name of the host.
    pub host: String,
    /// The times of its last request and of its next one.
    #[serde(flatten)]
    pub row: HostRow,
}

/// A run compared with the results.
#[derive(Clone, Debug, Serialize)]
pub struct RunStatus {
    /// The run.
    #[serde(flatten, with = "RunCounts")]
    pub run: RunRow,
    /// The result of the comparison.
    pub state: RunState,
}

/// The keys of a run in the list of all runs.
#[derive(Serialize)]
#[serde(remote = "RunRow")]
struct RunCounts {
    run_id: RunId,
    system: String,
    #[serde(getter = "selection")]
    selection: Value,
    contests: u64,
    results: u64,
    rated_at: i64,
}

/// Returns the selection of a run as an object.
fn selection(run: &RunRow) -> Value {
    serde_json::from_str(&run.selection).unwrap_or(Value::Null)
}

/// A run compared with the results as they are now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunState {
    /// The results have not changed since the run.
    Current,
    /// Results have changed since the run, or an earlier version computed it.
    Stale(Staleness),
    /// The selection has no rated contest any more.
    NoContests(Box<EmptySelection>),
    /// A source of its selection is missing; the reason in words.
    NoSource(String),
    /// The run has the numbers of a site itself; no system computed them.
    Official,
}

impl RunState {
    /// Returns the word for the state in output.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Current => "up to date",
            Self::Stale(_) => "stale",
            Self::NoContests(_) | Self::NoSource(_) => "without contests",
            Self::Official => "official",
        }
    }
}

impl Serialize for RunState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

/// Returns the status of a database. Reads only and does not block a writer.
///
/// # Errors
/// [`Error::Store`].
pub fn status(store: &Store) -> Result<DatabaseStatus, Error> {
    let mut sources = Vec::new();
    let mut forgotten = 0;
    for (row, states) in store.sources_with_states()? {
        let (documents, contests) = load_refused(store, row.source_id)?;
        let documents = documents.into_iter().map(RefusedItem::Document);
        let contests = contests.into_iter().map(RefusedItem::Contest);
        let mut incomplete = store.incomplete_contests(row.source_id)?;
        incomplete.sort_by(|a, b| compare_external_ids(&a.external_id, &b.external_id));
        forgotten += store.tombstones(row.source_id)?.len() as u64;
        sources.push(SourceStatus {
            last_sync: store.last_sync(row.source_id)?,
            rejected: store.rejected_contests(row.source_id)?.len() as u64,
            states,
            refused: documents.chain(contests).collect(),
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
    let hosts = store.hosts()?.into_iter();
    Ok(DatabaseStatus {
        path: store.path().to_owned(),
        size: store.file_size()?,
        writer: store.current_writer(),
        schema_version: SCHEMA_VERSION,
        hosts: hosts.map(|(host, row)| HostStatus { host, row }).collect(),
        unrated: unrated(&sources, &runs),
        sources,
        runs,
        forgotten,
        unswept: store.pending_vacuum()?,
    })
}

/// Returns the sources with contests without a run over all of them, as views show it by default.
fn unrated(sources: &[SourceStatus], runs: &[RunStatus]) -> Vec<String> {
    let rated: BTreeSet<String> = runs
        .iter()
        .filter(|status| status.state != RunState::Official)
        .map(|status| RunSelection::from_canonical_json(&status.run.selection))
        .filter(|selection| selection.describe_filters().is_empty())
        .flat_map(|selection| selection.sources)
        .map(|name| name.to_string())
        .collect();
    let rows = sources.iter().map(|source| &source.row);
    rows.filter(|row| row.contests > 0 && !rated.contains(&row.name))
        .map(|row| row.name.clone())
        .collect()
}

/// Returns the requests of a source that failed the last time: documents without a contest of their
/// own, and contests.
pub(crate) fn load_refused(
    store: &Store,
    source_id: SourceId,
) -> Result<(Vec<ContestSync>, Vec<ContestSync>), Error> {
    let mut syncs = store.contest_syncs(source_id)?;
    syncs.retain(|sync| sync.is_failed() || sync.reason.is_some());
    syncs.sort_by(|a, b| compare_external_ids(&a.external_id, &b.external_id));
    // Documents without a contest are stored by their request keys.
    let refused = syncs.into_iter();
    Ok(refused.partition(|sync| RequestKey::parse(&sync.external_id).is_some()))
}

/// Returns the stale runs over a source, by id.
pub(crate) fn stale_runs(store: &Store, source: &str) -> Result<Vec<RunId>, Error> {
    let mut stale = Vec::new();
    for run in store.runs()? {
        let is_over_source = store.sources_of_run(&run)?.contains(source);
        if is_over_source && matches!(run_state(store, &run)?, RunState::Stale(_)) {
            stale.push(run.run_id);
        }
    }
    Ok(stale)
}

/// Returns the state of a run compared with the current results.
///
/// # Errors
/// [`Error::Store`].
pub fn run_state(store: &Store, run: &RunRow) -> Result<RunState, Error> {
    if run.system == OFFICIAL {
        return Ok(RunState::Official);
    }
    let selection = RunSelection::from_canonical_json(&run.selection);
    let state = is_current(store, run).and_then(|current| {
        if current {
            return Ok(RunState::Current);
        }
        // A selection without contests is an error here, and a state of its own below.
        selection.contests(store)?;
        Staleness::find(store, run).map(RunState::Stale)
    });
    match state {
        Ok(state) => Ok(state),
        Err(ReplayError::NoContests(empty)) => Ok(RunState::NoContests(empty)),
        Err(error @ ReplayError::NoSource { .. }) => Ok(RunState::NoSource(error.to_string())),
        Err(error) => Err(error.into()),
    }
}

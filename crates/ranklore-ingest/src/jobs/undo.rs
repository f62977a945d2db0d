//! Undo of an import: deletes its documents and derives the source again without them.

use std::collections::{BTreeSet, HashMap, HashSet};

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{Progress, RateReport, find_source};
use ranklore_store::{
    ContestRow, Decision, DecisionAction, DocumentId, DocumentRow, RunId, SourceId, Store,
    WriteBatch, Writer,
};
use serde::Serialize;

use crate::derive::reread::reread_document;
use crate::error::Error;
use crate::jobs::affected_runs::{AffectedRuns, EmptiedRun};
use crate::jobs::forget::finish_forgetting;
use crate::jobs::rebuild::{MisfitDecision, rebuild_source};
use crate::jobs::removal::take_out;
use crate::people::claims::{MergeClaims, merge_decision};
use crate::reading_note::ReadingNote;

/// An import to undo.
#[derive(Clone, Debug)]
pub struct UndoRequest {
    /// The source.
    pub source: SourceName,
    /// The key or the id of a document, whose newest version is undone; all documents of the last
    /// import if `None`, or what it decided about contests if it archived none.
    pub document: Option<String>,
}

/// The outcome of an undo.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UndoReport {
    /// The keys of the documents deleted. None if the import only withdrew or restored contests.
    pub documents: Vec<String>,
    /// Withdrawals and restorations of contests, deleted: those of an import that archived nothing.
    pub decisions: u64,
    /// Contests that no other document has: deleted.
    pub removed: u64,
    /// Contests that have the result of an earlier document again.
    pub revised: u64,
    /// True if no document of the source is left, so that it was removed.
    pub source_removed: bool,
    /// Decisions that no longer fit.
    pub misfits: Vec<MisfitDecision>,
    /// Runs over this source alone, deleted with it.
    pub deleted_runs: Vec<RunId>,
    /// The other runs over the source, rated again.
    pub runs: Vec<RateReport>,
    /// Runs that have no contests any more, or cannot be rated.
    pub emptied: Vec<EmptiedRun>,
}

/// Undoes an import: deletes documents, so that contests, names, starting ratings and merges are
/// those of the documents before, and rates the runs over the source again. Importing the same files
/// again brings everything back. Writes in one transaction; after an error or an interruption the
/// database is unchanged.
///
/// # Errors
/// [`Error::Replay`] for an unknown source; [`Error::InvalidRequest`] for a document that does not
/// exist, is superseded or is an answer of a site, and if other contests would change, since this
/// version reads their documents differently; [`Error::VacuumFailed`] if an interrupted
/// [`forget`](crate::forget()) cannot be finished; [`Error::Interrupted`]; [`Error::Store`].
pub fn undo_import(
    store: &mut Writer,
    request: &UndoRequest,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<UndoReport, Error> {
    let source = &request.source;
    // Afterwards the source may be removed.
    finish_forgetting(store, source, clock())?;
    let mut batch = store.batch()?;
    let source_id = find_source(&batch, source)?;
    let documents = batch.documents(source_id)?;
    let decisions = match request.document {
        None => batch.decisions_of_last_import(source_id)?,
        Some(_) => Vec::new(),
    };
    // An import that archived nothing is undone by its decisions alone.
    let undone = match decisions[..] {
        [] => select_documents(&batch, source_id, request, &documents)?,
        _ => Vec::new(),
    };
    let claims = read_merges(&batch, source_id, &undone)?;
    let before = ContestStates::load(&batch, source_id)?;
    let ids: Vec<DocumentId> = undone.iter().map(|row| row.document_id).collect();
    batch.undo_documents(source_id, &ids)?;
    for &decision in &decisions {
        batch.delete_decision(decision)?;
    }
    record_undo(&mut batch, source_id, &undone, clock())?;
    let mut report = UndoReport {
        documents: undone.iter().map(|row| row.request_key.clone()).collect(),
        decisions: decisions.len() as u64,
        source_removed: undone.len() == documents.len(),
        ..UndoReport::default()
    };
    let runs = if report.source_removed {
        MergeClaims::default().retract(&mut batch, source_id, &claims)?;
        let (deleted, runs) = take_out(&mut batch, source, source_id, clock(), watch)?;
        report.deleted_runs = deleted;
        runs
    } else {
        let sources = BTreeSet::from([source.as_str().to_owned()]);
        let runs = AffectedRuns::truncate(&mut batch, &sources, watch)?;
        let mut rows = batch.sources()?.into_iter();
        if let Some(row) = rows.find(|row| row.source_id == source_id) {
            report.misfits = rebuild_source(&mut batch, row, &claims, clock(), watch)?.misfits;
        }
        runs
    };
    let after = ContestStates::load(&batch, source_id)?;
    before.check_others(&after, &ids, source)?;
    (report.removed, report.revised) = before.count_changes(&after);
    (report.runs, report.emptied) = runs.rate(&mut batch, clock, watch)?;
    batch.commit()?;
    Ok(report)
}

/// Returns the documents to undo, oldest first.
fn select_documents(
    store: &Store,
    source_id: SourceId,
    request: &UndoRequest,
    documents: &[DocumentRow],
) -> Result<Vec<DocumentRow>, Error> {
    let source = &request.source;
    if let Some(name) = &request.document {
        return Ok(vec![find_document(source, documents, name)?.clone()]);
    }
    let imported = store.last_imported_documents(source_id)?;
    let last_ids: HashSet<DocumentId> = imported.into_iter().collect();
    let mut last = documents.to_vec();
    last.retain(|row| last_ids.contains(&row.document_id));
    if last.is_empty() {
        let reason = format!("{source} has no imported document");
        return Err(Error::InvalidRequest { reason });
    }
    Ok(last)
}

/// Returns the document with this key or id, if it can be undone.
fn find_document<'d>(
    source: &SourceName,
    documents: &'d [DocumentRow],
    name: &str,
) -> Result<&'d DocumentRow, Error> {
    let newest_version = |key: &str| documents.iter().rfind(|row| row.request_key == key);
    let id = name.parse().ok().map(DocumentId::new);
    let by_id = documents.iter().find(|row| Some(row.document_id) == id);
    let Some(row) = newest_version(name).or(by_id) else {
        return Err(Error::invalid_request(format!(
            "{source} has no document {name:?}; use a key or an id that documents {source} lists"
        )));
    };
    let note = ReadingNote::parse(row.reading.as_deref());
    if matches!(note, Ok(ReadingNote::Answer { .. })) || row.status.is_some() {
        return Err(Error::invalid_request(format!(
            "document {} is an answer of a site, not an import; only the whole source can be removed \
             (source remove {source})",
            row.document_id
        )));
    }
    match newest_version(&row.request_key) {
        Some(newer) if newer.document_id != row.document_id => {
            Err(Error::invalid_request(format!(
                "document {} is superseded by document {}, which must be undone first",
                row.document_id, newer.document_id
            )))
        }
        _ => Ok(row),
    }
}

/// Returns the merges that documents claim; none of a damaged document.
fn read_merges(
    store: &Store,
    source_id: SourceId,
    documents: &[DocumentRow],
) -> Result<HashSet<Decision>, Error> {
    let forgotten = store.tombstones(source_id)?;
    let mut claims = HashSet::new();
    for row in documents {
        let reading = match reread_document(store, row, &forgotten, |_, _| false) {
            Err(Error::Store(ranklore_store::Error::DamagedDocument { .. })) => continue,
            result => result?,
        };
        let merges = reading.into_iter().flat_map(|reading| reading.merges);
        claims.extend(merges.map(merge_decision));
    }
    Ok(claims)
}

/// Records the undo as one decision, about the first document.
fn record_undo(
    batch: &mut WriteBatch<'_>,
    source_id: SourceId,
    undone: &[DocumentRow],
    now: UnixSeconds,
) -> Result<(), Error> {
    let Some(first) = undone.first() else {
        return Ok(());
    };
    let imported_at = UnixSeconds::new(first.fetched_at).unwrap_or(UnixSeconds::MIN);
    let note = match undone.len() - 1 {
        0 => format!("imported {imported_at}"),
        count => format!("imported {imported_at}, with {count} more"),
    };
    let decision = Decision::new(DecisionAction::Undo, &*first.request_key);
    batch.record_decision(source_id, &decision, Some(&note), now)?;
    Ok(())
}

/// The contests of a source by external id.
struct ContestStates(HashMap<String, ContestRow>);

impl ContestStates {
    fn load(store: &Store, source_id: SourceId) -> Result<Self, Error> {
        let rows = store.contests_of_source(source_id)?.into_iter();
        Ok(Self(rows.map(|row| (row.external_id.clone(), row)).collect()))
    }

    /// Refuses an undo that changes contests of other documents.
    fn check_others(
        &self,
        after: &Self,
        undone: &[DocumentId],
        source: &SourceName,
    ) -> Result<(), Error> {
        let undone_ids: HashSet<DocumentId> = undone.iter().copied().collect();
        let changed_rows = self.0.values().filter(|row| {
            let is_other = row.document_id.is_some_and(|id| !undone_ids.contains(&id));
            is_other && !after.has_result(row)
        });
        let mut changed: Vec<&str> = changed_rows.map(|row| &*row.external_id).collect();
        changed.sort_unstable();
        let Some(first) = changed.first() else {
            return Ok(());
        };
        Err(Error::InvalidRequest {
            reason: format!(
                "this version reads other documents of {source} differently from the one that \
                 imported them, so {} would change, such as {first:?}; rebuild {source} first",
                match changed.len() {
                    1 => "1 other contest".to_owned(),
                    count => format!("{count} other contests"),
                }
            ),
        })
    }

    fn has_result(&self, contest: &ContestRow) -> bool {
        let row = self.0.get(&contest.external_id);
        row.is_some_and(|row| row.content_hash == contest.content_hash)
    }

    /// Counts the contests that were removed, and those with another result.
    fn count_changes(&self, after: &Self) -> (u64, u64) {
        let rows = self.0.values();
        let removed = rows.clone().filter(|row| !after.0.contains_key(&row.external_id)).count();
        let changed = rows.filter(|row| !after.has_result(row)).count();
        (removed as u64, (changed - removed) as u64)
    }
}

//! Rebuild: contests and ratings derived again from the archive, offline.

use std::sync::mpsc::sync_channel;

use ranklore_contest::{At, ReadError, Reading, SourceName, UnixSeconds, read};
use ranklore_store::{
    Batch, DecisionRow, DocumentId, DocumentRow, SourceRow, Store, SyncKind, SyncRun, Tombstones,
    Writer,
};

use crate::intake::{ImportReport, Intake, ReadDocument};
use crate::note::ReadingNote;
use crate::rate::rate_within;
use crate::selection::no_source;
use crate::{Error, RateReport, RateRequest, RunSelection, System, Watch};

/// The fingerprint of a run without contests.
const NOTHING: [u8; 32] = [0; 32];

/// What came of a rebuild.
#[derive(Clone, Debug, Default)]
pub struct RebuildReport {
    /// By source.
    pub sources: Vec<RebuiltSource>,
    /// The runs over these sources, rated again.
    pub runs: Vec<RateReport>,
    /// Runs without contests by now, with why; they have no ratings any more.
    pub emptied: Vec<(i64, String)>,
}

/// A source derived again.
#[derive(Clone, Debug)]
pub struct RebuiltSource {
    /// Its name.
    pub source: String,
    /// Contests there were before, in whatever state.
    pub contests_before: u64,
    /// Contests there are now.
    pub contests: u64,
    /// Results in those.
    pub results: u64,
    /// What its documents gave.
    pub report: ImportReport,
    /// Decisions that no longer fit, with why.
    pub misfits: Vec<(DecisionRow, String)>,
}

/// Throws away the contests and ratings of these sources (of all, if none is named) and derives
/// them from the archive: every document is read again, oldest first, every decision is carried
/// out again, and every run over the sources is rated from the beginning. Becomes visible at
/// once, at the end; until then, and if it fails or is interrupted, everything is as it was.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::Interrupted`]; [`Error::Store`], also for a damaged document.
pub fn rebuild(
    store: &mut Writer,
    sources: &[SourceName],
    clock: fn() -> UnixSeconds,
    watch: &dyn Watch,
) -> Result<RebuildReport, Error> {
    for name in sources {
        if store.source_id(name)?.is_none() {
            return Err(no_source(store, name)?);
        }
    }
    let named =
        |row: &SourceRow| sources.is_empty() || sources.iter().any(|n| n.as_str() == row.name);
    let mut rows = store.sources()?;
    rows.retain(named);
    let mut batch = store.batch()?;
    let now = clock();
    let mut runs = Vec::new();
    for run in batch.runs()? {
        let of = batch.sources_of(&run)?;
        if rows.iter().any(|row| of.contains(&row.name)) {
            let evaluations = batch.evaluations(run.run_id)?;
            batch.cut_run(run.run_id, 0)?;
            runs.push((run, evaluations));
            if watch.interrupted() {
                return Err(Error::Interrupted);
            }
        }
    }
    let mut report = RebuildReport::default();
    for row in rows {
        let source_id = row.source_id;
        let rebuilt = rebuild_source(&mut batch, row, watch)?;
        let counts = &rebuilt.report;
        batch.record_sync(&SyncRun {
            source_id,
            kind: SyncKind::Rebuild,
            started_at: now,
            // The clock may have gone backwards.
            finished_at: clock().max(now),
            added: counts.added,
            revised: counts.revised,
            unchanged: counts.unchanged,
            refused: counts.refused.len() as u64,
        })?;
        report.sources.push(rebuilt);
    }
    for (run, evaluations) in runs {
        let request = RateRequest {
            selection: RunSelection::from_canonical_json(&run.selection),
            system: System::of_run(&run)?,
            now: clock(),
        };
        match rate_within(&mut batch, request, watch) {
            Ok(rated) => {
                // The same ratings predict as well as before.
                if batch.run(rated.run_id)?.map(|new| new.fingerprint) == Some(run.fingerprint) {
                    for evaluation in &evaluations {
                        batch.put_evaluation(rated.run_id, evaluation)?;
                    }
                }
                report.runs.push(rated);
            }
            Err(error @ Error::NoContests { .. }) => {
                batch.finish_run(run.run_id, NOTHING)?;
                report.emptied.push((run.run_id.get(), error.to_string()));
            }
            Err(error) => return Err(error),
        }
    }
    batch.commit()?;
    Ok(report)
}

fn rebuild_source(
    batch: &mut Batch<'_>,
    row: SourceRow,
    watch: &dyn Watch,
) -> Result<RebuiltSource, Error> {
    let source_id = row.source_id;
    let documents = batch.documents(source_id)?;
    let disbelieved = batch.disbelieved(source_id)?;
    let forgotten = batch.tombstones(source_id)?;
    batch.clear(source_id)?;
    if watch.interrupted() {
        return Err(Error::Interrupted);
    }
    watch.begin("rebuilding", documents.iter().map(|d| d.length).sum());
    let mut intake = Intake::new(source_id);
    let beside = batch.beside()?;
    // As in an import, reading runs beside writing. The archive is not touched, so another
    // connection may read it.
    let (send, receive) = sync_channel(2);
    std::thread::scope(|threads| -> Result<(), Error> {
        let reader = threads.spawn(move || -> Result<(), Error> {
            for row in documents {
                let document = read_again(&beside, &row, &forgotten, |id, contest| {
                    disbelieved.contains(&(id, contest.to_owned()))
                })?;
                // The other side has gone: it failed or was interrupted.
                if send.send((row, document)).is_err() {
                    break;
                }
            }
            Ok(())
        });
        let mut done = 0;
        let mut written = Ok(());
        for (row, document) in &receive {
            // Each document speaks for itself: what is not believed was noted when it came.
            intake.begin_anew();
            written = intake.take(batch, row.document_id, &row.request_key, document, watch);
            done += row.length;
            let report = &intake.report;
            watch.advanced(done, report.added + report.revised, report.results);
            if written.is_err() || report.interrupted {
                break;
            }
        }
        drop(receive);
        let read = match reader.join() {
            Ok(read) => read,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        written?;
        read
    })?;
    if intake.report.interrupted || watch.interrupted() {
        return Err(Error::Interrupted);
    }
    let misfits = batch.decide_again(source_id)?;
    // Counted, not summed up: several documents may tell of one contest.
    let rebuilt = (batch.sources()?.into_iter()).find(|row| row.source_id == source_id);
    let (contests, results) = rebuilt.map_or((0, 0), |row| (row.contests, row.results));
    Ok(RebuiltSource {
        source: row.name,
        contests_before: row.contests,
        contests,
        results,
        report: intake.report,
        misfits,
    })
}

/// Reads a document of the archive as it was read when it came, but for what is disbelieved and
/// for who is forgotten: bytes that could not be searched for a name may still have it.
fn read_again(
    store: &Store,
    row: &DocumentRow,
    forgotten: &Tombstones,
    disbelieved: impl Fn(DocumentId, &str) -> bool,
) -> Result<ReadDocument, Error> {
    let body = store.document(row.document_id)?.body;
    let mut reading: Result<Reading, ReadError> = match ReadingNote::parse(row.reading.as_deref()) {
        Ok(note) => read(note.format, &body, &row.request_key, &note.options),
        Err(why) => Err(ReadError { at: At::Whole, why }),
    };
    if let Ok(reading) = &mut reading {
        let contests = &mut reading.contests;
        contests.retain(|contest| !disbelieved(row.document_id, &contest.external_id));
        reading.forget(&|name| forgotten.blank(name));
    }
    Ok(ReadDocument::new(reading))
}

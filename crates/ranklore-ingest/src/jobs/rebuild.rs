//! Rebuild: contests and ratings derived again from the archive, offline.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::mpsc::SyncSender;

use ranklore_contest::{At, ReadError, Reading, SourceName, UnixSeconds};
use ranklore_replay::{
    EmptySelection, Error as ReplayError, RateReport, RateRequest, RunSelection, System, Watch,
    find_source, rate_within,
};
use ranklore_source::Request;
use ranklore_source::assemble::Refusal;
use ranklore_store::{
    Batch, DecisionRow, DocumentId, DocumentRow, OFFICIAL, RunId, SourceRow, Store, SyncKind,
    SyncRun, Tombstones, Writer,
};
use serde::{Serialize, Serializer};

use crate::ahead::ahead;
use crate::derive::display_names::Called;
use crate::derive::listing::{Lists, Sighting};
use crate::derive::site::Site;
use crate::derive::sync_state::Occasion;
use crate::error::Error;
use crate::import::intake::{ContestCounts, Intake, ReadDocument};
use crate::note::ReadingNote;
use crate::registry::archived_site;

/// The fingerprint of a run without contests.
const NOTHING: [u8; 32] = [0; 32];

/// What came of a rebuild.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RebuildReport {
    /// By source.
    pub sources: Vec<RebuiltSource>,
    /// The runs over these sources, rated again.
    pub runs: Vec<RateReport>,
    /// Runs without contests by now, with why; they have no ratings any more.
    pub emptied: Vec<EmptiedRun>,
}

/// A source derived again.
#[derive(Clone, Debug, Serialize)]
pub struct RebuiltSource {
    /// Its name.
    pub source: String,
    /// Contests there were before, in whatever state.
    pub contests_before: u64,
    /// Contests there are now.
    pub contests: u64,
    /// Results in those.
    pub results: u64,
    /// The contests of its files, by what became of them.
    #[serde(skip)]
    pub derived: ContestCounts,
    /// Documents read.
    pub documents: u64,
    /// Contests that could not be derived.
    pub refused: Vec<Refusal>,
    /// Decisions that no longer fit.
    pub misfits: Vec<MisfitDecision>,
}

/// A decision that no longer fits.
#[derive(Clone, Debug, Serialize)]
pub struct MisfitDecision {
    /// The decision.
    #[serde(rename = "decision_id", serialize_with = "serialize_decision_id")]
    pub decision: DecisionRow,
    /// The reason.
    pub why: String,
}

fn serialize_decision_id<S: Serializer>(
    row: &DecisionRow,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    row.decision_id.serialize(serializer)
}

/// A run without contests by now.
#[derive(Clone, Debug, Serialize)]
pub struct EmptiedRun {
    /// The run.
    pub run_id: RunId,
    /// The reason.
    #[serde(rename = "why")]
    pub selection: EmptySelection,
}

/// Throws away the contests and ratings of these sources (of all, if none is named) and derives
/// them from the archive: every document is read again, oldest first, every decision is carried
/// out again, and every run over the sources is rated from the beginning. Becomes visible at
/// once, at the end; until then, and if it fails or is interrupted, everything is as it was.
///
/// # Errors
/// [`Error::Replay`] for an unknown source; [`Error::Interrupted`]; [`Error::Store`], also for a damaged document.
pub fn rebuild(
    store: &mut Writer,
    sources: &[SourceName],
    clock: fn() -> UnixSeconds,
    watch: &dyn Watch,
) -> Result<RebuildReport, Error> {
    for name in sources {
        find_source(store, name)?;
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
            if run.system == OFFICIAL {
                batch.clear_official(run.run_id)?;
                continue;
            }
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
        let rebuilt = rebuild_source(&mut batch, row, now, watch)?;
        let counts = rebuilt.derived;
        batch.record_sync(&SyncRun {
            source_id,
            kind: SyncKind::Rebuild,
            started_at: now,
            // The clock may have gone backwards.
            finished_at: clock().max(now),
            added: counts.added,
            revised: counts.revised,
            unchanged: counts.unchanged,
            refused: rebuilt.refused.len() as u64,
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
            Err(ReplayError::NoContests(empty)) => {
                batch.finish_run(run.run_id, NOTHING)?;
                report.emptied.push(EmptiedRun {
                    run_id: run.run_id,
                    selection: *empty,
                });
            }
            Err(error) => return Err(error.into()),
        }
    }
    batch.commit()?;
    Ok(report)
}

fn rebuild_source(
    batch: &mut Batch<'_>,
    row: SourceRow,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<RebuiltSource, Error> {
    let source_id = row.source_id;
    let mut documents = batch.documents(source_id)?;
    let all = documents.len();
    // What a site answered is read by what knows the site, and not as a file.
    let mut sites = BTreeSet::new();
    documents.retain(|row| match ReadingNote::parse(row.reading.as_deref()) {
        Ok(ReadingNote::Answer { site, .. }) => {
            sites.insert(site);
            false
        }
        Ok(ReadingNote::File(_)) | Err(_) => true,
    });
    let answers = (all - documents.len()) as u64;
    let disbelieved = batch.disbelieved(source_id)?;
    let forgotten = batch.tombstones(source_id)?;
    batch.clear(source_id)?;
    if watch.interrupted() {
        return Err(Error::Interrupted);
    }
    watch.begin("rebuilding", documents.iter().map(|d| d.length).sum());
    let mut intake = Intake::new(&row.name, source_id);
    let beside = batch.beside()?;
    let mut done = 0;
    read_beside(
        documents,
        move |row| {
            let document = read_again(&beside, &row, &forgotten, |id, contest| {
                disbelieved.contains(&(id, contest.to_owned()))
            })?;
            Ok((row, document))
        },
        |(row, document)| {
            // Each document speaks for itself: what is not believed was noted when it came.
            intake.begin_anew();
            if let Ok(reading) = &document.reading {
                intake.call(batch, &reading.names)?;
            }
            intake.take(batch, row.document_id, &row.request_key, document, watch)?;
            done += row.length;
            let report = &intake.report;
            watch.advanced(done, report.contests.changed(), report.results);
            Ok(!report.interrupted)
        },
    )?;
    if intake.report.interrupted || watch.interrupted() {
        return Err(Error::Interrupted);
    }
    for site in sites {
        rebuild_site(batch, &site, &row, &mut intake, now, watch)?;
    }
    intake.report.documents += answers;
    let misfits = batch.decide_again(source_id)?.into_iter();
    let misfits = misfits.map(|(decision, why)| MisfitDecision { decision, why });
    // Counted, not summed up: several documents may tell of one contest.
    let rebuilt = (batch.sources()?.into_iter()).find(|row| row.source_id == source_id);
    let (contests, results) = rebuilt.map_or((0, 0), |row| (row.contests, row.results));
    Ok(RebuiltSource {
        source: row.name,
        contests_before: row.contests,
        contests,
        results,
        derived: intake.report.contests,
        documents: intake.report.documents,
        refused: intake.report.refused,
        misfits: misfits.collect(),
    })
}

/// Derives the contests of a source from what this site answered.
fn rebuild_site(
    batch: &mut Batch<'_>,
    name: &str,
    row: &SourceRow,
    intake: &mut Intake,
    now: UnixSeconds,
    watch: &dyn Watch,
) -> Result<(), Error> {
    // What was asked for beyond the least stands in the archive.
    let Some(source) = archived_site(name, batch, row.source_id)? else {
        intake.refuse(
            name,
            "its answers cannot be read by this version".to_owned(),
            watch,
        );
        return Ok(());
    };
    let source_name = SourceName::new(row.name.as_str()).map_err(|invalid| Error::Undecided {
        reason: invalid.to_string(),
    })?;
    let site = &Site::open(batch, &*source, source_name, row.source_id)?;
    let beside = batch.beside()?;
    let lists = site.lists(&beside, HashMap::new())?;
    let before = site.before(&beside, &lists)?;
    let contests = in_order(lists, before.taken_back);
    watch.begin("rebuilding", contests.len() as u64);
    let mut told = HashSet::new();
    let mut done = 0;
    read_beside(
        contests,
        move |(of, taken_back)| {
            let mut derived = site.derive(&beside, &of.listed)?;
            if taken_back {
                derived.withdraw();
            }
            Ok((of, derived))
        },
        |(of, derived)| {
            let (listed, list) = (of.listed, Some(of.document_id));
            if watch.interrupted() {
                return Err(Error::Interrupted);
            }
            let occasion = Occasion::Archived;
            let outcome = site.write(batch, &listed, list, derived, &occasion, now)?;
            for (put, entrants) in outcome.written {
                intake.took(put, entrants);
            }
            let assembly = outcome.assembly;
            for refusal in (assembly.refused.into_iter()).chain(assembly.further_refused) {
                // A document of many contests says it once for all of them.
                if told.insert(refusal.clone()) {
                    intake.refuse(&refusal.document, refusal.what, watch);
                }
            }
            done += 1;
            let report = &intake.report;
            watch.advanced(done, report.contests.added, report.results);
            Ok(true)
        },
    )?;
    let called = Called::of(site, batch, before.moved)?;
    called.put(batch, site.source_id)?;
    let documents = batch.documents(site.source_id)?;
    if let Some(through) = documents.iter().map(|row| row.document_id).max() {
        batch.put_named_through(site.source_id, through)?;
    }
    Ok(())
}

/// What is listed by now, and what was taken back; those that one document tells of one after the
/// other, so that it is read once.
fn in_order(lists: Lists, taken_back: Vec<Sighting>) -> Vec<(Sighting, bool)> {
    let listed = lists.contests().into_iter().map(|of| (of, false));
    let taken_back = taken_back.into_iter().map(|of| (of, true));
    let mut contests: Vec<_> = listed.chain(taken_back).collect();
    contests.sort_by_cached_key(|(of, _)| of.listed.results.first().map(Request::key));
    contests
}

/// Reads one after the other on another thread, as in an import, and writes on this one what was
/// read, in the same order and a few behind, until `write` says that it was enough. The archive
/// is not touched, so another connection may read it.
fn read_beside<I: Send, R: Send>(
    items: Vec<I>,
    mut read: impl FnMut(I) -> Result<R, Error> + Send,
    write: impl FnMut(R) -> Result<bool, Error>,
) -> Result<(), Error> {
    let read = |send: &SyncSender<R>| -> Result<(), Error> {
        for item in items {
            // The other side has gone: it failed or was interrupted.
            if send.send(read(item)?).is_err() {
                break;
            }
        }
        Ok(())
    };
    ahead(read, write)?
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
        Ok(ReadingNote::File(note)) => note.read(&row.request_key, &body),
        Ok(ReadingNote::Answer { site, .. }) => Err(ReadError {
            at: At::Whole,
            why: format!("it is an answer of {site} and no file"),
        }),
        Err(why) => Err(ReadError { at: At::Whole, why }),
    };
    if let Ok(reading) = &mut reading {
        let contests = &mut reading.contests;
        contests.retain(|contest| !disbelieved(row.document_id, &contest.external_id));
        reading.forget(forgotten);
    }
    Ok(ReadDocument::new(reading))
}

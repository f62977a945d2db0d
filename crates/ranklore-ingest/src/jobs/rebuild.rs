//! Rebuild: derives contests and ratings again from the archive, offline.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::iter::repeat;
use std::panic::resume_unwind;
use std::sync::mpsc::SyncSender;
use std::thread;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_replay::{Progress, RateReport, find_source};
use ranklore_source::Request;
use ranklore_source::assemble::RefusedInput;
use ranklore_store::{
    Decision, DecisionId, DecisionRow, DocumentRow, SourceId, SourceRow, Store, SyncKind, SyncRun,
    WriteBatch, Writer,
};
use serde::Serialize;

use crate::derive::display_names::DisplayNames;
use crate::derive::listing::{ContestLists, ListEntry};
use crate::derive::official::refresh_official_ratings;
use crate::derive::reread::reread_document;
use crate::derive::site::Site;
use crate::derive::sync_state::{SyncOccasion, SyncTrigger};
use crate::error::Error;
use crate::import::intake::Intake;
use crate::import::report::ContestCounts;
use crate::jobs::affected_runs::{AffectedRuns, EmptiedRun};
use crate::pipeline::run_pipelined;
use crate::reading_note::ReadingNote;
use crate::registry::archived_site;

/// The outcome of a rebuild.
#[derive(Clone, Debug, Default, Serialize)]
pub struct RebuildReport {
    /// The rebuilt sources.
    pub sources: Vec<RebuiltSource>,
    /// The runs over these sources, rated again.
    pub runs: Vec<RateReport>,
    /// The ids of runs without contests, or that cannot be rated, each with the reason; they have no
    /// ratings any more.
    pub emptied: Vec<EmptiedRun>,
}

/// The outcome for one source.
#[derive(Clone, Debug, Serialize)]
pub struct RebuiltSource {
    /// The name of the source.
    pub source: String,
    /// Contests before the rebuild, in any state.
    pub contests_before: u64,
    /// Contests after the rebuild.
    pub contests: u64,
    /// Results in these contests.
    pub results: u64,
    /// The contests of its files, by what became of them.
    #[serde(skip)]
    pub derived: ContestCounts,
    /// Documents read.
    pub documents: u64,
    /// Contests that could not be derived.
    pub refused: Vec<RefusedInput>,
    /// The number of all documents and contests that cannot be read.
    pub total_refused: u64,
    /// Decisions that no longer fit.
    pub misfits: Vec<MisfitDecision>,
}

/// A decision that no longer fits.
#[derive(Clone, Debug, Serialize)]
pub struct MisfitDecision {
    /// The decision.
    #[serde(flatten, with = "DecisionKey")]
    pub decision: DecisionRow,
    /// The reason.
    pub why: String,
}

/// The key of a decision in reports.
#[derive(Serialize)]
#[serde(remote = "DecisionRow")]
struct DecisionKey {
    decision_id: DecisionId,
}

/// Deletes the contests and ratings of these sources (of all sources if none is given) and derives
/// them from the archive: reads every document again, oldest first, applies every decision again
/// and rates every run over the sources from its start. Writes in one transaction; after an error
/// or an interruption the database is unchanged.
///
/// # Errors
/// [`Error::Replay`] for an unknown source; [`Error::Interrupted`]; [`Error::Store`], also for a
/// damaged document.
pub fn rebuild(
    store: &mut Writer,
    sources: &[SourceName],
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<RebuildReport, Error> {
    for name in sources {
        find_source(store, name)?;
    }
    let mut rows = store.sources()?;
    rows.retain(|row| sources.is_empty() || sources.iter().any(|name| name.as_str() == row.name));
    let mut batch = store.batch()?;
    let now = clock();
    let names = rows.iter().map(|row| row.name.clone()).collect();
    let runs = AffectedRuns::truncate(&mut batch, &names, watch)?;
    let mut report = RebuildReport::default();
    for row in rows {
        let source_id = row.source_id;
        let rebuilt = rebuild_source(&mut batch, row, &HashSet::new(), now, watch)?;
        let counts = rebuilt.derived;
        batch.record_sync(&SyncRun {
            source_id,
            kind: SyncKind::Rebuild,
            started_at: now,
            // The clock may have been set back.
            finished_at: clock().max(now),
            added: counts.added,
            revised: counts.revised,
            withdrawn: 0,
            restored: 0,
            unchanged: counts.unchanged,
            refused: rebuilt.total_refused,
            failure: None,
        })?;
        report.sources.push(rebuilt);
    }
    if sources.is_empty() {
        batch.restate_derived_tables()?;
    }
    (report.runs, report.emptied) = runs.rate(&mut batch, clock, watch)?;
    batch.commit()?;
    Ok(report)
}

/// Deletes the contests of a source and derives them from the archive again, without the merges that
/// only undone documents claimed.
pub(crate) fn rebuild_source(
    batch: &mut WriteBatch<'_>,
    row: SourceRow,
    undone: &HashSet<Decision>,
    now: UnixSeconds,
    watch: &dyn Progress,
) -> Result<RebuiltSource, Error> {
    let source_id = row.source_id;
    let mut documents = batch.documents(source_id)?;
    let total = documents.len();
    // Answers of a site are read by its source, not as files.
    let mut sites = BTreeSet::new();
    documents.retain(|row| match ReadingNote::parse(row.reading.as_deref()) {
        Ok(ReadingNote::Answer { site, .. }) => {
            sites.insert(site);
            false
        }
        Ok(ReadingNote::File(_)) | Err(_) => true,
    });
    let answers = (total - documents.len()) as u64;
    let mut rebuild = SourceRebuild {
        batch,
        source_id,
        intake: Intake::new(&row.name, source_id, now),
        now,
        watch,
    };
    rebuild.replace_files(documents)?;
    for site in sites {
        rebuild.derive_site(&site)?;
    }
    let source_name = rebuild.source_name()?;
    let mut intake = rebuild.intake;
    intake.report.documents += answers;
    intake.merges.retract(batch, source_id, undone)?;
    let refused_decisions = batch.reapply_decisions(source_id)?.into_iter();
    refresh_official_ratings(batch, &source_name, source_id, None)?;
    let misfits = refused_decisions.map(|(decision, why)| MisfitDecision { decision, why });
    // Counted in the database, because several documents may have one contest.
    let mut sources = batch.sources()?.into_iter();
    let rebuilt = sources.find(|row| row.source_id == source_id);
    Ok(RebuiltSource {
        source: row.name,
        contests_before: row.contests,
        contests: rebuilt.as_ref().map_or(0, |row| row.contests),
        results: rebuilt.as_ref().map_or(0, |row| row.results),
        derived: intake.report.contests,
        documents: intake.report.documents,
        refused: intake.report.refused,
        total_refused: intake.report.total_refused,
        misfits: misfits.collect(),
    })
}

/// A running rebuild of one source.
struct SourceRebuild<'r, 'w> {
    batch: &'r mut WriteBatch<'w>,
    source_id: SourceId,
    intake: Intake,
    now: UnixSeconds,
    watch: &'r dyn Progress,
}

impl SourceRebuild<'_, '_> {
    /// Deletes the contests of the source, and reads those of its files again.
    fn replace_files(&mut self, files: Vec<DocumentRow>) -> Result<(), Error> {
        let watch = self.watch;
        let intake = &mut self.intake;
        let rejected = self.batch.rejected_contests(self.source_id)?;
        let forgotten = self.batch.tombstones(self.source_id)?;
        self.batch.clear_source(self.source_id)?;
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        watch.begin_task("rebuilding", files.iter().map(|file| file.length).sum());
        let reader = self.batch.open_parallel_reader()?;
        let mut done = 0;
        read_and_write(
            files,
            move |row| {
                let reading = reread_document(&reader, &row, &forgotten, |id, contest| {
                    rejected.contains(&(id, contest.to_owned()))
                })?;
                Ok((row, reading))
            },
            |(row, reading)| {
                // Each document is an import of its own: rejected contests were stored when it was
                // imported.
                intake.start_new_import();
                if let Ok(reading) = &reading {
                    intake.set_names(self.batch, reading, |_, _| true)?;
                }
                let document = (row.document_id, &*row.request_key);
                intake.insert_reading(self.batch, document, reading, watch)?;
                done += row.length;
                let report = &intake.report;
                watch.advance(done, report.contests.changed(), report.results);
                Ok(!watch.is_interrupted())
            },
        )?;
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        Ok(())
    }

    fn source_name(&self) -> Result<SourceName, Error> {
        SourceName::new(self.intake.source.as_str()).map_err(Error::invalid_request)
    }

    /// Derives the contests of the source from the archived answers of one site.
    fn derive_site(&mut self, name: &str) -> Result<(), Error> {
        // The archive tells which optional requests were made.
        let Some(source) = archived_site(name, self.batch, self.source_id)? else {
            let reason = "this version cannot read its answers".to_owned();
            self.intake.refuse(name, reason, self.watch);
            return Ok(());
        };
        let site = &Site::open(self.batch, &*source, self.source_name()?, self.source_id)?;
        let reader = self.batch.open_parallel_reader()?;
        let lists = site.load_lists(&reader, HashMap::new())?;
        let history = site.load_list_history(&reader, &lists)?;
        let groups = group_by_document(lists, history.withdrawn);
        let names_reader = self.batch.open_parallel_reader()?;
        let names = thread::scope(|threads| {
            let names =
                threads.spawn(move || DisplayNames::load(site, &names_reader, history.merges));
            self.derive_contests(site, reader, groups)?;
            names.join().unwrap_or_else(|panic| resume_unwind(panic))
        })?;
        names.write(self.batch, self.source_id)?;
        let documents = self.batch.documents(self.source_id)?;
        if let Some(through) = documents.iter().map(|row| row.document_id).max() {
            self.batch.set_named_through(self.source_id, through)?;
        }
        Ok(())
    }

    /// Derives these groups of contests, read from `reader`, and writes them. The flag is true for
    /// withdrawn contests.
    fn derive_contests(
        &mut self,
        site: &Site<'_>,
        reader: Store,
        groups: Vec<Vec<(ListEntry, bool)>>,
    ) -> Result<(), Error> {
        let watch = self.watch;
        let intake = &mut self.intake;
        watch.begin_task("rebuilding", groups.iter().map(|group| group.len() as u64).sum());
        let occasion = SyncOccasion {
            now: self.now,
            trigger: SyncTrigger::Rebuild,
        };
        let mut reported = HashSet::new();
        let mut done = 0;
        read_and_write(
            groups,
            move |group: Vec<(ListEntry, bool)>| {
                let derived = group.into_iter().map(|(entry, is_withdrawn)| {
                    let mut derived =
                        site.derive(&reader, &entry.contest, Some(entry.document_id))?;
                    if is_withdrawn {
                        derived.withdraw();
                    }
                    Ok((entry.contest, derived))
                });
                derived.collect::<Result<Vec<_>, Error>>()
            },
            |group| {
                if watch.is_interrupted() {
                    return Err(Error::Interrupted);
                }
                done += group.len() as u64;
                let (contests, derived): (Vec<_>, Vec<_>) = group.into_iter().unzip();
                let listings = contests.iter().zip(derived).collect();
                for outcome in site.write_together(self.batch, listings, &occasion)? {
                    for (change, entrants) in outcome.written {
                        intake.count_contest(change, entrants);
                    }
                    let assembly = outcome.assembly;
                    let refused = assembly.refused.into_iter();
                    for refusal in refused.chain(assembly.further_refused) {
                        // A document with many contests is reported once.
                        if reported.insert(refusal.clone()) {
                            intake.refuse(&refusal.document, refusal.what, watch);
                        }
                    }
                }
                let report = &intake.report;
                watch.advance(done, report.contests.added, report.results);
                Ok(true)
            },
        )
    }
}

/// The contests of a document that are written together: more gain little.
const CONTESTS_AT_ONCE: usize = 64;

/// Returns the listed and the withdrawn contests, grouped by result document so that each is read
/// once. The flag is true for withdrawn contests.
fn group_by_document(
    lists: ContestLists,
    withdrawn: Vec<ListEntry>,
) -> Vec<Vec<(ListEntry, bool)>> {
    let mut by_document: BTreeMap<Option<String>, Vec<_>> = BTreeMap::new();
    let listed = lists.into_entries().into_iter().zip(repeat(false));
    let withdrawn = withdrawn.into_iter().zip(repeat(true));
    for (entry, is_withdrawn) in listed.chain(withdrawn) {
        let document = entry.contest.results.first().map(Request::key);
        by_document.entry(document).or_default().push((entry, is_withdrawn));
    }
    let mut groups = Vec::new();
    for contests in by_document.into_values() {
        let mut contests = contests.into_iter();
        while contests.len() > 0 {
            groups.push(contests.by_ref().take(CONTESTS_AT_ONCE).collect());
        }
    }
    groups
}

/// Reads each item on another thread and writes it on this one, in order, until `write` returns
/// false. The archive is not modified, so another connection can read it.
fn read_and_write<I: Send, R: Send>(
    items: Vec<I>,
    mut read: impl FnMut(I) -> Result<R, Error> + Send,
    write: impl FnMut(R) -> Result<bool, Error>,
) -> Result<(), Error> {
    run_pipelined(
        |send: &SyncSender<R>| {
            for item in items {
                // The receiver is gone: it failed or was interrupted.
                if send.send(read(item)?).is_err() {
                    break;
                }
            }
            Ok(())
        },
        write,
    )?
}

//! Import: every file is archived as a document, then read, and its contests are stored.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;

use ranklore_contest::{
    ContentHash, Contest, EntrantKind, Format, Layout, ReadError, ReadOptions, Reading, SourceName,
    UnixSeconds, read,
};
use ranklore_store::{
    Batch, Body, CompressedBody, ContestState, NewDocument, Put, SourceId, SyncKind, SyncRun,
    Writer, compress,
};
use serde::Serialize;

use crate::files::{Found, Inputs};
use crate::{Error, Silent, Watch};

/// What to import.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// Files, folders and .tar.zst archives.
    pub paths: Vec<PathBuf>,
    /// The source they become part of.
    pub source: SourceName,
    /// What tables leave open.
    pub options: ReadOptions,
    /// Tells the time, at the beginning and at the end.
    pub clock: fn() -> UnixSeconds,
}

/// What came of an import.
#[derive(Clone, Debug, Default)]
pub struct ImportReport {
    /// Documents read.
    pub documents: u64,
    /// Contests that were not there before.
    pub added: u64,
    /// Contests whose result changed.
    pub revised: u64,
    /// Contests that were there before, as they are.
    pub unchanged: u64,
    /// Results in all of those.
    pub results: u64,
    /// Competitors whose starting rating is new or changed.
    pub starting_ratings: u64,
    /// What was not taken.
    pub refused: Vec<RefusedDocument>,
    /// How tables were understood, for each document that is a table.
    pub layouts: Vec<(String, Layout)>,
    /// Files in folders and archives that are of no kind known here.
    pub passed_over: u64,
    /// The user asked to end; what was done until then is kept.
    pub interrupted: bool,
}

/// Something in a document that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedDocument {
    /// The document: its path below what was named.
    pub document: String,
    /// Where in it, which contest, and why.
    pub what: String,
}

/// How a document is to be read, kept beside it so that a rebuild reads the same.
#[derive(Serialize)]
struct ReadingNote<'a> {
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    options: Option<&'a ReadOptions>,
}

impl<'a> ReadingNote<'a> {
    fn json(format: Format, options: &'a ReadOptions) -> String {
        let note = Self {
            format: format.as_str(),
            options: (format != Format::Json).then_some(options),
        };
        serde_json::to_string(&note).unwrap_or_default()
    }
}

/// Refusals of one document that are noted at once, each with a line.
const NOTED: usize = 10;

/// A document read and compressed, on its way to the store.
struct Prepared {
    key: String,
    format: Format,
    what: Result<Contents, String>,
    done: u64,
}

/// What is in a document.
struct Contents {
    body: CompressedBody,
    reading: Result<Reading, ReadError>,
    /// Of each contest of the reading.
    hashes: Vec<ContentHash>,
}

/// Looks at the paths of an import without reading what is there, so that a mistyped one is
/// said before a file is made.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownKind`].
pub fn check_paths(paths: &[PathBuf]) -> Result<(), Error> {
    Inputs::find(paths).map(drop)
}

/// Imports. Reading runs beside writing; everything becomes visible at once, at the end.
/// What was there before is left as it is, so the same again changes nothing.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownKind`],
/// [`Error::DamagedArchive`] for the paths; [`Error::Store`]. Nothing was written then.
/// Documents and contests that cannot be taken are no error: they are named in
/// [`ImportReport::refused`], and the rest goes in.
pub fn import(
    store: &mut Writer,
    request: &ImportRequest,
    watch: &dyn Watch,
) -> Result<ImportReport, Error> {
    let inputs = Inputs::find(&request.paths)?;
    watch.begin("importing", inputs.total_bytes);
    let mut batch = store.batch()?;
    let now = (request.clock)();
    let source_id = batch.source(&request.source, now)?;
    let mut sink = Sink {
        batch,
        source_id,
        now,
        report: ImportReport::default(),
        changed: false,
        known: HashMap::new(),
        started: HashSet::new(),
    };
    let options = &request.options;
    // Two documents on the way are enough to keep both sides busy, and bound the memory.
    let (send, receive) = sync_channel::<Prepared>(2);
    let passed_over = std::thread::scope(|threads| -> Result<u64, Error> {
        let reader = threads.spawn(move || {
            inputs.read(|found, done| {
                // The other side has gone: it failed or was interrupted.
                match send.send(prepare(found, options, done)) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            })
        });
        let mut written = Ok(());
        for prepared in &receive {
            if watch.interrupted() {
                sink.report.interrupted = true;
                break;
            }
            let done = prepared.done;
            written = sink.put(prepared, options, watch);
            if written.is_err() {
                break;
            }
            let report = &sink.report;
            let contests = report.added + report.revised + report.unchanged;
            watch.advanced(done, contests, report.results);
            if report.interrupted {
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
    sink.report.passed_over = passed_over;
    sink.finish((request.clock)())
}

fn prepare(found: Found, options: &ReadOptions, done: u64) -> Prepared {
    let what = found.bytes.and_then(|bytes| {
        let body = compress(&bytes).map_err(|error| format!("cannot be compressed: {error}"))?;
        let reading = read(found.format, &bytes, &found.key, options);
        let contests = reading.iter().flat_map(|reading| &reading.contests);
        let hashes = contests.map(Contest::content_hash).collect();
        Ok(Contents {
            body,
            reading,
            hashes,
        })
    });
    Prepared {
        key: found.key,
        format: found.format,
        what,
        done,
    }
}

/// Where documents end up.
struct Sink<'w> {
    batch: Batch<'w>,
    source_id: SourceId,
    now: UnixSeconds,
    report: ImportReport,
    /// Whether anything was written but the source.
    changed: bool,
    /// The contests of this import, by external id, with the document each was in.
    known: HashMap<String, String>,
    /// The competitors whose starting rating this import changed.
    started: HashSet<(EntrantKind, String)>,
}

impl Sink<'_> {
    fn put(
        &mut self,
        prepared: Prepared,
        options: &ReadOptions,
        watch: &dyn Watch,
    ) -> Result<(), Error> {
        let Prepared {
            key, format, what, ..
        } = prepared;
        let Contents {
            body,
            reading,
            hashes,
        } = match what {
            Ok(read) => read,
            Err(why) => {
                self.refuse(&key, why, watch);
                return Ok(());
            }
        };
        let archived = self.batch.archive(
            self.source_id,
            &NewDocument {
                request_key: &key,
                url: None,
                fetched_at: self.now,
                status: None,
                etag: None,
                last_modified: None,
                media_type: Some(format.media_type()),
                reading: Some(&ReadingNote::json(format, options)),
                body: Body::Compressed(&body),
            },
        )?;
        self.changed |= !archived.unchanged;
        self.report.documents += 1;
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => {
                self.refuse(&key, error.to_string(), watch);
                return Ok(());
            }
        };
        // A file of some other kind can be wrong in thousands of places: all of them are in the
        // report, and enough to understand it on the screen.
        for (index, refusal) in reading.refused.iter().enumerate() {
            let note: &dyn Watch = if index < NOTED { watch } else { &Silent };
            self.refuse(&key, refusal.to_string(), note);
        }
        if reading.refused.len() > NOTED {
            let more = reading.refused.len() - NOTED;
            watch.note(&format!("{key}: and {more} more"));
        }
        for (contest, hash) in reading.contests.iter().zip(hashes) {
            if watch.interrupted() {
                self.report.interrupted = true;
                return Ok(());
            }
            if let Some(first) = self.known.get(&contest.external_id) {
                let what = already_in(contest, first);
                self.refuse(&key, what, watch);
                continue;
            }
            self.known.insert(contest.external_id.clone(), key.clone());
            let put = self.batch.put_hashed_contest(
                self.source_id,
                archived.document_id,
                contest,
                hash,
                ContestState::Final,
                true,
            )?;
            match put {
                Put::Added => self.report.added += 1,
                Put::Revised { .. } => self.report.revised += 1,
                Put::Described | Put::Unchanged | Put::Superseded => self.report.unchanged += 1,
            }
            self.changed |= !matches!(put, Put::Unchanged | Put::Superseded);
            self.report.results += contest.entrants.len() as u64;
        }
        let (source, document) = (self.source_id, archived.document_id);
        for (kind, competitor, rating) in reading.starting_ratings {
            let news =
                (self.batch).set_starting_rating(source, document, kind, &competitor, rating)?;
            self.changed |= news;
            // Two documents of one import may say different things of one competitor.
            if news && self.started.insert((kind, competitor)) {
                self.report.starting_ratings += 1;
            }
        }
        self.report
            .layouts
            .extend(reading.layout.map(|layout| (key, layout)));
        Ok(())
    }

    fn refuse(&mut self, document: &str, what: String, watch: &dyn Watch) {
        watch.note(&format!("{document}: {what}"));
        self.report.refused.push(RefusedDocument {
            document: document.to_owned(),
            what,
        });
    }

    fn finish(mut self, finished_at: UnixSeconds) -> Result<ImportReport, Error> {
        // The same again must change nothing at all, not even the list of imports.
        if self.changed {
            let report = &self.report;
            self.batch.record_sync(&SyncRun {
                source_id: self.source_id,
                kind: SyncKind::Import,
                started_at: self.now,
                // The clock may have gone backwards.
                finished_at: finished_at.max(self.now),
                added: report.added,
                revised: report.revised,
                unchanged: report.unchanged,
                refused: report.refused.len() as u64,
            })?;
            self.batch.commit()?;
        }
        Ok(self.report)
    }
}

pub(crate) fn already_in(contest: &Contest, document: &str) -> String {
    format!(
        "contest {:?}: {:?} identifies a contest of {document} already; give one of them an id of its own",
        contest.name, contest.external_id
    )
}

/// Imports one document that is at hand as bytes, such as bundled data. `key` is a file name.
///
/// # Errors
/// [`Error::Store`]; what cannot be taken is in [`ImportReport::refused`].
pub fn import_document(
    store: &mut Writer,
    source: &SourceName,
    key: &str,
    format: Format,
    bytes: &[u8],
    clock: fn() -> UnixSeconds,
) -> Result<ImportReport, Error> {
    let mut batch = store.batch()?;
    let now = clock();
    let source_id = batch.source(source, now)?;
    let mut sink = Sink {
        batch,
        source_id,
        now,
        report: ImportReport::default(),
        changed: false,
        known: HashMap::new(),
        started: HashSet::new(),
    };
    let options = ReadOptions::default();
    let found = Found {
        key: key.to_owned(),
        format,
        bytes: Ok(bytes.to_vec()),
    };
    sink.put(prepare(found, &options, 0), &options, &Silent)?;
    sink.finish(clock())
}

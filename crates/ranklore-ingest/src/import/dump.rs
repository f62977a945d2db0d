//! Imports Reddit archives of third parties: every thread is archived as one contest file and
//! imported like a file of the user. The archives themselves are not stored.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use ranklore_contest::{Contest, Format, ReadOptions, SourceName, UnixSeconds};
use ranklore_reddit::{Counts, Dump, DumpError, DumpOptions, Listing, Threads};
use ranklore_replay::{Silent, Watch};
use ranklore_store::{SourceId, Store, Tombstones, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::import::documents::{Prepared, Sink, prepare};
use crate::import::files::Found;
use crate::import::intake::ImportReport;
use crate::import::preview::PreviewedContest;

/// The parameters of an import of Reddit archives.
#[derive(Clone, Debug)]
pub struct DumpRequest {
    /// The files, in any order.
    pub paths: Vec<PathBuf>,
    /// The source they are added to.
    pub source: SourceName,
    /// The threads to import, and the folder for temporary files.
    pub options: DumpOptions,
}

/// The outcome of an import of Reddit archives.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DumpReport {
    /// The import of the threads, each of them a document.
    #[serde(flatten)]
    pub import: ImportReport,
    /// The lines, comments and threads of the files.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The preview of an import of Reddit archives.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DumpPreview {
    /// The contests that would be imported.
    pub contests: u64,
    /// The results in these contests.
    pub results: u64,
    /// The first 40 of these contests.
    pub first: Vec<PreviewedContest>,
    /// The lines, comments and threads of the files.
    #[serde(flatten)]
    pub counts: Counts,
}

/// The most contests listed in a preview.
const TOLD: usize = 40;

/// Checks the request without reading files, so that a mistake is reported before a database is
/// created.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::DumpIsFolder`]; [`Error::InvalidRequest`] for an invalid
/// subreddit name.
pub fn check_dump(request: &DumpRequest) -> Result<(), Error> {
    for name in &request.options.subreddits {
        Listing::top(name, 1).map_err(|wrong| Error::Undecided {
            reason: wrong.to_string(),
        })?;
    }
    length(&request.paths).map(drop)
}

/// Imports the threads in Reddit archives. Reads and sorts the files first, writing temporary files
/// only; then archives and reads every thread like an imported file. Everything is written in one
/// transaction. Importing the same archives again changes nothing. Skips threads that the site
/// itself already answered for.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::DumpIsFolder`], [`Error::Dump`]; [`Error::Interrupted`] while
/// reading; [`Error::Store`]. After an error nothing is written. Unreadable lines are no error:
/// [`DumpReport::counts`] has their number.
pub fn mine_dump(
    store: &mut Writer,
    request: &DumpRequest,
    clock: fn() -> UnixSeconds,
    watch: &dyn Watch,
) -> Result<DumpReport, Error> {
    let started_at = clock();
    let threads = sorted(request, watch)?;
    watch.begin("writing", threads.lines_left());
    let site = ranklore_reddit::REGISTRATION.profile.name.to_owned();
    let mut sink = Sink::begin(store, &request.source, &[site], started_at)?;
    let source_id = sink.intake.source_id;
    let forgotten = sink.batch.tombstones(source_id)?;
    let mined = told_of(&sink.batch, source_id)?;
    let read = |send: &SyncSender<Prepared>| prepare_all(threads, &mined, &forgotten, send);
    let put = |sink: &mut Sink<'_>, prepared| put(sink, prepared, watch);
    let read = sink.put_all(read, put, watch)?;
    let counts = read.map_err(Error::Dump)?;
    Ok(DumpReport {
        import: sink.finish(clock(), watch)?,
        counts,
    })
}

/// Returns what [`mine_dump`] would import. Writes temporary files only.
///
/// # Errors
/// The errors of [`mine_dump`]; [`Error::Interrupted`] at any time.
pub fn preview_dump(
    store: Option<&Store>,
    request: &DumpRequest,
    watch: &dyn Watch,
) -> Result<DumpPreview, Error> {
    let mut mined = HashSet::new();
    if let Some(store) = store
        && let Some(source_id) = store.source_id(&request.source)?
    {
        mined = told_of(store, source_id)?;
    }
    let mut threads = sorted(request, watch)?;
    let lines = threads.lines_left();
    watch.begin("looking", lines);
    let (mut preview, mut known) = (DumpPreview::default(), 0);
    while let Some(contest) = threads.next() {
        let contest = contest.map_err(Error::Dump)?;
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        if mined.contains(&contest.external_id) {
            known += 1;
            continue;
        }
        preview.contests += 1;
        preview.results += contest.entrants.len() as u64;
        if preview.first.len() < TOLD {
            preview.first.push(PreviewedContest {
                document: key(&contest),
                entrants: contest.entrants.len(),
                external_id: contest.external_id,
                name: contest.name,
                ends_at: contest.ends_at,
            });
        }
        let done = lines - threads.lines_left();
        watch.advanced(done, preview.contests, preview.results);
    }
    preview.counts = Counts {
        known,
        ..threads.counts()
    };
    Ok(preview)
}

/// Returns the threads that the site itself answered for, also with "gone": archives are older.
fn told_of(store: &Store, source_id: SourceId) -> Result<HashSet<String>, Error> {
    let mut told: HashSet<String> = (store.contest_syncs(source_id)?.into_iter())
        .filter(|sync| !sync.is_refused())
        .map(|sync| sync.external_id)
        .collect();
    let mined = store.mined_contests(source_id)?;
    let stood = store.contests_of(source_id)?.into_iter();
    let stood = stood
        .filter(|row| row.entrants > 0)
        .map(|row| row.external_id);
    told.extend(stood.filter(|id| mined.contains(id)));
    Ok(told)
}

/// Returns the total size of the files, in bytes.
fn length(paths: &[PathBuf]) -> Result<u64, Error> {
    let mut length = 0;
    for path in paths {
        let found = fs::metadata(path).map_err(Error::unreadable(path))?;
        if found.is_dir() {
            return Err(Error::FolderOfDumps { path: path.clone() });
        }
        length += found.len();
    }
    Ok(length)
}

/// Reads and sorts all files, and returns their threads.
fn sorted(request: &DumpRequest, watch: &dyn Watch) -> Result<Threads, Error> {
    watch.begin("reading", length(&request.paths)?);
    let mut dump = Dump::new(request.options.clone());
    let mut done = 0;
    let failed = |error| {
        if watch.interrupted() {
            Error::Interrupted
        } else {
            Error::Dump(error)
        }
    };
    for path in &request.paths {
        let file = File::open(path).map_err(Error::unreadable(path))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let watched = Watched {
            file,
            done: &mut done,
            watch,
        };
        dump.take(&name.to_string_lossy(), watched)
            .map_err(failed)?;
    }
    dump.threads().map_err(failed)
}

/// A file that reports progress as it is read and fails when the user interrupts.
struct Watched<'f> {
    file: File,
    done: &'f mut u64,
    watch: &'f dyn Watch,
}

impl Read for Watched<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.watch.interrupted() {
            // `ErrorKind::Interrupted` would be retried by the caller.
            return Err(io::Error::other("interrupted"));
        }
        let read = self.file.read(into)?;
        *self.done += read as u64;
        self.watch.advanced(*self.done, 0, 0);
        Ok(read)
    }
}

/// Prepares every thread that the site did not answer for, until the receiver is gone. Returns the
fn prepare_all(
    mut threads: Threads,
    mined: &HashSet<String>,
    forgotten: &Tombstones,
    send: &SyncSender<Prepared>,
) -> Result<Counts, DumpError> {
    let (lines, mut known) = (threads.lines_left(), 0);
    while let Some(contest) = threads.next() {
        let contest = contest?;
        if mined.contains(&contest.external_id) {
            known += 1;
            continue;
        }
        let done = lines - threads.lines_left();
        let prepared = prepare_thread(&contest, forgotten, done);
        if send.send(prepared).is_err() {
            break;
        }
    }
    Ok(Counts {
        known,
        ..threads.counts()
    })
}

fn prepare_thread(contest: &Contest, forgotten: &Tombstones, done: u64) -> Prepared {
    let found = Found {
        key: key(contest),
        format: Format::Json,
        bytes: Ok(contest.to_json().into_bytes()),
    };
    prepare(found, &ReadOptions::default(), forgotten, done)
}

/// Returns the request key of a thread's document.
fn key(contest: &Contest) -> String {
    format!("thread/{}.json", contest.external_id)
}

/// Imports one thread, or nothing of it.
fn put(sink: &mut Sink<'_>, prepared: Prepared, watch: &dyn Watch) -> Result<(), Error> {
    // Each thread is an import of its own: no other document has its id.
    sink.intake.begin_anew();
    let before = sink.intake.report.refused.len();
    // A thread's document and its contest are written without an interruption between them.
    sink.put(prepared, &Silent)?;
    for refused in &sink.intake.report.refused[before..] {
        watch.note(&format!("{}: {}", refused.document, refused.what));
    }
    Ok(())
}

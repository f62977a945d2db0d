//! Imports dumps of Reddit by third parties: every thread is archived as one contest file and
//! imported like a file of the user. The dumps themselves are not stored.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use ranklore_contest::{Contest, SourceName, UnixSeconds};
use ranklore_formats::{ReadOptions, contest_json};
use ranklore_reddit::{
    DumpCounts, DumpError, DumpOptions, DumpReader, DumpThreads, SubredditListing,
};
use ranklore_replay::Progress;
use ranklore_store::{SourceId, Store, Tombstones, Writer, check_regular_file};
use serde::Serialize;

use crate::error::Error;
use crate::import::documents::Sink;
use crate::import::input_document::{InputDocument, PreparedDocument};
use crate::import::preview::PreviewedContest;
use crate::import::report::ImportReport;

/// The parameters of an import of Reddit dumps.
#[derive(Clone, Debug)]
pub struct DumpRequest {
    /// The files, in any order.
    pub paths: Vec<PathBuf>,
    /// The source they are added to.
    pub source: SourceName,
    /// The threads to import, and the folder for temporary files.
    pub options: DumpOptions,
}

/// The outcome of an import of Reddit dumps.
#[derive(Clone, Debug, Default, Serialize)]
pub struct DumpReport {
    /// The import of the threads, each of them a document.
    #[serde(flatten)]
    pub import: ImportReport,
    /// The lines, comments and threads of the files.
    #[serde(flatten)]
    pub counts: DumpCounts,
}

/// The preview of an import of Reddit dumps.
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
    pub counts: DumpCounts,
}

/// The most contests listed in a preview.
const PREVIEWED_CONTESTS: usize = 40;

/// Checks the request without reading files, so that a mistake is reported before a database is
/// created.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::DumpIsFolder`]; [`Error::InvalidRequest`] for an invalid
/// subreddit name.
pub fn check_dump(request: &DumpRequest) -> Result<(), Error> {
    for name in &request.options.subreddits {
        SubredditListing::top(name, 1).map_err(Error::invalid_request)?;
    }
    total_bytes(&request.paths).map(drop)
}

/// Imports the threads in Reddit dumps. Reads and sorts the files first, writing temporary files
/// only; then archives and reads every thread like an imported file. Everything is written in one
/// transaction. Importing the same dumps again changes nothing. Skips threads that the site
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
    watch: &dyn Progress,
) -> Result<DumpReport, Error> {
    let started_at = clock();
    let threads = sort_dumps(request, watch)?;
    watch.begin_task("writing", threads.lines_left());
    let site = ranklore_reddit::REGISTRATION.profile.name.to_owned();
    let mut sink = Sink::begin(store, &request.source, &[site], started_at)?;
    let source_id = sink.intake.source_id;
    let forgotten = sink.batch.tombstones(source_id)?;
    let mined = contests_from_site(&sink.batch, source_id)?;
    sink.is_import_per_document = true;
    let counts = sink
        .write_all(watch, |send| prepare_threads(threads, &mined, &forgotten, send))?
        .map_err(Error::Dump)?;
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
    watch: &dyn Progress,
) -> Result<DumpPreview, Error> {
    let mut mined = HashSet::new();
    if let Some(store) = store
        && let Some(source_id) = store.source_id(&request.source)?
    {
        mined = contests_from_site(store, source_id)?;
    }
    let mut threads = sort_dumps(request, watch)?;
    let lines = threads.lines_left();
    watch.begin_task("looking", lines);
    let mut preview = DumpPreview::default();
    let mut known = 0;
    while let Some(contest) = threads.next() {
        let contest = contest.map_err(Error::Dump)?;
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        if mined.contains(&contest.external_id) {
            known += 1;
            continue;
        }
        preview.contests += 1;
        preview.results += contest.entrants.len() as u64;
        if preview.first.len() < PREVIEWED_CONTESTS {
            let previewed = PreviewedContest::new(document_key(&contest), &contest);
            preview.first.push(previewed);
        }
        let done = lines - threads.lines_left();
        watch.advance(done, preview.contests, preview.results);
    }
    preview.counts = threads.counts();
    preview.counts.threads.known = known;
    Ok(preview)
}

/// Returns the threads that the site itself answered for, also with "gone": dumps are older.
fn contests_from_site(store: &Store, source_id: SourceId) -> Result<HashSet<String>, Error> {
    let syncs = store.contest_syncs(source_id)?.into_iter();
    let mut ids: HashSet<String> =
        syncs.filter(|sync| !sync.is_failed()).map(|sync| sync.external_id).collect();
    let mined = store.mined_contests(source_id)?;
    let contests = store.contests_of_source(source_id)?.into_iter();
    let with_results = contests.filter(|row| row.entrants > 0 && mined.contains(&row.external_id));
    ids.extend(with_results.map(|row| row.external_id));
    Ok(ids)
}

/// Returns the total size of the files, in bytes.
fn total_bytes(paths: &[PathBuf]) -> Result<u64, Error> {
    let mut length = 0;
    for path in paths {
        let metadata = fs::metadata(path).map_err(Error::unreadable(path))?;
        if metadata.is_dir() {
            return Err(Error::DumpIsFolder { path: path.clone() });
        }
        check_regular_file(&metadata).map_err(Error::unreadable(path))?;
        length += metadata.len();
    }
    Ok(length)
}

/// Reads and sorts all files, and returns their threads.
fn sort_dumps(request: &DumpRequest, watch: &dyn Progress) -> Result<DumpThreads, Error> {
    watch.begin_task("reading", total_bytes(&request.paths)?);
    let mut dump = DumpReader::new(request.options.clone());
    let mut done = 0;
    let wrap_error = |error| {
        if watch.is_interrupted() {
            Error::Interrupted
        } else {
            Error::Dump(error)
        }
    };
    for path in &request.paths {
        let file = File::open(path).map_err(Error::unreadable(path))?;
        let name = path.file_name().unwrap_or(path.as_os_str());
        let reader = ProgressReader {
            file,
            done: &mut done,
            watch,
        };
        dump.add_file(&name.to_string_lossy(), reader).map_err(wrap_error)?;
    }
    dump.into_threads().map_err(wrap_error)
}

/// A file that reports progress as it is read and fails when the user interrupts.
struct ProgressReader<'f> {
    file: File,
    done: &'f mut u64,
    watch: &'f dyn Progress,
}

impl Read for ProgressReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.watch.is_interrupted() {
            // `ErrorKind::Interrupted` would be retried by the caller.
            return Err(io::Error::other("interrupted"));
        }
        let read = self.file.read(buffer)?;
        *self.done += read as u64;
        self.watch.advance(*self.done, 0, 0);
        Ok(read)
    }
}

/// Prepares every thread that the site did not answer for, until the receiver is gone. Returns the
/// counts of lines, comments and threads.
fn prepare_threads(
    mut threads: DumpThreads,
    mined: &HashSet<String>,
    forgotten: &Tombstones,
    send: &SyncSender<PreparedDocument>,
) -> Result<DumpCounts, DumpError> {
    let lines = threads.lines_left();
    let mut known = 0;
    while let Some(contest) = threads.next() {
        let contest = contest?;
        if mined.contains(&contest.external_id) {
            known += 1;
            continue;
        }
        let done = lines - threads.lines_left();
        let json = contest_json(&contest).into_bytes();
        let document = InputDocument::contest_file(document_key(&contest), json);
        let prepared = document.prepare(&ReadOptions::default(), forgotten, done);
        // The receiver is gone: it failed or was interrupted.
        if send.send(prepared).is_err() {
            break;
        }
    }
    let mut counts = threads.counts();
    counts.threads.known = known;
    Ok(counts)
}

/// Returns the request key of a thread's document.
fn document_key(contest: &Contest) -> String {
    format!("thread/{}.json", contest.external_id)
}

//! Import of files: archives every file as a document, reads it and stores its contests.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::SyncSender;

use ranklore_contest::{
    Blanks as _, Format, ReadError, ReadOptions, Reading, SourceName, UnixSeconds, read,
};
use ranklore_replay::Watch;
use ranklore_source::Names;
use ranklore_store::{
    Batch, Body, CompressedBody, Kept, NewDocument, SourceId, SyncKind, SyncRun, Tombstones,
    Writer, compress,
};

use crate::ahead::ahead;
use crate::error::Error;
use crate::import::files::{Found, Inputs};
use crate::import::intake::{ImportReport, Intake, ReadDocument};
use crate::note::ReadingNote;
use crate::people::by_hand::{Who, named_by_hand};
use crate::people::redaction::{Origin, may_mention, redact_file};
use crate::people::said::Saying;
use crate::registry::find_site;

/// The parameters of an import.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The files, folders and `.tar.zst` archives.
    pub paths: Vec<PathBuf>,
    /// The source they are added to.
    pub source: SourceName,
    /// The format of `.json` files: [`FileFormat::Json`] or [`FileFormat::CtftimeFeed`].
    pub json: Format,
    /// Options for tables and feeds.
    pub options: ReadOptions,
    /// Returns the current time; called at the start and at the end.
    pub clock: fn() -> UnixSeconds,
}

/// A document that was read and compressed, ready to be stored.
pub(crate) struct Prepared {
    key: String,
    format: Format,
    what: Result<Contents, String>,
    pub(crate) done: u64,
}

/// The contents of a document.
struct Contents {
    body: CompressedBody,
    /// The redacted body to archive, if the document names a forgotten person.
    kept: Option<CompressedBody>,
    /// The read options to archive, without the names of forgotten persons.
    options: ReadOptions,
    document: ReadDocument,
}

/// Checks the paths of an import without reading files, so that a typing error is reported before a
/// database is created.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownFileType`].
pub fn check_paths(paths: &[PathBuf]) -> Result<(), Error> {
    Inputs::find(paths, Format::Json).map(drop)
}

/// Imports files in one transaction; another thread reads ahead. Importing the same files again
/// changes nothing.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownFileType`],
/// [`Error::DamagedArchive`] for the paths; [`Error::Store`]. After an error nothing is written.
/// Invalid documents and contests are no error: they are listed in [`ImportReport::refused`], and
/// the rest is imported.
pub fn import(
    store: &mut Writer,
    request: &ImportRequest,
    watch: &dyn Watch,
) -> Result<ImportReport, Error> {
    let inputs = Inputs::find(&request.paths, request.json)?;
    watch.begin("importing", inputs.total_bytes);
    let mut sink = Sink::begin(store, &request.source, &[], (request.clock)())?;
    let options = &request.options;
    let forgotten = sink.batch.tombstones(sink.intake.source_id)?;
    let read = |send: &SyncSender<Prepared>| {
        inputs.read(|found, done| {
            // The receiver is gone: it failed or was interrupted.
            match send.send(prepare(found, options, &forgotten, done)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })
    };
    let put = |sink: &mut Sink<'_>, prepared| sink.put(prepared, watch);
    let passed_over = sink.put_all(read, put, watch)??;
    sink.intake.report.passed_over = passed_over;
    sink.finish((request.clock)(), watch)
}

/// Imports contest files that the caller generates, each with its archive key, such as
/// `contest/17.json`. Another thread generates, reads and compresses them, a few ahead of the
/// writer. The terms of `sites` apply, whatever the name of the source. Everything is written in
/// one transaction; importing the same files again changes nothing. `watch` counts documents, up to
/// `total`.
///
/// # Errors
/// The errors of `documents`, and [`Error::Store`]; then nothing is written. Invalid documents are
/// listed in [`ImportReport::refused`], and the rest is imported.
pub fn import_documents(
    store: &mut Writer,
    source: &SourceName,
    sites: &[String],
    documents: impl Iterator<Item = Result<(String, Vec<u8>), Error>> + Send,
    total: u64,
    clock: fn() -> UnixSeconds,
    watch: &dyn Watch,
) -> Result<ImportReport, Error> {
    watch.begin("importing", total);
    let mut sink = Sink::begin(store, source, sites, clock())?;
    let options = &ReadOptions::default();
    let forgotten = sink.batch.tombstones(sink.intake.source_id)?;
    let read = |send: &SyncSender<Prepared>| -> Result<(), Error> {
        for (done, document) in (1..).zip(documents) {
            let (key, bytes) = document?;
            let found = Found {
                key,
                format: Format::Json,
                bytes: Ok(bytes),
            };
            if send
                .send(prepare(found, options, &forgotten, done))
                .is_err()
            {
                break;
            }
        }
        Ok(())
    };
    let put = |sink: &mut Sink<'_>, prepared| sink.put(prepared, watch);
    sink.put_all(read, put, watch)??;
    sink.finish(clock(), watch)
}

/// Reads a document, replaces the names of forgotten persons and compresses it.
pub(crate) fn prepare(
    found: Found,
    options: &ReadOptions,
    forgotten: &Tombstones,
    done: u64,
) -> Prepared {
    let Found {
        mut key,
        format,
        bytes,
    } = found;
    let what = bytes.and_then(|bytes| {
        let uncompressed = |error| format!("cannot be compressed: {error}");
        let body = compress(&bytes).map_err(uncompressed)?;
        let mut reading = read(format, &bytes, &key, options);
        let mut kept = None;
        let mut options = options.clone();
        if !forgotten.is_empty() {
            refuse_blanks(&reading, forgotten)?;
            let origin = Origin {
                key: &key,
                is_request: false,
                url: None,
                sheet: options.sheet.as_deref(),
            };
            let mentioned = || may_mention(&bytes, forgotten);
            let redacted = redact_file(origin, &mut reading, mentioned, forgotten);
            if let Some(redacted) = redacted {
                kept = Some(compress(&redacted.body).map_err(uncompressed)?);
                key = redacted.request_key;
            }
            options = blank_options(options, forgotten);
        }
        Ok(Contents {
            body,
            kept,
            options,
            document: ReadDocument::new(reading),
        })
    });
    Prepared {
        key,
        format,
        what,
        done,
    }
}

/// Replaces the names of forgotten persons in the sheet name.
pub(crate) fn blank_options(mut options: ReadOptions, forgotten: &Tombstones) -> ReadOptions {
    if let Some(sheet) = &mut options.sheet
        && let Some(blanked) = forgotten.blank_text(sheet)
    {
        *sheet = blanked;
    }
    options
}

/// Refuses a document in which a person has the name of a blank: the two would be merged and could
/// not be separated again, so the whole document is refused.
fn refuse_blanks(
    reading: &Result<Reading, ReadError>,
    forgotten: &Tombstones,
) -> Result<(), String> {
    let mut persons = reading.iter().flat_map(Reading::persons);
    if let Some(name) = persons.find(|name| forgotten.is_blank(name)) {
        return Err(format!(
            "{name:?} is the blank of a forgotten person of this source, and both would be merged; the \
             document was refused: use another name in it"
        ));
    }
    let mut contests = reading.iter().flat_map(|reading| &reading.contests);
    match contests.find(|contest| forgotten.has_blank(&contest.external_id)) {
        None => Ok(()),
        Some(contest) => Err(format!(
            "the id of contest {:?} has the blank of a forgotten person of this source and may be \
             ambiguous; the document was refused: use another id in it",
            contest.external_id
        )),
    }
}

/// Writes prepared documents to the database within one transaction.
pub(crate) struct Sink<'w> {
    pub(crate) batch: Batch<'w>,
    pub(crate) intake: Intake,
    pub(crate) now: UnixSeconds,
    /// The sites that the results are from.
    sites: Vec<String>,
    /// The competitors renamed by the user; loaded on first use.
    pub(crate) named_by_hand: Option<HashSet<Who>>,
    changed: bool,
}

impl<'w> Sink<'w> {
    /// Starts an import of results of these `sites`; unknown sites are ignored.
    pub(crate) fn begin(
        store: &'w mut Writer,
        source: &SourceName,
        sites: &[String],
        now: UnixSeconds,
    ) -> Result<Self, Error> {
        let mut batch = store.batch()?;
        let source_id: SourceId = batch.source(source, now)?;
        let mut sites = sites.to_vec();
        sites.sort();
        sites.dedup();
        sites.retain(|name| find_site(name).is_some());
        let asks = |name: &str| {
            find_site(name).is_some_and(|site| site.profile.terms.names == Names::Pseudonyms)
        };
        if asks(source.as_str()) || sites.iter().any(|name| asks(name)) {
            batch.need_pseudonyms(source_id)?;
        }
        Ok(Self {
            batch,
            intake: Intake::new(source.as_str(), source_id),
            now,
            sites,
            named_by_hand: None,
            changed: false,
        })
    }

    /// Runs `read` on another thread and writes each document it sends with `put`, until `read`
    /// returns or the user interrupts. Returns the result of `read`.
    pub(crate) fn put_all<R: Send>(
        &mut self,
        read: impl FnOnce(&SyncSender<Prepared>) -> R + Send,
        mut put: impl FnMut(&mut Self, Prepared) -> Result<(), Error>,
        watch: &dyn Watch,
    ) -> Result<R, Error> {
        ahead(read, |prepared: Prepared| {
            if watch.interrupted() {
                self.intake.report.interrupted = true;
                return Ok(false);
            }
            let done = prepared.done;
            put(self, prepared)?;
            let report = &self.intake.report;
            let contests = report.contests.total();
            watch.advanced(done, contests, report.results);
            Ok(!report.interrupted)
        })
    }

    pub(crate) fn put(&mut self, prepared: Prepared, watch: &dyn Watch) -> Result<(), Error> {
        let Prepared {
            key, format, what, ..
        } = prepared;
        let contents = match what {
            Ok(contents) => contents,
            Err(why) => {
                self.intake.refuse(&key, why, watch);
                return Ok(());
            }
        };
        let reading = ReadingNote::of_file(format, &contents.options, &self.sites);
        let kept_reading = ReadingNote::of_redacted_file(format, &self.sites);
        let archived = self.batch.archive(
            self.intake.source_id,
            &NewDocument {
                request_key: &key,
                url: None,
                fetched_at: self.now,
                status: None,
                etag: None,
                last_modified: None,
                media_type: Some(format.media_type()),
                reading: Some(&reading),
                body: Body::Compressed(&contents.body),
                kept: contents.kept.as_ref().map(|body| Kept {
                    body,
                    reading: &kept_reading,
                }),
            },
        )?;
        self.changed |= !archived.unchanged;
        let (document, unchanged) = (contents.document, archived.unchanged);
        // An unchanged document set its names when it was first imported; newer documents may have
        // changed them since.
        if let Ok(reading) = &document.reading
            && !unchanged
        {
            self.call(&reading.names)?;
        }
        let batch = &mut self.batch;
        self.intake
            .take(batch, archived.document_id, &key, document, watch)
    }

    /// Sets the names in a new document, except for competitors renamed by the user.
    fn call(&mut self, names: &[Saying]) -> Result<(), Error> {
        if names.is_empty() {
            return Ok(());
        }
        let by_hand = match self.named_by_hand.take() {
            Some(by_hand) => by_hand,
            None => named_by_hand(&self.batch, self.intake.source_id)?,
        };
        let said = names.iter().filter(|(kind, competitor, _)| {
            by_hand.is_empty() || !by_hand.contains(&(*kind, competitor.clone()))
        });
        self.intake.call(&mut self.batch, said)?;
        self.named_by_hand = Some(by_hand);
        Ok(())
    }

    /// Records the merges in the documents; conflicting merges are refused.
    fn merge(&mut self, watch: &dyn Watch) -> Result<(), Error> {
        let merges = std::mem::take(&mut self.intake.merges);
        let (source_id, now) = (self.intake.source_id, self.now);
        let intake = &mut self.intake;
        let changed = merges.decide(&mut self.batch, source_id, now, |document, what| {
            intake.refuse(document, what, watch);
        })?;
        self.intake.changed |= changed;
        Ok(())
    }

    pub(crate) fn finish(
        mut self,
        finished_at: UnixSeconds,
        watch: &dyn Watch,
    ) -> Result<ImportReport, Error> {
        self.merge(watch)?;
        // Importing the same files again must write nothing, not even a sync record.
        if self.changed || self.intake.changed {
            let report = &self.intake.report;
            self.batch.record_sync(&SyncRun {
                source_id: self.intake.source_id,
                kind: SyncKind::Import,
                started_at: self.now,
                // The clock may have been set back.
                finished_at: finished_at.max(self.now),
                added: report.contests.added,
                revised: report.contests.revised,
                unchanged: report.contests.unchanged,
                refused: report.refused.len() as u64,
            })?;
            self.batch.commit()?;
        }
        Ok(self.intake.report)
    }
}

//! Import of files: archives every file as a document, reads it and stores its contests.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::mpsc::SyncSender;

use ranklore_contest::{Quoted, SourceName, UnixSeconds, quote_for_shell};
use ranklore_formats::{ArchivedBy, FileFormat, FileReading, ReadOptions};
use ranklore_replay::Progress;
use ranklore_source::NameDisplay;
use ranklore_store::{
    ArchiveOutcome, Body, DocumentId, DocumentRow, NewDocument, RedactedContent, SourceId, Store,
    SyncKind, SyncRun, WriteBatch, Writer,
};

use crate::derive::official::refresh_official_ratings;
use crate::error::Error;
use crate::import::dates::same_bytes::{
    DocumentsByBytes, describe_moved_games, describe_other_dates, have_dates,
};
use crate::import::dates::time_bound::TimeBound;
use crate::import::files::{ImportInputs, Inputs};
use crate::import::input_document::{DocumentContents, InputDocument, PreparedDocument};
use crate::import::intake::{Intake, is_useful, names_players};
use crate::import::report::ImportReport;
use crate::import::versions::{DocumentVersions, NewestVersion};
use crate::people::user_names::{CompetitorKey, user_named_competitors};
use crate::pipeline::run_pipelined;
use crate::reading_note::ReadingNote;
use crate::registry::find_site;

/// The parameters of an import.
#[derive(Clone, Debug)]
pub struct ImportRequest {
    /// The documents.
    pub inputs: ImportInputs,
    /// The source they are added to.
    pub source: SourceName,
    /// Options for tables and feeds.
    pub options: ReadOptions,
    /// Withdraws contests that an earlier version of a document has and the new one has not.
    pub replace: bool,
    /// Accepts contests that end more than a year after now.
    pub allows_future: bool,
    /// Returns the current time; called at the start and at the end.
    pub clock: fn() -> UnixSeconds,
}

/// Checks the paths of an import without reading files, so that a typing error is reported before a
/// database is created.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownFileType`],
/// [`Error::StdinFormat`], [`Error::StdinArchive`].
pub fn check_paths(inputs: &ImportInputs) -> Result<(), Error> {
    Inputs::find(inputs).map(drop)
}

/// Imports files in one transaction; another thread reads ahead. Importing the same files again
/// changes nothing.
///
/// # Errors
/// [`Error::Unreadable`], [`Error::NothingToImport`], [`Error::UnknownFileType`],
/// [`Error::StdinFormat`], [`Error::StdinArchive`], [`Error::DamagedArchive`],
/// [`Error::ArchiveTooLarge`] for the inputs; [`Error::Store`]. After an error nothing is written.
/// Invalid documents and contests are no error: they are listed in [`ImportReport::refused`], and
/// the rest is imported. A document that cannot be read is not archived; if none can, nothing is
/// written.
pub fn import(
    store: &mut Writer,
    request: &ImportRequest,
    watch: &dyn Progress,
) -> Result<ImportReport, Error> {
    let inputs = Inputs::find(&request.inputs)?;
    watch.begin_task("importing", inputs.total_bytes);
    let mut sink = Sink::begin(store, &request.source, &[], (request.clock)())?;
    sink.versions.replace = request.replace;
    sink.intake.time_bound = Some(TimeBound {
        now: sink.now,
        allows_future: request.allows_future,
    });
    let options = &request.options;
    let forgotten = sink.batch.tombstones(sink.intake.source_id)?;
    sink.intake.report.passed_over = sink.write_all(watch, |send| {
        inputs.read(|document, done| {
            // The receiver is gone: it failed or was interrupted.
            match send.send(document.prepare(options, &forgotten, done)) {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })
    })??;
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
    watch: &dyn Progress,
) -> Result<ImportReport, Error> {
    watch.begin_task("importing", total);
    let mut sink = Sink::begin(store, source, sites, clock())?;
    let options = &ReadOptions::default();
    let forgotten = sink.batch.tombstones(sink.intake.source_id)?;
    sink.write_all(watch, |send| {
        for (done, document) in (1..).zip(documents) {
            let (key, bytes) = document?;
            let document = InputDocument::contest_file(key, bytes);
            let prepared = document.prepare(options, &forgotten, done);
            // The receiver is gone: it failed or was interrupted.
            if send.send(prepared).is_err() {
                break;
            }
        }
        Ok::<(), Error>(())
    })??;
    sink.finish(clock(), watch)
}

/// True if people of the site of this name are shown under pseudonyms.
fn requires_pseudonyms(site: &str) -> bool {
    find_site(site).is_some_and(|site| site.profile.terms.names == NameDisplay::Pseudonyms)
}

/// The largest edit distance of two names of sources that may be meant to be one.
const MAX_MISSPELLING: usize = 2;

/// Returns the name of another source that is most similar to that of this one, if any is.
fn find_similar_source(store: &Store, source_id: SourceId) -> Result<Option<String>, Error> {
    let sources = store.sources()?;
    let Some(new) = sources.iter().find(|row| row.source_id == source_id) else {
        return Ok(None);
    };
    let other_sources = sources.iter().filter(|row| row.source_id != source_id);
    let distances = other_sources.map(|row| (strsim::levenshtein(&row.name, &new.name), &row.name));
    let similar = distances.filter(|(distance, name)| {
        // Names of two letters may differ in both.
        let shorter = name.chars().count().min(new.name.chars().count());
        *distance <= MAX_MISSPELLING && *distance < shorter
    });
    Ok(similar.min().map(|(_, name)| name.clone()))
}

/// Writes prepared documents to the database within one transaction.
pub(crate) struct Sink<'w> {
    pub(crate) batch: WriteBatch<'w>,
    pub(crate) intake: Intake,
    now: UnixSeconds,
    /// True if each document is an import of its own: no other one has its ids.
    pub(crate) is_import_per_document: bool,
    /// The sites that the results are from.
    sites: Vec<String>,
    /// The documents before this import; loaded on first use.
    documents_by_bytes: Option<DocumentsByBytes>,
    /// The competitors renamed by the user; loaded on first use.
    user_named: Option<HashSet<CompetitorKey>>,
    versions: DocumentVersions,
    /// The last table that this import archived.
    new_table: Option<String>,
    /// The first and the last document that this import archived.
    archived: Option<(DocumentId, DocumentId)>,
    /// True if people of the source are shown under pseudonyms.
    has_pseudonyms: bool,
    /// True if the source has no contests yet: earlier decisions about it are to be applied.
    is_new: bool,
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
        let is_new = batch.source_id(source)?.is_none();
        let source_id: SourceId = batch.get_or_insert_source(source, now)?;
        let mut sites = sites.to_vec();
        sites.sort();
        sites.dedup();
        sites.retain(|name| find_site(name).is_some());
        let site_names = sites.iter().map(String::as_str);
        if site_names.chain([source.as_str()]).any(requires_pseudonyms) {
            batch.require_pseudonyms(source_id)?;
        }
        let has_pseudonyms = batch.pseudonym_keys()?.contains_key(&source_id);
        Ok(Self {
            batch,
            intake: Intake::new(source.as_str(), source_id, now),
            now,
            is_import_per_document: false,
            sites,
            documents_by_bytes: None,
            user_named: None,
            versions: DocumentVersions::default(),
            new_table: None,
            archived: None,
            has_pseudonyms,
            is_new,
        })
    }

    /// Runs `read` on another thread and writes each document it sends, until `read` returns or the
    /// user interrupts. Returns the result of `read`.
    pub(crate) fn write_all<R: Send>(
        &mut self,
        watch: &dyn Progress,
        read: impl FnOnce(&SyncSender<PreparedDocument>) -> R + Send,
    ) -> Result<R, Error> {
        run_pipelined(read, |prepared: PreparedDocument| {
            if watch.is_interrupted() {
                self.intake.report.interrupted = true;
                return Ok(false);
            }
            let done = prepared.progress;
            self.write(prepared, watch)?;
            let report = &self.intake.report;
            let contests = report.contests.total();
            watch.advance(done, contests, report.results);
            Ok(true)
        })
    }

    /// Archives a document and inserts its contests, or reports why it is refused.
    fn write(&mut self, prepared: PreparedDocument, watch: &dyn Progress) -> Result<(), Error> {
        if self.is_import_per_document {
            self.intake.start_new_import();
        }
        let PreparedDocument { key, format, .. } = prepared;
        let contents = match prepared.contents {
            Ok(contents) => contents,
            Err(reason) => {
                self.intake.refuse(&key, reason, watch);
                return Ok(());
            }
        };
        let reading = match &contents.reading {
            Ok(reading) if is_useful(reading) => reading,
            _ => {
                self.intake.report_reading(&key, contents.reading, watch);
                return Ok(());
            }
        };
        let same_bytes = self.find_same_bytes(&contents)?;
        if let Some(reason) = self.find_objection(&key, reading, &same_bytes)? {
            self.intake.refuse(&key, reason, watch);
            return Ok(());
        }
        let archived = self.archive(&key, format, &contents)?;
        let document_id = archived.document_id;
        // An unchanged document set its names when it was first imported; newer documents may have
        // changed them since.
        if !archived.unchanged {
            let first = self.archived.map_or(document_id, |(first, _)| first);
            self.archived = Some((first, document_id));
            self.apply_names(&key, reading)?;
        }
        let refused_before = self.intake.report.total_refused;
        let document = (document_id, &*key);
        self.intake.insert_reading(&mut self.batch, document, contents.reading, watch)?;
        if !self.is_new {
            let version = NewestVersion {
                document_id,
                key,
                is_whole: refused_before == self.intake.report.total_refused,
                same_bytes: same_bytes.iter().map(|row| row.document_id).collect(),
            };
            let source_id = self.intake.source_id;
            self.versions.add(&self.batch, source_id, version)?;
        }
        Ok(())
    }

    /// Returns the archived documents with these bytes that were read with other dates.
    fn find_same_bytes(&mut self, contents: &DocumentContents) -> Result<Vec<DocumentRow>, Error> {
        if self.is_new || !have_dates(&contents.options) {
            return Ok(Vec::new());
        }
        let documents = match self.documents_by_bytes.take() {
            Some(documents) => documents,
            None => DocumentsByBytes::load(&self.batch, self.intake.source_id)?,
        };
        let same_bytes = documents.with_other_dates(&contents.body, &contents.options);
        let same_bytes = same_bytes.cloned().collect();
        self.documents_by_bytes = Some(documents);
        Ok(same_bytes)
    }

    /// Returns the reason why a readable document must not be imported, if there is one.
    fn find_objection(
        &self,
        key: &str,
        reading: &FileReading,
        same_bytes: &[DocumentRow],
    ) -> Result<Option<String>, Error> {
        if self.versions.replace && reading.contests.is_empty() {
            let reason = "there are no contests in it, and --replace would withdraw all those of its \
                 earlier versions; import it without --replace, or withdraw them by hand";
            return Ok(Some(reason.to_owned()));
        }
        if self.has_pseudonyms && names_players(reading) {
            let reason = "its games are named after both players, and the people of this source are shown \
                 under pseudonyms; import it into another source";
            return Ok(Some(reason.to_owned()));
        }
        if self.versions.replace {
            return Ok(None);
        }
        let source_id = self.intake.source_id;
        match describe_other_dates(&self.batch, source_id, same_bytes, reading)? {
            None if self.is_new => Ok(None),
            None => describe_moved_games(&self.batch, source_id, key, reading),
            same_bytes => Ok(same_bytes),
        }
    }

    /// Archives a document.
    fn archive(
        &mut self,
        key: &str,
        format: FileFormat,
        contents: &DocumentContents,
    ) -> Result<ArchiveOutcome, Error> {
        let (options, sites) = (&contents.options, &self.sites);
        let reading = contents.reading.as_ref();
        let has_ratings = reading.is_ok_and(|reading| !reading.official.is_empty());
        let note =
            ReadingNote::format_file(ArchivedBy::Current, format, options, sites, has_ratings);
        let redacted_note = ReadingNote::format_redacted_file(format, sites, has_ratings);
        let redacted_body = contents.redacted_body.as_ref();
        let document = NewDocument {
            request_key: key,
            url: None,
            fetched_at: self.now,
            status: None,
            etag: None,
            last_modified: None,
            media_type: Some(format.media_type()),
            reading: Some(&note),
            body: Body::Compressed(&contents.body),
            redacted_content: redacted_body.map(|body| RedactedContent {
                body,
                reading: &redacted_note,
            }),
        };
        Ok(self.batch.archive_document(self.intake.source_id, &document)?)
    }

    /// Sets the names in a new document, except for competitors renamed by the user.
    fn apply_names(&mut self, key: &str, reading: &FileReading) -> Result<(), Error> {
        if reading.layout.is_some() {
            self.new_table = Some(key.to_owned());
        }
        if reading.names.is_empty() && reading.dated_names.is_empty() {
            return Ok(());
        }
        let by_hand = match self.user_named.take() {
            Some(by_hand) => by_hand,
            None => user_named_competitors(&self.batch, self.intake.source_id)?,
        };
        self.intake.set_names(&mut self.batch, reading, |kind, competitor| {
            by_hand.is_empty() || !by_hand.contains(&(kind, competitor.to_owned()))
        })?;
        self.user_named = Some(by_hand);
        Ok(())
    }

    /// Records the merges in the documents; conflicting merges are refused.
    fn apply_merges(&mut self, watch: &dyn Progress) -> Result<(), Error> {
        let merges = std::mem::take(&mut self.intake.merges);
        let source_id = self.intake.source_id;
        let intake = &mut self.intake;
        let changed = merges.apply(&mut self.batch, source_id, self.now, |document, reason| {
            intake.refuse(document, reason, watch);
        })?;
        intake.changed |= changed;
        Ok(())
    }

    /// Warns about competitors whom one document identifies by name and another by an id.
    fn warn_of_two_identities(&mut self) -> Result<(), Error> {
        let Some(document) = &self.new_table else {
            return Ok(());
        };
        let source_id = self.intake.source_id;
        let pairs = self.batch.competitors_by_name_and_id(source_id)?;
        let Some((name, id)) = pairs.first() else {
            return Ok(());
        };
        let subject = match pairs.len() {
            1 => "1 competitor is".to_owned(),
            count => format!("{count} competitors are"),
        };
        let warning = format!(
            "{subject} in this source by name and by id, such as {name} and {id}, and rated as two: \
             merge each with ranklore competitor merge {source} {from} {into}, or import the \
             files without ids again with ids",
            from = quote_for_shell(name),
            into = quote_for_shell(id),
            name = Quoted(name),
            id = Quoted(id),
            source = self.intake.source
        );
        self.intake.report.warn(document, warning);
        Ok(())
    }

    pub(crate) fn finish(
        mut self,
        finished_at: UnixSeconds,
        watch: &dyn Progress,
    ) -> Result<ImportReport, Error> {
        let source_id = self.intake.source_id;
        if self.is_new {
            self.batch.reapply_decisions(source_id)?;
        } else if self.intake.report.contests.added > 0 {
            self.batch.reapply_withdrawals(source_id)?;
        }
        self.apply_merges(watch)?;
        self.warn_of_two_identities()?;
        if !self.intake.report.interrupted {
            self.versions.compare(&mut self.batch, &mut self.intake, self.now)?;
        }
        let source = SourceName::new(&self.intake.source).map_err(Error::invalid_request)?;
        refresh_official_ratings(&mut self.batch, &source, source_id, None)?;
        // Importing the same files again must write nothing, not even a sync record.
        if self.archived.is_some() || self.intake.changed {
            let report = &self.intake.report;
            let run = SyncRun {
                source_id,
                kind: SyncKind::Import,
                started_at: self.now,
                // The clock may have been set back.
                finished_at: finished_at.max(self.now),
                added: report.contests.added,
                revised: report.contests.revised,
                withdrawn: 0,
                restored: 0,
                unchanged: report.contests.unchanged,
                refused: report.total_refused,
                failure: None,
            };
            self.batch.record_import(&run, self.archived)?;
            if self.is_new {
                self.intake.report.similar_source = find_similar_source(&self.batch, source_id)?;
            }
            self.batch.commit()?;
        }
        Ok(self.intake.report)
    }
}

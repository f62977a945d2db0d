//! Anonymises a person: replaces the name by a blank in standings, decisions and the archive.

use ranklore_contest::{Anonymiser, ForgottenNames as _, SourceName, UnixSeconds};
use ranklore_formats::FileReadError;
use ranklore_replay::{Progress, current_runs, refresh_fingerprints};
use ranklore_source::anonymise_key;
use ranklore_store::{
    DocumentRow, Error as StoreError, RedactedDocument, Store, WriteBatch, Writer,
};

use crate::derive::site::archived_answer;
use crate::error::Error;
use crate::import::input_document::redact_options;
use crate::jobs::forget_plan::{
    ForgetPlan, ForgetReport, UnreadableDocument, find_source_even_if_removed,
};
use crate::people::redaction::{Origin, Redaction, may_mention, redact_answer, redact_file};
use crate::reading_note::ReadingNote;

/// Forgets a person of a source, permanently. Results and ratings stay under a blank; later
/// imports, syncs and rebuilds replace the name by the same blank. Documents with the name are
/// replaced by their redacted readings. Then the database file is rewritten, so that no unused page
/// has the name.
///
/// If it is killed or fails, the database is either unchanged, or the name is replaced and
/// [`finish_forgetting`] rewrites the file. The next call of this function does so first.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, or if no person has or had exactly this name;
/// [`Error::VacuumFailed`]; [`Error::Store`].
pub fn forget(
    store: &mut Writer,
    source: &SourceName,
    name: &str,
    now: UnixSeconds,
    watch: &dyn Progress,
) -> Result<ForgetReport, Error> {
    // After a failure the user may repeat the command with a name that is replaced already.
    if finish_forgetting(store, source, now)? > 0 {
        watch.note("finished an interrupted forget");
    }
    let mut batch = store.batch()?;
    // Names are hashed with a key, which is created with the first tombstone.
    let source_id = find_source_even_if_removed(&batch, source)?;
    batch.ensure_name_key(source_id)?;
    let mut plan = ForgetPlan::new(&batch, source, name)?;
    if !plan.only_vacuum {
        let current = current_runs(&batch, source)?;
        plan.apply(&mut batch, now, watch)?;
        refresh_fingerprints(&mut batch, current)?;
    }
    batch.commit()?;
    vacuum(store, source, now)?;
    Ok(plan.report)
}

/// Returns what [`forget`] would change. Writes nothing.
///
/// # Errors
/// The errors of [`forget`], except for writing.
pub fn preview_forget(
    store: &Store,
    source: &SourceName,
    name: &str,
    watch: &dyn Progress,
) -> Result<ForgetReport, Error> {
    let mut plan = ForgetPlan::new(store, source, name)?;
    if !plan.only_vacuum {
        for_each_document(&store.documents(plan.source_id)?, watch, |row| {
            plan.redact(store, row).map(drop)
        })?;
    }
    Ok(plan.report)
}

/// Finishes forgetting that was killed or failed after the names were replaced: rewrites the
/// database file. Returns the number of persons concerned, of any source; does nothing if there are
/// none.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::VacuumFailed`], [`Error::Store`].
pub fn finish_forgetting(
    store: &mut Writer,
    source: &SourceName,
    now: UnixSeconds,
) -> Result<u64, Error> {
    let persons = count_unfinished_forgets(store, source)?;
    if persons > 0 {
        vacuum(store, source, now)?;
    }
    Ok(persons)
}

fn vacuum(store: &mut Writer, name: &SourceName, now: UnixSeconds) -> Result<(), Error> {
    store.vacuum(now).map_err(|source| Error::VacuumFailed {
        source_name: name.clone(),
        source,
    })
}

/// Returns the number of persons for whom [`finish_forgetting`] would rewrite the database file.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Store`].
pub fn count_unfinished_forgets(store: &Store, source: &SourceName) -> Result<u64, Error> {
    find_source_even_if_removed(store, source)?;
    Ok(store.pending_vacuum()?.map_or(0, |unswept| unswept.persons))
}

impl ForgetPlan {
    /// Replaces the names of the person in the whole source.
    fn apply(
        &mut self,
        batch: &mut WriteBatch<'_>,
        now: UnixSeconds,
        watch: &dyn Progress,
    ) -> Result<(), Error> {
        let source_id = self.source_id;
        batch.store_tombstones(source_id, &self.tombstones, now)?;
        for_each_document(&batch.documents(source_id)?, watch, |row| {
            self.redact_document(batch, row)
        })?;
        self.redact_request_keys(batch)?;
        let mut own_names = self.names.clone();
        own_names.retain(|name| !self.site_names.contains(name));
        let others = self.report.spellings.iter().map(|name| (name, std::slice::from_ref(name)));
        for (person, names) in std::iter::once((&self.external_id, &own_names[..])).chain(others) {
            // A person named by a blank and renamed since keeps the blank.
            let blank = self.tombstones.placeholder(person).unwrap_or_else(|| person.clone());
            // Teams may be named after their members.
            batch.anonymise_team_names(source_id, person, &blank, &|members| {
                let mut sites = self.sites.values();
                sites.find_map(|site| (site.profile().team_name)(members))
            })?;
            batch.anonymise_person(source_id, person, names, &blank)?;
        }
        // On the site this is a name of its own, so it has its own blank.
        for name in &self.site_names {
            if let Some(blank) = self.tombstones.placeholder(name) {
                batch.redact_name(source_id, name, &blank)?;
            }
        }
        // Sites tell whose name it is, and others may have the same.
        if self.sites.is_empty() {
            batch.redact_display_names(source_id, &self.tombstones)?;
        }
        Ok(batch.redact_texts(source_id, &self.tombstones)?)
    }

    /// Archives the redacted reading in place of a document that has the name.
    fn redact_document(
        &mut self,
        batch: &mut WriteBatch<'_>,
        row: &DocumentRow,
    ) -> Result<(), Error> {
        let Some((redaction, note)) = self.redact(batch, row)? else {
            return Ok(());
        };
        let (reading, kept_reading) = match note {
            Some(ReadingNote::File(note)) => {
                // The read options of the original bytes, and those of the redacted reading.
                let options = redact_options(note.options, &self.tombstones);
                let original = ReadingNote::format_file(
                    note.reader,
                    note.format,
                    &options,
                    &note.sites,
                    note.has_ratings,
                );
                let redacted =
                    ReadingNote::format_redacted_file(note.format, &note.sites, note.has_ratings);
                (Some(original), Some(redacted))
            }
            Some(ReadingNote::Answer { site, .. }) => {
                (Some(ReadingNote::format_answer(&site, true)), None)
            }
            None => (None, None),
        };
        let document = RedactedDocument {
            request_key: &redaction.request_key,
            url: redaction.url.as_deref(),
            reading: reading.as_deref(),
            kept_reading: kept_reading.as_deref(),
            body: &redaction.body,
        };
        Ok(batch.redact_document(self.source_id, row.document_id, &document)?)
    }

    /// Returns the redaction of a document that has the name, with the document's reading note if
    /// that can be parsed.
    fn redact(
        &mut self,
        store: &Store,
        row: &DocumentRow,
    ) -> Result<Option<(Redaction, Option<ReadingNote>)>, Error> {
        let content = match store.document(row.document_id) {
            Ok(document) => Ok(document.body),
            Err(StoreError::DamagedDocument { reason, .. }) => Err(reason),
            Err(error) => return Err(error.into()),
        };
        let note = ReadingNote::parse(row.reading.as_deref());
        let Some(redaction) = self.redact_content(row, content, &note) else {
            return Ok(None);
        };
        self.report.documents += 1;
        if let Some(reason) = &redaction.unreadable {
            self.report.unreadable.push(UnreadableDocument {
                document: redaction.request_key.clone(),
                why: reason.clone(),
            });
        }
        Ok(Some((redaction, note.ok())))
    }

    /// Returns the redaction of a document, from its content or the reason why that is damaged.
    fn redact_content(
        &self,
        row: &DocumentRow,
        content: Result<Vec<u8>, String>,
        note: &Result<ReadingNote, String>,
    ) -> Option<Redaction> {
        let tombstones = &self.tombstones;
        let mut origin = Origin {
            key: &row.request_key,
            is_request: !matches!(note, Ok(ReadingNote::File(_))),
            url: row.url.as_deref(),
            options: None,
        };
        if let (Ok(body), Ok(ReadingNote::Answer { site, redacted })) = (&content, note)
            && let Some(source) = self.sites.get(site)
        {
            let answer = archived_answer(row, body);
            return redact_answer(&**source, &answer, origin.url, *redacted, tombstones);
        }
        if let (Ok(body), Ok(ReadingNote::File(note))) = (&content, note) {
            origin.options = Some(&note.options);
            let mut reading = note.read(&row.request_key, body);
            let is_mentioned = || !note.redacted && may_mention(body, tombstones);
            return redact_file(origin, &mut reading, is_mentioned, tombstones);
        }
        let damage = content.as_ref().err().or(note.as_ref().err());
        let reason = damage.cloned().unwrap_or_else(|| "this version cannot read it".to_owned());
        // Damaged bytes may contain the name.
        let is_mentioned = || content.map_or(true, |body| may_mention(&body, tombstones));
        redact_file(
            origin,
            &mut Err(FileReadError::whole_document(reason)),
            is_mentioned,
            tombstones,
        )
    }

    /// Requests without an answer are stored by their keys, which may contain the name.
    fn redact_request_keys(&self, batch: &mut WriteBatch<'_>) -> Result<(), Error> {
        for sync in batch.contest_syncs(self.source_id)? {
            if !sync.external_id.contains(' ') {
                continue;
            }
            let mut key = sync.external_id.clone();
            let mut anonymiser = Anonymiser::new(&self.tombstones);
            anonymise_key(&mut key, &mut anonymiser);
            if anonymiser.has_changed() {
                batch.redact_sync_key(self.source_id, &sync.external_id, &key)?;
            }
        }
        Ok(())
    }
}

fn for_each_document(
    documents: &[DocumentRow],
    watch: &dyn Progress,
    mut each: impl FnMut(&DocumentRow) -> Result<(), Error>,
) -> Result<(), Error> {
    watch.begin_task("forgetting", documents.iter().map(|row| row.length).sum());
    let mut done = 0;
    // Newest first: a document that shares the bytes of an older one is redacted before it.
    for row in documents.iter().rev() {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        each(row)?;
        done += row.length;
        watch.advance(done, 0, 0);
    }
    Ok(())
}

//! A site as its archive has it. Syncs and rebuilds both read it through this module, so that they
//! give the same contests.

use std::sync::Arc;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_source::{Document, SiteReadError, SiteReading, Source};
use ranklore_store::{DocumentId, DocumentRow, SourceId, Store, Tombstones};
use ranklore_views::BoundedCache;

use crate::error::Error;
use crate::people::redaction::{Redaction, read_redacted_answer, redact_answer};
use crate::reading_note::ReadingNote;

/// Cached documents: the newest answer of two requests and one older answer of each, which is
/// searched for contests missing from the newest.
const CACHED_DOCUMENTS: usize = 4;

/// The contents of a document, or the error of reading it.
pub(crate) type SharedReading = Result<Arc<SiteReading>, SiteReadError>;

/// The archive of one site, with the source that reads it.
pub(crate) struct Site<'s> {
    pub(crate) source: &'s dyn Source,
    /// The name of the source in the database.
    pub(crate) name: SourceName,
    pub(crate) source_id: SourceId,
    /// The forgotten persons: their names are replaced in everything that is read.
    pub(crate) forgotten: Tombstones,
    /// Documents with results of many contests, read once for all of them.
    pub(crate) cache: BoundedCache<DocumentId, SharedReading>,
}

impl<'s> Site<'s> {
    /// Opens the archive of the source `name`, read by `source`.
    pub(crate) fn open(
        store: &Store,
        source: &'s dyn Source,
        name: SourceName,
        source_id: SourceId,
    ) -> Result<Self, Error> {
        Ok(Self {
            source,
            name,
            source_id,
            forgotten: store.tombstones(source_id)?,
            cache: BoundedCache::new(CACHED_DOCUMENTS),
        })
    }

    /// Returns the same archive, read by another source.
    pub(crate) fn with_source<'o>(&self, source: &'o dyn Source) -> Site<'o> {
        Site {
            source,
            name: self.name.clone(),
            source_id: self.source_id,
            forgotten: self.forgotten.clone(),
            cache: BoundedCache::new(CACHED_DOCUMENTS),
        }
    }

    /// Reads one document, with the names of forgotten persons replaced.
    pub(crate) fn read(
        &self,
        store: &Store,
        document_id: DocumentId,
    ) -> Result<Result<SiteReading, SiteReadError>, Error> {
        let document = store.document(document_id)?;
        let row = &document.row;
        let mut reading = if is_redacted(row) {
            read_redacted_answer(&row.request_key, &document.body)
        } else {
            self.source.read(&archived_answer(row, &document.body))
        };
        if let Ok(reading) = &mut reading {
            self.source.apply_options(&row.request_key, reading);
            if self.name.as_str() != self.source.profile().name {
                // Another site with the same layout: its contests have no pages on this one.
                for contest in &mut reading.listed {
                    contest.url = None;
                }
            }
            if !self.forgotten.is_empty() {
                reading.forget(self.source, &self.forgotten);
            }
        }
        Ok(reading)
    }

    /// Returns what to archive in place of an answer that names a forgotten person, or `None`.
    /// `redacted` is true if the answer is redacted already.
    pub(crate) fn redact(
        &self,
        document: &Document<'_>,
        url: Option<&str>,
        redacted: bool,
    ) -> Option<Redaction> {
        if self.forgotten.is_empty() {
            return None;
        }
        redact_answer(self.source, document, url, redacted, &self.forgotten)
    }

    /// Reads one document like [`Site::read`], through the cache if it has results of several
    /// contests.
    pub(crate) fn read_cached(
        &self,
        store: &Store,
        document_id: DocumentId,
    ) -> Result<SharedReading, Error> {
        if let Some(reading) = self.cache.get(&document_id) {
            return Ok(reading);
        }
        let reading = self.read(store, document_id)?.map(Arc::new);
        if !reading.as_ref().is_ok_and(|r| r.results.len() <= 1) {
            self.cache.insert(document_id, reading.clone());
        }
        Ok(reading)
    }
}

/// Returns an archived answer as its source reads it.
pub(crate) fn archived_answer<'d>(row: &'d DocumentRow, body: &'d [u8]) -> Document<'d> {
    Document {
        request_key: &row.request_key,
        // A stored time was in range when it was written.
        fetched_at: UnixSeconds::new(row.fetched_at).unwrap_or(UnixSeconds::MIN),
        status: row.status.unwrap_or(200),
        body,
    }
}

/// True if the archive has the redacted reading in place of the document.
pub(crate) fn is_redacted(row: &DocumentRow) -> bool {
    matches!(
        ReadingNote::parse(row.reading.as_deref()),
        Ok(ReadingNote::Answer { redacted: true, .. })
    )
}

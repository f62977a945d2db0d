//! Redaction of documents, and of notes about them, that name forgotten persons.

use rusqlite::params;

use crate::archive::documents::compress_body;
use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::ids::{DocumentId, SourceId};

/// Redacted content of a document that names a forgotten person.
#[derive(Clone, Copy, Debug)]
pub struct RedactedDocument<'a> {
    /// Request key or file name, with a blank in place of the name.
    pub request_key: &'a str,
    /// URL of the document, unless it contains the name.
    pub url: Option<&'a str>,
    /// Format and options of the reader, as JSON; for a response, those of the redacted content.
    pub reading: Option<&'a str>,
    /// Content without the name.
    pub body: &'a [u8],
}

/// Replaces a reason that may contain the name of a forgotten person.
const REDACTED_REASON: &str = "removed: it may have contained the name of a forgotten person";

impl WriteBatch<'_> {
    /// Replaces the content of an imported file by its redacted content, which is read as
    /// `kept_reading` states. The hash of the original bytes stays, so that the same file is
    /// recognised.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_file(
        &mut self,
        document_id: DocumentId,
        redacted: &RedactedDocument<'_>,
        kept_reading: &str,
    ) -> Result<()> {
        self.transfer_body(document_id)?;
        let body = compress_body(redacted.request_key, redacted.body)?;
        self.execute(
            // The reading of the original bytes was stored by the first redaction.
            "UPDATE document SET request_key = ?2, url = ?3,
                 reading = CASE WHEN kept_reading ->> '$.redacted' THEN reading ELSE ?4 END,
                 body = ?5, body_of = NULL, kept_blake3 = ?6, kept_length = ?7, kept_reading = ?8
             WHERE document_id = ?1",
            params![
                document_id,
                redacted.request_key,
                redacted.url,
                redacted.reading,
                body.zstd,
                body.blake3,
                body.length as i64,
                kept_reading,
            ],
        )
    }

    /// Replaces the content of a response by its redacted content, and its hash by that of the
    /// redacted content. Unlike files, responses are not looked up by the original hash: the same
    /// response, redacted the same way, is the same document.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_response(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        redacted: &RedactedDocument<'_>,
    ) -> Result<()> {
        self.transfer_body(document_id)?;
        let RedactedDocument {
            request_key, body, ..
        } = *redacted;
        let blake3 = *blake3::hash(body).as_bytes();
        // The document itself may hold these bytes under another key.
        let body_of = self
            .find_same_body(source_id, request_key, &blake3)?
            .filter(|original| *original != document_id);
        let zstd = match body_of {
            Some(_) => None,
            None => Some(compress_body(request_key, body)?.zstd),
        };
        self.execute(
            "UPDATE document SET request_key = ?2, url = ?3, blake3 = ?4, length = ?5,
                 body = ?6, body_of = ?7, reading = ?8, kept_blake3 = NULL,
                 kept_length = NULL, kept_reading = NULL WHERE document_id = ?1",
            params![
                document_id,
                request_key,
                redacted.url,
                blake3,
                body.len() as i64,
                zstd,
                body_of,
                redacted.reading,
            ],
        )
    }

    /// Replaces the key of a sync entry by one with a blank in place of the name.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_sync_key(
        &mut self,
        source_id: SourceId,
        before: &str,
        after: &str,
    ) -> Result<()> {
        self.execute(
            "UPDATE OR REPLACE contest_sync SET external_id = ?3
             WHERE source_id = ?1 AND external_id = ?2",
            params![source_id, before, after],
        )
    }

    /// Replaces the sync reasons of a source that contain a name, in any case.
    pub(crate) fn redact_sync_reasons(&self, source_id: SourceId, name: &str) -> Result<()> {
        self.execute(
            "UPDATE contest_sync SET reason = ?3
             WHERE source_id = ?1 AND instr(lower(reason), lower(?2)) > 0",
            params![source_id, name, REDACTED_REASON],
        )
    }
}

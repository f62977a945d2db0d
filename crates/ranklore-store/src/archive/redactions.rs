//! Redaction of documents, and of notes about them, that name forgotten persons.

use rusqlite::params;

use crate::archive::documents::compress_body;
use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::statements;
use crate::ids::{DocumentId, SourceId};

/// Redacted content of a document that names a forgotten person.
#[derive(Clone, Copy, Debug)]
pub struct RedactedDocument<'a> {
    /// Request key or file name, with a blank in place of the name.
    pub request_key: &'a str,
    /// URL of the document, unless it contains the name.
    pub url: Option<&'a str>,
    /// Format and options of the reader, as JSON: of the original bytes of a file, of the redacted
    /// content of a response.
    pub reading: Option<&'a str>,
    /// For a file, format and options of the reader of the redacted content, as JSON.
    pub kept_reading: Option<&'a str>,
    /// Content without the name.
    pub body: &'a [u8],
}

/// Replaces a reason that may contain the name of a forgotten person.
const REDACTED_REASON: &str = "removed: it may have contained the name of a forgotten person";

statements! {
    /// Replaces the key of a sync entry by one with a blank in place of the name.
    pub fn redact_sync_key(source_id: SourceId, before: &str, after: &str) =
        "UPDATE OR REPLACE contest_sync SET external_id = ?3
         WHERE source_id = ?1 AND external_id = ?2";
}

impl WriteBatch<'_> {
    /// Replaces the content of a document by its redacted content. The hash of the original bytes of
    /// a file stays, so that the same file is recognised. Responses are not looked up by it: the
    /// same response, redacted the same way, is the same document.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_document(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        redacted: &RedactedDocument<'_>,
    ) -> Result<()> {
        self.transfer_body(document_id)?;
        let body = compress_body(redacted.request_key, redacted.body)?;
        let mut body_of = None;
        if redacted.kept_reading.is_none() {
            // The document itself may hold these bytes under another key.
            body_of = self
                .find_same_body(source_id, redacted.request_key, &body.blake3)?
                .filter(|original| *original != document_id);
        }
        self.execute(
            // The reading of the original bytes was stored by the first redaction.
            "UPDATE document SET request_key = ?2, url = ?3, body = iif(?7 IS NULL, ?6, NULL),
                 body_of = ?7, kept_reading = ?8,
                 reading = CASE WHEN ?8 IS NOT NULL AND kept_reading ->> '$.redacted'
                     THEN reading ELSE ?9 END,
                 blake3 = iif(?8 IS NULL, ?4, blake3), length = iif(?8 IS NULL, ?5, length),
                 kept_blake3 = iif(?8 IS NULL, NULL, ?4), kept_length = iif(?8 IS NULL, NULL, ?5)
             WHERE document_id = ?1",
            params![
                document_id,
                redacted.request_key,
                redacted.url,
                body.blake3,
                body.length as i64,
                body.zstd,
                body_of,
                redacted.kept_reading,
                redacted.reading,
            ],
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

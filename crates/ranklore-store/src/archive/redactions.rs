//! Redacted documents, and notes about them, that named forgotten persons.

use rusqlite::params;

use crate::archive::documents::compress_body;
use crate::error::Result;
use crate::file::batch::Batch;
use crate::ids::{DocumentId, SourceId};

/// A document as it is kept where it names a forgotten person.
#[derive(Clone, Copy, Debug)]
pub struct RedactedDocument<'a> {
    /// The request or the name of the file, with a blank in place of the name.
    pub request_key: &'a str,
    /// The address that it came from, unless that has the name.
    pub url: Option<&'a str>,
    /// How it is to be read, as JSON: of an answer, the reading in its place.
    pub reading: Option<&'a str>,
    /// The reading of the document, without the name.
    pub body: &'a [u8],
}

/// In place of a reason that may have named somebody.
const FORGOTTEN_REASON: &str = "not said any more: it may have named somebody who is forgotten";

impl Batch<'_> {
    /// Keeps what a file says in place of its bytes, read as `kept_reading` has it. The hash of the
    /// bytes stays, so that the same file is known again.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn redact_file(
        &mut self,
        document_id: DocumentId,
        redacted: &RedactedDocument<'_>,
        kept_reading: &str,
    ) -> Result<()> {
        self.hand_body_on(document_id)?;
        let body = compress_body(redacted.request_key, redacted.body)?;
        self.execute(
            // How it was to be read when it came was noted before, if it is redacted once more.
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
        .map(drop)
    }

    /// Keeps what the answer of a site says in place of what came. Nobody asks after the hash of
    /// what came, as after that of a file, so it goes as well: the same answer, redacted in the
    /// same way, is the same document.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn redact_answer(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        redacted: &RedactedDocument<'_>,
    ) -> Result<()> {
        self.hand_body_on(document_id)?;
        let RedactedDocument {
            request_key, body, ..
        } = *redacted;
        let blake3 = *blake3::hash(body).as_bytes();
        let body_of = self.same_body(source_id, request_key, &blake3)?;
        // It may say that already, under another key.
        let body_of = body_of.filter(|of| *of != document_id);
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
        .map(drop)
    }

    /// Notes what came of a question under its key with the blank in place of the name.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn redact_question(
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
        .map(drop)
    }

    /// Takes away what says why a contest could not be had or read, where it has a name in it,
    /// however it is written there.
    pub(crate) fn forget_in_reasons(&self, source_id: SourceId, name: &str) -> Result<()> {
        self.execute(
            "UPDATE contest_sync SET reason = ?3
             WHERE source_id = ?1 AND instr(lower(reason), lower(?2)) > 0",
            params![source_id, name, FORGOTTEN_REASON],
        )
        .map(drop)
    }
}

//! The archive: every response of a site and every imported file. Only redaction modifies an entry.

use std::borrow::Cow;
use std::io::Read;

use ranklore_contest::UnixSeconds;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{insert, queries, row};
use crate::file::open::Store;
use crate::ids::{DocumentId, SourceId};

/// Compression level, the default of zstd: half the time of level 9 for 10 % more bytes.
const ZSTD_LEVEL: i32 = 3;

/// A document to archive.
#[derive(Clone, Copy, Debug)]
pub struct NewDocument<'a> {
    /// Key of the request. Documents with the same key are versions of one document.
    pub request_key: &'a str,
    /// The URL that the document was fetched from.
    pub url: Option<&'a str>,
    /// Time of the fetch. If the clock went backwards, the time of the newest document of the
    /// source is stored instead.
    pub fetched_at: UnixSeconds,
    /// HTTP status; none for an imported file.
    pub status: Option<u16>,
    /// `ETag` header, verbatim.
    pub etag: Option<&'a str>,
    /// `Last-Modified` header, verbatim.
    pub last_modified: Option<&'a str>,
    /// Media type, such as `text/csv`.
    pub media_type: Option<&'a str>,
    /// Format and options for the reader, as JSON.
    pub reading: Option<&'a str>,
    /// The content.
    pub body: Body<'a>,
    /// Content to store instead, if the document names a forgotten person.
    pub redacted_content: Option<RedactedContent<'a>>,
}

/// Redacted content, stored in place of a document that names a forgotten person.
#[derive(Clone, Copy, Debug)]
pub struct RedactedContent<'a> {
    /// The content with blanks in place of names.
    pub body: &'a CompressedBody,
    /// Format and options for its reader, as JSON.
    pub reading: &'a str,
}

/// Content of a document to archive.
#[derive(Clone, Copy, Debug)]
pub enum Body<'a> {
    /// Uncompressed content; compressed only if it is new.
    Plain(&'a [u8]),
    /// Content already compressed by [`compress`], possibly on another thread.
    Compressed(&'a CompressedBody),
}

impl Body<'_> {
    /// Returns the hash and the uncompressed length.
    fn digest(self) -> ([u8; 32], u64) {
        match self {
            Self::Plain(body) => (*blake3::hash(body).as_bytes(), body.len() as u64),
            Self::Compressed(body) => (body.blake3, body.length),
        }
    }
}

/// Compressed content with its hash and uncompressed length.
#[derive(Clone, Debug)]
pub struct CompressedBody {
    pub(crate) blake3: [u8; 32],
    pub(crate) length: u64,
    pub(crate) zstd: Vec<u8>,
}

impl CompressedBody {
    /// Returns the BLAKE3 hash of the content before compression.
    #[must_use]
    pub const fn blake3(&self) -> &[u8; 32] {
        &self.blake3
    }
}

/// Hashes and compresses `body`.
///
/// # Errors
/// Errors if memory runs out.
pub fn compress(body: &[u8]) -> std::io::Result<CompressedBody> {
    Ok(CompressedBody {
        blake3: *blake3::hash(body).as_bytes(),
        length: body.len() as u64,
        // One frame, which states the content size.
        zstd: zstd::bulk::compress(body, ZSTD_LEVEL)?,
    })
}

/// Hashes and compresses the body of a document.
pub(crate) fn compress_body(request_key: &str, body: &[u8]) -> Result<CompressedBody> {
    compress(body).map_err(|source| Error::Compress {
        request_key: request_key.to_owned(),
        source,
    })
}

/// Outcome of archiving a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveOutcome {
    /// The newest document of the request.
    pub document_id: DocumentId,
    /// True if bytes, status and reading are those of the previous document; nothing was written.
    pub unchanged: bool,
}

row! {
    /// A document without its content.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct DocumentRow selects DOCUMENT_COLUMNS {
        /// The document.
        pub document_id: DocumentId,
        /// The source.
        pub source_id: SourceId,
        /// Key of the request.
        pub request_key: String,
        /// The URL that the document was fetched from.
        pub url: Option<String>,
        /// Time of the fetch, in Unix seconds.
        pub fetched_at: i64,
        /// HTTP status; none for an imported file.
        pub status: Option<u16>,
        /// `ETag` header, verbatim.
        pub etag: Option<String>,
        /// `Last-Modified` header, verbatim.
        pub last_modified: Option<String>,
        /// Media type, such as `text/csv`.
        pub media_type: Option<String>,
        /// Format and options for the reader of the stored content, as JSON.
        pub reading: Option<String> = "coalesce(kept_reading, reading)",
        /// BLAKE3 hash of the content as received.
        pub blake3: [u8; 32],
        /// Length of the content as received, in bytes.
        pub length: u64,
        /// True if redacted content replaces a document that named a forgotten person.
        pub redacted: bool =
            "kept_blake3 IS NOT NULL OR coalesce(reading ->> '$.redacted', 0)",
    }
}

/// A document with its stored bytes, and the length and the hash of its content.
type LoadedDocument = (DocumentRow, Option<Vec<u8>>, u64, [u8; 32]);

/// A document with its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// The document without its content.
    pub row: DocumentRow,
    /// The stored content: as received, or redacted.
    pub body: Vec<u8>,
}

queries! {
    /// Returns a document without its content.
    pub fn document_row(document_id: DocumentId) -> Option<DocumentRow> =
        format!("SELECT {DOCUMENT_COLUMNS} FROM document WHERE document_id = ?1");

    /// Returns the documents of a request, newest first.
    pub fn documents_for_request(source_id: SourceId, request_key: &str) -> Vec<DocumentRow> =
        format!("SELECT {DOCUMENT_COLUMNS} FROM document WHERE source_id = ?1 AND request_key = ?2
                 ORDER BY fetched_at DESC, document_id DESC");

    /// Returns the document archived last, of any source.
    pub fn last_document() -> Option<DocumentId> = "SELECT max(document_id) FROM document";

    /// Returns the ids of the documents of a request.
    pub fn document_versions(source_id: SourceId, request_key: &str) -> Vec<DocumentId> =
        "SELECT document_id FROM document WHERE source_id = ?1 AND request_key = ?2";

    /// Returns the documents of a source, oldest first.
    pub fn documents(source_id: SourceId) -> Vec<DocumentRow> =
        format!("SELECT {DOCUMENT_COLUMNS} FROM document WHERE source_id = ?1
                 ORDER BY fetched_at, document_id");

    fn newest_version(source_id: SourceId, key: &str) -> Option<NewestDocument> =
        format!("SELECT {NEWEST_DOCUMENT_COLUMNS} FROM document
                 WHERE source_id = ?1 AND request_key = ?2
                 ORDER BY fetched_at DESC, document_id DESC LIMIT 1");

    /// Returns the document of a request that has these bytes.
    pub(crate) fn find_same_body(
        source_id: SourceId, request_key: &str, blake3: &[u8; 32]
    ) -> Option<DocumentId> =
        "SELECT document_id FROM document WHERE source_id = ?1 AND request_key = ?2
         AND blake3 = ?3 AND body IS NOT NULL AND kept_blake3 IS NULL LIMIT 1";

    /// Returns the newest document of a request, if there is one.
    pub fn newest_document(source_id: SourceId, request_key: &str) -> Option<DocumentRow> =
        format!("SELECT {DOCUMENT_COLUMNS} FROM document WHERE source_id = ?1 AND request_key = ?2
                 ORDER BY fetched_at DESC, document_id DESC LIMIT 1");
}

impl Store {
    /// Loads a document, and verifies its hash.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::DamagedDocument`] if the content does not match the hash.
    pub fn document(&self, document_id: DocumentId) -> Result<StoredDocument> {
        let sql = format!(
            "SELECT {DOCUMENT_COLUMNS}, coalesce(body, (SELECT body FROM document AS original
                 WHERE original.document_id = document.body_of)),
                 coalesce(kept_length, length), coalesce(kept_blake3, blake3)
             FROM document WHERE document_id = ?1"
        );
        let loaded: Option<LoadedDocument> = self.query(&sql, [document_id])?;
        let Some((row, stored_body, length, blake3)) = loaded else {
            return Err(self.not_found("document", document_id.get()));
        };
        let body = stored_body
            .ok_or_else(|| "its bytes are missing".to_owned())
            .and_then(|body| decode(&body, length, &blake3))
            .map_err(|reason| Error::DamagedDocument {
                path: self.path().to_owned(),
                document_id,
                reason,
            })?;
        Ok(StoredDocument { row, body })
    }
}

row! {
    /// The newest document of a request, without the columns that archiving does not need.
    struct NewestDocument selects NEWEST_DOCUMENT_COLUMNS {
        document_id: DocumentId,
        blake3: [u8; 32],
        status: Option<u16>,
        reading: Option<String>,
    }
}

impl WriteBatch<'_> {
    /// Archives a document. Writes nothing if the newest document of the request has the same
    /// bytes, status and reading. Stores no second copy of bytes that an older document of the
    /// request has.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn archive_document(
        &mut self,
        source_id: SourceId,
        document: &NewDocument<'_>,
    ) -> Result<ArchiveOutcome> {
        let digest = document.body.digest();
        let newest = self.newest_version(source_id, document.request_key)?;
        let unchanged = newest.as_ref().filter(|newest| {
            newest.blake3 == digest.0
                && newest.status == document.status
                && newest.reading.as_deref() == document.reading
        });
        let document_id = match unchanged {
            Some(version) => version.document_id,
            None => self.insert_document(source_id, document, digest, newest.is_some())?,
        };
        Ok(ArchiveOutcome {
            document_id,
            unchanged: unchanged.is_some(),
        })
    }

    /// Archives a response of a site. Always adds a row, since the time of the fetch is new, but
    /// stores no second copy of known bytes.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn archive_response(
        &mut self,
        source_id: SourceId,
        document: &NewDocument<'_>,
    ) -> Result<DocumentId> {
        self.insert_document(source_id, document, document.body.digest(), true)
    }

    /// Inserts a document. Searches the request for the same bytes if it may have other versions:
    /// only one of the documents stores them.
    fn insert_document(
        &mut self,
        source_id: SourceId,
        document: &NewDocument<'_>,
        (blake3, length): ([u8; 32], u64),
        may_have_versions: bool,
    ) -> Result<DocumentId> {
        let key = document.request_key;
        let redacted = document.redacted_content;
        let mut body_of: Option<DocumentId> = None;
        // A redacted document must not refer to bytes that still name the person.
        if may_have_versions && redacted.is_none() {
            body_of = self.find_same_body(source_id, key, &blake3)?;
        }
        let body = match (body_of, redacted, document.body) {
            (Some(_), _, _) => None,
            (None, Some(RedactedContent { body, .. }), _)
            | (None, None, Body::Compressed(body)) => Some(Cow::Borrowed(&body.zstd)),
            (None, None, Body::Plain(body)) => Some(Cow::Owned(compress_body(key, body)?.zstd)),
        };
        let fetched_at = self.clamp_fetched_at(source_id, document.fetched_at)?;
        insert!(self.insert, "INSERT INTO document" {
            source_id: source_id, request_key: key, url: document.url, fetched_at: fetched_at,
            status: document.status, etag: document.etag, last_modified: document.last_modified,
            media_type: document.media_type, reading: document.reading,
            blake3: blake3, length: length as i64,
            body: body.as_ref().map(|body| body.as_slice()), body_of: body_of,
            kept_blake3: redacted.map(|content| content.body.blake3),
            kept_length: redacted.map(|content| content.body.length as i64),
            kept_reading: redacted.map(|content| content.reading),
        })
        .map(DocumentId::new)
    }

    /// Returns `fetched_at`, or the time of the newest document of the source if that is later, so
    /// that the order of documents survives a clock that goes backwards.
    fn clamp_fetched_at(&mut self, source_id: SourceId, fetched_at: UnixSeconds) -> Result<i64> {
        let newest = match self.caches().newest_document_at.get(&source_id) {
            Some(&newest) => Some(newest),
            None => self
                .query("SELECT max(fetched_at) FROM document WHERE source_id = ?1", [source_id])?,
        };
        let fetched_at =
            newest.map_or(fetched_at.get(), |newest: i64| newest.max(fetched_at.get()));
        self.caches().newest_document_at.insert(source_id, fetched_at);
        Ok(fetched_at)
    }
}

/// Decompresses `body` and verifies length and hash. Never reads beyond `length` bytes.
fn decode(body: &[u8], length: u64, blake3: &[u8; 32]) -> std::result::Result<Vec<u8>, String> {
    // `length` may be corrupt, so limit the memory allocated up front to 16 MiB.
    let mut decoded = Vec::with_capacity(length.min(1 << 24) as usize);
    zstd::stream::read::Decoder::with_buffer(body)
        .and_then(|decoder| decoder.take(length.saturating_add(1)).read_to_end(&mut decoded))
        .map_err(|error| format!("not decodable: {error}"))?;
    if decoded.len() as u64 != length {
        return Err(format!("its length is not {length} bytes"));
    }
    if blake3::hash(&decoded).as_bytes() != blake3 {
        return Err("its bytes do not match the archived hash".to_owned());
    }
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zstd_frame_states_content_size() {
        let body = compress(&vec![7; 100_000]).unwrap();
        let size = zstd::zstd_safe::get_frame_content_size(&body.zstd);
        assert_eq!(size.unwrap(), Some(100_000));
    }

    #[test]
    fn decode_checks_length_and_hash() {
        let body = compress(b"hello").unwrap();
        assert_eq!(decode(&body.zstd, 5, &body.blake3).unwrap(), b"hello");
        assert!(decode(&body.zstd, 4, &body.blake3).is_err());
        assert!(decode(&body.zstd, u64::MAX, &body.blake3).is_err());
        assert!(decode(&body.zstd, 5, &[0; 32]).is_err());
        assert!(decode(&body.zstd[..6], 5, &body.blake3).is_err());
        assert!(decode(b"not zstd", 5, &body.blake3).is_err());
    }
}

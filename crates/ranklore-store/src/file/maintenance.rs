//! Maintenance: file size, current writer, superseded documents, compaction.

use serde::Serialize;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{queries, row};
use crate::file::lock::{WriteLock, with_suffix};
use crate::file::open::{Store, Writer};
use crate::file::pragmas;
use crate::file::table_hash::create_triggers;
use crate::ids::{DocumentId, SourceId};
use crate::lock_holder::LockHolder;

/// Size of the database.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FileSize {
    /// Size of the file in bytes, without the log.
    pub bytes: u64,
    /// Bytes in free pages, which later writes reuse.
    pub free_bytes: u64,
    /// Size of the write-ahead log in bytes; the last process to close the file deletes it.
    pub log_bytes: u64,
}

impl FileSize {
    /// True if compaction is worthwhile: more than a quarter of the file is free (less is soon
    /// reused, and everything else has to be rewritten), or more than 64 MiB.
    #[must_use]
    pub const fn needs_compaction(&self) -> bool {
        self.free_bytes > self.bytes / 4 || self.free_bytes > 64 << 20
    }
}

row! {
    /// A document that a newer one has replaced and that no data is read from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct SupersededDocument {
        /// The document.
        pub document_id: DocumentId,
        /// Bytes freed by deleting it; 0 if a remaining document shares its bytes.
        pub bytes: u64,
    }
}

queries! {
    /// Returns the documents fetched at `until` or earlier that can be deleted, oldest first: a
    /// newer document with the same key and status exists, and no contest and no starting rating is
    /// read from them.
    ///
    /// A rebuild without them yields the same data: it reads each contest from its newest document,
    /// which the contest refers to and which is therefore kept. The same holds for starting
    /// ratings. Decisions create the competitors that they concern.
    // A response "gone" does not replace earlier content, so the newest document of each status
    // stays. Responses of sites all stay: a contest is derived from several of them, and from
    // older ones if the newest retracts it.
    pub fn superseded_documents(source: Option<SourceId>, until: i64) -> Vec<SupersededDocument> =
        "WITH gone AS MATERIALIZED (
             SELECT document_id FROM document AS old
             WHERE (?1 IS NULL OR source_id = ?1) AND fetched_at <= ?2
             AND coalesce(reading, '{}') ->> '$.site' IS NULL
             AND EXISTS (SELECT 1 FROM document AS newer
                 WHERE newer.source_id = old.source_id
                 AND newer.request_key = old.request_key AND newer.status IS old.status
                 AND (newer.fetched_at, newer.document_id)
                     > (old.fetched_at, old.document_id))
             AND document_id NOT IN
                 (SELECT document_id FROM contest WHERE document_id IS NOT NULL)
             AND document_id NOT IN (SELECT start_document_id FROM competitor
                 WHERE start_document_id IS NOT NULL))
         SELECT document_id, CASE WHEN EXISTS (SELECT 1 FROM document AS heir
                 WHERE heir.source_id = document.source_id
                 AND heir.request_key = document.request_key
                 AND heir.body_of = document.document_id
                 AND heir.document_id NOT IN (SELECT document_id FROM gone))
             THEN 0 ELSE coalesce(length(body), 0) END
         FROM gone JOIN document USING (document_id) ORDER BY fetched_at, document_id";
}

impl Store {
    /// Returns the size of the database in the state that is read.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn file_size(&self) -> Result<FileSize> {
        let sizes: Option<(u64, u64, u64)> = self.query(
            "SELECT (SELECT page_size FROM pragma_page_size),
                 (SELECT page_count FROM pragma_page_count),
                 (SELECT freelist_count FROM pragma_freelist_count)",
            [],
        )?;
        let (page_size, pages, free_pages) = sizes.unwrap_or_default();
        // The log grows and shrinks all the time; its size is informative only.
        let log = with_suffix(self.path(), "-wal").metadata();
        Ok(FileSize {
            bytes: page_size * pages,
            free_bytes: page_size * free_pages,
            log_bytes: log.map_or(0, |log| log.len()),
        })
    }

    /// Returns the process that writes to the database now, without waiting.
    #[must_use]
    pub fn current_writer(&self) -> Option<LockHolder> {
        WriteLock::holder(self.path())
    }
}

impl WriteBatch<'_> {
    /// Deletes a document and the notes about it. Bytes that other documents share move to the
    /// oldest of them, and what its import decided to the newest document with the same key.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_document(&mut self, document_id: DocumentId) -> Result<()> {
        self.transfer_body(document_id)?;
        self.execute_all(
            "DELETE FROM disbelieved WHERE document_id = ?1;
             UPDATE decision SET document_id = (SELECT max(heir.document_id)
                     FROM document JOIN document AS heir USING (source_id, request_key)
                     WHERE document.document_id = ?1 AND heir.document_id <> ?1)
                 WHERE document_id = ?1;
             DELETE FROM document WHERE document_id = ?1",
            [document_id],
        )
    }

    /// Moves the bytes of a document to the oldest of the documents that share them.
    pub(crate) fn transfer_body(&mut self, document_id: DocumentId) -> Result<()> {
        let heir: Option<DocumentId> = self.query(OLDEST_COPY, [document_id])?;
        let Some(heir) = heir else { return Ok(()) };
        let bequeath = "UPDATE document SET body_of = NULL,
                 body = (SELECT body FROM document WHERE document_id = ?1)
             WHERE document_id = ?2";
        for sql in [bequeath, REPOINT_COPIES] {
            self.execute(sql, [document_id, heir])?;
        }
        Ok(())
    }
}

/// Searches by request key, which such documents share: it has an index, `body_of` has none.
const OLDEST_COPY: &str = "SELECT heir.document_id FROM document JOIN document AS heir
         USING (source_id, request_key)
     WHERE document.document_id = ?1 AND heir.body_of = ?1
     ORDER BY heir.document_id LIMIT 1";

/// Searches by the same key.
const REPOINT_COPIES: &str = "UPDATE document SET body_of = ?2 WHERE body_of = ?1
     AND (source_id, request_key) =
         (SELECT source_id, request_key FROM document WHERE document_id = ?1)";

impl Writer {
    /// Rewrites the file without free pages. Returns true if it has shrunk already; otherwise it
    /// shrinks when the last reader closes it.
    ///
    /// # Errors
    /// [`crate::Error::DiskFull`]: needs the size of the file again, in the folder for temporary
    /// files and in the log. The database is then unchanged.
    pub fn compact(&mut self) -> Result<bool> {
        self.rewrite_file()?;
        self.truncate_wal()
    }

    /// Rewrites the file (`VACUUM`); the result is in the log.
    pub(crate) fn rewrite_file(&mut self) -> Result<()> {
        self.with_connection(pragmas::set_rewriter)?;
        let vacuum = self.execute_batch("VACUUM");
        let pragmas = self.with_connection(|connection| pragmas::set_writer(connection, false));
        // Without them, later writes would look like damage.
        self.with_connection(create_triggers)?;
        pragmas.and(vacuum)
    }

    /// Checkpoints the log into the file and truncates it. Returns false if a reader prevented
    /// that.
    pub(crate) fn truncate_wal(&mut self) -> Result<bool> {
        let is_blocked: bool = self.query("PRAGMA wal_checkpoint(TRUNCATE)", [])?;
        Ok(!is_blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn body_transfer_uses_index() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Store::open_writer(folder.path().join("a.sqlite"), "a test").unwrap();
        for sql in [OLDEST_COPY, REPOINT_COPIES] {
            let plan = writer.with_connection(|connection| {
                let explain = format!("EXPLAIN QUERY PLAN {sql}");
                let mut statement = connection.prepare(&explain)?;
                let count = statement.parameter_count();
                let rows = statement
                    .query_map(rusqlite::params_from_iter(vec![1; count]), |row| {
                        row.get::<_, String>(3)
                    })?;
                rows.collect::<rusqlite::Result<Vec<_>>>()
            });
            let plan = plan.unwrap().join("; ");
            assert!(!plan.contains("SCAN"), "{plan}");
            assert!(plan.contains("document_by_request"), "{plan}");
        }
    }

    #[test]
    fn compaction_needs_quarter_or_64_mib_free() {
        for (bytes, free_bytes, loose) in [
            (100, 25, false),
            (100, 26, true),
            (1 << 40, 64 << 20, false),
            (1 << 40, (64 << 20) + 1, true),
            (0, 0, false),
        ] {
            let size = FileSize {
                bytes,
                free_bytes,
                log_bytes: 0,
            };
            assert_eq!(size.needs_compaction(), loose, "{size:?}");
        }
    }
}

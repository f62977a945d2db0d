//! Deletion of imported documents and of whole sources.

use rusqlite::params;

use ranklore_contest::UnixSeconds;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{queries, statements};
use crate::file::open::Store;
use crate::ids::{DecisionId, DocumentId, SourceId};

queries! {
    /// Returns the decisions of the newest import into a source about contests, if it archived no
    /// document.
    pub fn decisions_of_last_import(source_id: SourceId) -> Vec<DecisionId> =
        "SELECT decision_id FROM decision JOIN (
             SELECT started_at, first_document_id FROM sync_run
             WHERE source_id = ?1 AND kind = 'import' ORDER BY sync_run_id DESC LIMIT 1)
         WHERE source_id = ?1 AND act IN ('withdraw', 'restore')
         AND document_id IS NOT NULL AND first_document_id IS NULL AND decided_at = started_at";
}

impl Store {
    /// Returns the documents of the newest import into a source that wrote any and of which any are
    /// left, oldest first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn last_imported_documents(&self, source_id: SourceId) -> Result<Vec<DocumentId>> {
        let recorded: Vec<DocumentId> = self.query(
            "SELECT document_id FROM document JOIN (
                 SELECT first_document_id AS first, last_document_id AS last FROM sync_run
                 WHERE source_id = ?1 AND EXISTS (SELECT 1 FROM document
                     WHERE document.source_id = ?1 AND status IS NULL
                     AND document_id BETWEEN first_document_id AND last_document_id)
                 ORDER BY sync_run_id DESC LIMIT 1)
             WHERE source_id = ?1 AND status IS NULL AND document_id BETWEEN first AND last
             ORDER BY document_id",
            [source_id],
        )?;
        if !recorded.is_empty() {
            return Ok(recorded);
        }
        // Imports of earlier versions recorded no documents. Those of one import have one time.
        self.query(
            "SELECT document_id FROM document WHERE source_id = ?1 AND status IS NULL
             AND fetched_at = (SELECT max(fetched_at) FROM document
                 WHERE source_id = ?1 AND status IS NULL)
             ORDER BY document_id",
            [source_id],
        )
    }
}

statements! {
    /// Deletes a decision. Its effect stays until decisions are applied again.
    pub fn delete_decision(decision_id: DecisionId) =
        "DELETE FROM decision WHERE decision_id = ?1";

    /// Deletes all decisions about a source.
    pub fn delete_decisions(source_id: SourceId) = "DELETE FROM decision WHERE source_id = ?1";
}

impl WriteBatch<'_> {
    /// Deletes documents of a source, given from the oldest to the newest, what their imports
    /// decided about contests, and the records of imports of which no document is left. Contests
    /// still refer to them: derive the source again.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn undo_documents(&mut self, source_id: SourceId, documents: &[DocumentId]) -> Result<()> {
        for document_id in documents {
            self.execute(
                "DELETE FROM decision WHERE document_id = ?1 AND act IN ('withdraw', 'restore')",
                [document_id],
            )?;
        }
        // Newest first: a deleted document hands its bytes on to the next one that shares them,
        // which must not be deleted afterwards.
        for &document_id in documents.iter().rev() {
            self.delete_document(document_id)?;
        }
        self.execute(
            "DELETE FROM sync_run WHERE source_id = ?1 AND first_document_id <= ?3
             AND last_document_id >= ?2
             AND NOT EXISTS (SELECT 1 FROM document WHERE document.source_id = ?1
                 AND document_id BETWEEN first_document_id AND last_document_id)",
            params![source_id, documents.iter().min(), documents.iter().max(),],
        )
    }

    /// Removes a source: deletes everything except its decisions and tombstones. It is not listed
    /// any more, until its name is used again. Delete or truncate runs over it first.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn remove_source(&mut self, source_id: SourceId, now: UnixSeconds) -> Result<()> {
        self.clear_source(source_id)?;
        self.execute_all(
            "DELETE FROM disbelieved WHERE document_id IN
                 (SELECT document_id FROM document WHERE source_id = ?1);
             UPDATE decision SET document_id = NULL WHERE source_id = ?1;
             DELETE FROM document WHERE source_id = ?1;
             DELETE FROM contest_sync WHERE source_id = ?1;
             DELETE FROM sync_run WHERE source_id = ?1",
            [source_id],
        )?;
        self.execute(
            "UPDATE source SET removed_at = ?2, names_asked_at = NULL, named_through = NULL,
                 pseudonyms = 0, default_system = NULL, provisional_contests = NULL,
                 provisional_sigma = NULL WHERE source_id = ?1",
            params![source_id, now.get()],
        )
    }
}

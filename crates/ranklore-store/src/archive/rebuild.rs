//! Preparation of a rebuild: deletes the data of a source that its archive and decisions reproduce.

use std::collections::HashSet;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::queries;
use crate::ids::{DocumentId, SourceId};

queries! {
    /// Returns the rejected contests of a source: pairs of a document and a contest that must not
    /// be read from it.
    pub fn rejected_contests(source_id: SourceId) -> HashSet<(DocumentId, String)> =
        "SELECT document_id, external_id FROM disbelieved JOIN document USING (document_id)
         WHERE source_id = ?1";
}

impl WriteBatch<'_> {
    /// Deletes the contests, standings and competitors of a source. Documents, decisions and
    /// tombstones stay, and reproduce them. Truncate runs over the source to zero contests first
    /// ([`WriteBatch::truncate_run`]).
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn clear_source(&mut self, source_id: SourceId) -> Result<()> {
        let is_only_source = self.query(
            "SELECT NOT EXISTS (SELECT 1 FROM contest WHERE source_id <> ?1)
                AND NOT EXISTS (SELECT 1 FROM competitor WHERE source_id <> ?1)",
            [source_id],
        )?;
        // Without a condition SQLite truncates tables without triggers, which is much faster.
        if is_only_source {
            self.execute_batch(
                "DELETE FROM member; DELETE FROM standing; DELETE FROM competitor_name;
                 DELETE FROM contest; DELETE FROM competitor",
            )?;
        } else {
            self.execute_all(
                "DELETE FROM member WHERE contest_id IN
                     (SELECT contest_id FROM contest WHERE source_id = ?1);
                 DELETE FROM standing WHERE contest_id IN
                     (SELECT contest_id FROM contest WHERE source_id = ?1);
                 DELETE FROM competitor_name WHERE competitor_id IN
                     (SELECT competitor_id FROM competitor WHERE source_id = ?1);
                 DELETE FROM contest WHERE source_id = ?1;
                 DELETE FROM competitor WHERE source_id = ?1",
                [source_id],
            )?;
        }
        self.clear_caches();
        Ok(())
    }
}

//! Deletions on a site that must be honoured: removes results of contests, and anonymises
//! competitors without results.

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::queries;
use crate::file::open::Writer;
use crate::ids::{CompetitorId, ContestId, SourceId};

/// Prefix of the name that replaces a deleted competitor; a number follows.
const DELETED_PREFIX: &str = "[deleted]-";

queries! {
    /// Returns the distinct request keys of a source: requests to its site and names of its files.
    pub fn request_keys(source_id: SourceId) -> Vec<String> =
        "SELECT DISTINCT request_key FROM document WHERE source_id = ?1 ORDER BY 1";
}

impl WriteBatch<'_> {
    /// Deletes the results of a contest, which then is a listed contest without results. Runs that
    /// include it become stale. Returns true if there were results.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_results(&mut self, source_id: SourceId, external_id: &str) -> Result<bool> {
        let contest: Option<ContestId> = self.query(
            "UPDATE contest SET content_hash = NULL, entrants = 0, rated = 0,
                 revision = revision + 1, document_id = NULL
             WHERE source_id = ?1 AND external_id = ?2 AND content_hash IS NOT NULL
             RETURNING contest_id",
            params![source_id, external_id],
        )?;
        if let Some(contest_id) = contest {
            self.delete_standings(contest_id)?;
        }
        Ok(contest.is_some())
    }

    /// Replaces the names of competitors of a source that have no standing and no membership,
    /// unless an imported file or a decision names them. Their rating rows stay until the runs are
    /// replayed. Returns true if any name was replaced.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn anonymise_unreferenced(&mut self, source_id: SourceId) -> Result<bool> {
        let blanked: Vec<CompetitorId> = self.query(
            "UPDATE competitor SET name = ?2 || competitor_id, external_id = ?2 || competitor_id
             WHERE source_id = ?1 AND external_id <> ?2 || competitor_id
             AND start_document_id IS NULL
             AND NOT EXISTS (SELECT 1 FROM standing
                 WHERE standing.competitor_id = competitor.competitor_id)
             AND NOT EXISTS (SELECT 1 FROM member
                 WHERE member.person_id = competitor.competitor_id)
             AND NOT EXISTS (SELECT 1 FROM decision
                 WHERE decision.source_id = competitor.source_id
                 AND decision.kind = competitor.kind
                 AND competitor.external_id IN (subject, object))
             RETURNING competitor_id",
            params![source_id, DELETED_PREFIX],
        )?;
        for &competitor_id in &blanked {
            self.delete_name_history(competitor_id)?;
        }
        self.clear_caches();
        Ok(!blanked.is_empty())
    }

    /// Deletes anonymised competitors of a source that have no standing and no rating row.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_unrated_blanks(&mut self, source_id: SourceId) -> Result<()> {
        let deleted = self.execute_counting(
            "DELETE FROM competitor AS blank
             WHERE source_id = ?1 AND external_id = ?2 || competitor_id
             AND NOT EXISTS (SELECT 1 FROM competitor
                 WHERE merged_into = blank.competitor_id)
             AND NOT EXISTS (SELECT 1 FROM standing
                 WHERE competitor_id = blank.competitor_id)
             AND competitor_id NOT IN (SELECT competitor_id FROM rating)",
            params![source_id, DELETED_PREFIX],
        )?;
        if deleted > 0 {
            self.clear_caches();
        }
        Ok(())
    }
}

impl Writer {
    /// Makes SQLite overwrite deleted content with zeros from now on (`PRAGMA secure_delete`).
    /// Copies already left in free pages stay until [`Writer::compact`].
    ///
    /// # Errors
    /// Errors if the database cannot be used.
    pub fn enable_secure_delete(&mut self) -> Result<()> {
        self.execute_batch("PRAGMA secure_delete = ON")
    }
}

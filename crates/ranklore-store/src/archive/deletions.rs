//! Taking away what people deleted on a site where that is to be honoured: results of contests, and
//! the names of whoever stands nowhere any more.

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::{Batch, Caches};
use crate::file::open::{Store, Writer};
use crate::ids::{CompetitorId, ContestId, SourceId};

/// What those are called whose results a site has no more, with a number behind it.
const BLANK: &str = "[deleted]-";

impl Store {
    /// Everything that was ever asked about a source, and the names of its files, each once.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn request_keys(&self, source_id: SourceId) -> Result<Vec<String>> {
        self.rows(
            "SELECT DISTINCT request_key FROM document WHERE source_id = ?1 ORDER BY 1",
            [source_id],
            |row| row.get(0),
        )
    }
}

impl Batch<'_> {
    /// Takes the results of a contest away. It is then as one that was only ever listed; runs that
    /// have it are stale.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn take_results(&mut self, source_id: SourceId, external_id: &str) -> Result<()> {
        let contest: Option<ContestId> = self.row(
            "UPDATE contest SET content_hash = NULL, entrants = 0, rated = 0,
                 revision = revision + 1, document_id = NULL
             WHERE source_id = ?1 AND external_id = ?2 AND content_hash IS NOT NULL
             RETURNING contest_id",
            params![source_id, external_id],
            |row| row.get(0),
        )?;
        match contest {
            Some(contest_id) => self.delete_standings(contest_id),
            None => Ok(()),
        }
    }

    /// Puts a blank in place of the names of those of a source who stand nowhere any more, unless
    /// somebody's file or decision names them. Ratings that were made of them stay, until the runs
    /// are made anew. Says whether there were any.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn blank_unseen(&mut self, source_id: SourceId) -> Result<bool> {
        let blanked: Vec<CompetitorId> = self.rows(
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
            params![source_id, BLANK],
            |row| row.get(0),
        )?;
        for &competitor_id in &blanked {
            self.uncall(competitor_id)?;
        }
        *self.caches() = Caches::default();
        Ok(!blanked.is_empty())
    }

    /// Deletes those of a source who are blanks and of whom no run has a rating any more.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn delete_blanks(&mut self, source_id: SourceId) -> Result<()> {
        let deleted = self.execute(
            "DELETE FROM competitor AS blank
             WHERE source_id = ?1 AND external_id = ?2 || competitor_id
             AND NOT EXISTS (SELECT 1 FROM competitor
                 WHERE merged_into = blank.competitor_id)
             AND NOT EXISTS (SELECT 1 FROM standing
                 WHERE competitor_id = blank.competitor_id)
             AND competitor_id NOT IN (SELECT competitor_id FROM rating)",
            params![source_id, BLANK],
        )?;
        if deleted > 0 {
            *self.caches() = Caches::default();
        }
        Ok(())
    }
}

impl Writer {
    /// From now on what is deleted is overwritten as well. Copies that were left in pages before
    /// stay, until the file is written anew ([`Writer::give_back_space`]).
    ///
    /// # Errors
    /// When the file cannot be used.
    pub fn overwrite_deleted(&mut self) -> Result<()> {
        self.sql(|connection| connection.query_row("PRAGMA secure_delete = ON", [], |_| Ok(())))
    }
}

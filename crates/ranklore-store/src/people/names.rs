//! Names of competitors over time, and competitors known by id and by name.

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::{queries, statements};
use crate::ids::{CompetitorId, SourceId};
use crate::people::decisions::NameRow;

queries! {
    /// Returns the name and the id of each competitor whose name identifies another competitor with
    /// results: both may be one, identified by the name in one document and by an id in another.
    /// Merged competitors are left out.
    pub fn competitors_by_name_and_id(source_id: SourceId) -> Vec<(String, String)> =
        "SELECT by_name.external_id, by_id.external_id FROM competitor AS by_id
         JOIN competitor AS by_name ON by_name.source_id = by_id.source_id
             AND by_name.kind = by_id.kind AND by_name.external_id = by_id.name
         WHERE by_id.source_id = ?1 AND by_id.name <> by_id.external_id
             AND by_name.name = by_name.external_id
             AND by_id.merged_into IS NULL AND by_name.merged_into IS NULL
             AND (EXISTS (SELECT 1 FROM standing
                     WHERE competitor_id = by_name.competitor_id)
                 OR EXISTS (SELECT 1 FROM member WHERE person_id = by_name.competitor_id))
         ORDER BY by_name.competitor_id, by_id.competitor_id";
}

statements! {
    /// Deletes the name history of a competitor; its current name stays.
    pub fn delete_name_history(competitor: CompetitorId) =
        "DELETE FROM competitor_name WHERE competitor_id = ?1";
}

impl WriteBatch<'_> {
    /// Sets the name of a competitor, and adds names to its history. Returns true if anything
    /// changed.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn set_name(
        &mut self,
        competitor: CompetitorId,
        name: &str,
        history: &[NameRow],
    ) -> Result<bool> {
        let mut changes = self.execute_counting(
            "UPDATE competitor SET name = ?2 WHERE competitor_id = ?1 AND name <> ?2",
            params![competitor, name],
        )?;
        for row in history {
            changes += self.execute_counting(
                "INSERT INTO competitor_name (competitor_id, name, first_seen_at, last_seen_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET first_seen_at = min(first_seen_at, ?3),
                     last_seen_at = max(last_seen_at, ?4)
                 WHERE first_seen_at > ?3 OR last_seen_at < ?4",
                params![competitor, row.name, row.first_seen_at, row.last_seen_at],
            )?;
        }
        Ok(changes > 0)
    }

    /// Adds names that contests have for a competitor whom an id identifies, oldest first, and shows
    /// that of the latest contest. Returns true if anything changed.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn add_dated_names(&mut self, competitor: CompetitorId, names: &[NameRow]) -> Result<bool> {
        let Some(newest) = names.last() else {
            return Ok(false);
        };
        let row: Option<(String, String, bool)> = self.query(
            "SELECT external_id, name, EXISTS (SELECT 1 FROM competitor_name
                 WHERE competitor_id = ?1) FROM competitor WHERE competitor_id = ?1",
            [competitor],
        )?;
        let Some((external_id, current_name, has_history)) = row else {
            return Ok(false);
        };
        let is_unnamed = current_name == external_id && !has_history;
        // A competitor with a single name has no history.
        if names.len() == 1 && !has_history && (is_unnamed || current_name == newest.name) {
            return self.set_name(competitor, &newest.name, &[]);
        }
        let mut history = Vec::new();
        if !has_history && !is_unnamed {
            history.extend(self.query::<Option<NameRow>>(
                "SELECT ?2, min(ends_at), max(ends_at) FROM standing
                 JOIN contest USING (contest_id) WHERE standing.competitor_id = ?1
                 HAVING count(*) > 0",
                params![competitor, current_name],
            )?);
        }
        history.extend_from_slice(names);
        let changed = self.set_name(competitor, &current_name, &history)?;
        let latest: String = self.query(
            "SELECT name FROM competitor_name WHERE competitor_id = ?1
             ORDER BY last_seen_at DESC, name = ?2 DESC, name LIMIT 1",
            params![competitor, newest.name],
        )?;
        Ok(self.set_name(competitor, &latest, &[])? || changed)
    }
}

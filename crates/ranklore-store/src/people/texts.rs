//! Texts of a source that are no person's name: names of contests and teams, notes, addresses.

use std::collections::BTreeSet;

use ranklore_contest::Blanks as _;
use rusqlite::params;

use crate::error::Result;
use crate::file::batch::{Batch, Caches};
use crate::file::open::Store;
use crate::ids::{ContestId, SourceId};
use crate::people::tombstones::Tombstones;

/// The columns, each with the rows that belong to the source `?1`. The ids of contests that a site
/// has are its own and no names.
const TEXTS: [(&str, &str, &str); 14] = [
    ("contest", "name", "source_id = ?1"),
    ("contest", "event", "source_id = ?1"),
    ("contest", "division", "source_id = ?1"),
    ("contest", "url", "source_id = ?1"),
    (
        "contest",
        "external_id",
        "source_id = ?1 AND document_id IN (SELECT document_id FROM document
             WHERE coalesce(kept_reading, reading) ->> '$.site' IS NULL)",
    ),
    (
        "competitor",
        "external_id",
        "source_id = ?1 AND kind <> 'person'",
    ),
    ("competitor", "name", "source_id = ?1 AND kind <> 'person'"),
    (
        "competitor_name",
        "name",
        "competitor_id IN (SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind <> 'person')",
    ),
    (
        "decision",
        "subject",
        "source_id = ?1 AND kind IS NOT 'person'",
    ),
    (
        "decision",
        "object",
        "source_id = ?1 AND kind IS NOT 'person'",
    ),
    ("decision", "note", "source_id = ?1"),
    ("contest_sync", "reason", "source_id = ?1"),
    ("document", "url", "source_id = ?1"),
    (
        "disbelieved",
        "external_id",
        "document_id IN (SELECT document_id FROM document WHERE source_id = ?1)",
    ),
];

impl Store {
    /// Returns the contests with results that have the name of a forgotten person in their own name,
    /// event, division or id, or in the name of a team.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn contests_with_names(
        &self,
        source_id: SourceId,
        tombstones: &Tombstones,
    ) -> Result<BTreeSet<ContestId>> {
        let mut found = BTreeSet::new();
        for sql in [
            "SELECT contest_id, external_id, name, event, division FROM contest
             WHERE source_id = ?1 AND content_hash IS NOT NULL",
            "SELECT contest_id, team.external_id, NULL, NULL, NULL
             FROM competitor AS team JOIN standing USING (competitor_id)
             WHERE source_id = ?1 AND kind <> 'person'",
        ] {
            self.rows::<_, ()>(sql, [source_id], |row| {
                for column in 1..5 {
                    let text: Option<String> = row.get(column)?;
                    if text.is_some_and(|text| tombstones.is_mentioned(&text)) {
                        found.insert(row.get(0)?);
                    }
                }
                Ok(())
            })?;
        }
        Ok(found)
    }
}

impl Batch<'_> {
    /// Puts blanks in place of the names of forgotten persons within all texts of a source but
    /// the names of persons.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn blank_texts(&mut self, source_id: SourceId, tombstones: &Tombstones) -> Result<()> {
        let changed = self.contests_with_names(source_id, tombstones)?;
        for (table, column, of_source) in TEXTS {
            let select = format!(
                "SELECT DISTINCT {column} FROM {table}
                 WHERE {column} IS NOT NULL AND {of_source}"
            );
            let update = format!(
                "UPDATE OR REPLACE {table} SET {column} = ?3
                 WHERE {column} = ?2 AND {of_source}"
            );
            let texts: Vec<String> = self.rows(&select, [source_id], |row| row.get(0))?;
            for text in texts {
                if let Some(blanked) = tombstones.blank_text(&text) {
                    self.execute(&update, params![source_id, text, blanked])?;
                }
            }
        }
        *self.caches() = Caches::default();
        for contest_id in changed {
            self.hash_contest_again(contest_id)?;
        }
        Ok(())
    }
}

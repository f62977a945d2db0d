//! Texts of a source that are not names of persons: names of contests and teams, notes, URLs.

use std::collections::BTreeSet;

use ranklore_contest::ForgottenNames as _;
use rusqlite::params;
use rusqlite::types::Value;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::open::Store;
use crate::ids::{ContestId, RunId, SourceId};
use crate::people::tombstones::Tombstones;

/// A text column.
struct TextColumn {
    table: &'static str,
    column: &'static str,
    /// The column that identifies a row, together with the text.
    key: &'static str,
    /// SQL condition for the rows of the source `?1`.
    filter: &'static str,
}

impl TextColumn {
    const fn new(
        table: &'static str,
        column: &'static str,
        key: &'static str,
        filter: &'static str,
    ) -> Self {
        Self {
            table,
            column,
            key,
            filter,
        }
    }

    /// Returns SQL that selects the texts, each with its key.
    fn select(&self) -> String {
        format!(
            "SELECT {}, {column} FROM {} WHERE {column} IS NOT NULL AND {}",
            self.key,
            self.table,
            self.filter,
            column = self.column,
        )
    }

    /// Returns SQL that replaces the text `?3` of the key `?2` by `?4`.
    fn update(&self) -> String {
        format!(
            "UPDATE {} SET {column} = ?4 WHERE {} = ?2 AND {column} = ?3 AND {}",
            self.table,
            self.key,
            self.filter,
            column = self.column,
        )
    }
}

const IN_SOURCE: &str = "source_id = ?1";
const NON_PERSONS: &str = "source_id = ?1 AND kind IS NOT 'person'";
const PERSONS: &str = "source_id = ?1 AND kind = 'person'";

/// Texts that are not names of persons. Ids of contests from sites are assigned by the site and
/// contain no names.
const TEXT_COLUMNS: [TextColumn; 14] = [
    TextColumn::new("contest", "name", "contest_id", IN_SOURCE),
    TextColumn::new("contest", "event", "contest_id", IN_SOURCE),
    TextColumn::new("contest", "division", "contest_id", IN_SOURCE),
    TextColumn::new("contest", "url", "contest_id", IN_SOURCE),
    TextColumn::new(
        "contest",
        "external_id",
        "contest_id",
        "source_id = ?1 AND document_id IN (SELECT document_id FROM document
             WHERE coalesce(kept_reading, reading) ->> '$.site' IS NULL)",
    ),
    TextColumn::new("competitor", "external_id", "competitor_id", NON_PERSONS),
    TextColumn::new("competitor", "name", "competitor_id", NON_PERSONS),
    TextColumn::new(
        "competitor_name",
        "name",
        "competitor_id",
        "competitor_id IN (SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind <> 'person')",
    ),
    TextColumn::new("decision", "subject", "decision_id", NON_PERSONS),
    TextColumn::new("decision", "object", "decision_id", NON_PERSONS),
    TextColumn::new("decision", "note", "decision_id", IN_SOURCE),
    TextColumn::new("contest_sync", "reason", "external_id", IN_SOURCE),
    TextColumn::new("document", "url", "document_id", IN_SOURCE),
    TextColumn::new(
        "disbelieved",
        "external_id",
        "document_id",
        "document_id IN (SELECT document_id FROM document WHERE source_id = ?1)",
    ),
];

/// Display names of persons, other than their external id.
const DISPLAY_NAME_COLUMNS: [TextColumn; 3] = [
    TextColumn::new("competitor", "name", "competitor_id", PERSONS),
    TextColumn::new(
        "competitor_name",
        "name",
        "competitor_id",
        "competitor_id IN (SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind = 'person')",
    ),
    TextColumn::new(
        "decision",
        "object",
        "decision_id",
        "source_id = ?1 AND kind = 'person' AND act = 'rename'",
    ),
];

impl Store {
    /// Returns the contests with results that mention a forgotten person in their name, event,
    /// division or id, or in the name of a team.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contests_mentioning(
        &self,
        source_id: SourceId,
        tombstones: &Tombstones,
    ) -> Result<BTreeSet<ContestId>> {
        let mut contest_ids = BTreeSet::new();
        for sql in [
            "SELECT contest_id, external_id, name, event, division FROM contest
             WHERE source_id = ?1 AND content_hash IS NOT NULL",
            "SELECT contest_id, team.external_id, NULL, NULL, NULL
             FROM competitor AS team JOIN standing USING (competitor_id)
             WHERE source_id = ?1 AND kind <> 'person'",
        ] {
            self.query_rows::<_, ()>(sql, [source_id], |row| {
                for column in 1..5 {
                    let text: Option<String> = row.get(column)?;
                    if text.is_some_and(|text| tombstones.is_mentioned_in(&text)) {
                        contest_ids.insert(row.get(0)?);
                    }
                }
                Ok(())
            })?;
        }
        Ok(contest_ids)
    }
}

impl WriteBatch<'_> {
    /// Replaces names of forgotten persons by blanks in all texts of a source except names of
    /// persons.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_texts(&mut self, source_id: SourceId, tombstones: &Tombstones) -> Result<()> {
        // Searched first: afterwards no contest mentions the person.
        let changed = self.contests_mentioning(source_id, tombstones)?;
        self.redact_columns(source_id, &TEXT_COLUMNS, &|text| tombstones.replace_in_text(text))?;
        // Runs of the same divisions remain; `evaluate` computes their evaluations again.
        self.delete_evaluations_by_division(source_id)?;
        for table in ["rating_run", "trial"] {
            self.redact_divisions(source_id, table, tombstones)?;
        }
        self.clear_run_names(source_id, tombstones)?;
        // External ids of teams may be among the texts.
        self.clear_caches();
        for contest_id in changed {
            self.rehash_contest(contest_id)?;
        }
        Ok(())
    }

    /// Replaces display names of other persons that equal the name of a forgotten person, in any
    /// spelling.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn redact_display_names(
        &mut self,
        source_id: SourceId,
        tombstones: &Tombstones,
    ) -> Result<()> {
        self.redact_columns(source_id, &DISPLAY_NAME_COLUMNS, &|name| tombstones.placeholder(name))
    }

    fn redact_columns(
        &self,
        source_id: SourceId,
        columns: &[TextColumn],
        blank: &dyn Fn(&str) -> Option<String>,
    ) -> Result<()> {
        for column in columns {
            let update = column.update();
            let texts: Vec<(Value, String)> =
                self.query_rows(&column.select(), [source_id], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })?;
            for (key, text) in texts {
                if let Some(blanked) = blank(&text) {
                    self.execute(&update, params![source_id, key, text, blanked])?;
                }
            }
        }
        Ok(())
    }

    /// Removes the names of runs that mention a forgotten person. Names with blanks could be equal.
    fn clear_run_names(&self, source_id: SourceId, tombstones: &Tombstones) -> Result<()> {
        let names: Vec<(RunId, String)> = self.query_rows(
            "SELECT run_id, name FROM rating_run WHERE name IS NOT NULL AND EXISTS (
                 SELECT 1 FROM json_each(selection, '$.sources') AS of
                 JOIN source ON source.name = of.value WHERE source_id = ?1)",
            [source_id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        for (run_id, name) in names {
            if tombstones.replace_in_text(&name).is_some() {
                self.execute("UPDATE rating_run SET name = NULL WHERE run_id = ?1", [run_id])?;
            }
        }
        Ok(())
    }

    /// Redacts divisions in the selections of runs and trials.
    fn redact_divisions(
        &self,
        source_id: SourceId,
        table: &str,
        tombstones: &Tombstones,
    ) -> Result<()> {
        let select = format!(
            "SELECT rowid, selection ->> '$.division' FROM {table}
             WHERE selection ->> '$.division' IS NOT NULL AND EXISTS (
                 SELECT 1 FROM json_each(selection, '$.sources') AS of
                 JOIN source ON source.name = of.value WHERE source_id = ?1)"
        );
        let update = format!(
            "UPDATE {table} SET selection = json_set(selection, '$.division', ?2) WHERE rowid = ?1"
        );
        let divisions: Vec<(i64, String)> =
            self.query_rows(&select, [source_id], |row| Ok((row.get(0)?, row.get(1)?)))?;
        for (row, division) in divisions {
            if let Some(blanked) = tombstones.replace_in_text(&division) {
                self.execute(&update, params![row, blanked])?;
            }
        }
        Ok(())
    }
}

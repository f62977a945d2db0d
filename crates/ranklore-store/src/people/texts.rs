//! Texts of a source that are not names of persons: names of contests and teams, notes, URLs.

use std::collections::BTreeSet;

use ranklore_contest::ForgottenNames as _;
use rusqlite::params;
use rusqlite::types::Value;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::open::Store;
use crate::ids::{ContestId, SourceId};
use crate::people::tombstones::Tombstones;

/// Columns with texts: the table, the column that identifies a row together with the text, the
/// columns with the texts, and the SQL condition for the rows of the source `?1`.
type TextColumns = (&'static str, &'static str, &'static [&'static str], &'static str);

const IN_SOURCE: &str = "source_id = ?1";
const NON_PERSONS: &str = "source_id = ?1 AND kind IS NOT 'person'";
const PERSONS: &str = "source_id = ?1 AND kind = 'person'";

/// Texts that are not names of persons. Ids of contests from sites are assigned by the site and
/// contain no names.
const TEXT_COLUMNS: &[TextColumns] = &[
    ("contest", "contest_id", &["name", "event", "division", "url"], IN_SOURCE),
    (
        "contest",
        "contest_id",
        &["external_id"],
        "source_id = ?1 AND document_id IN (SELECT document_id FROM document
             WHERE coalesce(kept_reading, reading) ->> '$.site' IS NULL)",
    ),
    ("competitor", "competitor_id", &["external_id", "name"], NON_PERSONS),
    (
        "competitor_name",
        "competitor_id",
        &["name"],
        "competitor_id IN (SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind <> 'person')",
    ),
    ("decision", "decision_id", &["subject", "object"], NON_PERSONS),
    ("decision", "decision_id", &["note"], IN_SOURCE),
    ("contest_sync", "external_id", &["reason"], IN_SOURCE),
    ("document", "document_id", &["url"], IN_SOURCE),
    (
        "disbelieved",
        "document_id",
        &["external_id"],
        "document_id IN (SELECT document_id FROM document WHERE source_id = ?1)",
    ),
];

/// Display names of persons, other than their external id.
const DISPLAY_NAME_COLUMNS: &[TextColumns] = &[
    ("competitor", "competitor_id", &["name"], PERSONS),
    (
        "competitor_name",
        "competitor_id",
        &["name"],
        "competitor_id IN (SELECT competitor_id FROM competitor
             WHERE source_id = ?1 AND kind = 'person')",
    ),
    (
        "decision",
        "decision_id",
        &["object"],
        "source_id = ?1 AND kind = 'person' AND act = 'rename'",
    ),
];

/// Texts of runs and trials: the table, the text, the SQL that stores the redacted text `?2`, and
/// true if the text is removed, since two redacted ones could be equal.
const RUN_TEXTS: [(&str, &str, &str, bool); 3] = [
    ("rating_run", DIVISION, SET_DIVISION, false),
    ("trial", DIVISION, SET_DIVISION, false),
    ("rating_run", "name", "name = ?2", true),
];
const DIVISION: &str = "selection ->> '$.division'";
const SET_DIVISION: &str = "selection = json_set(selection, '$.division', ?2)";

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
        self.for_each(
            "SELECT contest_id, text.value FROM contest, json_each(
                 json_array(contest.external_id, contest.name, event, division)) AS text
             WHERE source_id = ?1 AND content_hash IS NOT NULL AND text.value IS NOT NULL
             UNION ALL SELECT contest_id, team.external_id
             FROM competitor AS team JOIN standing USING (competitor_id)
             WHERE source_id = ?1 AND kind <> 'person'",
            [source_id],
            |(contest_id, text): (ContestId, String)| {
                if tombstones.is_mentioned_in(&text) {
                    contest_ids.insert(contest_id);
                }
            },
        )?;
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
        self.redact_columns(source_id, TEXT_COLUMNS, &|text| tombstones.replace_in_text(text))?;
        // Runs of the same divisions remain; `evaluate` computes their evaluations again.
        self.delete_evaluations_by_division(source_id)?;
        self.redact_runs(source_id, tombstones)?;
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
        self.redact_columns(source_id, DISPLAY_NAME_COLUMNS, &|name| tombstones.placeholder(name))
    }

    fn redact_columns(
        &self,
        source_id: SourceId,
        columns: &[TextColumns],
        blank: &dyn Fn(&str) -> Option<String>,
    ) -> Result<()> {
        for (table, key, columns, filter) in columns {
            for column in *columns {
                let select = format!(
                    "SELECT {key}, {column} FROM {table} WHERE {column} IS NOT NULL AND {filter}"
                );
                let update = format!(
                    "UPDATE {table} SET {column} = ?4
                     WHERE {key} = ?2 AND {column} = ?3 AND {filter}"
                );
                let texts: Vec<(Value, String)> = self.query(&select, [source_id])?;
                for (key, text) in texts {
                    if let Some(blanked) = blank(&text) {
                        self.execute(&update, params![source_id, key, text, blanked])?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Redacts the divisions of runs and trials, and removes names of runs that mention a forgotten
    /// person.
    fn redact_runs(&self, source_id: SourceId, tombstones: &Tombstones) -> Result<()> {
        for (table, text, assignment, is_removed) in RUN_TEXTS {
            let select = format!(
                "SELECT rowid, {text} FROM {table} WHERE {text} IS NOT NULL AND EXISTS (
                     SELECT 1 FROM json_each(selection, '$.sources') AS of
                     JOIN source ON source.name = of.value WHERE source_id = ?1)"
            );
            let update = format!("UPDATE {table} SET {assignment} WHERE rowid = ?1");
            let texts: Vec<(i64, String)> = self.query(&select, [source_id])?;
            for (row, text) in texts {
                if let Some(blanked) = tombstones.replace_in_text(&text) {
                    let blanked = (!is_removed).then_some(blanked);
                    self.execute(&update, params![row, blanked])?;
                }
            }
        }
        Ok(())
    }
}

//! Checks of the database: integrity, references, hashes, runs. And their repair.
//!
//! Imports all other folders.

mod contests;
mod current_ratings;
mod merges;
pub(crate) mod problem;
mod ratings;
pub(crate) mod repair;

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::check::problem::Problem;
use crate::error::{Error, Result};
use crate::file::columns::FromRows;
use crate::file::open::Store;
use crate::file::schema;
use crate::file::table_hash::{HASHED_TABLES, find_altered_tables};
use crate::ids::DocumentId;
use crate::people::tombstones::PendingVacuum;

/// Maximum number of problems reported per kind.
const MAX_PROBLEMS_PER_KIND: usize = 100;

/// The tables of which datasets hold data, besides those with hashes of their own.
const PUBLISHED_TABLES: [&str; 5] = [
    "competitor",
    "contest",
    "rating_run",
    "run_contest",
    "source",
];

/// Extent of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckExtent {
    /// The structure of the file, merges and the totals of runs. Reads each page once and verifies
    /// no hash.
    Quick,
    /// Everything.
    Whole,
}

/// A part of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStage {
    /// Pages, indexes and references, without progress.
    Pages,
    /// Contests against their hashes, in results.
    Contests,
    /// Ratings against their hashes, in rating rows.
    Ratings,
    /// Documents against their hashes, in bytes.
    Documents,
}

/// Called with the stage of a check, what was done of it, and its total.
pub type CheckProgress<'p> = dyn FnMut(CheckStage, u64, u64) + 'p;

impl Store {
    /// Checks the whole database like [`Store::check_with`], without progress.
    ///
    /// # Errors
    /// Errors if the database cannot be read at all. Problems found are results, not errors.
    pub fn check(&self) -> Result<Vec<Problem>> {
        self.check_with(CheckExtent::Whole, &mut |_, _, _| {})
    }

    /// Checks the database, in one state of it: damaged pages, a changed schema, dangling
    /// references, rows that do not match their hashes, cycles of merges, runs with missing rows,
    /// and forgotten persons without a completed vacuum. Takes time in proportion to the size of
    /// the file.
    ///
    /// # Errors
    /// Errors if the database cannot be read at all. Problems found are results, not errors.
    pub fn check_with(
        &self,
        extent: CheckExtent,
        watch: &mut CheckProgress<'_>,
    ) -> Result<Vec<Problem>> {
        // Concurrent commits must not look like mismatches.
        let _snapshot = match self.snapshot_if_needed() {
            // A damaged file may not even allow a snapshot.
            Err(Error::Corrupt { reason, .. }) => return Ok(vec![Problem::Integrity(reason)]),
            snapshot => snapshot?,
        };
        watch(CheckStage::Pages, 0, 1);
        if extent == CheckExtent::Quick {
            let mut problems = self.check_structure("PRAGMA quick_check")?;
            if problems.is_empty() {
                self.check_runs_and_merges(&mut problems)?;
                self.check_row_counts(&mut problems)?;
            }
            return Ok(problems);
        }
        // Both read most pages, and take about as long.
        let reader = Self::open_reader(self.path())?;
        let (structure, rows) = std::thread::scope(|threads| {
            let structure_check = threads.spawn(move || {
                let mut problems = reader.check_structure("PRAGMA integrity_check")?;
                if problems.is_empty() {
                    reader.check_references(&mut problems)?;
                }
                Ok(problems)
            });
            let rows = self.check_rows(watch);
            let structure = structure_check.join();
            (structure.unwrap_or_else(|panic| std::panic::resume_unwind(panic)), rows)
        });
        let mut problems: Vec<Problem> = structure?;
        match rows {
            Ok(row_problems) => problems.extend(row_problems),
            // Damaged pages can yield anything.
            Err(_) if !problems.is_empty() => {}
            Err(Error::Corrupt { reason, .. }) => problems.push(Problem::Integrity(reason)),
            // A value of another type than its column has.
            Err(Error::Sqlite { source, .. }) if is_conversion(&source) => {
                problems.push(Problem::Integrity(source.to_string()));
            }
            Err(error) => return Err(error),
        }
        Ok(problems)
    }

    fn check_rows(&self, watch: &mut CheckProgress<'_>) -> Result<Vec<Problem>> {
        let mut problems = Vec::new();
        self.check_schema(&mut problems)?;
        self.check_runs_and_merges(&mut problems)?;
        let altered =
            self.with_connection(|connection| find_altered_tables(connection, &HASHED_TABLES))?;
        problems.extend(altered.into_iter().map(|table| Problem::Rows { table }));
        self.check_contests(watch, &mut problems)?;
        self.check_ratings(watch, &mut problems)?;
        self.check_documents(watch, &mut problems)?;
        Ok(problems)
    }

    fn check_runs_and_merges(&self, problems: &mut Vec<Problem>) -> Result<()> {
        self.check_merges(problems)?;
        self.check_fingerprints(problems)?;
        if let Some(PendingVacuum { persons, source }) = self.pending_vacuum()? {
            problems.push(Problem::PendingVacuum {
                persons,
                source_name: source,
            });
        }
        Ok(())
    }

    /// Verifies before they are published that the rows that have no hash of their own, such as
    /// names, are those that were written.
    ///
    /// # Errors
    /// [`Error::AlteredRows`] if they are not.
    pub fn verify_tables(&self) -> Result<()> {
        let altered =
            self.with_connection(|connection| find_altered_tables(connection, &PUBLISHED_TABLES))?;
        match altered.first() {
            None => Ok(()),
            Some(table) => Err(Error::AlteredRows {
                path: self.path().to_owned(),
                table,
            }),
        }
    }

    /// Returns the damaged structures that a pragma reports.
    fn check_structure(&self, sql: &str) -> Result<Vec<Problem>> {
        // SQLite itself stops at 100 problems.
        let mut lines: Vec<String> = match self.query(sql, []) {
            Err(Error::Corrupt { reason, .. }) => vec![reason],
            lines => lines?,
        };
        lines.retain(|line| line != "ok");
        Ok(lines.into_iter().map(Problem::Integrity).collect())
    }

    /// Compares the tables and indexes with those of a new file: damaged SQL may lose a condition or
    /// rename a column without a trace in the pages.
    fn check_schema(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let fresh = self.with_connection(|_| schema::create_in_memory())?;
        let expected = self.with_connection(|_| load_schema(&fresh))?;
        let actual = self.with_connection(load_schema)?;
        let altered = actual.iter().filter(|(name, sql)| match expected.get(*name) {
            Some(expected_sql) => expected_sql != *sql,
            // Tables, views and indexes that the user added change no answer; triggers may.
            None => name.starts_with("trigger "),
        });
        let missing = expected.iter().filter(|(name, _)| !actual.contains_key(*name));
        problems.extend(altered.chain(missing).map(|(name, _)| Problem::Schema {
            object: name.clone(),
        }));
        Ok(())
    }

    fn check_references(&self, problems: &mut Vec<Problem>) -> Result<()> {
        self.for_each(
            "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2",
            [],
            |(table, parent, rows)| {
                problems.push(Problem::Reference {
                    table,
                    parent,
                    rows,
                });
            },
        )
    }

    fn check_documents(
        &self,
        watch: &mut CheckProgress<'_>,
        problems: &mut Vec<Problem>,
    ) -> Result<()> {
        let documents: Vec<(DocumentId, u64)> =
            self.query("SELECT document_id, length FROM document ORDER BY document_id", [])?;
        // Damaged lengths can be anything.
        let lengths = documents.iter().map(|&(_, length)| length);
        let total = lengths.fold(0, u64::saturating_add);
        let mut done = 0_u64;
        let mut damaged = 0;
        for (document_id, length) in documents {
            watch(CheckStage::Documents, done, total);
            done = done.saturating_add(length);
            match self.document(document_id) {
                Ok(_) => {}
                Err(Error::DamagedDocument { reason, .. }) => {
                    problems.push(Problem::Document {
                        document_id,
                        reason,
                    });
                    damaged += 1;
                }
                Err(error) => return Err(error),
            }
            if damaged == MAX_PROBLEMS_PER_KIND {
                break;
            }
        }
        Ok(())
    }
}

/// Returns the objects of the schema: the SQL by type and name.
fn load_schema(connection: &Connection) -> rusqlite::Result<BTreeMap<String, String>> {
    let sql = "SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema";
    BTreeMap::from_rows(connection.prepare(sql)?.query([])?)
}

/// True if a stored value does not have the type of its column.
fn is_conversion(error: &rusqlite::Error) -> bool {
    use rusqlite::Error as E;
    matches!(
        error,
        E::FromSqlConversionFailure(..)
            | E::IntegralValueOutOfRange(..)
            | E::InvalidColumnType(..)
            | E::Utf8Error(..)
    )
}

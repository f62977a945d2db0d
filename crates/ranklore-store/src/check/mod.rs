//! Checks of the database: integrity, references, hashes, runs.
//!
//! Imports all other folders except `sync`.

use std::collections::{BTreeMap, HashMap};

use crate::error::{Error, Result};
use crate::file::columns::count_from_row;
use crate::file::open::Store;
use crate::ids::{CompetitorId, DocumentId};
use crate::people::tombstones::PendingVacuum;
use crate::runs::ratings::RunRow;

/// A problem of the database.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// SQLite reports damaged structures.
    #[error("integrity: {0}")]
    Integrity(String),
    /// Rows refer to a row that does not exist.
    #[error("{rows} rows of {table} refer to a row of {parent} that does not exist")]
    Reference {
        /// The table of the rows.
        table: String,
        /// The table of the missing row.
        parent: String,
        /// Number of such rows.
        rows: u64,
    },
    /// The rows of a contest differ from those that were written.
    #[error("contest {external_id:?} of {source_name}: {reason}")]
    Contest {
        /// The name of its source.
        source_name: String,
        /// The external id of the contest.
        external_id: String,
        /// The mismatch.
        reason: String,
    },
    /// The content of a document differs from what was archived.
    #[error("document {document_id}: {reason}")]
    Document {
        /// The document.
        document_id: DocumentId,
        /// The mismatch.
        reason: String,
    },
    /// Merges form a cycle.
    #[error("competitor {external_id:?} of {source_name} is part of a cycle of merges")]
    MergeCycle {
        /// The name of the source.
        source_name: String,
        /// One of the competitors.
        external_id: String,
    },
    /// A competitor is merged into one of another source or kind.
    #[error(
        "competitor {external_id:?} of {source_name} is merged into one of another source or kind"
    )]
    InvalidMerge {
        /// The name of the source.
        source_name: String,
        /// The competitor.
        external_id: String,
    },
    /// A run does not match the contests that it rated.
    #[error("run {run_id}: {reason}; rate it again")]
    RunMismatch {
        /// The run.
        run_id: crate::RunId,
        /// The mismatch.
        reason: String,
    },
    /// Names of forgotten persons may remain in free pages of the file.
    #[error(
        "{persons} forgotten {} still in free pages",
        if *persons == 1 { "person is" } else { "persons are" }
    )]
    PendingVacuum {
        /// Number of persons.
        persons: u64,
        /// The source of one of them.
        source_name: String,
    },
    /// A run has another number of rows than recorded.
    #[error("run {run_id} recorded {expected} rows and has {found}")]
    RunRowCount {
        /// The run.
        run_id: crate::RunId,
        /// Number of rows recorded.
        expected: u64,
        /// Number of rows found.
        found: u64,
    },
}

/// Maximum number of problems reported per kind.
const MAX_PROBLEMS_PER_KIND: usize = 100;

impl Store {
    /// Checks the whole database, in one state of it: damaged pages, dangling references, contests
    /// and documents that do not match their hashes, cycles of merges, runs with missing rows, and
    /// forgotten persons without a completed vacuum.
    ///
    /// # Errors
    /// Errors if the database cannot be read at all. Problems found are results, not errors.
    pub fn check(&self) -> Result<Vec<Problem>> {
        // A snapshot keeps concurrent commits from looking like mismatches. A batch or an open
        // snapshot reads one state anyway.
        let alone = self.connection.is_autocommit();
        let _snapshot = match alone.then(|| self.snapshot()).transpose() {
            // A damaged file may not even allow a snapshot.
            Err(Error::Corrupt { reason, .. }) => return Ok(vec![Problem::Integrity(reason)]),
            snapshot => snapshot?,
        };
        let mut problems = self.check_integrity()?;
        // The other checks need intact pages.
        if problems.is_empty() {
            self.check_references(&mut problems)?;
            self.check_contests(&mut problems)?;
            self.check_documents(&mut problems)?;
            self.check_merges(&mut problems)?;
            self.check_runs(&mut problems)?;
            if let Some(PendingVacuum { persons, source }) = self.pending_vacuum()? {
                problems.push(Problem::PendingVacuum {
                    persons,
                    source_name: source,
                });
            }
        }
        Ok(problems)
    }

    fn check_integrity(&self) -> Result<Vec<Problem>> {
        // SQLite itself stops at 100 problems.
        let mut lines: Vec<String> =
            match self.query_rows("PRAGMA integrity_check", [], |row| row.get(0)) {
                Err(Error::Corrupt { reason, .. }) => vec![reason],
                lines => lines?,
            };
        lines.retain(|line| line != "ok");
        Ok(lines.into_iter().map(Problem::Integrity).collect())
    }

    fn check_references(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let found: Vec<_> = self.query_rows(
            "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2",
            [],
            |row| {
                Ok(Problem::Reference {
                    table: row.get(0)?,
                    parent: row.get(1)?,
                    rows: count_from_row(row, 2)?,
                })
            },
        )?;
        problems.extend(found);
        Ok(())
    }

    fn check_contests(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let damaged = self.all_contests()?.into_iter().filter_map(|row| {
            let hash = row.content_hash?;
            let reason = match self.load_contest(row.contest_id) {
                Ok(contest) if contest.entrants.len() as u32 != row.entrants => format!(
                    "{} entrants expected, {} found",
                    row.entrants,
                    contest.entrants.len()
                ),
                Ok(contest) if contest.content_hash() == hash => return None,
                Ok(_) => "its rows do not match its content hash".to_owned(),
                Err(error) => error.to_string(),
            };
            Some(Problem::Contest {
                source_name: row.source,
                external_id: row.external_id,
                reason,
            })
        });
        problems.extend(damaged.take(MAX_PROBLEMS_PER_KIND));
        Ok(())
    }

    fn check_documents(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let ids: Vec<DocumentId> = self.query_rows(
            "SELECT document_id FROM document ORDER BY document_id",
            [],
            |row| row.get(0),
        )?;
        let damaged = (ids.into_iter()).filter_map(|document_id| {
            let reason = match self.document(document_id) {
                Ok(_) => return None,
                Err(Error::DamagedDocument { reason, .. }) => reason,
                Err(error) => return Some(Err(error)),
            };
            Some(Ok(Problem::Document {
                document_id,
                reason,
            }))
        });
        for problem in damaged.take(MAX_PROBLEMS_PER_KIND) {
            problems.push(problem?);
        }
        Ok(())
    }

    fn check_runs(&self, problems: &mut Vec<Problem>) -> Result<()> {
        for run in self.runs()? {
            let found: i64 = self.query_value(
                "SELECT count(*) FROM rating WHERE run_id = ?1",
                [run.run_id],
            )?;
            let (expected, found) = (run.results, found as u64);
            if found != expected {
                problems.push(Problem::RunRowCount {
                    run_id: run.run_id,
                    expected,
                    found,
                });
            }
            if let Some(reason) = self.find_run_mismatch(&run)? {
                problems.push(Problem::RunMismatch {
                    run_id: run.run_id,
                    reason,
                });
            }
        }
        Ok(())
    }

    /// Returns the mismatch between a run, its contests and its rows. Runs made before schema
    /// version 2 have no contests recorded, and are replayed entirely next time.
    fn find_run_mismatch(&self, run: &RunRow) -> Result<Option<String>> {
        let contests = self.run_contests(run.run_id)?;
        let Some(last) = contests.last() else {
            return Ok(None);
        };
        if last.chain != run.fingerprint {
            return Ok(Some("its last hash is not its fingerprint".to_owned()));
        }
        let wrong: i64 = self.query_value(
            "SELECT count(*) FROM
                 (SELECT contest_id, results AS due FROM run_contest
                     WHERE run_id = ?1 AND results > 0)
                 FULL JOIN (SELECT contest_id, count(*) AS has FROM rating
                     WHERE run_id = ?1 GROUP BY contest_id) USING (contest_id)
             WHERE due IS NOT has",
            [run.run_id],
        )?;
        Ok((wrong > 0).then(|| format!("{wrong} of its contests have a wrong number of rows")))
    }

    fn check_merges(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let found: Vec<_> = self.query_rows(
            "SELECT source.name, competitor.external_id
             FROM competitor JOIN source USING (source_id)
                 JOIN competitor AS root ON root.competitor_id = competitor.merged_into
             WHERE (root.source_id, root.kind) <> (competitor.source_id, competitor.kind)
             ORDER BY competitor.competitor_id LIMIT ?1",
            [MAX_PROBLEMS_PER_KIND as i64],
            |row| {
                Ok(Problem::InvalidMerge {
                    source_name: row.get(0)?,
                    external_id: row.get(1)?,
                })
            },
        )?;
        problems.extend(found);
        let merged: BTreeMap<CompetitorId, (CompetitorId, String, String)> = self.query_rows(
            "SELECT competitor_id, merged_into, source.name, external_id
             FROM competitor JOIN source USING (source_id)
             WHERE merged_into IS NOT NULL ORDER BY competitor_id",
            [],
            |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?))),
        )?;
        // Each chain is walked once, up to a competitor that another walk has visited.
        let mut walked: HashMap<CompetitorId, CompetitorId> = HashMap::new();
        for &begin in merged.keys() {
            let mut at = begin;
            while let Some((into, source, external_id)) = merged.get(&at) {
                match walked.get(&at) {
                    None => walked.insert(at, begin),
                    Some(&walk) if walk == begin => {
                        problems.push(Problem::MergeCycle {
                            source_name: source.clone(),
                            external_id: external_id.clone(),
                        });
                        break;
                    }
                    Some(_) => break,
                };
                at = *into;
            }
        }
        Ok(())
    }
}

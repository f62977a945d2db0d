//! Whether the file is what it should be.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::error::{Error, Result};
use crate::file::open::Store;
use crate::ids::{CompetitorId, DocumentId};
use crate::people::tombstones::Unswept;
use crate::runs::ratings::RunRow;

/// Something wrong with the file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// SQLite finds its own structures damaged.
    Integrity(String),
    /// A row speaks of another one that is not there.
    Reference {
        /// The table of the row.
        table: String,
        /// The table of the row that is missing.
        parent: String,
        /// How many such rows.
        rows: u64,
    },
    /// A contest's rows are not those that were written.
    Contest {
        /// The name of its source.
        source: String,
        /// Which contest.
        external_id: String,
        /// What does not fit.
        reason: String,
    },
    /// A document's bytes are not those that were archived.
    Document {
        /// Which document.
        document_id: DocumentId,
        /// What does not fit.
        reason: String,
    },
    /// Competitors count as one another in a circle.
    Circle {
        /// The name of their source.
        source: String,
        /// One of them.
        external_id: String,
    },
    /// A competitor counts as somebody of another source or kind, whose results are not theirs.
    Merge {
        /// The name of their source.
        source: String,
        /// Who.
        external_id: String,
    },
    /// A run does not fit what it says it rated.
    Replay {
        /// Which run.
        run_id: crate::RunId,
        /// What does not fit.
        reason: String,
    },
    /// Somebody who is forgotten may still be read in pages that the file no longer uses.
    Unswept {
        /// How many.
        persons: u64,
        /// The source of one of them.
        source: String,
    },
    /// A run has not the rows it says it has.
    Run {
        /// Which run.
        run_id: crate::RunId,
        /// Rows it says it has.
        says: u64,
        /// Rows it has.
        has: u64,
    },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integrity(what) => write!(f, "integrity: {what}"),
            Self::Reference {
                table,
                parent,
                rows,
            } => write!(
                f,
                "{rows} rows of {table} refer to a {parent} that is not there"
            ),
            Self::Contest {
                source,
                external_id,
                reason,
            } => write!(f, "contest {external_id:?} of {source}: {reason}"),
            Self::Document {
                document_id,
                reason,
            } => write!(f, "document {document_id}: {reason}"),
            Self::Circle {
                source,
                external_id,
            } => write!(
                f,
                "competitor {external_id:?} of {source} counts as somebody who counts as them"
            ),
            Self::Merge {
                source,
                external_id,
            } => write!(
                f,
                "competitor {external_id:?} of {source} counts as somebody of another source or kind"
            ),
            Self::Replay { run_id, reason } => {
                write!(f, "run {run_id}: {reason}; rate it again")
            }
            Self::Unswept { persons, .. } => {
                let are = if *persons == 1 {
                    "person is"
                } else {
                    "persons are"
                };
                write!(f, "{persons} forgotten {are} not swept out of the file yet")
            }
            Self::Run { run_id, says, has } => {
                write!(f, "run {run_id} says it has {says} rows and has {has}")
            }
        }
    }
}

/// Problems of one kind beyond these many are not worth reading.
const MANY: u32 = 100;

impl Store {
    /// Looks for everything that could be wrong: damaged pages, references to nothing,
    /// contests whose rows do not give their content hash, documents whose bytes do not give
    /// theirs, competitors that count as one another in a circle, runs with rows missing, and
    /// forgotten persons who are still to be swept out. Reads the whole file, in one state of it.
    ///
    /// # Errors
    /// When the file cannot be read at all; what is found wrong is not an error but a result.
    pub fn check(&self) -> Result<Vec<Problem>> {
        // What is committed meanwhile would not fit what was read before. Who has a snapshot or a
        // batch reads one state anyway.
        let alone = self.connection.is_autocommit();
        let _snapshot = match alone.then(|| self.snapshot()).transpose() {
            // A damaged file may not even begin to be read.
            Err(Error::Corrupt { reason, .. }) => return Ok(vec![Problem::Integrity(reason)]),
            snapshot => snapshot?,
        };
        let mut problems = self.check_integrity()?;
        // The rest would stumble over damaged pages.
        if problems.is_empty() {
            self.check_references(&mut problems)?;
            self.check_contests(&mut problems)?;
            self.check_documents(&mut problems)?;
            self.check_merges(&mut problems)?;
            self.check_runs(&mut problems)?;
            if let Some(Unswept { persons, source }) = self.unswept()? {
                problems.push(Problem::Unswept { persons, source });
            }
        }
        Ok(problems)
    }

    fn check_integrity(&self) -> Result<Vec<Problem>> {
        // It stops at a hundred by itself.
        let found: Result<Vec<String>> = self.rows("PRAGMA integrity_check", [], |row| row.get(0));
        match found {
            Ok(lines) => Ok(lines
                .into_iter()
                .filter(|line| line != "ok")
                .map(Problem::Integrity)
                .collect()),
            Err(Error::Corrupt { reason, .. }) => Ok(vec![Problem::Integrity(reason)]),
            Err(error) => Err(error),
        }
    }

    fn check_references(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let found: Vec<_> = self.rows(
            "SELECT \"table\", parent, count(*) FROM pragma_foreign_key_check GROUP BY 1, 2",
            [],
            |row| {
                Ok(Problem::Reference {
                    table: row.get(0)?,
                    parent: row.get(1)?,
                    rows: row.get::<_, i64>(2)? as u64,
                })
            },
        )?;
        problems.extend(found);
        Ok(())
    }

    fn check_contests(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let mut found = 0;
        for row in self.all_contests()? {
            let Some(hash) = row.content_hash else {
                continue;
            };
            let reason = match self.load_contest(row.contest_id) {
                Ok(contest) if contest.entrants.len() as u32 != row.entrants => format!(
                    "{} entrants are due, and there are {}",
                    row.entrants,
                    contest.entrants.len()
                ),
                Ok(contest) if contest.content_hash() == hash => continue,
                Ok(_) => "its rows do not have its content hash".to_owned(),
                Err(error) => error.to_string(),
            };
            problems.push(Problem::Contest {
                source: row.source,
                external_id: row.external_id,
                reason,
            });
            found += 1;
            if found == MANY {
                break;
            }
        }
        Ok(())
    }

    fn check_documents(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let ids: Vec<DocumentId> = self.rows(
            "SELECT document_id FROM document ORDER BY document_id",
            [],
            |row| row.get(0),
        )?;
        let mut found = 0;
        for document_id in ids {
            let reason = match self.document(document_id) {
                Ok(_) => continue,
                Err(Error::DamagedDocument { reason, .. }) => reason,
                Err(error) => return Err(error),
            };
            problems.push(Problem::Document {
                document_id,
                reason,
            });
            found += 1;
            if found == MANY {
                break;
            }
        }
        Ok(())
    }

    fn check_runs(&self, problems: &mut Vec<Problem>) -> Result<()> {
        for run in self.runs()? {
            let has: i64 = self.value(
                "SELECT count(*) FROM rating WHERE run_id = ?1",
                [run.run_id],
            )?;
            let has = has as u64;
            if has != run.results {
                problems.push(Problem::Run {
                    run_id: run.run_id,
                    says: run.results,
                    has,
                });
            }
            if let Some(reason) = self.misfit(&run)? {
                problems.push(Problem::Replay {
                    run_id: run.run_id,
                    reason,
                });
            }
        }
        Ok(())
    }

    /// What does not fit between a run, its contests and its rows. Runs of before contests were
    /// noted have none, and are rated as a whole the next time.
    fn misfit(&self, run: &RunRow) -> Result<Option<String>> {
        let contests = self.run_contests(run.run_id)?;
        let Some(last) = contests.last() else {
            return Ok(None);
        };
        if last.chain != run.fingerprint {
            return Ok(Some("it does not end where it says it ends".to_owned()));
        }
        let wrong: i64 = self.value(
            "SELECT count(*) FROM
                 (SELECT contest_id, results AS due FROM run_contest
                     WHERE run_id = ?1 AND results > 0)
                 FULL JOIN (SELECT contest_id, count(*) AS has FROM rating
                     WHERE run_id = ?1 GROUP BY contest_id) USING (contest_id)
             WHERE due IS NOT has",
            [run.run_id],
        )?;
        Ok((wrong > 0).then(|| format!("{wrong} of its contests have not the rows they should")))
    }

    fn check_merges(&self, problems: &mut Vec<Problem>) -> Result<()> {
        let found: Vec<_> = self.rows(
            "SELECT source.name, competitor.external_id
             FROM competitor JOIN source USING (source_id)
                 JOIN competitor AS root ON root.competitor_id = competitor.merged_into
             WHERE (root.source_id, root.kind) <> (competitor.source_id, competitor.kind)
             ORDER BY competitor.competitor_id LIMIT ?1",
            [MANY],
            |row| {
                Ok(Problem::Merge {
                    source: row.get(0)?,
                    external_id: row.get(1)?,
                })
            },
        )?;
        problems.extend(found);
        let merged: BTreeMap<CompetitorId, (CompetitorId, String, String)> = self.rows(
            "SELECT competitor_id, merged_into, source.name, external_id
             FROM competitor JOIN source USING (source_id)
             WHERE merged_into IS NOT NULL ORDER BY competitor_id",
            [],
            |row| Ok((row.get(0)?, (row.get(1)?, row.get(2)?, row.get(3)?))),
        )?;
        // Each is walked once, up to where another walk has been.
        let mut walked: HashMap<CompetitorId, CompetitorId> = HashMap::new();
        for &begin in merged.keys() {
            let mut at = begin;
            while let Some((into, source, external_id)) = merged.get(&at) {
                match walked.get(&at) {
                    None => walked.insert(at, begin),
                    Some(&walk) if walk == begin => {
                        problems.push(Problem::Circle {
                            source: source.clone(),
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

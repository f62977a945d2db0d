//! Decisions of the user: competitors merged, split or renamed, contests withdrawn.
//!
//! Decisions are stored in order and never modified. Their effects are stored in the columns that
//! views and replays read; a rebuild applies them again.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_contest::{EntrantKind, UnixSeconds};
use rusqlite::{Row, params};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{kind_from_row, unknown_word};
use crate::file::open::Store;
use crate::ids::{CompetitorId, DecisionId, SourceId};

/// A decision about one source. It refers to competitors and contests by external id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Merges a competitor into another one, which the results then count for.
    Merge {
        /// The kind of both.
        kind: EntrantKind,
        /// The merged competitor.
        subject: String,
        /// The competitor that the results count for.
        into: String,
    },
    /// Splits a merged competitor from the other one again.
    Split {
        /// The kind of the competitor.
        kind: EntrantKind,
        /// The merged competitor.
        subject: String,
    },
    /// Shows a competitor under another name.
    Rename {
        /// The kind of the competitor.
        kind: EntrantKind,
        /// The competitor.
        subject: String,
        /// The new name.
        name: String,
    },
    /// Excludes a contest from rating.
    Withdraw {
        /// The contest.
        contest: String,
    },
    /// Rates a withdrawn contest again.
    Restore {
        /// The contest.
        contest: String,
    },
}

/// A name that a competitor has or had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameRow {
    /// The name as published.
    pub name: String,
    /// Time of the first contest under this name, in Unix seconds.
    pub first_seen_at: i64,
    /// Time of the last contest under this name, in Unix seconds.
    pub last_seen_at: i64,
}

/// The action, the subject and the object, as columns.
impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Decision", 4)?;
        object.serialize_field("act", self.action())?;
        object.serialize_field("kind", &self.kind())?;
        object.serialize_field("subject", self.subject())?;
        object.serialize_field("object", &self.object())?;
        object.end()
    }
}

impl Decision {
    /// Returns the word for the action in the database and in output.
    #[must_use]
    pub const fn action(&self) -> &'static str {
        match self {
            Self::Merge { .. } => "merge",
            Self::Split { .. } => "split",
            Self::Rename { .. } => "rename",
            Self::Withdraw { .. } => "withdraw",
            Self::Restore { .. } => "restore",
        }
    }

    /// Returns the external id of the competitor or contest concerned.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Merge { subject, .. }
            | Self::Split { subject, .. }
            | Self::Rename { subject, .. } => subject,
            Self::Withdraw { contest } | Self::Restore { contest } => contest,
        }
    }

    /// Returns the merge target or the new name.
    #[must_use]
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::Merge { into: object, .. } | Self::Rename { name: object, .. } => Some(object),
            Self::Split { .. } | Self::Withdraw { .. } | Self::Restore { .. } => None,
        }
    }

    /// Returns the kind of the competitor, unless the decision concerns a contest.
    #[must_use]
    pub const fn kind(&self) -> Option<EntrantKind> {
        match self {
            Self::Merge { kind, .. } | Self::Split { kind, .. } | Self::Rename { kind, .. } => {
                Some(*kind)
            }
            Self::Withdraw { .. } | Self::Restore { .. } => None,
        }
    }
}

/// A stored decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionRow {
    /// Its id; later decisions have larger ones.
    pub decision_id: DecisionId,
    /// Time of the decision, in Unix seconds.
    pub decided_at: i64,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// The reason that the user gave.
    pub note: Option<String>,
}

fn decision_row(row: &Row<'_>) -> rusqlite::Result<DecisionRow> {
    let act: String = row.get(2)?;
    let subject: String = row.get(4)?;
    let object = || row.get(5);
    let kind = || kind_from_row(row, 3);
    Ok(DecisionRow {
        decision_id: row.get(0)?,
        decided_at: row.get(1)?,
        decision: match act.as_str() {
            "merge" => Decision::Merge {
                kind: kind()?,
                subject,
                into: object()?,
            },
            "split" => Decision::Split {
                kind: kind()?,
                subject,
            },
            "rename" => Decision::Rename {
                kind: kind()?,
                subject,
                name: object()?,
            },
            "withdraw" => Decision::Withdraw { contest: subject },
            "restore" => Decision::Restore { contest: subject },
            _ => return Err(unknown_word(2, &act, "decision")),
        },
        note: row.get(6)?,
    })
}

/// Follows a chain of merges to its end. A cycle, which only a damaged file can have, ends where it
/// closes.
fn follow_merges(
    begin: CompetitorId,
    into: impl Fn(CompetitorId) -> Result<Option<CompetitorId>>,
) -> Result<CompetitorId> {
    let mut at = begin;
    let mut passed = BTreeSet::from([at]);
    while let Some(next) = into(at)? {
        at = next;
        if !passed.insert(at) {
            break;
        }
    }
    Ok(at)
}

impl Store {
    /// Returns the decisions about a source, oldest first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn decisions(&self, source_id: SourceId) -> Result<Vec<DecisionRow>> {
        self.query_rows(
            "SELECT decision_id, decided_at, act, kind, subject, object, note
             FROM decision WHERE source_id = ?1 ORDER BY decision_id",
            [source_id],
            decision_row,
        )
    }

    /// Returns the merged competitors of a source, each with the competitor that its results count
    /// for.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn merges(&self, source_id: SourceId) -> Result<Vec<(CompetitorId, CompetitorId)>> {
        let merged: BTreeMap<CompetitorId, CompetitorId> = self.query_rows(
            "SELECT competitor_id, merged_into FROM competitor
             WHERE source_id = ?1 AND merged_into IS NOT NULL",
            [source_id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let root = |&account| {
            let root = follow_merges(account, |at| Ok(merged.get(&at).copied()))?;
            Ok((account, root))
        };
        merged.keys().map(root).collect()
    }

    /// Returns the competitor that the results of this one count for: itself unless merged.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn merge_root(&self, competitor_id: CompetitorId) -> Result<CompetitorId> {
        follow_merges(competitor_id, |at| self.merged_into(at))
    }

    fn merged_into(&self, competitor_id: CompetitorId) -> Result<Option<CompetitorId>> {
        self.query_row(
            "SELECT merged_into FROM competitor
             WHERE competitor_id = ?1 AND merged_into IS NOT NULL",
            [competitor_id],
            |row| row.get(0),
        )
    }
}

impl WriteBatch<'_> {
    /// Applies a decision and stores it. Returns false, and stores nothing, if it changes nothing.
    ///
    /// # Errors
    /// [`Error::InvalidDecision`] if it contradicts earlier decisions, or the contest does not
    /// exist.
    pub fn record_decision(
        &mut self,
        source_id: SourceId,
        decision: &Decision,
        note: Option<&str>,
        now: UnixSeconds,
    ) -> Result<bool> {
        if !self.apply_decision(source_id, decision, now.get())? {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO decision (source_id, decided_at, act, kind, subject, object, note)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                source_id,
                now.get(),
                decision.action(),
                decision.kind().map(EntrantKind::as_str),
                decision.subject(),
                decision.object(),
                note,
            ],
        )?;
        Ok(true)
    }

    /// Applies all decisions about a source again, in order: after a rebuild. Returns those that no
    /// longer apply, each with the reason, such as a missing contest.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn reapply_decisions(&mut self, source_id: SourceId) -> Result<Vec<(DecisionRow, String)>> {
        self.restore_standings_index()?;
        let mut misfits = Vec::new();
        for row in self.decisions(source_id)? {
            match self.apply_decision(source_id, &row.decision, row.decided_at) {
                Ok(_) => {}
                Err(Error::InvalidDecision { reason }) => misfits.push((row, reason)),
                Err(error) => return Err(error),
            }
        }
        Ok(misfits)
    }

    fn apply_decision(
        &mut self,
        source_id: SourceId,
        decision: &Decision,
        at: i64,
    ) -> Result<bool> {
        match decision {
            Decision::Merge {
                kind,
                subject,
                into,
            } => {
                let from = self.get_or_insert_competitor(source_id, *kind, subject)?;
                let to = self.get_or_insert_competitor(source_id, *kind, into)?;
                self.merge(from, to, subject, into)
            }
            Decision::Split { kind, subject } => {
                let from = self.get_or_insert_competitor(source_id, *kind, subject)?;
                if self.merged_into(from)?.is_none() {
                    return Ok(false);
                }
                self.set_merged_into(from, None)?;
                Ok(true)
            }
            Decision::Rename {
                kind,
                subject,
                name,
            } => {
                let competitor = self.get_or_insert_competitor(source_id, *kind, subject)?;
                self.rename(competitor, name, at)
            }
            Decision::Withdraw { contest } => self.set_withdrawn(source_id, contest, Some(at)),
            Decision::Restore { contest } => self.set_withdrawn(source_id, contest, None),
        }
    }

    fn merge(
        &self,
        from: CompetitorId,
        to: CompetitorId,
        subject: &str,
        into: &str,
    ) -> Result<bool> {
        let invalid = |reason| Err(Error::InvalidDecision { reason });
        match self.merged_into(from)? {
            Some(already) if already == to => return Ok(false),
            Some(_) if self.merge_root(from)? == self.merge_root(to)? => return Ok(false),
            Some(_) => {
                return invalid(format!(
                    "\"{subject}\" is already merged into another one; split it first"
                ));
            }
            None => {}
        }
        if self.merge_root(to)? == from {
            return invalid(if from == to {
                format!("both are the same competitor \"{subject}\"")
            } else {
                format!("\"{into}\" is already merged into \"{subject}\"; split it first")
            });
        }
        self.set_merged_into(from, Some(to))?;
        Ok(true)
    }

    fn set_merged_into(&self, from: CompetitorId, to: Option<CompetitorId>) -> Result<()> {
        self.execute(
            "UPDATE competitor SET merged_into = ?2 WHERE competitor_id = ?1",
            params![from, to],
        )
    }

    /// Shows a competitor under a new name from `at` on. Stores the old name with the time of its
    /// first contest.
    fn rename(&self, competitor: CompetitorId, name: &str, at: i64) -> Result<bool> {
        let old: String = self.query_value(
            "SELECT name FROM competitor WHERE competitor_id = ?1",
            [competitor],
        )?;
        if old == name {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO competitor_name (competitor_id, name, first_seen_at, last_seen_at)
             VALUES (?1, ?2, min(?3, coalesce((SELECT min(ends_at) FROM standing
                 JOIN contest USING (contest_id) WHERE standing.competitor_id = ?1), ?3)), ?3)
             ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, ?3)",
            params![competitor, old, at],
        )?;
        self.execute(
            "INSERT INTO competitor_name (competitor_id, name, first_seen_at, last_seen_at)
             VALUES (?1, ?2, ?3, ?3)
             ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, ?3)",
            params![competitor, name, at],
        )?;
        self.execute(
            "UPDATE competitor SET name = ?2 WHERE competitor_id = ?1",
            params![competitor, name],
        )?;
        Ok(true)
    }

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
        let mut news = self.execute_counting(
            "UPDATE competitor SET name = ?2 WHERE competitor_id = ?1 AND name <> ?2",
            params![competitor, name],
        )?;
        for row in history {
            news += self.execute_counting(
                "INSERT INTO competitor_name (competitor_id, name, first_seen_at, last_seen_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET first_seen_at = min(first_seen_at, ?3),
                     last_seen_at = max(last_seen_at, ?4)
                 WHERE first_seen_at > ?3 OR last_seen_at < ?4",
                params![competitor, row.name, row.first_seen_at, row.last_seen_at],
            )?;
        }
        Ok(news > 0)
    }

    /// Deletes the name history of a competitor; its current name stays.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn delete_name_history(&mut self, competitor: CompetitorId) -> Result<()> {
        self.execute(
            "DELETE FROM competitor_name WHERE competitor_id = ?1",
            [competitor],
        )
    }

    fn set_withdrawn(&self, source_id: SourceId, contest: &str, at: Option<i64>) -> Result<bool> {
        let Some(contest_id) = self.contest_id_in_source(source_id, contest)? else {
            return Err(Error::InvalidDecision {
                reason: format!("there is no contest \"{contest}\""),
            });
        };
        Ok(self.execute_counting(
            "UPDATE contest SET withdrawn_at = ?2
             WHERE contest_id = ?1 AND (withdrawn_at IS NULL) <> (?2 IS NULL)",
            params![contest_id, at],
        )? > 0)
    }
}

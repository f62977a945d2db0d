//! Decisions: competitors merged, split or renamed, contests withdrawn, imports undone.
//!
//! Decisions are stored in order. Their effects are stored in the columns that
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
use crate::ids::{CompetitorId, DecisionId, DocumentId, SourceId};

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
    /// Undoes an import: its documents are deleted.
    Undo {
        /// The key of the document, of several the first.
        document: String,
    },
    /// Removes the source with everything in it.
    Remove {
        /// The name of the source.
        source: String,
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
            Self::Undo { .. } => "undo",
            Self::Remove { .. } => "remove",
        }
    }

    const fn is_about_contest(&self) -> bool {
        matches!(self, Self::Withdraw { .. } | Self::Restore { .. })
    }

    /// Returns the external id of the competitor or contest concerned, the key of the document, or
    /// the name of the source.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Merge { subject, .. }
            | Self::Split { subject, .. }
            | Self::Rename { subject, .. } => subject,
            Self::Withdraw { contest } | Self::Restore { contest } => contest,
            Self::Undo { document } => document,
            Self::Remove { source } => source,
        }
    }

    /// Returns the merge target or the new name.
    #[must_use]
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::Merge { into: object, .. } | Self::Rename { name: object, .. } => Some(object),
            Self::Split { .. }
            | Self::Withdraw { .. }
            | Self::Restore { .. }
            | Self::Undo { .. }
            | Self::Remove { .. } => None,
        }
    }

    /// Returns the kind of the competitor, if the decision concerns one.
    #[must_use]
    pub const fn kind(&self) -> Option<EntrantKind> {
        match self {
            Self::Merge { kind, .. } | Self::Split { kind, .. } | Self::Rename { kind, .. } => {
                Some(*kind)
            }
            Self::Withdraw { .. }
            | Self::Restore { .. }
            | Self::Undo { .. }
            | Self::Remove { .. } => None,
        }
    }
}

/// A stored decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionRow {
    /// The id; later decisions have larger ones.
    pub decision_id: DecisionId,
    /// Time of the decision, in Unix seconds.
    pub decided_at: i64,
    /// The decision.
    #[serde(flatten)]
    pub decision: Decision,
    /// The reason that the user gave.
    pub note: Option<String>,
    /// The document whose import decided; `None` if the user did.
    #[serde(skip)]
    pub document_id: Option<DocumentId>,
}

fn decision_row(row: &Row<'_>) -> rusqlite::Result<DecisionRow> {
    let act: String = row.get(2)?;
    let subject: String = row.get(4)?;
    // Errors matter only to the decisions that have these columns.
    let object = row.get(5);
    let kind = kind_from_row(row, 3);
    Ok(DecisionRow {
        decision_id: row.get(0)?,
        decided_at: row.get(1)?,
        decision: match act.as_str() {
            "merge" => Decision::Merge {
                kind: kind?,
                subject,
                into: object?,
            },
            "split" => Decision::Split {
                kind: kind?,
                subject,
            },
            "rename" => Decision::Rename {
                kind: kind?,
                subject,
                name: object?,
            },
            "withdraw" => Decision::Withdraw { contest: subject },
            "restore" => Decision::Restore { contest: subject },
            "undo" => Decision::Undo { document: subject },
            "remove" => Decision::Remove { source: subject },
            _ => return Err(unknown_word(2, &act, "decision")),
        },
        note: row.get(6)?,
        document_id: row.get(7)?,
    })
}

/// Follows a chain of merges to its end. A cycle, which only a damaged file can have, ends where it
/// closes.
fn follow_merges(
    competitor: CompetitorId,
    target: impl Fn(CompetitorId) -> Result<Option<CompetitorId>>,
) -> Result<CompetitorId> {
    let mut last = competitor;
    let mut visited = BTreeSet::from([last]);
    while let Some(next) = target(last)? {
        last = next;
        if !visited.insert(last) {
            break;
        }
    }
    Ok(last)
}

impl Store {
    /// Returns the decisions about a source, oldest first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn decisions(&self, source_id: SourceId) -> Result<Vec<DecisionRow>> {
        self.query_rows(
            "SELECT decision_id, decided_at, act, kind, subject, object, note, document_id
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
        let accounts = merged.keys().map(|&account| {
            let root = follow_merges(account, |id| Ok(merged.get(&id).copied()))?;
            Ok((account, root))
        });
        accounts.collect()
    }

    /// Returns the competitor that the results of this one count for: itself unless merged.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn merge_root(&self, competitor_id: CompetitorId) -> Result<CompetitorId> {
        follow_merges(competitor_id, |id| self.merged_into(id))
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
    /// Applies a decision of the user and stores it. Returns false, and stores nothing, if it
    /// changes nothing; one that repeats the decision of an import is stored, since that import may
    /// be undone. To undo an import or to remove a source is up to the caller.
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
        self.record_decision_by(source_id, None, decision, note, now)
    }

    /// Applies and stores a decision like [`WriteBatch::record_decision`]: that of the import of a
    /// document, if there is one.
    ///
    /// # Errors
    /// Those of [`WriteBatch::record_decision`].
    pub fn record_decision_by(
        &mut self,
        source_id: SourceId,
        document_id: Option<DocumentId>,
        decision: &Decision,
        note: Option<&str>,
        now: UnixSeconds,
    ) -> Result<bool> {
        if !self.apply_decision(source_id, decision, now.get())?
            && (document_id.is_some() || !self.was_decided_by_import(source_id, decision)?)
        {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO decision (source_id, decided_at, act, kind, subject, object, note,
                 document_id)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
            params![
                source_id,
                now.get(),
                decision.action(),
                decision.kind().map(EntrantKind::as_str),
                decision.subject(),
                decision.object(),
                note,
                document_id,
            ],
        )?;
        Ok(true)
    }

    /// True if the last decision about the same contest or merge is this one, by an import.
    fn was_decided_by_import(&self, source_id: SourceId, decision: &Decision) -> Result<bool> {
        let last = self.query_row(
            "SELECT act = ?4 AND object IS ?5 AND document_id IS NOT NULL FROM decision
             WHERE source_id = ?1 AND kind IS ?2 AND subject = ?3
             AND act IN ('merge', 'split', 'withdraw', 'restore')
             ORDER BY decision_id DESC LIMIT 1",
            params![
                source_id,
                decision.kind().map(EntrantKind::as_str),
                decision.subject(),
                decision.action(),
                decision.object(),
            ],
            |row| row.get(0),
        )?;
        Ok(last.unwrap_or(false))
    }

    /// Applies all decisions about a source again, in order: after a rebuild. Returns those that no
    /// longer apply, each with the reason, such as a missing contest. A contest that an import
    /// undone since brought is no reason: the decision waits for it.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn reapply_decisions(&mut self, source_id: SourceId) -> Result<Vec<(DecisionRow, String)>> {
        self.restore_standings_index()?;
        let mut misfits = Vec::new();
        let rows = self.decisions(source_id)?;
        let last_undo = rows
            .iter()
            .rfind(|row| matches!(row.decision, Decision::Undo { .. }))
            .map(|row| row.decision_id);
        for row in rows {
            let may_wait = Some(row.decision_id) < last_undo && row.decision.is_about_contest();
            match self.apply_decision(source_id, &row.decision, row.decided_at) {
                Ok(_) => {}
                Err(Error::InvalidDecision { .. }) if may_wait => {}
                Err(Error::InvalidDecision { reason }) => misfits.push((row, reason)),
                Err(error) => return Err(error),
            }
        }
        Ok(misfits)
    }

    /// Withdraws the contests again that a decision withdrew: contests deleted by an undo and
    /// imported again.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn reapply_withdrawals(&mut self, source_id: SourceId) -> Result<()> {
        self.execute(
            "UPDATE contest SET withdrawn_at = newest.decided_at
             FROM (SELECT subject, act, decided_at, max(decision_id) FROM decision
                 WHERE source_id = ?1 AND act IN ('withdraw', 'restore')
                 GROUP BY subject) AS newest
             WHERE source_id = ?1 AND external_id = newest.subject
             AND newest.act = 'withdraw' AND withdrawn_at IS NULL",
            [source_id],
        )
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
            // The caller does these.
            Decision::Undo { .. } | Decision::Remove { .. } => Ok(true),
        }
    }

    fn merge(
        &self,
        from: CompetitorId,
        to: CompetitorId,
        subject: &str,
        object: &str,
    ) -> Result<bool> {
        match self.merged_into(from)? {
            Some(target) if target == to => return Ok(false),
            Some(_) if self.merge_root(from)? == self.merge_root(to)? => return Ok(false),
            Some(_) => {
                let reason =
                    format!("\"{subject}\" is already merged into another one; split it first");
                return Err(Error::InvalidDecision { reason });
            }
            None => {}
        }
        // A circle of merges would leave no competitor that the results count for.
        if self.merge_root(to)? == from {
            let reason = if from == to {
                format!("both are the same competitor \"{subject}\"")
            } else {
                format!("\"{object}\" is already merged into \"{subject}\"; split it first")
            };
            return Err(Error::InvalidDecision { reason });
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
        let old: String =
            self.query_value("SELECT name FROM competitor WHERE competitor_id = ?1", [competitor])?;
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

    fn set_withdrawn(&self, source_id: SourceId, contest: &str, at: Option<i64>) -> Result<bool> {
        let Some(contest_id) = self.contest_id_in_source(source_id, contest)? else {
            let reason = format!("there is no contest \"{contest}\"");
            return Err(Error::InvalidDecision { reason });
        };
        // A contest withdrawn twice keeps the first time.
        Ok(self.execute_counting(
            "UPDATE contest SET withdrawn_at = ?2
             WHERE contest_id = ?1 AND (withdrawn_at IS NULL) <> (?2 IS NULL)",
            params![contest_id, at],
        )? > 0)
    }
}

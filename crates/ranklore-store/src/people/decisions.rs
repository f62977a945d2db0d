//! Decisions: competitors merged, split or renamed, contests withdrawn, imports undone.
//!
//! Decisions are stored in order. Their effects are stored in the columns that
//! views and replays read; a rebuild applies them again.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_contest::{EntrantKind, UnixSeconds, word_enum};
use rusqlite::params;
use serde::Serialize;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{queries, row, word_column};
use crate::file::open::Store;
use crate::ids::{CompetitorId, DecisionId, DocumentId, SourceId};

word_enum! {
    /// The action of a decision; a column of `decision`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum DecisionAction {
        /// Merges a competitor into another one, which the results then count for.
        Merge = "merge",
        /// Splits a merged competitor from the other one again.
        Split = "split",
        /// Shows a competitor under another name.
        Rename = "rename",
        /// Excludes a contest from rating.
        Withdraw = "withdraw",
        /// Rates a withdrawn contest again.
        Restore = "restore",
        /// Undoes an import: its documents are deleted.
        Undo = "undo",
        /// Removes the source with everything in it.
        Remove = "remove",
    }
}

word_column!(DecisionAction, "decision");

row! {
    /// A decision about one source. It refers to competitors and contests by external id.
    #[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
    pub struct Decision {
        /// The action.
        #[serde(rename = "act")]
        pub action: DecisionAction,
        /// The kind of the competitor, if the action concerns one.
        pub kind: Option<EntrantKind>,
        /// The competitor or contest concerned, the key of the document (of several, the first), or
        /// the name of the source.
        pub subject: String,
        /// The competitor that the results of a merged one count for, or the new name.
        pub object: Option<String>,
    }
}

impl Decision {
    /// Returns a decision that concerns no competitor.
    #[must_use]
    pub fn new(action: DecisionAction, subject: impl Into<String>) -> Self {
        Self {
            action,
            kind: None,
            subject: subject.into(),
            object: None,
        }
    }

    /// Returns true if the decision concerns a contest.
    #[must_use]
    pub const fn is_about_contest(&self) -> bool {
        matches!(self.action, DecisionAction::Withdraw | DecisionAction::Restore)
    }
}

row! {
    /// A name that a competitor has or had.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct NameRow selects NAME_COLUMNS {
        /// The name as published.
        pub name: String,
        /// Time of the first contest under this name, in Unix seconds.
        pub first_seen_at: i64,
        /// Time of the last contest under this name, in Unix seconds.
        pub last_seen_at: i64,
    }
}

row! {
    /// A stored decision.
    #[derive(Clone, Debug, PartialEq, Eq, Serialize)]
    pub struct DecisionRow selects DECISION_COLUMNS {
        /// The id; later decisions have larger ones.
        pub decision_id: DecisionId,
        /// Time of the decision, in Unix seconds.
        pub decided_at: i64,
        /// The decision.
        #[serde(flatten)]
        pub decision: Decision = "act, kind, subject, object",
        /// The reason that the user gave.
        pub note: Option<String>,
        /// The document whose import decided; `None` if the user did.
        #[serde(skip)]
        pub document_id: Option<DocumentId>,
    }
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

queries! {
    /// Returns the decisions about a source, oldest first.
    pub fn decisions(source_id: SourceId) -> Vec<DecisionRow> = format!(
        "SELECT {DECISION_COLUMNS} FROM decision WHERE source_id = ?1 ORDER BY decision_id"
    );
    /// True if two competitors took part in the same contest, so that they are two accounts.
    pub fn share_contest(a: CompetitorId, b: CompetitorId) -> bool =
        "SELECT EXISTS (SELECT 1 FROM standing AS a JOIN standing AS b USING (contest_id)
             WHERE a.competitor_id = ?1 AND b.competitor_id = ?2)";
    fn merged_into(competitor_id: CompetitorId) -> Option<CompetitorId> =
        "SELECT merged_into FROM competitor WHERE competitor_id = ?1 AND merged_into IS NOT NULL";
}

impl Store {
    /// Returns the merged competitors of a source, each with the competitor that its results count
    /// for.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn merges(&self, source_id: SourceId) -> Result<Vec<(CompetitorId, CompetitorId)>> {
        let merged: BTreeMap<CompetitorId, CompetitorId> = self.query(
            "SELECT competitor_id, merged_into FROM competitor
             WHERE source_id = ?1 AND merged_into IS NOT NULL",
            [source_id],
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
                decision.action,
                decision.kind.map(EntrantKind::as_str),
                decision.subject,
                decision.object,
                note,
                document_id,
            ],
        )?;
        Ok(true)
    }

    /// True if the last decision about the same contest or merge is this one, by an import.
    fn was_decided_by_import(&self, source_id: SourceId, decision: &Decision) -> Result<bool> {
        let last: Option<bool> = self.query(
            "SELECT act = ?4 AND object IS ?5 AND document_id IS NOT NULL FROM decision
             WHERE source_id = ?1 AND kind IS ?2 AND subject = ?3
             AND act IN ('merge', 'split', 'withdraw', 'restore')
             ORDER BY decision_id DESC LIMIT 1",
            params![
                source_id,
                decision.kind.map(EntrantKind::as_str),
                decision.subject,
                decision.action,
                decision.object,
            ],
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
            .rfind(|row| row.decision.action == DecisionAction::Undo)
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
        let Decision {
            action,
            kind,
            subject,
            object,
        } = decision;
        let Some(kind) = *kind else {
            return match action {
                DecisionAction::Withdraw => self.set_withdrawn(source_id, subject, Some(at)),
                DecisionAction::Restore => self.set_withdrawn(source_id, subject, None),
                // The caller does these.
                _ => Ok(true),
            };
        };
        let competitor = self.get_or_insert_competitor(source_id, kind, subject)?;
        match (action, object) {
            (DecisionAction::Merge, Some(into)) => {
                let target = self.get_or_insert_competitor(source_id, kind, into)?;
                self.merge(competitor, target, subject, into)
            }
            (DecisionAction::Rename, Some(name)) => self.rename(competitor, name, at),
            (DecisionAction::Split, _) if self.merged_into(competitor)?.is_some() => {
                self.set_merged_into(competitor, None)?;
                Ok(true)
            }
            _ => Ok(false),
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
        let old: Option<(String, i64)> = self.query(
            "SELECT name, min(?3, coalesce((SELECT min(ends_at) FROM standing
                 JOIN contest USING (contest_id) WHERE standing.competitor_id = ?1), ?3))
             FROM competitor WHERE competitor_id = ?1 AND name <> ?2",
            params![competitor, name, at],
        )?;
        let Some((old_name, first_seen)) = old else {
            return Ok(false);
        };
        for (name, first_seen) in [(&*old_name, first_seen), (name, at)] {
            self.execute(
                "INSERT INTO competitor_name (competitor_id, name, first_seen_at, last_seen_at)
                 VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET last_seen_at = max(last_seen_at, ?4)",
                params![competitor, name, first_seen, at],
            )?;
        }
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

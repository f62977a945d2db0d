//! What people decided about the results: accounts merged, names given, contests withdrawn.
//!
//! Decisions are kept in order and never changed; what follows from them stands in the columns
//! that views and replays read, and a rebuild makes it follow again.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_contest::{EntrantKind, UnixSeconds};
use rusqlite::{Row, params};
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

use crate::error::{Error, Result};
use crate::file::batch::Batch;
use crate::file::columns::{kind_of, unknown};
use crate::file::open::Store;
use crate::ids::{CompetitorId, DecisionId, SourceId};

/// A decision about one source. Competitors and contests are named by their external ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The results of one competitor count as those of another.
    Merge {
        /// Of both.
        kind: EntrantKind,
        /// Whose results.
        subject: String,
        /// As whose they count.
        into: String,
    },
    /// A merged competitor counts for itself again.
    Split {
        /// Of the competitor.
        kind: EntrantKind,
        /// Whose results.
        subject: String,
    },
    /// A competitor is shown under another name.
    Rename {
        /// Of the competitor.
        kind: EntrantKind,
        /// Who.
        subject: String,
        /// The name from now on.
        name: String,
    },
    /// A contest is not rated, although its source has it.
    Withdraw {
        /// Which.
        contest: String,
    },
    /// A withdrawn contest is rated again.
    Restore {
        /// Which.
        contest: String,
    },
}

/// A name that a competitor has or had.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NameRow {
    /// As published.
    pub name: String,
    /// When it first stood somewhere, in Unix seconds.
    pub first_seen_at: i64,
    /// When it last did, in Unix seconds.
    pub last_seen_at: i64,
}

/// The action, the subject and the object, as columns.
impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_struct("Decision", 4)?;
        object.serialize_field("act", self.act())?;
        object.serialize_field("kind", &self.kind())?;
        object.serialize_field("subject", self.subject())?;
        object.serialize_field("object", &self.object())?;
        object.end()
    }
}

impl Decision {
    /// The word for it in the file and in output.
    #[must_use]
    pub const fn act(&self) -> &'static str {
        match self {
            Self::Merge { .. } => "merge",
            Self::Split { .. } => "split",
            Self::Rename { .. } => "rename",
            Self::Withdraw { .. } => "withdraw",
            Self::Restore { .. } => "restore",
        }
    }

    /// Whom or what it is about.
    #[must_use]
    pub fn subject(&self) -> &str {
        match self {
            Self::Merge { subject, .. }
            | Self::Split { subject, .. }
            | Self::Rename { subject, .. } => subject,
            Self::Withdraw { contest } | Self::Restore { contest } => contest,
        }
    }

    /// Into whom, or which name.
    #[must_use]
    pub fn object(&self) -> Option<&str> {
        match self {
            Self::Merge { into: object, .. } | Self::Rename { name: object, .. } => Some(object),
            Self::Split { .. } | Self::Withdraw { .. } | Self::Restore { .. } => None,
        }
    }

    /// Of the competitor it is about, if it is about one.
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

/// A decision as it is in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DecisionRow {
    /// Its id; later decisions have larger ones.
    pub decision_id: DecisionId,
    /// When, in Unix seconds.
    pub decided_at: i64,
    /// What.
    #[serde(flatten)]
    pub decision: Decision,
    /// Why, in the words of who decided.
    pub note: Option<String>,
}

fn decision_row(row: &Row<'_>) -> rusqlite::Result<DecisionRow> {
    let act: String = row.get(2)?;
    let subject: String = row.get(4)?;
    let object = || row.get(5);
    let kind = || kind_of(row, 3);
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
            _ => return Err(unknown(2, &act, "decision")),
        },
        note: row.get(6)?,
    })
}

/// Where a chain of merges ends. On a circle, which no decision makes and a damaged file may
/// have, it is where it closes.
fn end_of(
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
    /// The decisions about a source, oldest first.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn decisions(&self, source_id: SourceId) -> Result<Vec<DecisionRow>> {
        self.rows(
            "SELECT decision_id, decided_at, act, kind, subject, object, note
             FROM decision WHERE source_id = ?1 ORDER BY decision_id",
            [source_id],
            decision_row,
        )
    }

    /// Every merged competitor of a source, with the one its results count as.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn merges(&self, source_id: SourceId) -> Result<Vec<(CompetitorId, CompetitorId)>> {
        let merged: BTreeMap<CompetitorId, CompetitorId> = self.rows(
            "SELECT competitor_id, merged_into FROM competitor
             WHERE source_id = ?1 AND merged_into IS NOT NULL",
            [source_id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )?;
        let root = |&account| {
            let root = end_of(account, |at| Ok(merged.get(&at).copied()))?;
            Ok((account, root))
        };
        merged.keys().map(root).collect()
    }

    /// The competitor whose results those of this one count as: itself unless merged.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn root_of(&self, competitor_id: CompetitorId) -> Result<CompetitorId> {
        end_of(competitor_id, |at| self.merged_into(at))
    }

    fn merged_into(&self, competitor_id: CompetitorId) -> Result<Option<CompetitorId>> {
        self.row(
            "SELECT merged_into FROM competitor
             WHERE competitor_id = ?1 AND merged_into IS NOT NULL",
            [competitor_id],
            |row| row.get(0),
        )
    }
}

impl Batch<'_> {
    /// Decides, and keeps the decision. Returns whether anything is other than before: the same
    /// decision again changes nothing and leaves no trace.
    ///
    /// # Errors
    /// [`Error::InvalidDecision`] when it contradicts what was decided before, or there is no
    /// such contest.
    pub fn decide(
        &mut self,
        source_id: SourceId,
        decision: &Decision,
        note: Option<&str>,
        now: UnixSeconds,
    ) -> Result<bool> {
        if !self.carry_out(source_id, decision, now.get())? {
            return Ok(false);
        }
        self.execute(
            "INSERT INTO decision (source_id, decided_at, act, kind, subject, object, note)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
            params![
                source_id,
                now.get(),
                decision.act(),
                decision.kind().map(EntrantKind::as_str),
                decision.subject(),
                decision.object(),
                note,
            ],
        )?;
        Ok(true)
    }

    /// Carries out every decision about a source once more, in order: after a rebuild. One that
    /// no longer fits, such as about a contest that is gone, is returned with the reason.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn decide_again(&mut self, source_id: SourceId) -> Result<Vec<(DecisionRow, String)>> {
        self.index_standings()?;
        let mut misfits = Vec::new();
        for row in self.decisions(source_id)? {
            match self.carry_out(source_id, &row.decision, row.decided_at) {
                Ok(_) => {}
                Err(Error::InvalidDecision { reason }) => misfits.push((row, reason)),
                Err(error) => return Err(error),
            }
        }
        Ok(misfits)
    }

    fn carry_out(&mut self, source_id: SourceId, decision: &Decision, at: i64) -> Result<bool> {
        match decision {
            Decision::Merge {
                kind,
                subject,
                into,
            } => {
                let from = self.competitor(source_id, *kind, subject)?;
                let to = self.competitor(source_id, *kind, into)?;
                self.merge(from, to, subject, into)
            }
            Decision::Split { kind, subject } => {
                let from = self.competitor(source_id, *kind, subject)?;
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
                let competitor = self.competitor(source_id, *kind, subject)?;
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
            Some(_) if self.root_of(from)? == self.root_of(to)? => return Ok(false),
            Some(_) => {
                return invalid(format!(
                    "\"{subject}\" counts as somebody else already; split it first"
                ));
            }
            None => {}
        }
        if self.root_of(to)? == from {
            return invalid(if from == to {
                format!("\"{subject}\" is one and the same")
            } else {
                format!("\"{into}\" counts as \"{subject}\" already; split it first")
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
        .map(drop)
    }

    /// The name a competitor is shown under from `at` on. The one until then is remembered,
    /// from the first contest it stood in.
    fn rename(&self, competitor: CompetitorId, name: &str, at: i64) -> Result<bool> {
        let old: String = self.value(
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

    /// Calls a competitor as `name` from now on, and notes the names it had over time, or others
    /// that are its own by now. Returns whether that is news.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn call(
        &mut self,
        competitor: CompetitorId,
        name: &str,
        history: &[NameRow],
    ) -> Result<bool> {
        let mut news = self.execute(
            "UPDATE competitor SET name = ?2 WHERE competitor_id = ?1 AND name <> ?2",
            params![competitor, name],
        )?;
        for row in history {
            news += self.execute(
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

    /// Takes away the names that a competitor ever had beside the one it has.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn uncall(&mut self, competitor: CompetitorId) -> Result<()> {
        self.execute(
            "DELETE FROM competitor_name WHERE competitor_id = ?1",
            [competitor],
        )
        .map(drop)
    }

    fn set_withdrawn(&self, source_id: SourceId, contest: &str, at: Option<i64>) -> Result<bool> {
        let Some(contest_id) = self.contest_id_of(source_id, contest)? else {
            return Err(Error::InvalidDecision {
                reason: format!("there is no contest \"{contest}\""),
            });
        };
        Ok(self.execute(
            "UPDATE contest SET withdrawn_at = ?2
             WHERE contest_id = ?1 AND (withdrawn_at IS NULL) <> (?2 IS NULL)",
            params![contest_id, at],
        )? > 0)
    }
}

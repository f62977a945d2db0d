//! Contests and their standings, written and loaded as a whole.

use std::borrow::Cow;
use std::sync::LazyLock;

use ranklore_contest::{
    ContentHash, Contest, ContestTime, Entrant, EntrantKind, Place, Side, word_enum,
};
use rusqlite::params;
use rusqlite::types::{ToSqlOutput, ValueRef};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{UNNAMED_COLUMN, read_row, word_column};
use crate::ids::{CompetitorId, ContestId, DocumentId, SourceId};
use crate::results::row_inserter::{RowInserter, RowInserts};

word_enum! {
    /// State of a contest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ContestState {
        /// Not started yet.
        Announced = "announced",
        /// Running.
        Running = "running",
        /// Over, but less of the result arrived than the site announced. Not rated: see
        /// [`Completeness`](crate::Completeness).
        Incomplete = "incomplete",
        /// Over; the result may still change.
        Provisional = "provisional",
        /// Over; the result is final.
        Final = "final",
        /// Never to be rated.
        Unrated = "unrated",
        /// Removed by its source.
        Withdrawn = "withdrawn",
        /// Not accessible on its source.
        Refused = "refused",
    }
}

word_column!(ContestState, UNNAMED_COLUMN);

/// Outcome of [`WriteBatch::upsert_contest`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpsertOutcome {
    /// The contest is new, or had no results.
    Added,
    /// The result changed.
    Revised {
        /// 2 for the first change.
        revision: u32,
    },
    /// The result is the same; the URL, the state or `rated` changed.
    MetadataUpdated,
    /// Nothing changed, except possibly the document that it refers to.
    Unchanged,
    /// Nothing was written, because the stored contest was read from a newer document.
    Superseded,
}

/// A contest to insert or update, with what is stored beside its result.
#[derive(Clone, Debug)]
pub struct ContestUpsert<'c> {
    /// The contest, which passes [`Contest::validate`].
    pub contest: Cow<'c, Contest>,
    /// The content hash of the contest, which another thread may compute.
    pub hash: ContentHash,
    /// The state of the result.
    pub state: ContestState,
    /// True if it is to be rated.
    pub rated: bool,
}

impl<'c> ContestUpsert<'c> {
    /// Hashes the contest.
    #[must_use]
    pub fn new(contest: &'c Contest, state: ContestState, rated: bool) -> Self {
        Self::hash(Cow::Borrowed(contest), state, rated)
    }

    /// Hashes a contest that is given away.
    #[must_use]
    pub fn from_owned(contest: Contest, state: ContestState, rated: bool) -> Self {
        Self::hash(Cow::Owned(contest), state, rated)
    }

    fn hash(contest: Cow<'c, Contest>, state: ContestState, rated: bool) -> Self {
        Self {
            hash: contest.content_hash(),
            contest,
            state,
            rated,
        }
    }
}

/// The stored columns of a contest about to be upserted.
struct ExistingContest {
    contest_id: ContestId,
    content_hash: Option<[u8; 32]>,
    revision: u32,
    document_id: Option<DocumentId>,
    same_metadata: bool,
}

/// A row of `standing`, with the members to insert.
struct StandingToInsert<'c> {
    contest_id: ContestId,
    competitor_id: CompetitorId,
    entrant: &'c Entrant,
}

/// The results of new contests that are inserted together: more gain little.
const RESULTS_AT_ONCE: usize = 1024;

impl WriteBatch<'_> {
    /// Inserts or updates a contest with its standings. Of two documents with the same contest the
    /// newer one wins, in any order of calls.
    ///
    /// # Errors
    /// [`Error::InvalidContest`] if a competitor occurs twice; the batch remains usable.
    pub fn upsert_contest(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: ContestUpsert<'_>,
    ) -> Result<UpsertOutcome> {
        let mut result = UpsertOutcome::Unchanged;
        self.upsert_contests(source_id, document_id, [contest], |_, outcome| {
            result = outcome;
        })?;
        Ok(result)
    }

    /// Inserts or updates the contests of a document, no two of which have the same id. Calls `each`
    /// for consecutive contests after they were written: new ones are inserted together, since of
    /// games the statements would cost more than the rows.
    ///
    /// # Errors
    /// [`Error::InvalidContest`] if a competitor occurs twice in a contest; the batch remains usable,
    /// and contests before it may not be written.
    pub fn upsert_contests<'c>(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        contests: impl IntoIterator<Item = ContestUpsert<'c>>,
        mut each: impl FnMut(&[ContestUpsert<'c>], UpsertOutcome),
    ) -> Result<()> {
        let all_new: bool = self.query_value(
            "SELECT NOT EXISTS (SELECT 1 FROM contest WHERE source_id = ?1)",
            [source_id],
        )?;
        let any_rejected: bool = self.query_value(
            "SELECT EXISTS (SELECT 1 FROM disbelieved WHERE document_id = ?1)",
            [document_id],
        )?;
        let mut added = Vec::new();
        let mut results = 0;
        for upsert in contests {
            debug_assert_eq!(upsert.hash, upsert.contest.content_hash());
            let existing = if all_new {
                None
            } else {
                self.find_existing(source_id, &upsert)?
            };
            let is_superseded = match &existing {
                Some(existing) => self.is_superseded_by(document_id, existing.document_id)?,
                None => false,
            };
            if any_rejected && !is_superseded {
                self.accept_contest(document_id, &upsert.contest.external_id)?;
            }
            if let Some(existing) = existing {
                // Entrants get their ids in the order of the document, members after those of their batch.
                self.insert_added(source_id, document_id, &mut added, &mut each)?;
                let outcome = if is_superseded {
                    UpsertOutcome::Superseded
                } else if existing.content_hash.as_ref() == Some(upsert.hash.as_bytes()) {
                    self.update_metadata(&existing, document_id, &upsert)?
                } else {
                    self.update_contest(source_id, document_id, &existing, &upsert)?
                };
                each(&[upsert], outcome);
                continue;
            }
            results += upsert.contest.entrants.len();
            added.push(upsert);
            if results >= RESULTS_AT_ONCE {
                self.insert_added(source_id, document_id, &mut added, &mut each)?;
                results = 0;
            }
        }
        self.insert_added(source_id, document_id, &mut added, &mut each)
    }

    /// Inserts the contests that wait.
    fn insert_added<'c>(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        added: &mut Vec<ContestUpsert<'c>>,
        each: &mut impl FnMut(&[ContestUpsert<'c>], UpsertOutcome),
    ) -> Result<()> {
        if added.is_empty() {
            return Ok(());
        }
        self.insert_contests(source_id, document_id, added)?;
        each(added, UpsertOutcome::Added);
        added.clear();
        Ok(())
    }

    /// Replaces the result of a contest.
    fn update_contest(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        existing: &ExistingContest,
        upsert: &ContestUpsert<'_>,
    ) -> Result<UpsertOutcome> {
        let contest = &*upsert.contest;
        // First, since it can fail. (New competitors then stay, without standings.)
        let mut standings = Vec::new();
        self.add_standings(source_id, existing.contest_id, contest, &mut standings)?;
        // A listed contest had no result that could be revised.
        let was_listed = existing.content_hash.is_none();
        let revision = existing.revision + u32::from(!was_listed);
        self.delete_standings(existing.contest_id)?;
        self.execute(
            "UPDATE contest SET name = ?2, event = ?3, division = ?4, ordinal = ?5,
                 starts_at = ?6, ends_at = ?7, weight = ?8, site_weight = ?9,
                 performance_ceiling = ?10, entrants = ?11, revision = ?12,
                 content_hash = ?13 WHERE contest_id = ?1",
            params![
                existing.contest_id,
                contest.name,
                contest.event,
                contest.division,
                contest.ordinal,
                contest.starts_at.map(ContestTime::get),
                contest.ends_at.get(),
                contest.weight,
                contest.site_weight,
                contest.performance_ceiling,
                contest.entrants.len() as i64,
                revision,
                upsert.hash.as_bytes(),
            ],
        )?;
        self.update_metadata(existing, document_id, upsert)?;
        self.insert_standings(source_id, &standings)?;
        self.reset_named_through(source_id)?;
        Ok(if was_listed {
            UpsertOutcome::Added
        } else {
            UpsertOutcome::Revised { revision }
        })
    }

    /// Inserts contests that the source does not have, with their standings.
    fn insert_contests(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        contests: &[ContestUpsert<'_>],
    ) -> Result<()> {
        let ids = (self.next_contest_id()?..).map(ContestId::new);
        let mut standings = Vec::new();
        let mut rows = Vec::with_capacity(contests.len());
        for (contest_id, upsert) in ids.zip(contests) {
            self.add_standings(source_id, contest_id, &upsert.contest, &mut standings)?;
            rows.push(contest_row(source_id, contest_id, upsert, document_id));
        }
        self.insert_contest_rows(source_id, &rows)?;
        self.insert_standings(source_id, &standings)?;
        self.reset_named_through(source_id)
    }

    /// Returns the id of the next contest to be inserted.
    pub(crate) fn next_contest_id(&self) -> Result<i64> {
        self.query_value("SELECT coalesce(max(contest_id), 0) + 1 FROM contest", [])
    }

    /// Inserts contests of a source as revision 1. Does what triggers do for other tables.
    pub(crate) fn insert_contest_rows(
        &self,
        source_id: SourceId,
        rows: &[ContestInsert<'_>],
    ) -> Result<()> {
        self.with_connection(|connection| {
            RowInserter::new(connection, &INSERT_CONTESTS).insert(
                &[],
                rows,
                |statement, at, row| {
                    for (index, value) in (at..).zip(row.values()) {
                        statement.raw_bind_parameter(index, ToSqlOutput::Borrowed(value))?;
                    }
                    Ok(())
                },
            )
        })?;
        for row in rows {
            self.add_inserted("contest", &row.values());
        }
        self.note_new_contest(source_id);
        Ok(())
    }

    /// Deletes the standings and members of a contest.
    pub(crate) fn delete_standings(&self, contest_id: ContestId) -> Result<()> {
        for sql in [
            "DELETE FROM member WHERE contest_id = ?1",
            "DELETE FROM standing WHERE contest_id = ?1",
        ] {
            self.execute(sql, [contest_id])?;
        }
        Ok(())
    }

    fn find_existing(
        &self,
        source_id: SourceId,
        upsert: &ContestUpsert<'_>,
    ) -> Result<Option<ExistingContest>> {
        let contest = &*upsert.contest;
        self.query_row(
            "SELECT contest_id, content_hash, revision, document_id,
                 url IS ?3 AND state = ?4 AND rated = ?5
             FROM contest WHERE source_id = ?1 AND external_id = ?2",
            params![
                source_id,
                contest.external_id,
                contest.url,
                upsert.state,
                upsert.rated
            ],
            |row| {
                read_row!(row => ExistingContest {
                    contest_id, content_hash, revision, document_id, same_metadata,
                })
            },
        )
    }

    /// Records that a contest must not be read from a document, even if that is the newest one with
    /// it. Returns true if that is new. Does nothing if the stored contest was read from this
    /// document.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn reject_contest(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        external_id: &str,
    ) -> Result<bool> {
        Ok(self.execute_counting(
            "INSERT OR IGNORE INTO disbelieved (document_id, external_id) SELECT ?2, ?3
             WHERE NOT EXISTS (SELECT 1 FROM contest WHERE source_id = ?1
                 AND external_id = ?3 AND document_id = ?2)",
            params![source_id, document_id, external_id],
        )? > 0)
    }

    fn accept_contest(&self, document_id: DocumentId, external_id: &str) -> Result<()> {
        self.execute(
            "DELETE FROM disbelieved WHERE document_id = ?1 AND external_id = ?2",
            params![document_id, external_id],
        )
    }

    /// True if document `a` is older than document `b`.
    pub(crate) fn is_older(&self, a: DocumentId, b: Option<DocumentId>) -> Result<bool> {
        let Some(b) = b.filter(|&b| b != a) else {
            return Ok(false);
        };
        self.query_row(
            "SELECT (a.fetched_at, a.document_id) < (b.fetched_at, b.document_id)
             FROM document AS a, document AS b
             WHERE a.document_id = ?1 AND b.document_id = ?2",
            [a, b],
            |row| row.get(0),
        )
        .map(|older| older.unwrap_or(false))
    }

    /// True if document `b` takes precedence over document `a`: it is newer, and not both are
    /// responses of a site. Of two responses the caller, who derives contests from them, has
    /// already chosen.
    fn is_superseded_by(&self, a: DocumentId, b: Option<DocumentId>) -> Result<bool> {
        Ok(self.is_older(a, b)?
            && !(self.is_response(a)? && b.map_or(Ok(false), |b| self.is_response(b))?))
    }

    /// True if a document is a response of a site, not an imported file.
    fn is_response(&self, id: DocumentId) -> Result<bool> {
        let sql = "SELECT status IS NOT NULL FROM document WHERE document_id = ?1";
        let is_response = self.query_row(sql, [id], |row| row.get(0))?;
        Ok(is_response.unwrap_or(false))
    }

    /// Updates the columns that the content hash does not cover.
    fn update_metadata(
        &self,
        existing: &ExistingContest,
        document_id: DocumentId,
        upsert: &ContestUpsert<'_>,
    ) -> Result<UpsertOutcome> {
        if existing.same_metadata && existing.document_id == Some(document_id) {
            return Ok(UpsertOutcome::Unchanged);
        }
        self.execute(
            "UPDATE contest SET url = ?2, state = ?3, rated = ?4, document_id = ?5
             WHERE contest_id = ?1",
            params![
                existing.contest_id,
                upsert.contest.url,
                upsert.state,
                upsert.rated,
                document_id
            ],
        )?;
        Ok(if existing.same_metadata {
            UpsertOutcome::Unchanged
        } else {
            UpsertOutcome::MetadataUpdated
        })
    }

    /// Appends the standings of a contest, in the order of the table.
    fn add_standings<'c>(
        &self,
        source_id: SourceId,
        contest_id: ContestId,
        contest: &'c Contest,
        standings: &mut Vec<StandingToInsert<'c>>,
    ) -> Result<()> {
        let entrants = contest.entrants.iter();
        let identities = entrants.map(|entrant| (entrant.kind, &*entrant.competitor));
        let competitors = self.get_or_insert_competitors(source_id, identities)?;
        let first = standings.len();
        let rows = competitors.into_iter().zip(&contest.entrants);
        standings.extend(rows.map(|(competitor_id, entrant)| StandingToInsert {
            contest_id,
            competitor_id,
            entrant,
        }));
        let added = &mut standings[first..];
        added.sort_unstable_by_key(|standing| standing.competitor_id);
        let mut pairs = added.windows(2);
        match pairs.find(|pair| pair[0].competitor_id == pair[1].competitor_id) {
            Some(pair) => Err(Error::InvalidContest {
                external_id: contest.external_id.clone(),
                reason: format!("\"{}\" occurs twice", pair[0].entrant.competitor),
            }),
            None => Ok(()),
        }
    }

    fn insert_standings(
        &mut self,
        source_id: SourceId,
        standings: &[StandingToInsert<'_>],
    ) -> Result<()> {
        self.defer_standings_index()?;
        self.with_connection(|connection| {
            RowInserter::new(connection, &INSERT_STANDINGS).insert(
                &[],
                standings,
                |row, at, standing| {
                    let entrant = standing.entrant;
                    row.raw_bind_parameter(at, standing.contest_id)?;
                    row.raw_bind_parameter(at + 1, standing.competitor_id)?;
                    row.raw_bind_parameter(at + 2, entrant.outcome.place().map(Place::get))?;
                    row.raw_bind_parameter(at + 3, entrant.score)?;
                    row.raw_bind_parameter(at + 4, entrant.penalty)?;
                    row.raw_bind_parameter(at + 5, entrant.outcome.status())?;
                    row.raw_bind_parameter(at + 6, entrant.side.map(Side::as_str))
                },
            )
        })?;
        for standing in standings {
            let members = standing.entrant.members.iter();
            let identities = members.map(|name| (EntrantKind::Person, &**name));
            let people = self.get_or_insert_competitors(source_id, identities)?;
            for (ordinal, person_id) in (1_i64..).zip(people) {
                self.execute(
                    "INSERT INTO member (contest_id, competitor_id, ordinal, person_id)
                     VALUES (?1, ?2, ?3, ?4)",
                    params![
                        standing.contest_id,
                        standing.competitor_id,
                        ordinal,
                        person_id
                    ],
                )?;
            }
        }
        Ok(())
    }
}

/// Declares [`ContestInsert`]: one list states the columns, their order and the order of the values.
macro_rules! contest_insert {
    ($($column:ident),+ $(,)?) => {
        /// The columns of `contest` in the order of the table, in which a row is inserted and hashed.
        const CONTEST_COLUMNS: &[&str] = &[$(stringify!($column)),+];

        /// A row to insert into `contest`.
        pub(crate) struct ContestInsert<'c> {
            $(pub(crate) $column: ValueRef<'c>,)+
        }

        impl<'c> ContestInsert<'c> {
            /// Returns the values of [`CONTEST_COLUMNS`].
            const fn values(&self) -> [ValueRef<'c>; CONTEST_COLUMNS.len()] {
                [$(self.$column),+]
            }
        }
    };
}

contest_insert! {
    contest_id, source_id, external_id, name, event, division, ordinal, url, starts_at, ends_at,
    state, rated, weight, site_weight, performance_ceiling, entrants, revision, content_hash,
    document_id, withdrawn_at,
}

fn contest_row<'c>(
    source_id: SourceId,
    contest_id: ContestId,
    upsert: &'c ContestUpsert<'_>,
    document_id: DocumentId,
) -> ContestInsert<'c> {
    let contest = &*upsert.contest;
    ContestInsert {
        contest_id: ValueRef::Integer(contest_id.get()),
        source_id: ValueRef::Integer(source_id.get()),
        external_id: ValueRef::from(&*contest.external_id),
        name: ValueRef::from(&*contest.name),
        event: optional_text(contest.event.as_deref()),
        division: optional_text(contest.division.as_deref()),
        ordinal: optional_integer(contest.ordinal),
        url: optional_text(contest.url.as_deref()),
        starts_at: optional_integer(contest.starts_at.map(ContestTime::get)),
        ends_at: ValueRef::Integer(contest.ends_at.get()),
        state: ValueRef::from(upsert.state.as_str()),
        rated: ValueRef::Integer(upsert.rated.into()),
        weight: ValueRef::Real(contest.weight),
        site_weight: optional_number(contest.site_weight),
        performance_ceiling: optional_number(contest.performance_ceiling),
        entrants: ValueRef::Integer(contest.entrants.len() as i64),
        revision: ValueRef::Integer(1),
        content_hash: ValueRef::from(&upsert.hash.as_bytes()[..]),
        document_id: ValueRef::Integer(document_id.get()),
        withdrawn_at: ValueRef::Null,
    }
}

static INSERT_STANDINGS: LazyLock<RowInserts> = LazyLock::new(|| {
    let into = "standing (contest_id, competitor_id, place, score, penalty, status, side)";
    RowInserts::new(into, 0, 7)
});

static INSERT_CONTESTS: LazyLock<RowInserts> = LazyLock::new(|| {
    let into = format!("contest ({})", CONTEST_COLUMNS.join(", "));
    RowInserts::new(&into, 0, CONTEST_COLUMNS.len())
});

pub(crate) fn optional_text(value: Option<&str>) -> ValueRef<'_> {
    value.map_or(ValueRef::Null, ValueRef::from)
}

pub(crate) fn optional_integer(value: Option<i64>) -> ValueRef<'static> {
    value.map_or(ValueRef::Null, ValueRef::Integer)
}

fn optional_number(value: Option<f64>) -> ValueRef<'static> {
    value.map_or(ValueRef::Null, ValueRef::Real)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contest_row_has_the_order_of_the_table() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let writer = crate::file::open::Store::open_writer(path, "a test").unwrap();
        let columns: Vec<String> = writer
            .query_rows("SELECT name FROM pragma_table_info('contest')", [], |row| row.get(0))
            .unwrap();
        assert_eq!(columns, CONTEST_COLUMNS);
    }
}

//! Contests and their standings, written and loaded as a whole.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use ranklore_contest::{
    ContentHash, Contest, ContestTime, Entrant, EntrantKind, Place, Side, word_enum,
};
use rusqlite::params;
use rusqlite::types::{ToSqlOutput, ValueRef};
use serde::Serialize;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{
    UNNAMED_COLUMN, kind_from_row, outcome_from_row, read_row, side_from_row, word_column,
};
use crate::file::open::Store;
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

/// The stored columns of a contest about to be upserted.
struct ExistingContest {
    contest_id: ContestId,
    content_hash: Option<[u8; 32]>,
    revision: u32,
    document_id: Option<DocumentId>,
    same_metadata: bool,
}

impl WriteBatch<'_> {
    /// Inserts or updates a contest with its standings. The contest must pass
    /// [`Contest::validate`], and `hash` must be its content hash, which another thread may
    /// compute. Of two documents with the same contest the newer one wins, in any order of calls.
    ///
    /// # Errors
    /// [`Error::InvalidContest`] if a competitor occurs twice; the batch remains usable.
    pub fn upsert_contest(
        &mut self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: &Contest,
        hash: ContentHash,
        state: ContestState,
        rated: bool,
    ) -> Result<UpsertOutcome> {
        debug_assert_eq!(hash, contest.content_hash());
        let there = self.find_existing(source_id, contest, state, rated)?;
        if let Some(there) = &there {
            if self.is_superseded_by(document_id, there.document_id)? {
                return Ok(UpsertOutcome::Superseded);
            }
            if there.content_hash.as_ref() == Some(hash.as_bytes()) {
                self.accept_contest(document_id, &contest.external_id)?;
                return self.update_metadata(there, document_id, contest, state, rated);
            }
        }
        self.accept_contest(document_id, &contest.external_id)?;
        // First, since it can fail. (New competitors then stay, without standings.)
        let order = self.sort_entrants(source_id, contest)?;
        let put = if let Some(there) = there {
            // A listed contest had no result that could be revised.
            let listed = there.content_hash.is_none();
            let revision = there.revision + u32::from(!listed);
            self.delete_standings(there.contest_id)?;
            self.execute(
                "UPDATE contest SET name = ?2, event = ?3, division = ?4, ordinal = ?5,
                     starts_at = ?6, ends_at = ?7, weight = ?8, site_weight = ?9,
                     performance_ceiling = ?10, entrants = ?11, revision = ?12,
                     content_hash = ?13 WHERE contest_id = ?1",
                params![
                    there.contest_id,
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
                    hash.as_bytes(),
                ],
            )?;
            self.update_metadata(&there, document_id, contest, state, rated)?;
            self.insert_standings(source_id, there.contest_id, contest, &order)?;
            if listed {
                UpsertOutcome::Added
            } else {
                UpsertOutcome::Revised { revision }
            }
        } else {
            let contest_id =
                self.insert_contest(source_id, document_id, contest, hash, (state, rated))?;
            self.insert_standings(source_id, contest_id, contest, &order)?;
            UpsertOutcome::Added
        };
        self.reset_named_through(source_id)?;
        Ok(put)
    }

    fn insert_contest(
        &self,
        source_id: SourceId,
        document_id: DocumentId,
        contest: &Contest,
        hash: ContentHash,
        (state, rated): (ContestState, bool),
    ) -> Result<ContestId> {
        self.insert_contest_row(
            source_id,
            &[
                ValueRef::from(&*contest.external_id),
                ValueRef::from(&*contest.name),
                optional_text(contest.event.as_deref()),
                optional_text(contest.division.as_deref()),
                optional_integer(contest.ordinal),
                optional_text(contest.url.as_deref()),
                optional_integer(contest.starts_at.map(ContestTime::get)),
                ValueRef::Integer(contest.ends_at.get()),
                ValueRef::from(state.as_str()),
                ValueRef::Integer(rated.into()),
                ValueRef::Real(contest.weight),
                optional_number(contest.site_weight),
                optional_number(contest.performance_ceiling),
                ValueRef::Integer(contest.entrants.len() as i64),
                ValueRef::from(&hash.as_bytes()[..]),
                ValueRef::Integer(document_id.get()),
            ],
        )
    }

    /// Inserts a contest as revision 1, given by its columns from `external_id` to `document_id`,
    /// without the revision. Does what triggers do for other tables.
    pub(crate) fn insert_contest_row(
        &self,
        source_id: SourceId,
        columns: &[ValueRef<'_>; 16],
    ) -> Result<ContestId> {
        let contest_id = self.with_connection(|connection| {
            let mut insert = connection.prepare_cached(INSERT_CONTEST)?;
            insert.raw_bind_parameter(1, source_id)?;
            for (index, &value) in columns.iter().enumerate() {
                insert.raw_bind_parameter(index + 2, ToSqlOutput::Borrowed(value))?;
            }
            insert.raw_execute()?;
            Ok(connection.last_insert_rowid())
        })?;
        let (before, after) = columns.split_at(14);
        let row: Vec<ValueRef<'_>> = [contest_id, source_id.get()]
            .map(ValueRef::Integer)
            .iter()
            .chain(before)
            .chain(&[ValueRef::Integer(1)])
            .chain(after)
            .chain(&[ValueRef::Null])
            .copied()
            .collect();
        self.add_inserted("contest", &row);
        self.note_new_contest(source_id);
        Ok(ContestId::new(contest_id))
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
        contest: &Contest,
        state: ContestState,
        rated: bool,
    ) -> Result<Option<ExistingContest>> {
        self.query_row(
            "SELECT contest_id, content_hash, revision, document_id,
                 url IS ?3 AND state = ?4 AND rated = ?5
             FROM contest WHERE source_id = ?1 AND external_id = ?2",
            params![source_id, contest.external_id, contest.url, state, rated],
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
        let of = params![document_id, external_id];
        // Much cheaper than a deletion of nothing, whose triggers need a journal and a table.
        let rejected: bool = self.query_value(
            "SELECT EXISTS (SELECT 1 FROM disbelieved WHERE document_id = ?1 AND external_id = ?2)",
            of,
        )?;
        if !rejected {
            return Ok(());
        }
        self.execute(
            "DELETE FROM disbelieved WHERE document_id = ?1 AND external_id = ?2",
            of,
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
        let answer = |id: DocumentId| {
            let sql = "SELECT status IS NOT NULL FROM document WHERE document_id = ?1";
            let answer = self.query_row(sql, [id], |row| row.get(0))?;
            Ok::<_, Error>(answer.unwrap_or(false))
        };
        Ok(self.is_older(a, b)? && !(answer(a)? && b.map_or(Ok(false), answer)?))
    }

    /// Updates the columns that the content hash does not cover.
    fn update_metadata(
        &self,
        there: &ExistingContest,
        document_id: DocumentId,
        contest: &Contest,
        state: ContestState,
        rated: bool,
    ) -> Result<UpsertOutcome> {
        if there.same_metadata && there.document_id == Some(document_id) {
            return Ok(UpsertOutcome::Unchanged);
        }
        self.execute(
            "UPDATE contest SET url = ?2, state = ?3, rated = ?4, document_id = ?5
             WHERE contest_id = ?1",
            params![there.contest_id, contest.url, state, rated, document_id],
        )?;
        Ok(if there.same_metadata {
            UpsertOutcome::Unchanged
        } else {
            UpsertOutcome::MetadataUpdated
        })
    }

    /// Returns the entrants with their competitors, in the order of the table.
    fn sort_entrants<'c>(
        &self,
        source_id: SourceId,
        contest: &'c Contest,
    ) -> Result<Vec<(CompetitorId, &'c Entrant)>> {
        let of = contest.entrants.iter().map(|e| (e.kind, &*e.competitor));
        let competitors = self.get_or_insert_competitors(source_id, of)?;
        let mut order: Vec<_> = competitors.into_iter().zip(&contest.entrants).collect();
        order.sort_unstable_by_key(|&(competitor_id, _)| competitor_id);
        match order.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => Err(Error::InvalidContest {
                external_id: contest.external_id.clone(),
                reason: format!("\"{}\" occurs twice", pair[0].1.competitor),
            }),
            None => Ok(order),
        }
    }

    fn insert_standings(
        &mut self,
        source_id: SourceId,
        contest_id: ContestId,
        contest: &Contest,
        order: &[(CompetitorId, &Entrant)],
    ) -> Result<()> {
        self.defer_standings_index()?;
        self.with_connection(|connection| {
            RowInserter::new(connection, &INSERT_STANDINGS).insert(
                &[contest_id.get()],
                order,
                |row, at, (competitor_id, entrant)| {
                    row.raw_bind_parameter(at, competitor_id)?;
                    row.raw_bind_parameter(at + 1, entrant.outcome.place().map(Place::get))?;
                    row.raw_bind_parameter(at + 2, entrant.score)?;
                    row.raw_bind_parameter(at + 3, entrant.penalty)?;
                    row.raw_bind_parameter(at + 4, entrant.outcome.status())?;
                    row.raw_bind_parameter(at + 5, entrant.side.map(Side::as_str))
                },
            )
        })?;
        if contest.entrants.iter().all(|e| e.members.is_empty()) {
            return Ok(());
        }
        for (competitor_id, entrant) in order {
            let people = (entrant.members.iter()).map(|name| (EntrantKind::Person, &**name));
            let people = self.get_or_insert_competitors(source_id, people)?;
            for (ordinal, person_id) in (1_i64..).zip(people) {
                self.execute(
                    "INSERT INTO member (contest_id, competitor_id, ordinal, person_id)
                     VALUES (?1, ?2, ?3, ?4)",
                    params![contest_id, competitor_id, ordinal, person_id],
                )?;
            }
        }
        Ok(())
    }
}

static INSERT_STANDINGS: LazyLock<RowInserts> = LazyLock::new(|| {
    let into = "standing (contest_id, competitor_id, place, score, penalty, status, side)";
    RowInserts::new(into, 1, 6)
});

const INSERT_CONTEST: &str = "INSERT INTO contest (source_id, external_id, name, event, division,
         ordinal, url, starts_at, ends_at, state, rated, weight, site_weight, performance_ceiling,
         entrants, content_hash, document_id, revision)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)";

pub(crate) fn optional_text(value: Option<&str>) -> ValueRef<'_> {
    value.map_or(ValueRef::Null, ValueRef::from)
}

pub(crate) fn optional_integer(value: Option<i64>) -> ValueRef<'static> {
    value.map_or(ValueRef::Null, ValueRef::Integer)
}

fn optional_number(value: Option<f64>) -> ValueRef<'static> {
    value.map_or(ValueRef::Null, ValueRef::Real)
}

impl Store {
    /// Loads a contest with its standings.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Corrupt`] if its rows do not form a contest.
    pub fn load_contest(&self, contest_id: ContestId) -> Result<Contest> {
        let contest = self.query_row(
            "SELECT external_id, name, event, division, ordinal, url, starts_at, ends_at,
                 weight, site_weight, performance_ceiling
             FROM contest WHERE contest_id = ?1",
            [contest_id],
            |row| {
                let starts_at: Option<i64> = row.get(6)?;
                let ends_at: Option<i64> = row.get(7)?;
                let contest = Contest {
                    external_id: row.get(0)?,
                    name: row.get(1)?,
                    event: row.get(2)?,
                    division: row.get(3)?,
                    ordinal: row.get(4)?,
                    url: row.get(5)?,
                    starts_at: starts_at.and_then(ContestTime::new),
                    ends_at: ContestTime::MIN,
                    weight: row.get(8)?,
                    site_weight: row.get(9)?,
                    performance_ceiling: row.get(10)?,
                    entrants: Vec::new(),
                };
                Ok((contest, ends_at))
            },
        )?;
        let Some((mut contest, ends_at)) = contest else {
            return Err(self.not_found("contest", contest_id.get()));
        };
        contest.ends_at = ends_at
            .and_then(ContestTime::new)
            .ok_or_else(|| Error::Corrupt {
                path: self.path().to_owned(),
                reason: format!("contest \"{}\" has no time", contest.external_id),
            })?;
        contest.entrants = self.load_entrants(contest_id)?;
        Ok(contest)
    }

    fn load_entrants(&self, contest_id: ContestId) -> Result<Vec<Entrant>> {
        let mut entrants: BTreeMap<CompetitorId, Entrant> = self.query_rows(
            "SELECT competitor_id, external_id, kind, place, score, penalty, status, side
             FROM standing JOIN competitor USING (competitor_id) WHERE contest_id = ?1
             ORDER BY competitor_id",
            [contest_id],
            |row| {
                let entrant = Entrant {
                    competitor: row.get(1)?,
                    kind: kind_from_row(row, 2)?,
                    outcome: outcome_from_row(row, 3, 6)?,
                    score: row.get(4)?,
                    penalty: row.get(5)?,
                    side: side_from_row(row, 7)?,
                    members: Vec::new(),
                };
                Ok((row.get(0)?, entrant))
            },
        )?;
        self.query_rows::<_, ()>(
            "SELECT member.competitor_id, external_id
             FROM member JOIN competitor ON competitor.competitor_id = person_id
             WHERE contest_id = ?1 ORDER BY member.competitor_id, ordinal",
            [contest_id],
            |row| {
                if let Some(team) = entrants.get_mut(&row.get(0)?) {
                    team.members.push(row.get(1)?);
                }
                Ok(())
            },
        )?;
        let mut entrants: Vec<_> = entrants.into_values().collect();
        entrants.sort_unstable_by(|a, b| {
            let rank = |e: &Entrant| e.outcome.place().map_or(u32::MAX, Place::get);
            (rank(a), &a.competitor).cmp(&(rank(b), &b.competitor))
        });
        Ok(entrants)
    }
}

//! Contests and their standings, written and loaded as a whole.

use std::borrow::Cow;
use std::sync::LazyLock;

use ranklore_contest::{ContentHash, Contest, ContestTime, Entrant, EntrantKind, Place, Side};
use rusqlite::params;

use crate::error::{Error, Result};
use crate::file::batch::WriteBatch;
use crate::file::columns::{insert, queries, row, update};
use crate::file::row_hash::{TableRow, table_row};
use crate::ids::{CompetitorId, ContestId, DocumentId, SourceId};
use crate::results::contest_state::{ContestState, UpsertOutcome};
use crate::results::row_inserter::{RowInserter, RowInserts};

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

row! {
    /// The stored columns of a contest about to be upserted.
    struct ExistingContest selects EXISTING_COLUMNS {
        contest_id: ContestId,
        content_hash: Option<[u8; 32]>,
        revision: u32,
        document_id: Option<DocumentId>,
        same_metadata: bool = "url IS ?3 AND state = ?4 AND rated = ?5",
        state: ContestState,
        rated: bool,
    }
}

impl ExistingContest {
    /// Returns the outcome of an update that takes the contest out of the ratings or back into them.
    fn find_transition(&self, upsert: &ContestUpsert<'_>) -> Option<UpsertOutcome> {
        self.content_hash?;
        let was_rated = self.rated && self.state.is_ratable();
        let is_rated = upsert.rated && upsert.state.is_ratable();
        if was_rated && upsert.state == ContestState::Withdrawn {
            Some(UpsertOutcome::Withdrawn)
        } else if self.state == ContestState::Withdrawn && is_rated {
            Some(UpsertOutcome::Restored)
        } else {
            None
        }
    }
}

table_row! {
    /// A row to insert into `standing`.
    struct StandingInsert in "standing" {
        contest_id: ContestId,
        competitor_id: CompetitorId,
        place: Option<u32>,
        score: Option<f64>,
        penalty: Option<f64>,
        status: Option<&'static str>,
        side: Option<&'static str>,
    }
}

/// The results of new contests that are inserted together: more gain little.
const RESULTS_AT_ONCE: usize = 1024;

queries! {
    /// Returns the id of the next contest to be inserted.
    pub(crate) fn next_contest_id() -> i64 = "SELECT coalesce(max(contest_id), 0) + 1 FROM contest";

    fn find_existing(source_id: SourceId, upsert: &ContestUpsert<'_>) -> Option<ExistingContest> =
        format!("SELECT {EXISTING_COLUMNS} FROM contest WHERE source_id = ?1 AND external_id = ?2"),
        [source_id, upsert.contest.external_id, upsert.contest.url, upsert.state, upsert.rated];

    /// True if a document is a response of a site, not an imported file.
    fn is_response(id: DocumentId) -> bool =
        "SELECT EXISTS (SELECT 1 FROM document WHERE document_id = ?1 AND status IS NOT NULL)";
}

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
        let all_new: bool = self
            .query("SELECT NOT EXISTS (SELECT 1 FROM contest WHERE source_id = ?1)", [source_id])?;
        let any_rejected: bool = self.query(
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

    /// Inserts the contests that wait, which the source does not have, with their standings.
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
        let ids = (self.next_contest_id()?..).map(ContestId::new);
        let mut standings = Vec::new();
        let mut rows = Vec::with_capacity(added.len());
        for (contest_id, upsert) in ids.zip(&*added) {
            self.add_standings(source_id, contest_id, &upsert.contest, &mut standings)?;
            rows.push(contest_row(source_id, contest_id, upsert, document_id));
        }
        self.insert_contest_rows(source_id, &rows)?;
        self.insert_standings(source_id, &standings)?;
        self.reset_named_through(source_id)?;
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
        update!(self.execute, "contest" {
            name: contest.name, event: contest.event, division: contest.division,
            ordinal: contest.ordinal, starts_at: contest.starts_at.map(ContestTime::get),
            ends_at: contest.ends_at.get(), weight: contest.weight,
            site_weight: contest.site_weight, performance_ceiling: contest.performance_ceiling,
            entrants: contest.entrants.len() as i64, revision: revision,
            content_hash: upsert.hash.as_bytes(),
        } "contest_id = ?", existing.contest_id)?;
        self.update_metadata(existing, document_id, upsert)?;
        self.insert_standings(source_id, &standings)?;
        self.reset_named_through(source_id)?;
        Ok(if was_listed {
            UpsertOutcome::Added
        } else {
            existing.find_transition(upsert).unwrap_or(UpsertOutcome::Revised { revision })
        })
    }

    /// Inserts contests of a source as revision 1. Does what triggers do for other tables.
    pub(crate) fn insert_contest_rows(
        &self,
        source_id: SourceId,
        rows: &[ContestInsert<'_>],
    ) -> Result<()> {
        self.with_connection(|connection| {
            let mut inserter = RowInserter::new(connection, &INSERT_CONTESTS);
            inserter.insert_rows(&[], rows)
        })?;
        for row in rows {
            self.add_inserted(row)?;
        }
        self.table_hashes().add_contest(source_id);
        Ok(())
    }

    /// Deletes the standings and members of a contest.
    pub(crate) fn delete_standings(&self, contest_id: ContestId) -> Result<()> {
        self.execute_all(
            "DELETE FROM member WHERE contest_id = ?1;
             DELETE FROM standing WHERE contest_id = ?1",
            [contest_id],
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
        let is_older: Option<bool> = self.query(
            "SELECT (a.fetched_at, a.document_id) < (b.fetched_at, b.document_id)
             FROM document AS a, document AS b
             WHERE a.document_id = ?1 AND b.document_id = ?2",
            [a, b],
        )?;
        Ok(is_older.unwrap_or(false))
    }

    /// True if document `b` takes precedence over document `a`: it is newer, and not both are
    /// responses of a site. Of two responses the caller, who derives contests from them, has
    /// already chosen.
    fn is_superseded_by(&self, a: DocumentId, b: Option<DocumentId>) -> Result<bool> {
        Ok(self.is_older(a, b)?
            && !(self.is_response(a)? && b.map_or(Ok(false), |b| self.is_response(b))?))
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
        update!(self.execute, "contest" {
            url: upsert.contest.url, state: upsert.state, rated: upsert.rated,
            document_id: document_id,
        } "contest_id = ?", existing.contest_id)?;
        Ok(if existing.same_metadata {
            UpsertOutcome::Unchanged
        } else {
            existing.find_transition(upsert).unwrap_or(UpsertOutcome::MetadataUpdated)
        })
    }

    /// Appends the standings of a contest, in the order of the table.
    fn add_standings<'c>(
        &self,
        source_id: SourceId,
        contest_id: ContestId,
        contest: &'c Contest,
        standings: &mut Vec<(StandingInsert, &'c Entrant)>,
    ) -> Result<()> {
        let entrants = contest.entrants.iter();
        let identities = entrants.map(|entrant| (entrant.kind, &*entrant.competitor));
        let competitors = self.get_or_insert_competitors(source_id, identities)?;
        let first = standings.len();
        let rows = competitors.into_iter().zip(&contest.entrants);
        standings.extend(rows.map(|(competitor_id, entrant)| {
            let row = StandingInsert {
                contest_id,
                competitor_id,
                place: entrant.outcome.place().map(Place::get),
                score: entrant.score,
                penalty: entrant.penalty,
                status: entrant.outcome.status(),
                side: entrant.side.map(Side::as_str),
            };
            (row, entrant)
        }));
        let added = &mut standings[first..];
        added.sort_unstable_by_key(|(row, _)| row.competitor_id);
        let mut pairs = added.windows(2);
        match pairs.find(|pair| pair[0].0.competitor_id == pair[1].0.competitor_id) {
            Some(pair) => Err(Error::InvalidContest {
                external_id: contest.external_id.clone(),
                reason: format!("\"{}\" occurs twice", pair[0].1.competitor),
            }),
            None => Ok(()),
        }
    }

    fn insert_standings(
        &mut self,
        source_id: SourceId,
        standings: &[(StandingInsert, &Entrant)],
    ) -> Result<()> {
        self.defer_standings_index()?;
        self.with_connection(|connection| {
            let mut inserter = RowInserter::new(connection, &INSERT_STANDINGS);
            inserter.insert(&[], standings, |statement, at, (row, _)| row.bind(statement, at))
        })?;
        for (row, entrant) in standings {
            let members = entrant.members.iter();
            let identities = members.map(|name| (EntrantKind::Person, &**name));
            let people = self.get_or_insert_competitors(source_id, identities)?;
            for (ordinal, person_id) in (1_i64..).zip(people) {
                insert!(self.execute, "INSERT INTO member" {
                    contest_id: row.contest_id, competitor_id: row.competitor_id,
                    ordinal: ordinal, person_id: person_id,
                })?;
            }
        }
        Ok(())
    }
}

table_row! {
    /// A row to insert into `contest`.
    pub(crate) struct ContestInsert<'c> in "contest" {
        pub(crate) contest_id: ContestId,
        pub(crate) source_id: SourceId,
        pub(crate) external_id: &'c str,
        pub(crate) name: &'c str,
        pub(crate) event: Option<&'c str>,
        pub(crate) division: Option<&'c str>,
        pub(crate) ordinal: Option<i64>,
        pub(crate) url: Option<&'c str>,
        pub(crate) starts_at: Option<i64>,
        pub(crate) ends_at: Option<i64>,
        pub(crate) state: ContestState,
        pub(crate) rated: bool,
        pub(crate) weight: f64,
        pub(crate) site_weight: Option<f64>,
        pub(crate) performance_ceiling: Option<f64>,
        pub(crate) entrants: i64,
        pub(crate) revision: i64,
        pub(crate) content_hash: Option<&'c [u8]>,
        pub(crate) document_id: DocumentId,
        pub(crate) withdrawn_at: Option<i64>,
    }
}

fn contest_row<'c>(
    source_id: SourceId,
    contest_id: ContestId,
    upsert: &'c ContestUpsert<'_>,
    document_id: DocumentId,
) -> ContestInsert<'c> {
    let contest = &*upsert.contest;
    ContestInsert {
        contest_id,
        source_id,
        external_id: &contest.external_id,
        name: &contest.name,
        event: contest.event.as_deref(),
        division: contest.division.as_deref(),
        ordinal: contest.ordinal,
        url: contest.url.as_deref(),
        starts_at: contest.starts_at.map(ContestTime::get),
        ends_at: Some(contest.ends_at.get()),
        state: upsert.state,
        rated: upsert.rated,
        weight: contest.weight,
        site_weight: contest.site_weight,
        performance_ceiling: contest.performance_ceiling,
        entrants: contest.entrants.len() as i64,
        revision: 1,
        content_hash: Some(upsert.hash.as_bytes()),
        document_id,
        withdrawn_at: None,
    }
}

static INSERT_STANDINGS: LazyLock<RowInserts> =
    LazyLock::new(|| RowInserts::for_rows::<StandingInsert>(&[], 0));

static INSERT_CONTESTS: LazyLock<RowInserts> =
    LazyLock::new(|| RowInserts::for_rows::<ContestInsert<'_>>(&[], 0));

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::row_hash::assert_columns_of_table;

    #[test]
    fn inserted_rows_have_the_columns_of_their_tables() {
        assert_columns_of_table::<ContestInsert<'_>>(&[]);
        assert_columns_of_table::<StandingInsert>(&[]);
    }
}

//! Queries for the views of one competitor and one contest: results, names over time, and single
//! rating rows.

use std::collections::HashSet;

use ranklore_contest::{EntrantOutcome, Side};

use crate::error::Result;
use crate::file::columns::{queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
use crate::people::decisions::{NAME_COLUMNS, NameRow};
use crate::read::replay::{CONTEST_COLUMNS, CONTESTS, ContestRow};
use crate::runs::ratings::{RatingRow, SELECT_RATINGS};

row! {
    /// A standing: the result of one competitor in one contest.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ResultRow selects RESULT_COLUMNS {
        /// The contest.
        pub contest_id: ContestId,
        /// The competitor.
        pub competitor_id: CompetitorId,
        /// The outcome.
        pub outcome: EntrantOutcome = "place, status",
        /// The side in a game of two, if known.
        pub side: Option<Side>,
    }
}

/// A contest of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContestOfRun<'r> {
    /// The contest.
    pub contest_id: ContestId,
    /// The source.
    pub source_id: SourceId,
    /// The event.
    pub event: Option<&'r str>,
    /// Time at which the result was final, in Unix seconds.
    pub ends_at: Option<i64>,
    /// True if the run rated it.
    pub is_rated: bool,
}

queries! {
    /// Returns the results of a contest, ordered by competitor id.
    pub fn results_of_contest(contest_id: ContestId) -> Vec<ResultRow> =
        format!("SELECT {RESULT_COLUMNS} FROM standing WHERE contest_id = ?1
                 ORDER BY competitor_id");

    /// Returns the names of a competitor over time, oldest first; empty if it was never renamed.
    pub fn name_history(competitor_id: CompetitorId) -> Vec<NameRow> =
        format!("SELECT {NAME_COLUMNS} FROM competitor_name WHERE competitor_id = ?1
                 ORDER BY first_seen_at, last_seen_at, name");

    /// Returns the current and earlier names of all competitors of a source that were ever renamed.
    // Starts from the few rows of `competitor_name`, not from all competitors.
    pub fn renamed_competitors(source_id: SourceId) -> Vec<(CompetitorId, String)> =
        "SELECT competitor_id, competitor_name.name
         FROM competitor_name CROSS JOIN competitor USING (competitor_id)
         WHERE source_id = ?1";

    /// True if a run has a rating row of a contest.
    pub fn has_ratings(run_id: RunId, contest_id: ContestId) -> bool =
        "SELECT EXISTS (SELECT 1 FROM rating WHERE run_id = ?1 AND contest_id = ?2)";

    /// Returns the competitors in the first place of a contest, at most `limit`.
    pub fn first_of_contest(contest_id: ContestId, limit: usize) -> Vec<CompetitorId> =
        "SELECT competitor_id FROM standing
         WHERE contest_id = ?1 AND place = 1 LIMIT ?2", [contest_id, limit as i64];

    /// Calls `each` with the contests of a source in any state, in no order.
    pub fn for_each_contest_of_source(source_id: SourceId; each [row: ContestRow]) =
        format!("SELECT {CONTEST_COLUMNS} FROM {CONTESTS} WHERE source_id = ?1");

    /// Calls `each` with the results of a contest, in no order.
    pub fn for_each_result(contest_id: ContestId; each [row: ResultRow]) =
        format!("SELECT {RESULT_COLUMNS} FROM standing WHERE contest_id = ?1");
}

impl Store {
    /// Calls `each` with the contests of a run in replay order; with none if the run is older than
    /// schema version 2, or has official ratings, which no replay computed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_of_run(
        &self,
        run_id: RunId,
        mut each: impl FnMut(ContestOfRun<'_>),
    ) -> Result<()> {
        self.for_each_row(
            "SELECT contest_id, source_id, event, ends_at, run_contest.results
             FROM rating_run CROSS JOIN run_contest USING (run_id)
                 CROSS JOIN contest USING (contest_id)
             WHERE run_id = ?1 AND system <> 'official' ORDER BY position",
            [run_id],
            |row| {
                each(ContestOfRun {
                    contest_id: row.get(0)?,
                    source_id: row.get(1)?,
                    event: row.get_ref(2)?.as_str_or_null()?,
                    ends_at: row.get(3)?,
                    is_rated: row.get::<_, u32>(4)? > 0,
                });
                Ok(())
            },
        )
    }

    /// Returns the contests of a source in any state, in [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contests_of_source(&self, source_id: SourceId) -> Result<Vec<ContestRow>> {
        let sql = format!("SELECT {CONTEST_COLUMNS} FROM {CONTESTS} WHERE source_id = ?1");
        let mut contests: Vec<_> = self.query(&sql, [source_id])?;
        contests.sort_unstable_by(ContestRow::replay_order);
        Ok(contests)
    }

    /// Returns the contests of a source that are read from one of these documents, in the order of
    /// their ids.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contests_from_documents(
        &self,
        source_id: SourceId,
        documents: impl IntoIterator<Item = DocumentId>,
    ) -> Result<Vec<ContestRow>> {
        let documents: HashSet<DocumentId> = documents.into_iter().collect();
        let mut ids = Vec::new();
        // Scans the table: the index by source would read it row by row.
        let sql = "SELECT contest_id, document_id FROM contest WHERE +source_id = ?1";
        self.for_each(sql, [source_id], |(contest_id, document): (_, Option<DocumentId>)| {
            if document.is_some_and(|id| documents.contains(&id)) {
                ids.push(contest_id);
            }
        })?;
        self.contests_by_id(ids)
    }

    /// Returns the contests of a source that are [incomplete](ContestRow::is_incomplete), in
    /// [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn incomplete_contests(&self, source_id: SourceId) -> Result<Vec<ContestRow>> {
        // Only a sync marks contests; others would cost a scan of the table.
        let has_syncs: bool = self.query(
            "SELECT EXISTS (SELECT 1 FROM contest_sync WHERE source_id = ?1)",
            [source_id],
        )?;
        if !has_syncs {
            return Ok(Vec::new());
        }
        let sql = format!(
            "SELECT {CONTEST_COLUMNS} FROM {CONTESTS}
             WHERE +source_id = ?1 AND (state = 'incomplete' OR items IS NOT NULL)"
        );
        let mut contests = Vec::new();
        self.for_each(&sql, [source_id], |contest| {
            contests.extend(Some(contest).filter(ContestRow::is_incomplete));
        })?;
        contests.sort_unstable_by(ContestRow::replay_order);
        Ok(contests)
    }

    /// Returns the contests with these ids, in the given order; omits unknown ids.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contests_by_id(
        &self,
        ids: impl IntoIterator<Item = ContestId>,
    ) -> Result<Vec<ContestRow>> {
        let sql = format!("SELECT {CONTEST_COLUMNS} FROM {CONTESTS} WHERE contest_id = ?1");
        let mut contests = Vec::new();
        let ids = ids.into_iter().map(|id| [id]);
        self.query_each(&sql, ids, |row: Option<ContestRow>| contests.extend(row))?;
        Ok(contests)
    }

    /// Returns the results of these competitors, in contests of any state. The cost is proportional
    /// to their number of results.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn results_of_competitors(
        &self,
        competitors: impl IntoIterator<Item = CompetitorId>,
    ) -> Result<Vec<ResultRow>> {
        let sql = format!(
            "SELECT {RESULT_COLUMNS} FROM standing WHERE competitor_id = ?1 ORDER BY contest_id"
        );
        let mut results = Vec::new();
        for competitor_id in competitors {
            self.for_each(&sql, [competitor_id], |result| results.push(result))?;
        }
        Ok(results)
    }

    /// Returns the rating rows of a run for these contests and competitors, in the given order;
    /// `None` for a missing row. The cost is proportional to the number of keys.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ratings_at(
        &self,
        run_id: RunId,
        keys: impl IntoIterator<Item = (ContestId, CompetitorId)>,
    ) -> Result<Vec<Option<RatingRow>>> {
        let sql = format!("{} AND competitor_id = ?3", *SELECT_RATINGS);
        let mut ratings = Vec::new();
        let keys = keys
            .into_iter()
            .map(|(contest_id, competitor_id)| (run_id, contest_id, competitor_id));
        self.query_each(&sql, keys, |row| ratings.push(row))?;
        Ok(ratings)
    }
}

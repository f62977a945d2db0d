//! Queries for the views of one competitor and one contest: results, names over time, and single
//! rating rows.

use std::collections::HashSet;

use ranklore_contest::{EntrantOutcome, Side};
use rusqlite::{OptionalExtension as _, Row, params};

use crate::error::Result;
use crate::file::columns::{outcome_from_row, read_row, side_from_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, DocumentId, RunId, SourceId};
use crate::people::decisions::NameRow;
use crate::read::replay::{ContestRow, SELECT_CONTESTS, contest_row};
use crate::runs::ratings::{RatingRow, SELECT_RATINGS, rating_row};

/// A standing: the result of one competitor in one contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultRow {
    /// The contest.
    pub contest_id: ContestId,
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The outcome.
    pub outcome: EntrantOutcome,
    /// The side in a game of two, if known.
    pub side: Option<Side>,
}

/// Selects the columns of [`ResultRow`] in order; append conditions.
pub(crate) const SELECT_RESULTS: &str =
    "SELECT contest_id, competitor_id, place, status, side FROM standing";

pub(crate) fn result_row(row: &Row<'_>) -> rusqlite::Result<ResultRow> {
    Ok(ResultRow {
        contest_id: row.get(0)?,
        competitor_id: row.get(1)?,
        outcome: outcome_from_row(row, 2, 3)?,
        side: side_from_row(row, 4)?,
    })
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
            "SELECT contest_id, source_id, event, ends_at
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
                });
                Ok(())
            },
        )
    }

    /// Calls `each` with the contests of a source in any state, in no order.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_of_source(
        &self,
        source_id: SourceId,
        each: impl FnMut(ContestRow),
    ) -> Result<()> {
        let sql = format!("{SELECT_CONTESTS} WHERE source_id = ?1");
        self.for_each(&sql, [source_id], contest_row, each)
    }

    /// Returns the contests of a source in any state, in [`ContestRow::replay_order`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn contests_of_source(&self, source_id: SourceId) -> Result<Vec<ContestRow>> {
        let sql = format!("{SELECT_CONTESTS} WHERE source_id = ?1");
        let mut contests: Vec<_> = self.query_rows(&sql, [source_id], contest_row)?;
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
        self.for_each_row(sql, [source_id], |row| {
            let document: Option<DocumentId> = row.get(1)?;
            if document.is_some_and(|id| documents.contains(&id)) {
                ids.push(row.get(0)?);
            }
            Ok(())
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
        let has_syncs: bool = self.query_value(
            "SELECT EXISTS (SELECT 1 FROM contest_sync WHERE source_id = ?1)",
            [source_id],
        )?;
        if !has_syncs {
            return Ok(Vec::new());
        }
        let sql = format!(
            "{SELECT_CONTESTS} WHERE +source_id = ?1 AND (state = 'incomplete' OR items IS NOT NULL)"
        );
        let mut contests = Vec::new();
        self.for_each_row(&sql, [source_id], |row| {
            contests.extend(Some(contest_row(row)?).filter(ContestRow::is_incomplete));
            Ok(())
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
        let sql = format!("{SELECT_CONTESTS} WHERE contest_id = ?1");
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = ids.into_iter().map(|id| {
                let row = statement.query_row([id], contest_row);
                row.optional().transpose()
            });
            rows.flatten().collect()
        })
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
        let sql = format!("{SELECT_RESULTS} WHERE competitor_id = ?1 ORDER BY contest_id");
        let mut results = Vec::new();
        for competitor_id in competitors {
            results.extend(self.query_rows::<_, Vec<_>>(&sql, [competitor_id], result_row)?);
        }
        Ok(results)
    }

    /// Calls `each` with the results of a contest, in no order.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_result(
        &self,
        contest_id: ContestId,
        each: impl FnMut(ResultRow),
    ) -> Result<()> {
        let sql = format!("{SELECT_RESULTS} WHERE contest_id = ?1");
        self.for_each(&sql, [contest_id], result_row, each)
    }

    /// Returns the competitors in the first place of a contest, at most `limit`.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn first_of_contest(
        &self,
        contest_id: ContestId,
        limit: usize,
    ) -> Result<Vec<CompetitorId>> {
        self.query_rows(
            "SELECT competitor_id FROM standing WHERE contest_id = ?1 AND place = 1 LIMIT ?2",
            params![contest_id, limit as i64],
            |row| row.get(0),
        )
    }

    /// Returns the results of a contest, ordered by competitor id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn results_of_contest(&self, contest_id: ContestId) -> Result<Vec<ResultRow>> {
        let sql = format!("{SELECT_RESULTS} WHERE contest_id = ?1 ORDER BY competitor_id");
        self.query_rows(&sql, [contest_id], result_row)
    }

    /// Returns the names of a competitor over time, oldest first; empty if it was never renamed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn name_history(&self, competitor_id: CompetitorId) -> Result<Vec<NameRow>> {
        self.query_rows(
            "SELECT name, first_seen_at, last_seen_at FROM competitor_name
             WHERE competitor_id = ?1 ORDER BY first_seen_at, last_seen_at, name",
            [competitor_id],
            |row| read_row!(row => NameRow { name, first_seen_at, last_seen_at }),
        )
    }

    /// Returns the current and earlier names of all competitors of a source that were ever renamed.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn renamed_competitors(&self, source_id: SourceId) -> Result<Vec<(CompetitorId, String)>> {
        // Starts from the few rows of `competitor_name`, not from all competitors.
        self.query_rows(
            "SELECT competitor_id, competitor_name.name
             FROM competitor_name CROSS JOIN competitor USING (competitor_id)
             WHERE source_id = ?1",
            [source_id],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
    }

    /// True if a run has a rating row of a contest.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_ratings(&self, run_id: RunId, contest_id: ContestId) -> Result<bool> {
        self.query_value(
            "SELECT EXISTS (SELECT 1 FROM rating WHERE run_id = ?1 AND contest_id = ?2)",
            params![run_id, contest_id],
        )
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
        let sql = format!("{SELECT_RATINGS} AND competitor_id = ?3");
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            let rows = keys.into_iter().map(|(contest_id, competitor_id)| {
                let key = params![run_id, contest_id, competitor_id];
                statement.query_row(key, rating_row).optional()
            });
            rows.collect()
        })
    }
}

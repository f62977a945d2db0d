//! The ratings of a run in a period, by the positions of its contests.

use std::ops::{ControlFlow, Range};

use ranklore_contest::ContestTime;
use rusqlite::{Row, params};

use crate::error::Result;
use crate::file::columns::read_row;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::runs::current_ratings::{CurrentRatingRow, SELECT_CURRENT_RATINGS, current_rating_row};
use crate::runs::ratings::{RatingRow, rating_row};

/// A rating, and the contest after which it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedRating {
    /// The competitor.
    pub competitor_id: CompetitorId,
    /// The rating.
    pub mu: f64,
    /// The uncertainty of the rating.
    pub sigma: f64,
    /// The volatility, if the system has one.
    pub volatility: Option<f64>,
    /// Position of the contest in the run.
    pub position: u32,
    /// End of the contest, in Unix seconds.
    pub ends_at: i64,
}

fn timed_rating(row: &Row<'_>) -> rusqlite::Result<TimedRating> {
    read_row!(row => TimedRating { competitor_id, mu, sigma, volatility, position, ends_at })
}

impl Store {
    /// Returns the number of contests of a run, rated or not; 0 if the run is older than schema
    /// version 2, or has official ratings, which are in no order.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_positions(&self, run_id: RunId) -> Result<u32> {
        self.query_value(
            "SELECT coalesce(max(position) + 1, 0) FROM run_contest
             WHERE run_id = ?1 AND (SELECT system FROM rating_run WHERE run_id = ?1) <> 'official'",
            [run_id],
        )
    }

    /// Returns the hash of everything that the ratings of a run depend on, up to the contest at a
    /// position; `None` if it is not stored. That of the last contest always is.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn chain_at(&self, run_id: RunId, position: u32) -> Result<Option<[u8; 32]>> {
        let sql = "SELECT chain FROM run_contest
                   WHERE run_id = ?1 AND position = ?2 AND length(chain) = 32";
        self.query_row(sql, params![run_id, position], |row| row.get(0))
    }

    /// Returns the position of the first of `positions` contests of a run that ended at a time or
    /// later; `positions` if none did. The contests must have the ends that they had when they were
    /// rated: the search is binary.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn first_position_since(
        &self,
        run_id: RunId,
        positions: u32,
        since: ContestTime,
    ) -> Result<u32> {
        let sql = "SELECT EXISTS (SELECT 1 FROM run_contest CROSS JOIN contest USING (contest_id)
                   WHERE run_id = ?1 AND position = ?2 AND ends_at >= ?3)";
        let mut low = 0;
        let mut high = positions;
        while low < high {
            let middle = low + (high - low) / 2;
            if self.query_value(sql, params![run_id, middle, since.get()])? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
    }

    /// Returns the position of a contest in a run, if it is one of these.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn find_position(
        &self,
        run_id: RunId,
        positions: Range<u32>,
        contest_id: ContestId,
    ) -> Result<Option<u32>> {
        let sql = "SELECT position FROM run_contest
                   WHERE run_id = ?1 AND position >= ?2 AND position < ?3 AND contest_id = ?4";
        let parameters = params![run_id, positions.start, positions.end, contest_id];
        self.query_row(sql, parameters, |row| row.get(0))
    }

    /// Calls `each` with the ratings of a run after the contests at these positions that ended at a
    /// time or later, oldest first.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating_since(
        &self,
        run_id: RunId,
        positions: Range<u32>,
        since: ContestTime,
        each: impl FnMut(TimedRating),
    ) -> Result<()> {
        // CROSS JOIN: SQLite must begin with the range of contests.
        let sql = "SELECT competitor_id, mu, sigma, volatility, position, ends_at
                   FROM run_contest CROSS JOIN contest USING (contest_id)
                       CROSS JOIN rating USING (run_id, contest_id)
                   WHERE run_id = ?1 AND position >= ?2 AND position < ?3 AND ends_at >= ?4
                   ORDER BY position";
        let parameters = params![run_id, positions.start, positions.end, since.get()];
        self.for_each(sql, parameters, timed_rating, each)
    }

    /// Calls `each` with the ratings of a run, mu and sigma, after the contests before a position,
    /// newest first, until it breaks.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating_before(
        &self,
        run_id: RunId,
        position: u32,
        mut each: impl FnMut(CompetitorId, f64, f64) -> ControlFlow<()>,
    ) -> Result<()> {
        // Not `for_each`, which cannot stop early.
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT competitor_id, mu, sigma
                 FROM run_contest CROSS JOIN rating USING (run_id, contest_id)
                 WHERE run_id = ?1 AND position < ?2 ORDER BY position DESC",
            )?;
            let mut rows = statement.query(params![run_id, position])?;
            while let Some(row) = rows.next()? {
                if each(row.get(0)?, row.get(1)?, row.get(2)?).is_break() {
                    break;
                }
            }
            Ok(())
        })
    }

    /// Calls `each` with the positions of contests in a run, in order, and the ratings after these
    /// contests.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating_of_positions(
        &self,
        run_id: RunId,
        positions: Range<u32>,
        mut each: impl FnMut(u32, RatingRow),
    ) -> Result<()> {
        let sql = "SELECT competitor_id, mu, sigma, performance, volatility, position
                   FROM run_contest CROSS JOIN rating USING (run_id, contest_id)
                   WHERE run_id = ?1 AND position >= ?2 AND position < ?3 ORDER BY position";
        let parameters = params![run_id, positions.start, positions.end];
        self.for_each_row(sql, parameters, |row| {
            each(row.get(5)?, rating_row(row)?);
            Ok(())
        })
    }

    /// Returns the number of ratings after the contests at these positions of a run.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_ratings_of_positions(&self, run_id: RunId, positions: Range<u32>) -> Result<u64> {
        let sql = "SELECT coalesce(sum(results), 0) FROM run_contest
                   WHERE run_id = ?1 AND position >= ?2 AND position < ?3";
        let sum = self.query_value(sql, params![run_id, positions.start, positions.end]);
        sum.map(i64::unsigned_abs)
    }

    /// Calls `each` with the current ratings of a run after last contests that ended at a time or
    /// later, ordered by competitor id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_current_rating_since(
        &self,
        run_id: RunId,
        since: ContestTime,
        each: impl FnMut(CurrentRatingRow),
    ) -> Result<()> {
        let sql = format!(
            "{SELECT_CURRENT_RATINGS} WHERE run_id = ?1 AND last_contest_at >= ?2
             ORDER BY competitor_id"
        );
        let parameters = params![run_id, since.get()];
        self.for_each(&sql, parameters, current_rating_row, each)
    }
}

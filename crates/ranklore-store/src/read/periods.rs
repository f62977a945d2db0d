//! The ratings of a run in a period, by the positions of its contests.

use std::ops::{ControlFlow, Range};

use ranklore_contest::ContestTime;
use rusqlite::params;

use crate::error::Result;
use crate::file::columns::{queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::runs::current_ratings::{CURRENT_RATING_COLUMNS, CurrentRatingRow};
use crate::runs::ratings::{RATING_COLUMNS, RatingRow};

row! {
    /// A rating, and the contest after which it is.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TimedRating selects TIMED_RATING_COLUMNS {
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
}

queries! {
    /// Returns the number of contests of a run, rated or not; 0 if the run is older than schema
    /// version 2, or has official ratings, which are in no order.
    pub fn count_positions(run_id: RunId) -> u32 =
        "SELECT coalesce(max(position) + 1, 0) FROM run_contest
         WHERE run_id = ?1 AND (SELECT system FROM rating_run WHERE run_id = ?1) <> 'official'";

    /// Returns the hash of everything that the ratings of a run depend on, up to the contest at a
    /// position; `None` if it is not stored. That of the last contest always is.
    pub fn chain_at(run_id: RunId, position: u32) -> Option<[u8; 32]> =
        "SELECT chain FROM run_contest
         WHERE run_id = ?1 AND position = ?2 AND length(chain) = 32";

    /// Returns the position of a contest in a run, if it is one of these.
    pub fn find_position(run_id: RunId, range: Range<u32>, contest_id: ContestId) -> Option<u32> =
        "SELECT position FROM run_contest
         WHERE run_id = ?1 AND position >= ?2 AND position < ?3 AND contest_id = ?4",
        [run_id, range.start, range.end, contest_id];

    /// Returns the number of ratings after the contests at these positions of a run.
    pub fn count_ratings_of_positions(run_id: RunId, positions: Range<u32>) -> u64 =
        "SELECT coalesce(sum(results), 0) FROM run_contest
         WHERE run_id = ?1 AND position >= ?2
         AND position < ?3", [run_id, positions.start, positions.end];

    /// Calls `each` with the ratings of a run after the contests at these positions that ended at a
    /// time or later, oldest first.
    // CROSS JOIN: SQLite must begin with the range of contests.
    pub fn for_each_rating_since(run_id: RunId, positions: Range<u32>, since: ContestTime;
        each [row: TimedRating]) =
        format!("SELECT {TIMED_RATING_COLUMNS}
                 FROM run_contest CROSS JOIN contest USING (contest_id)
                     CROSS JOIN rating USING (run_id, contest_id)
                 WHERE run_id = ?1 AND position >= ?2 AND position < ?3 AND ends_at >= ?4
                 ORDER BY position"), [run_id, positions.start, positions.end, since.get()];

    /// Calls `each` with the positions of contests in a run, in order, and the ratings after these
    /// contests.
    pub fn for_each_rating_of_positions(run_id: RunId, positions: Range<u32>;
        each [position: u32, rating: RatingRow]) =
        format!("SELECT position, {RATING_COLUMNS}
                 FROM run_contest CROSS JOIN rating USING (run_id, contest_id)
                 WHERE run_id = ?1 AND position >= ?2 AND position < ?3
                 ORDER BY position"), [run_id, positions.start, positions.end];

    /// Calls `each` with the current ratings of a run after last contests that ended at a time or
    /// later, ordered by competitor id.
    pub fn for_each_current_rating_since(run_id: RunId, since: ContestTime;
        each [row: CurrentRatingRow]) =
        format!("SELECT {CURRENT_RATING_COLUMNS} FROM current_rating
                 WHERE run_id = ?1 AND last_contest_at >= ?2
                 ORDER BY competitor_id"), [run_id, since.get()];
}

impl Store {
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
            if self.query(sql, params![run_id, middle, since.get()])? {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(low)
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
        let sql = "SELECT competitor_id, mu, sigma
                   FROM run_contest CROSS JOIN rating USING (run_id, contest_id)
                   WHERE run_id = ?1 AND position < ?2 ORDER BY position DESC";
        self.for_each_until(sql, params![run_id, position], |(competitor_id, mu, sigma)| {
            each(competitor_id, mu, sigma).is_continue()
        })
    }
}

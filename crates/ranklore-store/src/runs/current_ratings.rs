//! Current ratings: the last rating of each competitor of a run. They follow from the rating rows,
//! and views read them instead of all rows.

use rusqlite::params;

use crate::error::Result;
use crate::file::batch::WriteBatch;
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::file::row_hash::table_row;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::results::row_inserter::{RowInserter, RowInserts};

table_row! {
    /// The rating of a competitor after its last contest of a run.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct CurrentRatingRow selects CURRENT_RATING_COLUMNS in "current_rating" {
        /// The competitor.
        pub competitor_id: CompetitorId,
        /// The rating.
        pub mu: f64,
        /// The uncertainty of the rating.
        pub sigma: f64,
        /// Number of rated contests.
        pub contests: u32,
        /// Change of mu by the last contest; `None` after the first.
        pub change: Option<f64>,
        /// The highest mu.
        pub peak_mu: f64,
        /// End of the last contest, in Unix seconds.
        pub last_contest_at: i64,
        /// The volatility after the last contest, if the system has one.
        pub volatility: Option<f64>,
    }
}

/// Summary of the rating rows of a competitor in a run. Rows can be added in any order.
#[derive(Clone, Copy, Debug, Default)]
pub struct RatingSummary {
    contests: u32,
    /// Positions of the last contest and of the one before, and the ratings after them.
    last: u32,
    before: u32,
    mu: f64,
    mu_before: f64,
    sigma: f64,
    volatility: Option<f64>,
    peak_mu: f64,
}

impl RatingSummary {
    /// Adds the rating after the contest at a position of the run.
    pub const fn add(&mut self, position: u32, mu: f64, sigma: f64, volatility: Option<f64>) {
        if self.contests == 0 || position > self.last {
            (self.before, self.mu_before) = (self.last, self.mu);
            (self.last, self.mu) = (position, mu);
            (self.sigma, self.volatility) = (sigma, volatility);
        } else if self.contests == 1 || position > self.before {
            (self.before, self.mu_before) = (position, mu);
        }
        if self.contests == 0 || mu > self.peak_mu {
            self.peak_mu = mu;
        }
        self.contests += 1;
    }

    /// Returns the position of the last contest; `None` without rows.
    #[must_use]
    pub const fn last_position(&self) -> Option<u32> {
        match self.contests {
            0 => None,
            _ => Some(self.last),
        }
    }

    /// Returns the current rating, given the end of the last contest.
    #[must_use]
    pub fn current_rating(
        &self,
        competitor_id: CompetitorId,
        last_contest_at: i64,
    ) -> CurrentRatingRow {
        let change = (self.contests > 1).then_some(self.mu - self.mu_before);
        CurrentRatingRow {
            competitor_id,
            mu: self.mu,
            sigma: self.sigma,
            contests: self.contests,
            // The difference of two infinite ratings.
            change: change.filter(|change| !change.is_nan()),
            peak_mu: self.peak_mu,
            last_contest_at,
            volatility: self.volatility,
        }
    }
}

queries! {
    /// Returns the current rating of a competitor in a run; `None` if it is not rated, or the run
    /// has no current ratings (`RunRow::competitors`).
    pub fn current_rating(run_id: RunId, competitor_id: CompetitorId) -> Option<CurrentRatingRow> =
        format!("SELECT {CURRENT_RATING_COLUMNS} FROM current_rating
                 WHERE run_id = ?1 AND competitor_id = ?2");

    /// Calls `each` with the current ratings of a run, ordered by competitor id.
    pub fn for_each_current_rating(run_id: RunId; each [row: CurrentRatingRow]) =
        format!("SELECT {CURRENT_RATING_COLUMNS} FROM current_rating WHERE run_id = ?1
                 ORDER BY competitor_id");
}

impl Store {
    /// Returns the competitors with rating rows from a position of a run on, sorted.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn competitors_rated_from(
        &self,
        run_id: RunId,
        position: usize,
    ) -> Result<Vec<CompetitorId>> {
        let mut competitors = Vec::new();
        let contests: Vec<ContestId> = self.query(
            "SELECT contest_id FROM run_contest WHERE run_id = ?1 AND position >= ?2",
            params![run_id, position as i64],
        )?;
        let sql = "SELECT competitor_id FROM rating WHERE run_id = ?1 AND contest_id = ?2";
        for contest_id in contests {
            self.for_each(sql, params![run_id, contest_id], |id| competitors.push(id))?;
        }
        competitors.sort_unstable();
        competitors.dedup();
        Ok(competitors)
    }
}

impl WriteBatch<'_> {
    /// Replaces the current ratings of some competitors of a run: deletes those of `replaced`, and
    /// inserts `rows`. After [`WriteBatch::truncate_run`] to zero contests there are none.
    ///
    /// # Errors
    /// Errors if the database cannot be written.
    pub fn replace_current_ratings(
        &mut self,
        run_id: RunId,
        replaced: impl IntoIterator<Item = CompetitorId>,
        mut rows: Vec<CurrentRatingRow>,
    ) -> Result<()> {
        let mut added = rows.len() as i64;
        for competitor_id in replaced {
            let deleted = self.execute_counting(
                "DELETE FROM current_rating WHERE run_id = ?1 AND competitor_id = ?2",
                params![run_id, competitor_id],
            )?;
            added -= deleted as i64;
        }
        // Primary-key order packs the pages.
        rows.sort_unstable_by_key(|row| row.competitor_id);
        self.with_connection(|connection| {
            let inserts = RowInserts::for_rows::<CurrentRatingRow>(&["run_id"], 1);
            let mut inserter = RowInserter::new(connection, &inserts);
            inserter.insert_rows(&[run_id.get()], &rows)
        })?;
        self.execute(
            "UPDATE rating_run SET competitors = coalesce(competitors, 0) + ?2 WHERE run_id = ?1",
            params![run_id, added],
        )
    }

    /// Deletes all current ratings of a run.
    pub(crate) fn delete_current_ratings(&self, run_id: RunId) -> Result<()> {
        self.execute("DELETE FROM current_rating WHERE run_id = ?1", [run_id])?;
        self.execute("UPDATE rating_run SET competitors = NULL WHERE run_id = ?1", [run_id])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::row_hash::assert_columns_of_table;

    #[test]
    fn current_rating_has_the_columns_of_the_table() {
        assert_columns_of_table::<CurrentRatingRow>(&["run_id"]);
    }

    #[test]
    fn summary_is_independent_of_order() {
        let ratings = [
            (0, 1500.0, 90.0, 0.06),
            (1, 1600.0, 80.0, 0.05),
            (4, 1550.0, 70.0, 0.04),
        ];
        let summarize = |order: &[usize]| {
            let mut summary = RatingSummary::default();
            for &index in order {
                let (position, mu, sigma, volatility) = ratings[index];
                summary.add(position, mu, sigma, Some(volatility));
            }
            summary.current_rating(CompetitorId::new(1), 5)
        };
        let expected = CurrentRatingRow {
            competitor_id: CompetitorId::new(1),
            mu: 1550.0,
            sigma: 70.0,
            contests: 3,
            change: Some(-50.0),
            peak_mu: 1600.0,
            last_contest_at: 5,
            volatility: Some(0.04),
        };
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            assert_eq!(summarize(&order), expected, "{order:?}");
        }
        assert_eq!(summarize(&[1]).change, None);
        assert_eq!(summarize(&[2, 0]).change, Some(50.0));
    }
}

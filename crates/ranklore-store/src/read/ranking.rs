//! Leaderboards of current ratings: counts, pages and places, each in one pass over the rows of a
//! run.

use std::fmt::Write as _;

use ranklore_contest::{ContestTime, word_enum};
use rusqlite::params;

use crate::error::Result;
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::ids::RunId;
use crate::runs::current_ratings::{CURRENT_RATING_COLUMNS, CurrentRatingRow};

/// The rows of a leaderboard, and their order.
#[derive(Clone, Debug)]
pub struct RankingQuery {
    /// The run.
    pub run_id: RunId,
    /// The smallest number of rated contests.
    pub min_contests: u32,
    /// A competitor is active if its last contest ended at this time or later, in Unix seconds.
    pub oldest_active: i64,
    /// A rating after fewer contests is provisional.
    pub provisional_contests: u32,
    /// A rating with a larger sigma is provisional.
    pub provisional_sigma: Option<f64>,
    /// The place of provisional ratings in the list.
    pub provisional: ProvisionalPlacement,
    /// The key, highest first.
    pub key: RankingKey,
}

word_enum! {
    /// The place of provisional ratings in a list.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum ProvisionalPlacement {
        /// After the established ones.
        #[default]
        Last = "last",
        /// Among the established ones.
        Mix = "mix",
        /// Not listed.
        Exclude = "exclude",
        /// Listed alone.
        Only = "only",
    }
}

/// The rating that orders a leaderboard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RankingKey {
    /// `scale · (mu − k · sigma) + offset − newcomer[contests]`; of `newcomer` nothing if the last
    /// contest ended before `newcomer_since`, or after more contests.
    Formula {
        /// Factor.
        scale: f64,
        /// The number of sigmas that are subtracted.
        k: f64,
        /// The number that is added.
        offset: f64,
        /// The numbers that are subtracted after 0, 1, 2 … contests.
        newcomer: &'static [f64],
        /// In Unix seconds.
        newcomer_since: i64,
        /// True if the result is rounded, and at least 0.
        whole: bool,
    },
    /// The highest mu.
    Peak,
}

/// The numbers of rows of a leaderboard.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RankingCounts {
    /// Active competitors.
    pub active: u64,
    /// Inactive competitors.
    pub inactive: u64,
    /// Active competitors with a provisional rating.
    pub active_provisional: u64,
    /// Inactive competitors with a provisional rating.
    pub inactive_provisional: u64,
}

impl RankingKey {
    fn to_sql(self) -> String {
        match self {
            Self::Formula {
                scale,
                k,
                offset,
                newcomer,
                newcomer_since,
                whole,
            } => {
                let [scale, k, offset] = [scale, k, offset].map(literal);
                let mut sql = format!("{scale} * (mu - {k} * sigma) + {offset}");
                if !newcomer.is_empty() {
                    let mut cases = String::new();
                    for (contests, &less) in newcomer.iter().enumerate() {
                        let _ = write!(cases, "WHEN {contests} THEN {} ", literal(less));
                    }
                    sql = format!(
                        "{sql} - CASE WHEN last_contest_at < {newcomer_since} THEN 0.0 ELSE \
                         CASE contests {cases}ELSE 0.0 END END"
                    );
                }
                if whole {
                    sql = format!("max(round({sql}), 0.0)");
                }
                sql
            }
            Self::Peak => "peak_mu".to_owned(),
        }
    }
}

/// Formats a number for SQL, to the last bit.
fn literal(number: f64) -> String {
    match number {
        _ if number.is_nan() => "NULL".to_owned(),
        f64::INFINITY => "9e999".to_owned(),
        f64::NEG_INFINITY => "-9e999".to_owned(),
        number => format!("{number:?}"),
    }
}

impl RankingQuery {
    fn provisional_sql(&self) -> String {
        let contests = format!("contests < {}", self.provisional_contests);
        match self.provisional_sigma {
            Some(sigma) => format!("({contests} OR sigma > {})", literal(sigma)),
            None => contests,
        }
    }

    fn condition(&self, active: bool) -> String {
        let provisional = self.provisional_sql();
        let listed = match self.provisional {
            ProvisionalPlacement::Last | ProvisionalPlacement::Mix => String::new(),
            ProvisionalPlacement::Exclude => format!(" AND NOT ({provisional})"),
            ProvisionalPlacement::Only => format!(" AND ({provisional})"),
        };
        format!(
            "run_id = ?1 AND contests >= {} AND last_contest_at {} {}{listed}",
            self.min_contests,
            if active { ">=" } else { "<" },
            self.oldest_active,
        )
    }

    /// Returns the expression that lists provisional ratings last, if they are.
    fn group_sql(&self) -> String {
        match self.provisional {
            ProvisionalPlacement::Last => format!("({})", self.provisional_sql()),
            // A bare number in ORDER BY would be a column.
            _ => "NOT 1".to_owned(),
        }
    }
}

queries! {
    /// Returns the end of the newest contest with current ratings in a run, in Unix seconds: of those
    /// that had ended when the run was rated, or else of all.
    pub fn newest_rated_contest_at(run_id: RunId) -> Option<i64> =
        "SELECT coalesce(
             max(last_contest_at) FILTER (WHERE last_contest_at <=
                 (SELECT rated_at FROM rating_run WHERE run_id = ?1)),
             max(last_contest_at))
         FROM current_rating WHERE run_id = ?1";

    /// Counts the contests that a run rated and that had ended by this time.
    pub fn count_run_contests_by(run_id: RunId, time: ContestTime) -> u64 =
        "SELECT count(*) FROM run_contest CROSS JOIN contest USING (contest_id)
         WHERE run_id = ?1 AND results > 0 AND ends_at <= ?2", [run_id, time.get()];
}

impl Store {
    /// Counts the competitors with at least [`RankingQuery::min_contests`].
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_ranked(&self, query: &RankingQuery) -> Result<RankingCounts> {
        let is_active = format!("last_contest_at >= {}", query.oldest_active);
        let is_provisional = query.provisional_sql();
        // Not GROUP BY, which sorts all rows.
        let sql = format!(
            "SELECT count(*), count(*) FILTER (WHERE {is_active}),
                 count(*) FILTER (WHERE {is_provisional}),
                 count(*) FILTER (WHERE {is_active} AND {is_provisional})
             FROM current_rating WHERE run_id = ?1 AND contests >= {}",
            query.min_contests,
        );
        let counts: Option<(u64, u64, u64, u64)> = self.query(&sql, [query.run_id])?;
        let (all, active, provisional, active_provisional) = counts.unwrap_or_default();
        Ok(RankingCounts {
            active,
            inactive: all - active,
            active_provisional,
            inactive_provisional: provisional - active_provisional,
        })
    }

    /// Returns a page of the active, or of the inactive, competitors, ordered by the key; equal ones
    /// by id.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn ranked_page(
        &self,
        query: &RankingQuery,
        active: bool,
        offset: usize,
        limit: usize,
    ) -> Result<Vec<CurrentRatingRow>> {
        let sql = format!(
            "SELECT {CURRENT_RATING_COLUMNS} FROM current_rating WHERE {}
             ORDER BY {}, {} DESC, competitor_id
             LIMIT ?2 OFFSET ?3",
            query.condition(active),
            query.group_sql(),
            query.key.to_sql(),
        );
        let [limit, offset] = [limit, offset].map(|rows| i64::try_from(rows).unwrap_or(i64::MAX));
        self.query(&sql, params![query.run_id, limit, offset])
    }

    /// Counts the active, or the inactive, competitors listed above a rating with this key, which is
    /// provisional or not.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_ranked_above(
        &self,
        query: &RankingQuery,
        active: bool,
        provisional: bool,
        key: f64,
    ) -> Result<u64> {
        let group = query.group_sql();
        let order = query.key.to_sql();
        let own_group = i64::from(provisional && query.provisional == ProvisionalPlacement::Last);
        let sql = format!(
            "SELECT count(*) FROM current_rating
             WHERE {} AND (({group}) < ?2 OR ({group}) = ?2 AND {order} > ?3)",
            query.condition(active),
        );
        self.query(&sql, params![query.run_id, own_group, key])
    }
}

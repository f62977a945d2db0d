//! Queries for games, which are contests of two entrants: their results, and the ratings before them.

use rusqlite::params;

use crate::error::Result;
use crate::file::columns::FromRows;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::read::histories::{RESULT_COLUMNS, ResultRow};
use crate::runs::ratings::{RATING_COLUMNS, RatingRow};

impl Store {
    /// Calls `each` with the two results of each of these contests, ordered by competitor id. Skips
    /// contests of more or fewer entrants.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_game(
        &self,
        contests: impl IntoIterator<Item = ContestId>,
        mut each: impl FnMut([ResultRow; 2]),
    ) -> Result<()> {
        let sql = format!(
            "SELECT {RESULT_COLUMNS} FROM standing WHERE contest_id = ?1
             ORDER BY competitor_id LIMIT 3"
        );
        let contests = contests.into_iter().map(|contest_id| [contest_id]);
        self.query_each(&sql, contests, |results: Vec<ResultRow>| {
            if let Ok(both) = results.try_into() {
                each(both);
            }
        })
    }

    /// Calls `each` with the contests of a run, rated or not, in its order, until it returns false;
    /// with none if the run is older than schema version 2, or has official ratings.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_position(
        &self,
        run_id: RunId,
        each: impl FnMut(ContestId) -> bool,
    ) -> Result<()> {
        self.for_each_until(
            "SELECT contest_id FROM run_contest WHERE run_id = ?1
                 AND (SELECT system FROM rating_run WHERE run_id = ?1) <> 'official'
             ORDER BY position",
            [run_id],
            each,
        )
    }

    /// Calls `each` with the index of a query, the contest with the largest id below that of the query
    /// in which the account stands and a run rates the competitor, and the rating after it. Queries
    /// without such a contest are left out.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_rating_below(
        &self,
        run_id: RunId,
        queries: impl IntoIterator<Item = RatingBelow>,
        mut each: impl FnMut(usize, ContestId, RatingRow),
    ) -> Result<()> {
        self.with_connection(|connection| {
            // The indexes by account have its contests in the order of their ids.
            let mut as_entrant =
                connection.prepare_cached(&select_below("standing", "competitor_id"))?;
            let mut as_member = connection.prepare_cached(&select_below("member", "person_id"))?;
            for (index, query) in queries.into_iter().enumerate() {
                let RatingBelow {
                    competitor_id,
                    account,
                    contest_id,
                    with_teams,
                } = query;
                let key = params![run_id, competitor_id, account, contest_id];
                let mut latest = Below::from_rows(as_entrant.query(key)?)?;
                if with_teams {
                    let in_team = Below::from_rows(as_member.query(key)?)?;
                    latest = latest.into_iter().chain(in_team).max_by_key(|(id, _)| *id);
                }
                if let Some((contest_id, rating)) = latest {
                    each(index, contest_id, rating);
                }
            }
            Ok(())
        })
    }
}

/// A query for the rating of a competitor before a contest, in a run whose contests are in the order
/// of their ids.
#[derive(Clone, Copy, Debug)]
pub struct RatingBelow {
    /// The rated competitor.
    pub competitor_id: CompetitorId,
    /// The competitor itself, or an account that was merged into it.
    pub account: CompetitorId,
    /// The contest.
    pub contest_id: ContestId,
    /// True if contests count in which the account is a member of a team.
    pub with_teams: bool,
}

/// The row that [`select_below`] selects.
type Below = Option<(ContestId, RatingRow)>;

fn select_below(table: &str, account: &str) -> String {
    format!(
        "SELECT contest_id, {RATING_COLUMNS}
         FROM {table} AS seat CROSS JOIN rating USING (contest_id)
         WHERE seat.{account} = ?3 AND contest_id < ?4
             AND run_id = ?1 AND rating.competitor_id = ?2
         ORDER BY seat.contest_id DESC LIMIT 1"
    )
}

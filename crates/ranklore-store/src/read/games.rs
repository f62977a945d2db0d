//! Queries for games, which are contests of two entrants: their results, and the ratings before them.

use rusqlite::{OptionalExtension as _, Row, params};

use crate::error::Result;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId};
use crate::read::histories::{ResultRow, SELECT_RESULTS, result_row};
use crate::runs::ratings::{RatingRow, rating_row};

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
        let sql = format!("{SELECT_RESULTS} WHERE contest_id = ?1 ORDER BY competitor_id LIMIT 3");
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(&sql)?;
            for contest_id in contests {
                let rows = statement.query_map([contest_id], result_row)?;
                let rows: Vec<ResultRow> = rows.collect::<rusqlite::Result<_>>()?;
                if let Ok(both) = rows.try_into() {
                    each(both);
                }
            }
            Ok(())
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
        mut each: impl FnMut(ContestId) -> bool,
    ) -> Result<()> {
        self.with_connection(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT contest_id FROM run_contest WHERE run_id = ?1
                     AND (SELECT system FROM rating_run WHERE run_id = ?1) <> 'official'
                 ORDER BY position",
            )?;
            let mut rows = statement.query([run_id])?;
            while let Some(row) = rows.next()? {
                if !each(row.get(0)?) {
                    break;
                }
            }
            Ok(())
        })
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
                let mut latest = as_entrant.query_row(key, contest_and_rating).optional()?;
                if with_teams {
                    let in_team = as_member.query_row(key, contest_and_rating).optional()?;
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

/// Reads a row that [`select_below`] selects.
fn contest_and_rating(row: &Row<'_>) -> rusqlite::Result<(ContestId, RatingRow)> {
    Ok((row.get(5)?, rating_row(row)?))
}

fn select_below(table: &str, account: &str) -> String {
    format!(
        "SELECT rating.competitor_id, mu, sigma, performance, volatility, contest_id
         FROM {table} AS seat CROSS JOIN rating USING (contest_id)
         WHERE seat.{account} = ?3 AND contest_id < ?4
             AND run_id = ?1 AND rating.competitor_id = ?2
         ORDER BY seat.contest_id DESC LIMIT 1"
    )
}

//! Queries for lists of contests and competitors. They read a page, not the whole source, where an
//! index or a table has its order.

use std::collections::HashMap;

use ranklore_contest::ContestTime;
use rusqlite::types::Value;
use rusqlite::{params, params_from_iter};

use crate::error::Result;
use crate::file::columns::queries;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId, RunId, SourceId};
use crate::results::contest_state::ContestState;

/// Filter of a list of contests.
#[derive(Clone, Debug)]
pub struct ContestListFilter {
    /// Only contests of this source.
    pub source_id: SourceId,
    /// Only contests of this division.
    pub division: Option<String>,
    /// Only contests in this state; `withdrawn` also means those that the user withdrew.
    pub state: Option<ContestState>,
    /// Only contests that ended at this time or later.
    pub since: Option<ContestTime>,
    /// Only contests that ended before this time.
    pub until: Option<ContestTime>,
}

/// A contest of a list, with what it can be found and sorted by.
#[derive(Clone, Copy, Debug)]
pub struct ListedContestRow<'r> {
    /// The contest.
    pub contest_id: ContestId,
    /// When the result stood, in Unix seconds.
    pub ends_at: Option<i64>,
    /// The id within the source.
    pub external_id: &'r str,
    /// The name as published.
    pub name: &'r str,
    /// Division, class or age group.
    pub division: Option<&'r str>,
    /// Number of entrants.
    pub entrants: u32,
}

impl ContestListFilter {
    /// Returns the conditions on rows of `contest` and their parameters.
    fn to_sql(&self) -> (String, Vec<Value>) {
        // The index by source would read the table row by row, which is slower than a scan.
        let mut conditions = "+source_id = ?".to_owned();
        let mut parameters = vec![Value::from(self.source_id.get())];
        // A contest that the user withdrew keeps its state.
        let is_in_state = match self.state {
            Some(ContestState::Withdrawn) => " AND (state = ? OR withdrawn_at IS NOT NULL)",
            _ => " AND state = ?",
        };
        let state = self.state.map(|state| state.as_str().to_owned());
        for (condition, value) in [
            (" AND division = ?", self.division.clone().map(Value::from)),
            (is_in_state, state.map(Value::from)),
            (" AND ends_at >= ?", self.since.map(|time| time.get().into())),
            (" AND ends_at < ?", self.until.map(|time| time.get().into())),
        ] {
            if let Some(value) = value {
                conditions.push_str(condition);
                parameters.push(value);
            }
        }
        (conditions, parameters)
    }
}

queries! {
    /// Counts the competitors of a source, merged ones included.
    pub fn count_competitors(source_id: SourceId) -> u64 =
        "SELECT count(*) FROM competitor WHERE source_id = ?1";

    /// Returns the end of a contest, in Unix seconds.
    pub fn contest_end(contest_id: ContestId) -> Option<i64> =
        "SELECT ends_at FROM contest WHERE contest_id = ?1";

    /// Calls `each` with the contest, its end and the competitor of every standing of a source and
    /// every member of its teams, ordered by contest.
    pub fn for_each_appearance(source_id: SourceId;
        each [contest_id: ContestId, ends_at: Option<i64>, competitor_id: CompetitorId]) =
        "SELECT contest_id, ends_at, competitor_id
             FROM contest CROSS JOIN standing USING (contest_id) WHERE +source_id = ?1
         UNION ALL SELECT contest_id, ends_at, person_id
             FROM contest CROSS JOIN member USING (contest_id) WHERE +source_id = ?1
         ORDER BY contest_id";
}

impl Store {
    /// Calls `each` with the contests that pass a filter, in no order.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_listed_contest(
        &self,
        filter: &ContestListFilter,
        mut each: impl FnMut(ListedContestRow<'_>),
    ) -> Result<()> {
        let (conditions, parameters) = filter.to_sql();
        let sql = format!(
            "SELECT contest_id, ends_at, external_id, name, division, entrants FROM contest
             WHERE {conditions}"
        );
        self.for_each_row(&sql, params_from_iter(parameters), |row| {
            each(ListedContestRow {
                contest_id: row.get(0)?,
                ends_at: row.get(1)?,
                external_id: row.get_ref(2)?.as_str()?,
                name: row.get_ref(3)?.as_str()?,
                division: row.get_ref(4)?.as_str_or_null()?,
                entrants: row.get(5)?,
            });
            Ok(())
        })
    }

    /// Returns the number of rating rows of a run for each of these contests. The cost is
    /// proportional to the sum.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn count_ratings_of_contests(
        &self,
        run_id: RunId,
        contests: impl IntoIterator<Item = ContestId>,
    ) -> Result<HashMap<ContestId, u32>> {
        let sql = "SELECT count(*) FROM rating WHERE run_id = ?1 AND contest_id = ?2";
        let contests = contests.into_iter();
        contests
            .map(|contest_id| Ok((contest_id, self.query(sql, params![run_id, contest_id])?)))
            .collect()
    }
}

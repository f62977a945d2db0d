//! The people in teams and couples: who stood in which, and where.

use rusqlite::Row;

use crate::error::Result;
use crate::file::columns::outcome_of;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId};
use crate::read::histories::ResultRow;

/// A person in a team or couple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Member {
    /// The team or couple.
    pub competitor_id: CompetitorId,
    /// The person in it.
    pub person_id: CompetitorId,
}

fn member(row: &Row<'_>) -> rusqlite::Result<Member> {
    Ok(Member {
        competitor_id: row.get(0)?,
        person_id: row.get(1)?,
    })
}

impl Store {
    /// The people of the teams in a contest: by team, and as published.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn members_in(&self, contest_id: ContestId) -> Result<Vec<Member>> {
        self.rows(
            "SELECT competitor_id, person_id FROM member WHERE contest_id = ?1
             ORDER BY competitor_id, ordinal",
            [contest_id],
            member,
        )
    }

    /// The teams in a contest of which people are known, in the order of what their source calls
    /// them, which does not depend on ids.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn teams_by_name(&self, contest_id: ContestId) -> Result<Vec<CompetitorId>> {
        self.rows(
            "SELECT DISTINCT competitor_id FROM member JOIN competitor USING (competitor_id)
             WHERE contest_id = ?1 ORDER BY external_id, kind",
            [contest_id],
            |row| row.get(0),
        )
    }

    /// Hands over the contests that each of these people stands in as a member, in whatever
    /// state; one twice where somebody stands in two teams.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn for_each_contest_of_member(
        &self,
        people: impl IntoIterator<Item = CompetitorId>,
        mut each: impl FnMut(CompetitorId, ContestId),
    ) -> Result<()> {
        self.sql(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT contest_id FROM member WHERE person_id = ?1")?;
            for person in people {
                let mut rows = statement.query([person])?;
                while let Some(row) = rows.next()? {
                    each(person, row.get(0)?);
                }
            }
            Ok(())
        })
    }

    /// Where the teams of these people stood, in contests of whatever state: who, and the row of
    /// the team.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn results_of_members(
        &self,
        people: impl IntoIterator<Item = CompetitorId>,
    ) -> Result<Vec<(CompetitorId, ResultRow)>> {
        self.sql(|connection| {
            let mut statement = connection.prepare_cached(
                "SELECT DISTINCT contest_id, competitor_id, place, status
                 FROM member CROSS JOIN standing USING (contest_id, competitor_id)
                 WHERE person_id = ?1 ORDER BY contest_id, competitor_id",
            )?;
            let mut results = Vec::new();
            for person in people {
                let mut rows = statement.query([person])?;
                while let Some(row) = rows.next()? {
                    let result = ResultRow {
                        contest_id: row.get(0)?,
                        competitor_id: row.get(1)?,
                        outcome: outcome_of(row, 2, 3)?,
                    };
                    results.push((person, result));
                }
            }
            Ok(results)
        })
    }
}

//! Members of teams and couples.

use crate::error::Result;
use crate::file::columns::read_row;
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId};
use crate::read::histories::{ResultRow, result_row};

/// A member of a team or couple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TeamMember {
    /// The team or couple.
    pub competitor_id: CompetitorId,
    /// The person.
    pub person_id: CompetitorId,
}

impl Store {
    /// Returns the members of the teams in a contest, ordered by team and then as published.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn members_of_contest(&self, contest_id: ContestId) -> Result<Vec<TeamMember>> {
        self.query_rows(
            "SELECT competitor_id, person_id FROM member WHERE contest_id = ?1
             ORDER BY competitor_id, ordinal",
            [contest_id],
            |row| read_row!(row => TeamMember { competitor_id, person_id }),
        )
    }

    /// True if a team in one of these contests has known members.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_members(&self, contests: impl IntoIterator<Item = ContestId>) -> Result<bool> {
        // Most databases have no teams, and a source can have a million contests.
        if !self.query_value("SELECT EXISTS (SELECT 1 FROM member)", [])? {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM member WHERE contest_id = ?1)";
        for contest_id in contests {
            if self.query_value(sql, [contest_id])? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the teams with known members in a contest, ordered by external id, which is
    /// independent of row ids.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn teams_by_name(&self, contest_id: ContestId) -> Result<Vec<CompetitorId>> {
        self.query_rows(
            "SELECT DISTINCT competitor_id FROM member JOIN competitor USING (competitor_id)
             WHERE contest_id = ?1 ORDER BY external_id, kind",
            [contest_id],
            |row| row.get(0),
        )
    }

    /// Calls `each` with the contests that each of these people takes part in as a member, in any
    /// state; twice for a person in two teams.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn for_each_contest_of_member(
        &self,
        people: impl IntoIterator<Item = CompetitorId>,
        mut each: impl FnMut(CompetitorId, ContestId),
    ) -> Result<()> {
        let sql = "SELECT contest_id FROM member WHERE person_id = ?1";
        for person in people {
            self.for_each_row(sql, [person], |row| {
                each(person, row.get(0)?);
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the results of the teams of these people, in contests of any state: the person, and
    /// the row of the team.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn results_of_members(
        &self,
        people: impl IntoIterator<Item = CompetitorId>,
    ) -> Result<Vec<(CompetitorId, ResultRow)>> {
        let mut results = Vec::new();
        for person in people {
            self.for_each_row(
                "SELECT DISTINCT contest_id, competitor_id, place, status, side
                 FROM member CROSS JOIN standing USING (contest_id, competitor_id)
                 WHERE person_id = ?1 ORDER BY contest_id, competitor_id",
                [person],
                |row| {
                    results.push((person, result_row(row)?));
                    Ok(())
                },
            )?;
        }
        Ok(results)
    }
}

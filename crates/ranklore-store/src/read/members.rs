//! Members of teams and couples.

use crate::error::Result;
use crate::file::columns::{queries, row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId};
use crate::read::histories::{RESULT_COLUMNS, ResultRow};

row! {
    /// A member of a team or couple.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TeamMember selects MEMBER_COLUMNS {
        /// The team or couple.
        pub competitor_id: CompetitorId,
        /// The person.
        pub person_id: CompetitorId,
    }
}

queries! {
    /// Returns the members of the teams in a contest, ordered by team and then as published.
    pub fn members_of_contest(contest_id: ContestId) -> Vec<TeamMember> =
        format!("SELECT {MEMBER_COLUMNS} FROM member WHERE contest_id = ?1
                 ORDER BY competitor_id, ordinal");

    /// Returns the teams with known members in a contest, ordered by external id, which is
    /// independent of row ids.
    pub fn teams_by_name(contest_id: ContestId) -> Vec<CompetitorId> =
        "SELECT DISTINCT competitor_id FROM member JOIN competitor USING (competitor_id)
         WHERE contest_id = ?1 ORDER BY external_id, kind";
}

impl Store {
    /// True if a team in one of these contests has known members.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn has_members(&self, contests: impl IntoIterator<Item = ContestId>) -> Result<bool> {
        // Most databases have no teams, and a source can have a million contests.
        if !self.query("SELECT EXISTS (SELECT 1 FROM member)", [])? {
            return Ok(false);
        }
        let sql = "SELECT EXISTS (SELECT 1 FROM member WHERE contest_id = ?1)";
        for contest_id in contests {
            if self.query(sql, [contest_id])? {
                return Ok(true);
            }
        }
        Ok(false)
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
            self.for_each(sql, [person], |contest_id| each(person, contest_id))?;
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
        let sql = format!(
            "SELECT DISTINCT {RESULT_COLUMNS}
             FROM member CROSS JOIN standing USING (contest_id, competitor_id)
             WHERE person_id = ?1 ORDER BY contest_id, competitor_id"
        );
        let mut results = Vec::new();
        for person in people {
            self.for_each(&sql, [person], |result| results.push((person, result)))?;
        }
        Ok(results)
    }
}

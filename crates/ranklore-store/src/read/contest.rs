//! Contests with their standings, loaded as a whole.

use std::collections::BTreeMap;

use ranklore_contest::{Contest, ContestTime, Entrant, Place};

use crate::error::{Error, Result};
use crate::file::columns::{kind_from_row, outcome_from_row, side_from_row};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId};

impl Store {
    /// Loads a contest with its standings.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Corrupt`] if its rows do not form a contest.
    pub fn load_contest(&self, contest_id: ContestId) -> Result<Contest> {
        let row = self.query_row(
            "SELECT external_id, name, event, division, ordinal, url, starts_at, ends_at,
                 weight, site_weight, performance_ceiling
             FROM contest WHERE contest_id = ?1",
            [contest_id],
            |row| {
                let starts_at: Option<i64> = row.get(6)?;
                let ends_at: Option<i64> = row.get(7)?;
                let contest = Contest {
                    external_id: row.get(0)?,
                    name: row.get(1)?,
                    event: row.get(2)?,
                    division: row.get(3)?,
                    ordinal: row.get(4)?,
                    url: row.get(5)?,
                    starts_at: starts_at.and_then(ContestTime::new),
                    ends_at: ContestTime::MIN,
                    weight: row.get(8)?,
                    site_weight: row.get(9)?,
                    performance_ceiling: row.get(10)?,
                    entrants: Vec::new(),
                };
                Ok((contest, ends_at))
            },
        )?;
        let Some((mut contest, ends_at)) = row else {
            return Err(self.not_found("contest", contest_id.get()));
        };
        contest.ends_at = ends_at.and_then(ContestTime::new).ok_or_else(|| Error::Corrupt {
            path: self.path().to_owned(),
            reason: format!("contest \"{}\" has no time", contest.external_id),
        })?;
        contest.entrants = self.load_entrants(contest_id)?;
        Ok(contest)
    }

    fn load_entrants(&self, contest_id: ContestId) -> Result<Vec<Entrant>> {
        let mut entrants_by_id: BTreeMap<CompetitorId, Entrant> = self.query_rows(
            "SELECT competitor_id, external_id, kind, place, score, penalty, status, side
             FROM standing JOIN competitor USING (competitor_id) WHERE contest_id = ?1
             ORDER BY competitor_id",
            [contest_id],
            |row| {
                let entrant = Entrant {
                    competitor: row.get(1)?,
                    kind: kind_from_row(row, 2)?,
                    outcome: outcome_from_row(row, 3, 6)?,
                    score: row.get(4)?,
                    penalty: row.get(5)?,
                    side: side_from_row(row, 7)?,
                    members: Vec::new(),
                };
                Ok((row.get(0)?, entrant))
            },
        )?;
        self.query_rows::<_, ()>(
            "SELECT member.competitor_id, external_id
             FROM member JOIN competitor ON competitor.competitor_id = person_id
             WHERE contest_id = ?1 ORDER BY member.competitor_id, ordinal",
            [contest_id],
            |row| {
                if let Some(team) = entrants_by_id.get_mut(&row.get(0)?) {
                    team.members.push(row.get(1)?);
                }
                Ok(())
            },
        )?;
        let mut entrants: Vec<_> = entrants_by_id.into_values().collect();
        entrants.sort_unstable_by(|a, b| (rank(a), &a.competitor).cmp(&(rank(b), &b.competitor)));
        Ok(entrants)
    }
}

/// Returns the place of an entrant, for sorting: those who did not finish come last.
fn rank(entrant: &Entrant) -> u32 {
    entrant.outcome.place().map_or(u32::MAX, Place::get)
}

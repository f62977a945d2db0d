//! Contests with their standings, loaded as a whole.

use std::collections::BTreeMap;

use ranklore_contest::{Contest, ContestTime, Entrant, Place};
use rusqlite::Row;

use crate::error::{Error, Result};
use crate::file::columns::{ColumnReader, FromRow};
use crate::file::open::Store;
use crate::ids::{CompetitorId, ContestId};

impl Store {
    /// Loads a contest with its standings.
    ///
    /// # Errors
    /// [`Error::NotFound`]; [`Error::Corrupt`] if its rows do not form a contest.
    pub fn load_contest(&self, contest_id: ContestId) -> Result<Contest> {
        let row: Option<(Contest, Option<i64>)> = self.query(
            "SELECT external_id, name, event, division, ordinal, url, starts_at, weight,
                 site_weight, performance_ceiling, ends_at
             FROM contest WHERE contest_id = ?1",
            [contest_id],
        )?;
        let Some((mut contest, ends_at)) = row else {
            return Err(self.not_found("contest", contest_id.get()));
        };
        contest.ends_at = ends_at.and_then(ContestTime::new).ok_or_else(|| {
            let reason = format!("contest \"{}\" has no time", contest.external_id);
            Error::corrupt(self.path(), reason)
        })?;
        contest.entrants = self.load_entrants(contest_id)?;
        Ok(contest)
    }

    fn load_entrants(&self, contest_id: ContestId) -> Result<Vec<Entrant>> {
        let mut entrants_by_id: BTreeMap<CompetitorId, Entrant> = self.query(
            "SELECT competitor_id, external_id, kind, place, status, score, penalty, side
             FROM standing JOIN competitor USING (competitor_id) WHERE contest_id = ?1
             ORDER BY competitor_id",
            [contest_id],
        )?;
        self.for_each(
            "SELECT member.competitor_id, external_id
             FROM member JOIN competitor ON competitor.competitor_id = person_id
             WHERE contest_id = ?1 ORDER BY member.competitor_id, ordinal",
            [contest_id],
            |(team, member)| {
                if let Some(team) = entrants_by_id.get_mut(&team) {
                    team.members.push(member);
                }
            },
        )?;
        let mut entrants: Vec<_> = entrants_by_id.into_values().collect();
        entrants.sort_unstable_by(|a, b| (rank(a), &a.competitor).cmp(&(rank(b), &b.competitor)));
        Ok(entrants)
    }
}

/// Without the end and the entrants.
impl FromRow for Contest {
    const WIDTH: usize = 10;

    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let mut columns = ColumnReader::new(row, first);
        Ok(Self {
            external_id: columns.read()?,
            name: columns.read()?,
            event: columns.read()?,
            division: columns.read()?,
            ordinal: columns.read()?,
            url: columns.read()?,
            starts_at: columns.read::<Option<i64>>()?.and_then(ContestTime::new),
            ends_at: ContestTime::MIN,
            weight: columns.read()?,
            site_weight: columns.read()?,
            performance_ceiling: columns.read()?,
            entrants: Vec::new(),
        })
    }
}

/// Without the members.
impl FromRow for Entrant {
    const WIDTH: usize = 7;

    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let mut columns = ColumnReader::new(row, first);
        Ok(Self {
            competitor: columns.read()?,
            kind: columns.read()?,
            outcome: columns.read()?,
            score: columns.read()?,
            penalty: columns.read()?,
            side: columns.read()?,
            members: Vec::new(),
        })
    }
}

/// Returns the place of an entrant, for sorting: those who did not finish come last.
fn rank(entrant: &Entrant) -> u32 {
    entrant.outcome.place().map_or(u32::MAX, Place::get)
}

//! Replays of contests that are in no database.

use std::borrow::Cow;
use std::convert::Infallible;

use ranklore_rating::AllTied;
use ranklore_store::{RatableContest, Standing, TeamMember};

use super::{Lineup, Replay, find_advantaged, rank};
use crate::runs::identities::Identities;
use crate::runs::teams::{TeamMode, rated_teams};

/// The result of a contest that is in no database.
#[derive(Clone, Copy, Debug)]
pub struct GivenResult<'s> {
    /// The standings, each competitor once.
    pub standings: &'s [Standing],
    /// The members of its teams, ordered by team; a person is in one team.
    pub members: &'s [TeamMember],
}

impl<'r> Replay<'r> {
    /// Creates a replay of contests in replay order, as [`Replay::load`] does of those in a database.
    /// `result_of` returns the result of the contest at an index. A contest of weight 0 has no
    /// entrants.
    #[must_use]
    pub fn from_results<'s>(
        rows: &'r [RatableContest],
        teams: TeamMode,
        all_tied: AllTied,
        mut result_of: impl FnMut(usize) -> GivenResult<'s>,
    ) -> Self {
        let mut replay = Self::new(Cow::Borrowed(rows), all_tied);
        let identities = Identities::default();
        let mut lineup = Lineup::default();
        for (index, row) in rows.iter().enumerate() {
            lineup.clear();
            if row.weight > 0.0 {
                let result = result_of(index);
                match teams {
                    TeamMode::Whole => lineup.set_individuals(result.standings, &identities),
                    TeamMode::Members => lineup.set_given_teams(result),
                }
            }
            replay.push(&lineup);
        }
        replay
    }
}

impl Lineup {
    fn set_given_teams(&mut self, result: GivenResult<'_>) {
        let ranks = result.standings.iter().map(|s| (s.competitor_id, rank(s)));
        // Names order teams that share a person, of which there are none.
        let by_name = || Ok::<_, Infallible>(Vec::new());
        let Ok(teams) = rated_teams(ranks, result.members, |person| person, by_name);
        self.set_teams(&teams, find_advantaged(result.standings));
    }
}

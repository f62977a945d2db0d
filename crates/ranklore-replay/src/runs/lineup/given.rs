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
            if row.weight > 0.0 && teams == TeamMode::Whole {
                let standings = result_of(index).standings;
                replay.push_standings(standings, &identities, &mut lineup);
                continue;
            }
            lineup.clear();
            if row.weight > 0.0 {
                lineup.set_given_teams(result_of(index));
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

#[cfg(test)]
mod tests {
    use ranklore_contest::{Place, Side};
    use ranklore_store::CompetitorId;

    use super::super::ReplayContest;
    use super::super::tests::ROW;
    use super::*;

    /// Returns what a replay of one contest tells of it.
    fn facts(replay: &Replay<'_>) -> impl PartialEq + std::fmt::Debug {
        let contest: ReplayContest<'_> = replay.contest(0);
        (
            (contest.entrants.to_vec(), contest.groups.to_vec()),
            (contest.teams.is_none(), contest.finishers, contest.advantaged),
            (replay.competitors.clone(), replay.rated, replay.results),
        )
    }

    #[test]
    fn games_are_replayed_as_contests_of_any_size() {
        let mut sides = Side::VARIANTS.map(Some).to_vec();
        sides.push(None);
        let of_one = [None, Place::new(1), Place::new(2)]
            .into_iter()
            .flat_map(|place| sides.iter().map(move |&side| (place, side)));
        let of_one: Vec<_> = of_one.collect();
        let mut games = 0;
        for (&first, &second) in of_one.iter().flat_map(|a| of_one.iter().map(move |b| (a, b))) {
            let standings = [(7, first), (5, second)].map(|(id, (place, side))| Standing {
                competitor_id: CompetitorId::new(id),
                place,
                side,
            });
            let [mut game, mut contest] =
                [(); 2].map(|()| Replay::new(Cow::Owned(vec![ROW]), AllTied::default()));
            game.push_game([&standings[0], &standings[1]]);
            let mut lineup = Lineup::default();
            lineup.set_individuals(&standings, &Identities::default());
            contest.push(&lineup);
            assert_eq!(facts(&game), facts(&contest), "{standings:?}");
            games += 1;
        }
        assert_eq!(games, (3 * sides.len()).pow(2));
    }
}

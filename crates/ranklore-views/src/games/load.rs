//! The games of a competitor: both entrants, their people, and the result.

use ranklore_store::{CompetitorId, ContestId, ResultRow, Store};

use crate::games::record::{GameOutcome, GameSide, PlayedGame};
use ranklore_replay::{Error, Identities, TeamMode, load_rated_teams, rank};

/// Loads those of `contests` that are games of a competitor, in the given order; with an opponent,
/// those against it. Contests of more than two entrants, games without a result and games between
/// accounts of one competitor are left out.
pub(crate) fn load_games(
    store: &Store,
    identities: &Identities,
    contests: impl IntoIterator<Item = ContestId>,
    competitor: CompetitorId,
    opponent: Option<CompetitorId>,
) -> Result<Vec<PlayedGame>, Error> {
    let mut entrants = Vec::new();
    store.for_each_game(contests, |rows| entrants.push(rows))?;
    let mut games = Vec::with_capacity(entrants.len());
    for rows in entrants {
        let [first_people, second_people] = load_people(store, identities, &rows)?;
        let [first, second] = rows;
        let is_first = first_people.contains(&competitor);
        // Both entrants can be accounts of one competitor.
        if is_first == second_people.contains(&competitor) {
            continue;
        }
        let mut sides = [(first, first_people), (second, second_people)];
        if !is_first {
            sides.reverse();
        }
        let [(own, own_people), (other, other_people)] = sides;
        let is_selected = opponent.is_none_or(|opponent| other_people.contains(&opponent));
        let result = GameOutcome::from_outcomes(own.outcome, other.outcome);
        games.extend(result.filter(|_| is_selected).map(|result| PlayedGame {
            contest: own.contest_id,
            own: GameSide::new(identities, &own, own_people),
            other: GameSide::new(identities, &other, other_people),
            result,
            expected: None,
        }));
    }
    Ok(games)
}

/// Loads the rated competitors of the entrants of a game.
fn load_people(
    store: &Store,
    identities: &Identities,
    rows: &[ResultRow; 2],
) -> Result<[Vec<CompetitorId>; 2], Error> {
    if identities.teams == TeamMode::Whole {
        return Ok(rows.map(|row| vec![identities.resolve(row.competitor_id)]));
    }
    let ranks = rows.map(|row| (row.competitor_id, rank(row.outcome)));
    let contest = rows[0].contest_id;
    let teams = load_rated_teams(store, contest, ranks, |id| identities.resolve(id))?;
    Ok(rows.map(|row| {
        let team = teams.iter().find(|team| team.account == row.competitor_id);
        team.map_or_else(Vec::new, |team| team.people.clone())
    }))
}

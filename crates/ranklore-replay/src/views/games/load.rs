//! The games of a competitor: both entrants, their people, and the result.

use ranklore_store::{CompetitorId, ContestId, ResultRow, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::teams::{TeamMode, load_rated_teams, rank};
use crate::views::games::record::{GameOutcome, GameSide, PlayedGame};

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
    let mut both = Vec::new();
    store.for_each_game(contests, |rows| both.push(rows))?;
    let mut games = Vec::with_capacity(both.len());
    for rows in both {
        let [first, second] = load_people(store, identities, &rows)?;
        let [one, two] = rows;
        let is_of = |people: &[CompetitorId]| people.contains(&competitor);
        let (own, other) = match (is_of(&first), is_of(&second)) {
            (true, false) => ((one, first), (two, second)),
            (false, true) => ((two, second), (one, first)),
            _ => continue,
        };
        let is_asked = opponent.is_none_or(|opponent| other.1.contains(&opponent));
        let result = GameOutcome::from_outcomes(own.0.outcome, other.0.outcome);
        let side = |(row, people): (ResultRow, Vec<CompetitorId>)| GameSide {
            competitor: identities.resolve(row.competitor_id),
            people,
            side: row.side,
            mu: None,
            rated_before: false,
        };
        games.extend(result.filter(|_| is_asked).map(|result| PlayedGame {
            contest: one.contest_id,
            own: side(own),
            other: side(other),
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
    let resolve = |of| identities.resolve(of);
    if identities.teams == TeamMode::Whole {
        return Ok(rows.map(|of| vec![resolve(of.competitor_id)]));
    }
    let ranks = rows.map(|of| (of.competitor_id, rank(of.outcome)));
    let teams = load_rated_teams(store, rows[0].contest_id, ranks, resolve)?;
    Ok(rows.map(|of| {
        let team = teams.iter().find(|team| team.account == of.competitor_id);
        team.map_or_else(Vec::new, |team| team.people.clone())
    }))
}

//! Expected scores of games, by the ratings before them.

use std::collections::HashMap;

use ranklore_contest::Side;
use ranklore_rating::Belief;
use ranklore_store::{CompetitorId, ContestId, RunRow, Store};

use crate::games::ratings_before::RatingsBeforeGames;
use crate::games::record::{GameSide, PlayedGame};
use ranklore_replay::{Error, Identities, System};

/// The rating of a competitor before each game that a run rates; `None` before its first one.
pub(crate) type OwnRatings = HashMap<ContestId, Option<Belief>>;

/// Sets the ratings before the games of a competitor that a run rates, and their expected scores.
/// Sigma is that after the contest before, as in evaluations, and the advantage of a side counts.
/// `own_ratings` has the ratings of the competitor before all games that the run rates, if they are
/// known. Without a model of win probabilities the games keep none.
pub(crate) fn set_expected_scores(
    store: &Store,
    run: &RunRow,
    identities: &Identities,
    games: &mut [PlayedGame],
    competitor: CompetitorId,
    own_ratings: Option<&OwnRatings>,
) -> Result<(), Error> {
    let Some(system) = System::from_run_if_known(run)? else {
        return Ok(());
    };
    let mut rated: Vec<&mut PlayedGame> = Vec::with_capacity(games.len());
    for game in games {
        let is_rated = if let Some(own_ratings) = own_ratings {
            own_ratings.contains_key(&game.contest)
        } else {
            let key = (game.contest, competitor);
            !store.ratings_at(run.run_id, [key])?.contains(&None)
        };
        rated.extend(is_rated.then_some(game));
    }
    if rated.is_empty() {
        return Ok(());
    }
    let contests = rated.iter().map(|game| game.contest);
    let before = RatingsBeforeGames::load(store, run, identities, &system, contests)?;
    let Some(mut before) = before else {
        return Ok(());
    };
    // The ratings of these people are set in the same order below.
    let unknown_people = rated.iter().flat_map(|game| {
        let people = game.own.people.iter().chain(&game.other.people);
        people
            .filter(|person| own_ratings.is_none() || **person != competitor)
            .map(|person| (*person, game.contest))
    });
    let unknown_people: Vec<_> = unknown_people.collect();
    let mut unknown_ratings = before.find(&unknown_people)?.into_iter();
    let advantage = system.rating.advantage();
    let model = system.rating.win_model();
    for game in rated {
        let contest = game.contest;
        let mut earlier_rating = |person: CompetitorId| match own_ratings {
            Some(own_ratings) if person == competitor => {
                own_ratings.get(&contest).copied().flatten()
            }
            _ => unknown_ratings.next().flatten(),
        };
        let mut first = set_rating(&before, contest, &mut game.own, &mut earlier_rating);
        let mut second = set_rating(&before, contest, &mut game.other, &mut earlier_rating);
        match (has_advantage(&game.own), has_advantage(&game.other)) {
            (true, false) => first.mu += advantage,
            (false, true) => second.mu += advantage,
            _ => {}
        }
        game.expected = Some(model.win_probability(first, second).expected_score());
    }
    Ok(())
}

fn has_advantage(entrant: &GameSide) -> bool {
    entrant.side.is_some_and(Side::has_advantage)
}

/// Sets the rating of an entrant before a game. `earlier_rating` is called with each of its people, in
/// their order.
fn set_rating(
    before: &RatingsBeforeGames<'_>,
    game: ContestId,
    entrant: &mut GameSide,
    earlier_rating: &mut impl FnMut(CompetitorId) -> Option<Belief>,
) -> Belief {
    entrant.rated_before = true;
    let mut members = Vec::with_capacity(entrant.people.len());
    for &person in &entrant.people {
        members.push(earlier_rating(person).unwrap_or_else(|| {
            let (initial, is_own) = before.initial(person, game);
            entrant.rated_before &= is_own;
            initial
        }));
    }
    let rating = Belief::from_members(members);
    entrant.mu = Some(rating.mu);
    rating
}

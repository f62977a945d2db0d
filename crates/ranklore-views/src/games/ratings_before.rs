//! Ratings of a run before its games. Rating rows hold the ratings after a contest, and have no index
//! by competitor: the contest before is found by the index of standings.

use std::collections::{HashMap, HashSet};

use ranklore_rating::{Belief, CompetitorIndex};
use ranklore_store::{CompetitorId, ContestId, EventNumbers, RatingBelow, RunRow, Store};

use crate::coverage::for_each_contest_of_run;
use crate::rating_periods::RatingPeriods;
use ranklore_replay::{Error, Identities, System, TeamMode};

/// Finds ratings before games.
pub(crate) struct RatingsBeforeGames<'a> {
    store: &'a Store,
    run: &'a RunRow,
    identities: &'a Identities,
    newcomer: Belief,
    /// The initial mu of newcomers in each game, in systems in which it is not the same in all.
    newcomer_mu: HashMap<ContestId, f64>,
    /// Games are predicted by the ratings before their rating period.
    periods: RatingPeriods,
    /// The order of the contests of the run; `None` if the contests are in the order of their ids.
    order: Option<RunOrder>,
}

/// The order of a run whose contests are not in the order of their ids.
struct RunOrder {
    contests: Vec<ContestId>,
    positions: HashMap<ContestId, usize>,
    /// The positions of the contests of the competitor that was requested last.
    last: Option<(CompetitorId, Vec<usize>)>,
}

impl<'a> RatingsBeforeGames<'a> {
    /// Prepares the ratings before these games; `None` if the run did not store its order.
    pub(crate) fn load(
        store: &'a Store,
        run: &'a RunRow,
        identities: &'a Identities,
        system: &System,
        games: impl Iterator<Item = ContestId>,
    ) -> Result<Option<Self>, Error> {
        let mut last = None;
        let mut ascends = true;
        store.for_each_position(run.run_id, |contest| {
            ascends = last.replace(contest) < Some(contest);
            ascends
        })?;
        if last.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            store,
            run,
            identities,
            periods: RatingPeriods::load(store, run)?,
            newcomer: system.rating.belief(CompetitorIndex::MAX),
            newcomer_mu: load_newcomer_mu_of(store, run, system, games)?,
            order: (!ascends).then(|| RunOrder::load(store, run)).transpose()?,
        }))
    }

    /// Returns the rating of a competitor before a game, for each of these; `None` if it has none.
    pub(crate) fn find(
        &mut self,
        games: &[(CompetitorId, ContestId)],
    ) -> Result<Vec<Option<Belief>>, Error> {
        let periods = &self.periods;
        let keys = games
            .iter()
            .map(|&(competitor, game)| (competitor, periods.first_contest(game)));
        let keys: Vec<_> = keys.collect();
        let Some(order) = &mut self.order else {
            return self.find_by_ids(&keys);
        };
        let mut ratings = vec![None; keys.len()];
        // The contests of a competitor are listed once.
        let mut by_competitor: Vec<usize> = (0..keys.len()).collect();
        by_competitor.sort_unstable_by_key(|&index| keys[index]);
        for index in by_competitor {
            let (competitor, game) = keys[index];
            for contest in order.contests_before(self.store, self.identities, competitor, game)? {
                let key = (contest, competitor);
                let row = self.store.ratings_at(self.run.run_id, [key])?.pop();
                if let Some(row) = row.flatten() {
                    ratings[index] = Some(Belief::new(row.mu, row.sigma));
                    break;
                }
            }
        }
        Ok(ratings)
    }

    /// Returns the ratings like [`Self::find`] in a run whose contests are in the order of their ids.
    fn find_by_ids(
        &self,
        keys: &[(CompetitorId, ContestId)],
    ) -> Result<Vec<Option<Belief>>, Error> {
        let with_teams = self.identities.teams == TeamMode::Members;
        let mut indices = Vec::new();
        let mut queries = Vec::new();
        for (index, &(competitor_id, contest_id)) in keys.iter().enumerate() {
            for account in self.identities.accounts(competitor_id) {
                indices.push(index);
                queries.push(RatingBelow {
                    competitor_id,
                    account,
                    contest_id,
                    with_teams,
                });
            }
        }
        let mut ratings = vec![None; keys.len()];
        // The latest contest of all accounts counts.
        let mut latest: Vec<Option<ContestId>> = vec![None; keys.len()];
        let store = self.store;
        store.for_each_rating_below(self.run.run_id, queries, |query, contest, row| {
            let index = indices[query];
            if latest[index] < Some(contest) {
                latest[index] = Some(contest);
                ratings[index] = Some(Belief::new(row.mu, row.sigma));
            }
        })?;
        Ok(ratings)
    }

    /// Returns the rating that a competitor without an earlier one has in a game. The flag is true if
    /// it is a starting rating of its own.
    pub(crate) fn initial(&self, competitor: CompetitorId, game: ContestId) -> (Belief, bool) {
        let newcomer = Belief {
            mu: *self.newcomer_mu.get(&game).unwrap_or(&self.newcomer.mu),
            ..self.newcomer
        };
        let Some(start) = self.identities.starting_rating(competitor) else {
            return (newcomer, false);
        };
        let rating = Belief {
            mu: start.mu,
            variance: start.sigma.map_or(newcomer.variance, |sigma| sigma * sigma),
            members: 1,
        };
        (rating, true)
    }
}

impl RunOrder {
    fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let mut contests = Vec::new();
        store.for_each_position(run.run_id, |contest| {
            contests.push(contest);
            true
        })?;
        Ok(Self {
            positions: contests.iter().copied().zip(0..).collect(),
            contests,
            last: None,
        })
    }

    /// Returns the contests of a competitor before a game in the order of the run, the latest first.
    fn contests_before(
        &mut self,
        store: &Store,
        identities: &Identities,
        competitor: CompetitorId,
        game: ContestId,
    ) -> Result<impl Iterator<Item = ContestId>, Error> {
        let last = self.last.as_ref();
        if last.is_none_or(|(last, _)| *last != competitor) {
            let accounts: Vec<CompetitorId> = identities.accounts(competitor).collect();
            let mut positions = Vec::new();
            identities.for_each_contest_of(store, accounts, |_, contest| {
                positions.extend(self.positions.get(&contest));
            })?;
            positions.sort_unstable();
            self.last = Some((competitor, positions));
        }
        let game_position = self.positions.get(&game).copied().unwrap_or(0);
        let last = self.last.as_ref();
        let positions = last.map_or(&[][..], |(_, positions)| positions);
        let count = positions.partition_point(|&position| position < game_position);
        let contests = &self.contests;
        Ok(positions[..count].iter().rev().map(|&position| contests[position]))
    }
}

/// Returns the initial mu of newcomers in each of these contests; nothing if it is the same in all.
fn load_newcomer_mu_of(
    store: &Store,
    run: &RunRow,
    system: &System,
    contests: impl Iterator<Item = ContestId>,
) -> Result<HashMap<ContestId, f64>, Error> {
    let system = &system.rating;
    let mut mu_by_contest = HashMap::new();
    if system.has_equal_newcomers() {
        return Ok(mu_by_contest);
    }
    let contests: HashSet<ContestId> = contests.collect();
    let mut events = EventNumbers::default();
    for_each_contest_of_run(store, run, |contest| {
        if !contest.is_rated {
            return;
        }
        let event = events.add(contest.source_id, contest.event);
        if contests.contains(&contest.contest_id) {
            mu_by_contest.insert(contest.contest_id, system.newcomer_mu(event));
        }
    })?;
    Ok(mu_by_contest)
}

//! Ratings of a run before its games. Rating rows hold the ratings after a contest, and have no index
//! by competitor: the contest before is found by the index of standings.

use std::collections::{HashMap, HashSet};

use ranklore_rating::{Belief, CompetitorIndex};
use ranklore_store::{CompetitorId, ContestId, EventNumbers, RatingBelow, RunRow, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::systems::System;
use crate::runs::teams::TeamMode;
use crate::views::coverage::for_each_contest_of_run;

/// Finds ratings before games.
pub(crate) struct RatingsBeforeGames<'a> {
    store: &'a Store,
    run: &'a RunRow,
    identities: &'a Identities,
    newcomer: Belief,
    /// The initial mu of newcomers in each game, in systems in which it is not the same in all.
    newcomer_mu: HashMap<ContestId, f64>,
    /// The order of the contests of the run; `None` if it is the order of their ids.
    order: Option<RunOrder>,
}

/// The order of a run whose contests are not in the order of their ids.
struct RunOrder {
    contests: Vec<ContestId>,
    positions: HashMap<ContestId, usize>,
    /// The positions of the contests of the competitor that was asked for last.
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
            newcomer: system.rating.belief(CompetitorIndex::MAX),
            newcomer_mu: load_newcomer_mu_of(store, run, system, games)?,
            order: (!ascends).then(|| RunOrder::load(store, run)).transpose()?,
        }))
    }

    /// Returns the rating of a competitor before a game, for each of `keys`; `None` if it has none.
    pub(crate) fn find(
        &mut self,
        keys: &[(CompetitorId, ContestId)],
    ) -> Result<Vec<Option<Belief>>, Error> {
        let mut found = vec![None; keys.len()];
        let (store, run) = (self.store, self.run.run_id);
        let Some(order) = &mut self.order else {
            let with_teams = self.identities.teams == TeamMode::Members;
            let accounts = (keys.iter().enumerate()).flat_map(|(index, &(competitor, game))| {
                let accounts = self.identities.accounts(competitor);
                accounts.map(move |account| (index, account, competitor, game))
            });
            let accounts: Vec<_> = accounts.collect();
            let queries = accounts
                .iter()
                .map(|&(_, account, competitor, game)| RatingBelow {
                    competitor_id: competitor,
                    account,
                    contest_id: game,
                    with_teams,
                });
            // The latest contest of all accounts counts.
            let mut latest: Vec<Option<ContestId>> = vec![None; keys.len()];
            store.for_each_rating_below(run, queries, |query, contest, row| {
                let index = accounts[query].0;
                if latest[index] < Some(contest) {
                    latest[index] = Some(contest);
                    found[index] = Some(Belief::new(row.mu, row.sigma));
                }
            })?;
            return Ok(found);
        };
        // The contests of a competitor are listed once.
        let mut by_competitor: Vec<usize> = (0..keys.len()).collect();
        by_competitor.sort_unstable_by_key(|&index| keys[index]);
        for index in by_competitor {
            let (competitor, game) = keys[index];
            for contest in order.contests_before(store, self.identities, competitor, game)? {
                let row = store.ratings_at(run, [(contest, competitor)])?.pop();
                if let Some(row) = row.flatten() {
                    found[index] = Some(Belief::new(row.mu, row.sigma));
                    break;
                }
            }
        }
        Ok(found)
    }

    /// Returns the rating that a competitor without an earlier one has in a game. The flag is true if
    /// it is a starting rating of its own.
    pub(crate) fn initial(&self, competitor: CompetitorId, game: ContestId) -> (Belief, bool) {
        let newcomer = Belief {
            mu: *self.newcomer_mu.get(&game).unwrap_or(&self.newcomer.mu),
            ..self.newcomer
        };
        match self.identities.starting_rating(competitor) {
            Some(start) => {
                let variance = start.sigma.map_or(newcomer.variance, |sigma| sigma * sigma);
                let start = Belief {
                    mu: start.mu,
                    variance,
                    members: 1,
                };
                (start, true)
            }
            None => (newcomer, false),
        }
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
        if (self.last.as_ref()).is_none_or(|(known, _)| *known != competitor) {
            let accounts: Vec<CompetitorId> = identities.accounts(competitor).collect();
            let mut positions = Vec::new();
            identities.for_each_contest_of(store, accounts, |_, contest| {
                positions.extend(self.positions.get(&contest));
            })?;
            positions.sort_unstable();
            self.last = Some((competitor, positions));
        }
        let own = self.positions.get(&game).copied().unwrap_or(0);
        let positions = self.last.as_ref().map_or(&[][..], |(_, of)| of);
        let before = &positions[..positions.partition_point(|&position| position < own)];
        let contests = &self.contests;
        Ok(before.iter().rev().map(|&position| contests[position]))
    }
}

/// Returns the initial mu of newcomers in each of these contests; nothing if it is the same in all.
fn load_newcomer_mu_of(
    store: &Store,
    run: &RunRow,
    system: &System,
    contests: impl Iterator<Item = ContestId>,
) -> Result<HashMap<ContestId, f64>, Error> {
    let newcomer = |event| system.rating.newcomer_mu(event);
    let mut known = HashMap::new();
    if newcomer(0).to_bits() == newcomer(1).to_bits() {
        return Ok(known);
    }
    let wanted: HashSet<ContestId> = contests.collect();
    let mut events = EventNumbers::default();
    for_each_contest_of_run(store, run, |of| {
        let event = events.add(of.source_id, of.event);
        if wanted.contains(&of.contest_id) {
            known.insert(of.contest_id, newcomer(event));
        }
    })?;
    Ok(known)
}

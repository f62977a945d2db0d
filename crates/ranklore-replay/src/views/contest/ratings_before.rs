//! The ratings of a run before a contest: of its entrants, and of newcomers.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use ranklore_contest::ContestTime;
use ranklore_rating::Belief;
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, EventNumbers, RatingBelow, RunRow, Store,
};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::systems::System;
use crate::runs::teams::TeamMode;
use crate::views::cache::ViewReader;
use crate::views::cache::kept_ratings::{RatedContest, Ratings};
use crate::views::coverage::{contest_times, for_each_contest_of_run};

/// Entrants whose ratings before the contest are loaded together, in the order of the table.
pub(crate) const CHUNK_ENTRANTS: usize = 65_536;

/// The ratings of a run before a contest.
pub(crate) struct RatingsBefore<'a> {
    store: &'a Store,
    run: &'a RunRow,
    pub(crate) identities: &'a Identities,
    /// The competitors that the run rates in this contest.
    after: &'a HashSet<CompetitorId>,
    /// The contests of the run before this one, in its order.
    earlier: Vec<ContestId>,
    positions: HashMap<ContestId, usize>,
    /// Ratings before the contest that are already loaded.
    known: Arc<Ratings>,
    /// True if `known` has all competitors of the contest with an earlier rating.
    is_complete: bool,
}

impl<'a> RatingsBefore<'a> {
    /// Finds the ratings before a contest of these competitors, or the contests that have them.
    /// `after` are the competitors that the run rates in the contest; `is_current` if the run matches
    /// the results.
    pub(super) fn load(
        reader: ViewReader<'a>,
        run: &'a RunRow,
        contest: &ContestRow,
        identities: &'a Identities,
        after: &'a HashSet<CompetitorId>,
        is_current: bool,
        mut competitors: Vec<CompetitorId>,
    ) -> Result<Self, Error> {
        let store = reader.store;
        let mut before = Self {
            store,
            run,
            identities,
            after,
            earlier: Vec::new(),
            positions: HashMap::new(),
            known: Arc::default(),
            is_complete: false,
        };
        let is_unmerged = identities.teams == TeamMode::Whole && !identities.has_merges();
        let are_known_together = is_unmerged && competitors.len() <= CHUNK_ENTRANTS;
        let mut place = None;
        // Ratings are found by results, which must be those that were rated: further contests at
        // most came since.
        if are_known_together
            && let Some(cache) = reader.cache
            && store.has_uncorrected_sources(run)?
            && let Some(position) = find_position(store, run, contest)?
        {
            let rated = RatedContest::load(store, run, contest, position)?;
            let mut known = rated.and_then(|of| cache.before_contests.get(of));
            if known.is_none() {
                let forward = &cache.forward_ratings;
                known = forward.load(store, run, position, &competitors, after)?;
            }
            if let Some(known) = known {
                (before.known, before.is_complete) = (known, true);
                return Ok(before);
            }
            place = rated.map(|rated| (&cache.before_contests, rated));
        }
        // A list of all contests is faster than those of each of many entrants.
        let has_few_entrants = run.contests > 100 * competitors.len() as u64;
        if is_current && has_few_entrants {
            let known = load_ratings_shortly_before(store, run, contest, &competitors)?;
            competitors.retain(|of| !known.contains_key(of));
            before.known = Arc::new(known);
            let earlier = load_earlier_contests_of(store, identities, contest, competitors)?;
            before.set_earlier(earlier);
            return Ok(before);
        }
        let earlier = load_earlier_contests(store, run, contest)?;
        before.set_earlier(earlier.contests);
        if are_known_together && earlier.are_of_run {
            before.known = Arc::new(if earlier.are_lower_ids {
                load_ratings_below(store, run, contest, &competitors)?
            } else {
                before.ratings_of(&competitors)?
            });
            before.is_complete = true;
            if let Some((kept, rated)) = place {
                kept.put(rated, Arc::clone(&before.known));
            }
        }
        Ok(before)
    }

    fn set_earlier(&mut self, earlier: Vec<ContestId>) {
        self.positions = earlier.iter().copied().zip(0..).collect();
        self.earlier = earlier;
    }

    /// Returns the rating after the latest earlier contest of the run, by any account, of each of
    /// `rated` that has one. Reads the contests of these competitors only.
    pub(crate) fn ratings_of(&self, rated: &[CompetitorId]) -> Result<Ratings, Error> {
        let mut known: Ratings = (rated.iter())
            .filter_map(|of| Some((*of, *self.known.get(of)?)))
            .collect();
        if self.is_complete {
            return Ok(known);
        }
        // Nearly always the latest contest of a competitor has a rating row: these are read in the
        // order of the table. If it has none, because it has no order for example, the contest
        // before it is next.
        let mut keys = Vec::new();
        let mut searched = Vec::new();
        for &competitor in rated.iter().filter(|of| !known.contains_key(of)) {
            let mut latest = None;
            self.for_each_position(competitor, |of| latest = latest.max(Some(of)))?;
            if let Some(latest) = latest {
                let contest = self.earlier[latest];
                keys.extend(
                    self.accounts(competitor)
                        .map(|of| (contest, of, competitor)),
                );
                searched.push(competitor);
            }
        }
        keys.sort_unstable();
        self.load_rows(&keys, &mut known)?;
        searched.retain(|of| !known.contains_key(of));
        for competitor in searched {
            let mut positions = Vec::new();
            self.for_each_position(competitor, |of| positions.push(of))?;
            positions.sort_unstable_by(|a, b| b.cmp(a));
            for position in positions.into_iter().skip(1) {
                let contest = self.earlier[position];
                let accounts = self.accounts(competitor);
                let keys: Vec<_> = accounts.map(|of| (contest, of, competitor)).collect();
                self.load_rows(&keys, &mut known)?;
                if known.contains_key(&competitor) {
                    break;
                }
            }
        }
        Ok(known)
    }

    /// Adds the ratings after contests of accounts to those of their competitors.
    fn load_rows(
        &self,
        keys: &[(ContestId, CompetitorId, CompetitorId)],
        known: &mut Ratings,
    ) -> Result<(), Error> {
        let wanted = keys.iter().map(|&(contest, account, _)| (contest, account));
        let rows = self.store.ratings_at(self.run.run_id, wanted)?;
        for (&(_, account, competitor), row) in keys.iter().zip(rows) {
            let Some(row) = row else { continue };
            // The competitor's own row takes precedence over that of another account.
            if account == competitor || !known.contains_key(&competitor) {
                known.insert(competitor, Belief::new(row.mu, row.sigma));
            }
        }
        Ok(())
    }

    /// Returns the accounts whose rating rows are those of a competitor.
    fn accounts(&self, competitor: CompetitorId) -> impl Iterator<Item = CompetitorId> {
        // Accounts merged into it after the run counted for themselves.
        let alone = self.after.contains(&competitor);
        let all = self.identities.accounts(competitor);
        all.filter(move |account| !alone || *account == competitor)
    }

    /// Calls `each` with the positions of the earlier contests of a competitor, by any account.
    fn for_each_position(
        &self,
        of: CompetitorId,
        mut each: impl FnMut(usize),
    ) -> Result<(), Error> {
        // Contests under merged accounts are included.
        let accounts: Vec<CompetitorId> = self.identities.accounts(of).collect();
        (self.identities).for_each_contest_of(self.store, accounts, |_, contest| {
            self.positions
                .get(&contest)
                .copied()
                .into_iter()
                .for_each(&mut each);
        })
    }
}

/// Returns the initial rating of newcomers to a contest, or without one to the next contest after
/// those that ended before a time; `None` for a system that this version does not know.
pub(crate) fn load_newcomer_mu(
    store: &Store,
    run: &RunRow,
    contest: Option<&ContestRow>,
    before: Option<ContestTime>,
) -> Result<Option<f64>, Error> {
    let Ok(system) = System::from_run(run) else {
        return Ok(None);
    };
    let newcomer = |event| system.rating.newcomer_mu(event);
    // Only few systems start later newcomers higher; they need the number of events before.
    if newcomer(0).to_bits() == newcomer(1).to_bits() {
        return Ok(Some(newcomer(0)));
    }
    let earlier = match contest {
        Some(contest) => load_earlier_contests(store, run, contest)?.contests,
        None => (contest_times(store, run)?.into_iter())
            .filter(|of| before.is_none_or(|before| of.1 < Some(before.get())))
            .map(|of| of.0)
            .collect(),
    };
    let mut next = earlier.iter().peekable();
    let mut events = EventNumbers::default();
    for_each_contest_of_run(store, run, |of| {
        if next.next_if_eq(&&of.contest_id).is_some() {
            events.add(of.source_id, of.event);
        }
    })?;
    let event = match contest {
        Some(contest) => events.add(contest.source_id, contest.event.as_deref()),
        None => events.count(),
    };
    Ok(Some(newcomer(event)))
}

/// The contests of a run before one.
struct EarlierContests {
    /// In the order of the run.
    contests: Vec<ContestId>,
    /// True if the run has the one, too.
    are_of_run: bool,
    /// True if they are those of the run with a lower id, in this order.
    are_lower_ids: bool,
}

/// Returns the contests of a run before this one.
fn load_earlier_contests(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
) -> Result<EarlierContests, Error> {
    let mut times = contest_times(store, run)?;
    let own = times.iter().position(|of| of.0 == contest.contest_id);
    let are_of_run = own.is_some() && store.count_positions(run.run_id)? > 0;
    let are_lower_ids = are_of_run && times.is_sorted_by(|a, b| a.0 < b.0);
    if let Some(own) = own {
        times.truncate(own);
    } else {
        // Texts decide among simultaneous contests only.
        let ties = times.iter().filter(|of| of.1 == contest.ends_at);
        let ties = store.contests_by_id(ties.map(|of| of.0))?;
        let ties: HashSet<ContestId> = (ties.iter())
            .filter(|of| of.replay_order(contest).is_lt())
            .map(|of| of.contest_id)
            .collect();
        times.retain(|(id, ends_at)| *ends_at < contest.ends_at || ties.contains(id));
    }
    Ok(EarlierContests {
        contests: times.into_iter().map(|of| of.0).collect(),
        are_of_run,
        are_lower_ids,
    })
}

/// Returns the position of a contest in a run; `None` if the run does not have it, or its contests are
/// in no order. The contests must have the ends that they had when they were rated.
fn find_position(store: &Store, run: &RunRow, contest: &ContestRow) -> Result<Option<u32>, Error> {
    let count = store.count_positions(run.run_id)?;
    let time = |later: i64| ContestTime::new(contest.ends_at? + later);
    let (Some(ends_at), Some(after)) = (time(0), time(1)) else {
        return Ok(None);
    };
    let same_end = store.first_position_since(run.run_id, count, ends_at)?
        ..store.first_position_since(run.run_id, count, after)?;
    Ok(store.find_position(run.run_id, same_end, contest.contest_id)?)
}

/// Loads the ratings of these competitors before a contest of a run whose contests are in the order
/// of their ids: those after the latest contest with a lower id.
fn load_ratings_below(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
    competitors: &[CompetitorId],
) -> Result<Ratings, Error> {
    let queries = competitors.iter().map(|&competitor_id| RatingBelow {
        competitor_id,
        account: competitor_id,
        contest_id: contest.contest_id,
        with_teams: false,
    });
    let mut ratings = Ratings::new();
    store.for_each_rating_below(run.run_id, queries, |index, _, row| {
        ratings.insert(competitors[index], Belief::new(row.mu, row.sigma));
    })?;
    Ok(ratings)
}

/// Loads mu before a contest of those competitors who have a rating shortly before it. The run must
/// match the results. A busy competitor is found here, and one with a longer break seldom has so many
/// contests that looking up all of them is slow.
fn load_ratings_shortly_before(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
    competitors: &[CompetitorId],
) -> Result<Ratings, Error> {
    const MAX_ROWS: usize = 8_192;
    let mut known = Ratings::new();
    let Some(own) = find_position(store, run, contest)? else {
        return Ok(known);
    };
    let wanted: HashSet<CompetitorId> = competitors.iter().copied().collect();
    let mut rows = 0;
    store.for_each_rating_before(run.run_id, own, |competitor, mu, sigma| {
        if wanted.contains(&competitor) {
            known
                .entry(competitor)
                .or_insert_with(|| Belief::new(mu, sigma));
        }
        rows += 1;
        if rows == MAX_ROWS || known.len() == wanted.len() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(known)
}

/// Returns the contests of these competitors before this one, in the order of a run that matches
/// the results. Reads only these.
fn load_earlier_contests_of(
    store: &Store,
    identities: &Identities,
    contest: &ContestRow,
    competitors: Vec<CompetitorId>,
) -> Result<Vec<ContestId>, Error> {
    let accounts: Vec<CompetitorId> = (competitors.into_iter())
        .flat_map(|of| identities.accounts(of))
        .collect();
    let mut contests = HashSet::new();
    identities.for_each_contest_of(store, accounts, |_, id| {
        contests.insert(id);
    })?;
    let mut earlier = store.contests_by_id(contests)?;
    let own = contest.contest_id;
    earlier.retain(|of| of.contest_id != own && of.replay_order(contest).is_lt());
    earlier.sort_unstable_by(ContestRow::replay_order);
    Ok(earlier.into_iter().map(|of| of.contest_id).collect())
}

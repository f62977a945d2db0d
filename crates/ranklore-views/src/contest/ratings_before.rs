//! The ratings of a run before a contest: of its entrants, and of newcomers.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use ranklore_contest::{ContestTime, StartingRating};
use ranklore_rating::Belief;
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, EventNumbers, RatingBelow, RunRow, Store,
};

use crate::cache::rated_contest::{RatedContest, Ratings};
use crate::cache::{ViewCache, ViewReader};
use crate::coverage::{contest_times, for_each_contest_of_run};
use crate::rating_periods::RatingPeriods;
use ranklore_replay::{Error, Identities, System, TeamMode, is_current};

/// Entrants whose ratings before the contest are loaded together, in the order of the table.
pub(crate) const CHUNK_ENTRANTS: usize = 65_536;

/// A contest in a run.
pub(super) struct ContestInRun<'a> {
    run: &'a RunRow,
    contest: &'a ContestRow,
    /// The contest before which the ratings predict: the first one of the rating period.
    first_of_period: Cow<'a, ContestRow>,
    pub(super) identities: Identities,
    /// The competitors that the run rates in the contest.
    pub(super) rated: HashSet<CompetitorId>,
    /// True if the run matches the results.
    pub(super) is_current: bool,
}

impl<'a> ContestInRun<'a> {
    pub(super) fn load(
        store: &Store,
        run: &'a RunRow,
        contest: &'a ContestRow,
    ) -> Result<Self, Error> {
        let mut rated = HashSet::new();
        store.for_each_rating_row(run.run_id, contest.contest_id, |row| {
            rated.insert(row.competitor_id);
        })?;
        let first = RatingPeriods::load(store, run)?.first_contest_before(contest);
        let first = Some(first).filter(|first| *first != contest.contest_id);
        let first_of_period = store.contests_by_id(first)?.pop();
        Ok(Self {
            run,
            contest,
            first_of_period: first_of_period.map_or(Cow::Borrowed(contest), Cow::Owned),
            identities: Identities::load_for_view(store, run)?,
            rated,
            is_current: is_current(store, run)?,
        })
    }
}

/// The ratings of a run before a contest; with rating periods, before its period.
pub(crate) struct RatingsBefore<'a> {
    store: &'a Store,
    run_contest: &'a ContestInRun<'a>,
    /// The contests of the run before this one, in its order.
    contests: Vec<ContestId>,
    positions: HashMap<ContestId, usize>,
    /// Ratings before the contest that are already loaded.
    ratings: Arc<Ratings>,
    /// True if `ratings` has all competitors of the contest with an earlier rating.
    is_complete: bool,
}

impl<'a> RatingsBefore<'a> {
    /// Finds the ratings before a contest of these competitors, or the contests that have them.
    pub(super) fn load(
        reader: ViewReader<'a>,
        run_contest: &'a ContestInRun<'a>,
        competitors: Vec<CompetitorId>,
    ) -> Result<Self, Error> {
        let store = reader.store;
        let ContestInRun { run, .. } = *run_contest;
        let contest = &*run_contest.first_of_period;
        let mut before = Self {
            store,
            run_contest,
            contests: Vec::new(),
            positions: HashMap::new(),
            ratings: Arc::default(),
            is_complete: false,
        };
        let identities = &run_contest.identities;
        let is_unmerged = identities.teams == TeamMode::Whole && !identities.has_merges();
        let are_known_together = is_unmerged && competitors.len() <= CHUNK_ENTRANTS;
        let cache = reader.cache.filter(|_| are_known_together);
        let mut cache_key = None;
        if let Some(cache) = cache {
            let (cached, key) = load_cached_ratings(store, cache, run_contest, &competitors)?;
            if let Some(ratings) = cached {
                before.ratings = ratings;
                before.is_complete = true;
                return Ok(before);
            }
            cache_key = key;
        }
        // A list of all contests is faster than those of each of many entrants.
        let has_few_entrants = run.contests > 100 * competitors.len() as u64;
        if run_contest.is_current && has_few_entrants {
            before.find_recent_ratings(competitors)?;
            return Ok(before);
        }
        let earlier = load_earlier_contests(store, run, contest)?;
        before.set_contests(earlier.contests);
        if are_known_together && earlier.are_of_run {
            before.ratings = Arc::new(if earlier.are_lower_ids {
                load_ratings_below(store, run, contest, &competitors)?
            } else {
                before.ratings_of(&competitors)?
            });
            before.is_complete = true;
            if let (Some(cache), Some(key)) = (cache, cache_key) {
                let ratings = Arc::clone(&before.ratings);
                cache.before_contests.insert(key, ratings);
            }
        }
        Ok(before)
    }

    /// Loads the ratings shortly before the contest, and finds the earlier contests of the other
    /// competitors.
    fn find_recent_ratings(&mut self, mut competitors: Vec<CompetitorId>) -> Result<(), Error> {
        let ContestInRun { run, .. } = *self.run_contest;
        let contest = &*self.run_contest.first_of_period;
        let ratings = load_ratings_shortly_before(self.store, run, contest, &competitors)?;
        competitors.retain(|competitor| !ratings.contains_key(competitor));
        self.ratings = Arc::new(ratings);
        let identities = &self.run_contest.identities;
        let contests = load_earlier_contests_of(self.store, identities, contest, competitors)?;
        self.set_contests(contests);
        Ok(())
    }

    /// Returns the starting rating of a competitor.
    pub(super) fn starting_rating(&self, competitor: CompetitorId) -> Option<StartingRating> {
        self.run_contest.identities.starting_rating(competitor)
    }

    fn set_contests(&mut self, contests: Vec<ContestId>) {
        self.positions = contests.iter().copied().zip(0..).collect();
        self.contests = contests;
    }

    /// Returns the rating after the latest earlier contest of the run, by any account, of each of
    /// these competitors that has one. Reads only their contests.
    pub(crate) fn ratings_of(&self, competitors: &[CompetitorId]) -> Result<Ratings, Error> {
        let mut ratings: Ratings = competitors
            .iter()
            .filter_map(|competitor| Some((*competitor, *self.ratings.get(competitor)?)))
            .collect();
        if self.is_complete {
            return Ok(ratings);
        }
        // Nearly always the latest contest of a competitor has a rating row: these are read in the
        // order of the table. If it has none, because it has no order for example, the contest
        // before it is next.
        let mut keys = Vec::new();
        let mut unrated = Vec::new();
        for &competitor in competitors.iter().filter(|id| !ratings.contains_key(id)) {
            let mut latest = None;
            self.for_each_position(competitor, |position| latest = latest.max(Some(position)))?;
            if let Some(latest) = latest {
                keys.extend(self.keys(self.contests[latest], competitor));
                unrated.push(competitor);
            }
        }
        keys.sort_unstable();
        self.load_rows(&keys, &mut ratings)?;
        unrated.retain(|competitor| !ratings.contains_key(competitor));
        for competitor in unrated {
            let mut positions = Vec::new();
            self.for_each_position(competitor, |position| positions.push(position))?;
            positions.sort_unstable_by(|a, b| b.cmp(a));
            for position in positions.into_iter().skip(1) {
                let keys: Vec<_> = self.keys(self.contests[position], competitor).collect();
                self.load_rows(&keys, &mut ratings)?;
                if ratings.contains_key(&competitor) {
                    break;
                }
            }
        }
        Ok(ratings)
    }

    /// Adds the ratings after contests of accounts to those of their competitors.
    fn load_rows(
        &self,
        keys: &[(ContestId, CompetitorId, CompetitorId)],
        ratings: &mut Ratings,
    ) -> Result<(), Error> {
        let row_keys = keys.iter().map(|&(contest, account, _)| (contest, account));
        let run = self.run_contest.run;
        let rows = self.store.ratings_at(run.run_id, row_keys)?;
        for (&(_, account, competitor), row) in keys.iter().zip(rows) {
            let Some(row) = row else { continue };
            // The competitor's own row takes precedence over that of another account.
            if account == competitor || !ratings.contains_key(&competitor) {
                ratings.insert(competitor, Belief::new(row.mu, row.sigma));
            }
        }
        Ok(())
    }

    /// Returns the keys of the rating rows of a competitor in a contest: contest, account and the
    /// competitor.
    fn keys(
        &self,
        contest: ContestId,
        competitor: CompetitorId,
    ) -> impl Iterator<Item = (ContestId, CompetitorId, CompetitorId)> {
        // Accounts merged into it after the run counted for themselves.
        let is_alone = self.run_contest.rated.contains(&competitor);
        self.run_contest
            .identities
            .accounts(competitor)
            .filter(move |account| !is_alone || *account == competitor)
            .map(move |account| (contest, account, competitor))
    }

    /// Calls `each` with the positions of the earlier contests of a competitor, by any account.
    fn for_each_position(
        &self,
        competitor: CompetitorId,
        mut each: impl FnMut(usize),
    ) -> Result<(), Error> {
        let identities = &self.run_contest.identities;
        // Contests under merged accounts are included.
        let accounts: Vec<CompetitorId> = identities.accounts(competitor).collect();
        identities.for_each_contest_of(self.store, accounts, |_, contest| {
            if let Some(&position) = self.positions.get(&contest) {
                each(position);
            }
        })
    }
}

/// Returns the ratings before a contest if they are kept, or if the cache can read on to them; and the
/// key under which they may be kept.
fn load_cached_ratings(
    store: &Store,
    cache: &ViewCache,
    run_contest: &ContestInRun<'_>,
    competitors: &[CompetitorId],
) -> Result<(Option<Arc<Ratings>>, Option<RatedContest>), Error> {
    let ContestInRun { run, contest, .. } = *run_contest;
    // Ratings are found by results, which must be those that were rated: further contests at most
    // came since.
    if !store.has_uncorrected_sources(run)? {
        return Ok((None, None));
    }
    let first_of_period = &*run_contest.first_of_period;
    let Some(position) = find_position(store, run, first_of_period)? else {
        return Ok((None, None));
    };
    let key = RatedContest::load(store, run, contest, position)?;
    let mut ratings = key.and_then(|key| cache.before_contests.get(&key));
    if ratings.is_none() {
        // Those of recent contests have only the competitors that these rated.
        let unrated = HashSet::new();
        let opens_period = first_of_period.contest_id == contest.contest_id;
        let rated = if opens_period {
            &run_contest.rated
        } else {
            &unrated
        };
        ratings = cache.forward_ratings.load(store, run, position, competitors, rated)?;
    }
    Ok((ratings, key))
}

/// Returns the initial rating of newcomers to a contest, or without one to the next contest after
/// those that ended before a time; `None` for a system that this version does not know.
pub(crate) fn load_newcomer_mu(
    store: &Store,
    run: &RunRow,
    contest: Option<&ContestRow>,
    before: Option<ContestTime>,
) -> Result<Option<f64>, Error> {
    let Some(system) = System::from_run_if_known(run)? else {
        return Ok(None);
    };
    // Only few systems start later newcomers higher; they need the number of events before.
    if system.rating.has_equal_newcomers() {
        return Ok(Some(system.rating.newcomer_mu(0)));
    }
    let earlier_contests = match contest {
        Some(contest) => load_earlier_contests(store, run, contest)?.contests,
        None => contest_times(store, run)?
            .into_iter()
            .filter(|(_, ends_at)| before.is_none_or(|before| *ends_at < Some(before.get())))
            .map(|(contest, _)| contest)
            .collect(),
    };
    let mut next_earlier = earlier_contests.iter().peekable();
    let mut events = EventNumbers::default();
    for_each_contest_of_run(store, run, |contest| {
        if next_earlier.next_if_eq(&&contest.contest_id).is_some() && contest.is_rated {
            events.add(contest.source_id, contest.event);
        }
    })?;
    let event = match contest {
        Some(contest) => events.add(contest.source_id, contest.event.as_deref()),
        None => events.count(),
    };
    Ok(Some(system.rating.newcomer_mu(event)))
}

/// The contests of a run before a contest.
struct EarlierContests {
    /// In the order of the run.
    contests: Vec<ContestId>,
    /// True if the run has the contest, too.
    are_of_run: bool,
    /// True if the earlier contests are those of the run with a lower id, in this order.
    are_lower_ids: bool,
}

/// Returns the contests of a run before this one.
fn load_earlier_contests(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
) -> Result<EarlierContests, Error> {
    let mut times = contest_times(store, run)?;
    let position = times.iter().position(|(id, _)| *id == contest.contest_id);
    let are_of_run = position.is_some() && store.count_positions(run.run_id)? > 0;
    let are_lower_ids = are_of_run && times.is_sorted_by(|a, b| a.0 < b.0);
    if let Some(position) = position {
        times.truncate(position);
    } else {
        // Texts decide among simultaneous contests only.
        let ties = times.iter().filter(|(_, end)| *end == contest.ends_at);
        let ties = store.contests_by_id(ties.map(|(id, _)| *id))?;
        let earlier_ties: HashSet<ContestId> = ties
            .iter()
            .filter(|tie| tie.replay_order(contest).is_lt())
            .map(|tie| tie.contest_id)
            .collect();
        times.retain(|(id, ends_at)| *ends_at < contest.ends_at || earlier_ties.contains(id));
    }
    Ok(EarlierContests {
        contests: times.into_iter().map(|(id, _)| id).collect(),
        are_of_run,
        are_lower_ids,
    })
}

/// Returns the position of a contest in a run; `None` if the run does not have it, or its contests are
/// in no order. The contests must have the ends that they had when they were rated.
fn find_position(store: &Store, run: &RunRow, contest: &ContestRow) -> Result<Option<u32>, Error> {
    let count = store.count_positions(run.run_id)?;
    let ends_at = contest.ends_at.and_then(ContestTime::new);
    let next_second = contest.ends_at.and_then(|at| ContestTime::new(at + 1));
    let (Some(ends_at), Some(next_second)) = (ends_at, next_second) else {
        return Ok(None);
    };
    let positions = store.first_position_since(run.run_id, count, ends_at)?
        ..store.first_position_since(run.run_id, count, next_second)?;
    Ok(store.find_position(run.run_id, positions, contest.contest_id)?)
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

/// Loads the ratings of those competitors who have one shortly before a contest. The run must
/// match the results. A frequent competitor is found here, and one with a longer break seldom has so
/// many contests that looking up all of them is slow.
fn load_ratings_shortly_before(
    store: &Store,
    run: &RunRow,
    contest: &ContestRow,
    competitors: &[CompetitorId],
) -> Result<Ratings, Error> {
    const MAX_ROWS: usize = 8_192;
    let mut ratings = Ratings::new();
    let Some(position) = find_position(store, run, contest)? else {
        return Ok(ratings);
    };
    let competitors: HashSet<CompetitorId> = competitors.iter().copied().collect();
    let mut rows = 0;
    store.for_each_rating_before(run.run_id, position, |competitor, mu, sigma| {
        if competitors.contains(&competitor) {
            ratings.entry(competitor).or_insert_with(|| Belief::new(mu, sigma));
        }
        rows += 1;
        if rows == MAX_ROWS || ratings.len() == competitors.len() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    Ok(ratings)
}

/// Returns the contests of these competitors before this one, in the order of a run that matches
/// the results. Reads only these.
fn load_earlier_contests_of(
    store: &Store,
    identities: &Identities,
    contest: &ContestRow,
    competitors: Vec<CompetitorId>,
) -> Result<Vec<ContestId>, Error> {
    let accounts: Vec<CompetitorId> = competitors
        .into_iter()
        .flat_map(|competitor| identities.accounts(competitor))
        .collect();
    let mut contests = HashSet::new();
    identities.for_each_contest_of(store, accounts, |_, id| {
        contests.insert(id);
    })?;
    let mut rows = store.contests_by_id(contests)?;
    rows.retain(|row| row.contest_id != contest.contest_id && row.replay_order(contest).is_lt());
    rows.sort_unstable_by(ContestRow::replay_order);
    Ok(rows.into_iter().map(|row| row.contest_id).collect())
}

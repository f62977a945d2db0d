//! The history of a run, read contest by contest: the times in first place, the wins, and the ratings
//! of each year.

mod first_places;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use ranklore_contest::ContestTime;
use ranklore_store::{
    CompetitorId, CurrentRatingRow, RatingRow, RatingSummary, RunId, RunRow, Store,
};
use serde::Serialize;

use crate::bounded_cache::BoundedCache;
use crate::coverage::contest_times;
use crate::ranking::rules::RatingRules;
use crate::run_history::first_places::{FirstPlaces, Reign};
use ranklore_replay::{CompetitorIndices, Error, Identities};

/// The number of highest ratings of a year whose mean is shown.
const TOP: usize = 10;

/// The entrants that share a first place and are looked at: they may be accounts of one competitor.
const MAX_WINNERS: usize = 8;

/// The records of a run without names, in the order of their lists.
#[derive(Debug)]
pub(crate) struct RunHistory {
    /// The end of the newest rated contest.
    pub(crate) newest: Option<i64>,
    pub(crate) reigns: Vec<Reign>,
    /// The competitors, their wins, and their rated contests.
    pub(crate) wins: Vec<(CompetitorId, u32, Option<u32>)>,
    pub(crate) years: Vec<RatingYear>,
}

/// The histories of a few runs, by the state of the database, kept between views.
pub(crate) type HistoryCache = BoundedCache<(RunId, [u8; 32]), Arc<RunHistory>>;

/// The runs whose histories are kept.
const MAX_RUNS: usize = 4;

/// Creates an empty cache of histories.
pub(crate) fn history_cache() -> HistoryCache {
    BoundedCache::new(MAX_RUNS)
}

/// The displayed ratings at the end of a year of those with a contest in it, without provisional
/// ones.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RatingYear {
    /// The year in UTC.
    pub year: i64,
    /// The number of competitors.
    pub competitors: usize,
    /// The rating in the middle; of an even number the lower one.
    pub median: f64,
    /// The mean rating.
    pub mean: f64,
    /// The mean of the ten highest ratings, or of all if there are fewer.
    pub top_mean: f64,
}

impl RunHistory {
    /// Reads all ratings of a run.
    pub(crate) fn load(store: &Store, run: &RunRow) -> Result<Self, Error> {
        let rules = RatingRules::load(store, run, false)?;
        let identities = Identities::load_for_view(store, run)?;
        let mut history = read_history(store, run, rules, &identities)?;
        let newest = history.newest;
        let mut reigns = history.finish();
        // Stable: of equal ones the oldest comes first.
        reigns.sort_by_key(|reign| Reverse(reign.days(newest)));
        let mut wins: Vec<_> = mem::take(&mut history.wins).into_iter().collect();
        wins.sort_unstable_by_key(|&(competitor, wins)| (Reverse(wins), competitor));
        let wins = wins.into_iter().map(|(competitor, wins)| {
            (competitor, wins, history.count_contests(identities.accounts(competitor)))
        });
        Ok(Self {
            newest,
            reigns,
            wins: wins.collect(),
            years: history.years,
        })
    }
}

/// Reads the contests of a run in their order.
fn read_history(
    store: &Store,
    run: &RunRow,
    rules: RatingRules,
    identities: &Identities,
) -> Result<RatedHistory, Error> {
    let mut history = RatedHistory::new(rules);
    for (position, (contest_id, ends_at)) in (0..).zip(contest_times(store, run)?) {
        let Some(ends_at) = ends_at else { continue };
        history.begin_contest(ends_at);
        let mut is_rated = false;
        store.for_each_rating_row(run.run_id, contest_id, |row| {
            is_rated = true;
            history.add(position, &row);
        })?;
        if !is_rated {
            continue;
        }
        let mut winners = store.first_of_contest(contest_id, MAX_WINNERS)?;
        for winner in &mut winners {
            *winner = identities.resolve(*winner);
        }
        winners.sort_unstable();
        winners.dedup();
        if let [winner] = winners[..] {
            *history.wins.entry(winner).or_default() += 1;
        }
    }
    Ok(history)
}

/// The ratings of a run while its contests are read in their order.
struct RatedHistory {
    rules: RatingRules,
    indices: CompetitorIndices,
    competitors: Vec<CompetitorId>,
    summaries: Vec<RatingSummary>,
    /// The rating of each competitor after its last contest so far.
    ratings: Vec<CurrentRatingRow>,
    first_places: FirstPlaces,
    /// The end of the contest that is read; no contest before ended later.
    now: Option<i64>,
    /// The end of the newest rated contest.
    newest: Option<i64>,
    /// The current year, and the end of its first contest.
    year: Option<(i64, i64)>,
    years: Vec<RatingYear>,
    /// The rated contests that each competitor won alone.
    wins: HashMap<CompetitorId, u32>,
}

impl RatedHistory {
    /// Returns the number of rated contests of these accounts; `None` without any. Official ratings are
    /// those of accounts.
    fn count_contests(&self, accounts: impl Iterator<Item = CompetitorId>) -> Option<u32> {
        let indices = accounts.filter_map(|account| self.indices.get(account));
        let contests = indices.map(|index| self.ratings[index as usize].contests);
        Some(contests.sum()).filter(|sum| *sum > 0)
    }

    fn new(rules: RatingRules) -> Self {
        Self {
            first_places: FirstPlaces::new(rules.clone()),
            rules,
            indices: CompetitorIndices::default(),
            competitors: Vec::new(),
            summaries: Vec::new(),
            ratings: Vec::new(),
            now: None,
            newest: None,
            year: None,
            years: Vec::new(),
            wins: HashMap::new(),
        }
    }

    /// Begins a contest that ended at a time.
    fn begin_contest(&mut self, ends_at: i64) {
        // The ends of contests may have changed since the run.
        let now = self.now.map_or(ends_at, |now| now.max(ends_at));
        if self.now != Some(now) {
            self.end_moment();
            self.now = Some(now);
        }
        let year = year_of(now);
        if self.year.is_none_or(|(current, _)| current != year) {
            self.end_year();
            self.year = Some((year, now));
        }
    }

    /// Adds a rating row of the contest at a position.
    fn add(&mut self, position: u32, row: &RatingRow) {
        let Some(now) = self.now else { return };
        let competitor = row.competitor_id;
        let index = self.indices.find_or_add(competitor, &mut self.competitors);
        if index as usize == self.summaries.len() {
            self.summaries.push(RatingSummary::default());
            let new = RatingSummary::default();
            self.ratings.push(new.current_rating(competitor, now));
        }
        let summary = &mut self.summaries[index as usize];
        summary.add(position, row.mu, row.sigma, row.volatility);
        self.ratings[index as usize] = summary.current_rating(competitor, now);
        self.first_places.add(&self.ratings, index);
        self.newest = Some(now);
    }

    /// Ends the contests that ended at the same time.
    fn end_moment(&mut self) {
        if let (Some(now), true) = (self.now, self.now == self.newest) {
            self.first_places.note_first(&self.ratings, now);
        }
    }

    fn end_year(&mut self) {
        let (Some((year, start)), Some(newest)) = (self.year, self.newest) else {
            return;
        };
        self.rules.growth.set_time(Some(newest));
        let rules = &self.rules;
        let ratings = self
            .ratings
            .iter()
            .filter(|row| row.last_contest_at >= start && !rules.is_provisional(row))
            .map(|row| rules.row(0, row).rating)
            .collect();
        self.years.extend(RatingYear::new(year, ratings));
    }

    /// Ends the last contests, and returns all times in first place, oldest first.
    fn finish(&mut self) -> Vec<Reign> {
        self.end_moment();
        self.end_year();
        self.first_places.finish(&self.ratings)
    }
}

impl RatingYear {
    /// Returns the summary of these ratings; `None` without any.
    fn new(year: i64, mut ratings: Vec<f64>) -> Option<Self> {
        ratings.sort_unstable_by(f64::total_cmp);
        let mean = |ratings: &[f64]| ratings.iter().sum::<f64>() / ratings.len() as f64;
        Some(Self {
            year,
            competitors: ratings.len(),
            median: *ratings.get(ratings.len().checked_sub(1)? / 2)?,
            mean: mean(&ratings),
            top_mean: mean(&ratings[ratings.len().saturating_sub(TOP)..]),
        })
    }
}

fn year_of(seconds: i64) -> i64 {
    let time = ContestTime::new(seconds).unwrap_or(ContestTime::MIN);
    time.months_since_year_zero().div_euclid(12)
}

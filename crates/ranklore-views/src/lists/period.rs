//! The ratings of the competitors of a run before, in and after a period.

use std::ops::{ControlFlow, Range};

use ranklore_contest::ContestTime;
use ranklore_store::{CompetitorId, CurrentRatingRow, RunRow, Store, TimedRating};

use crate::ranking::earlier_ratings::EarlierRatings;
use crate::ranking::ratings::fold_ratings;
use ranklore_replay::{CompetitorIndices, Error, RunSelection};

/// The ratings of a competitor with a rated contest in a period.
#[derive(Clone, Copy)]
pub(crate) struct PeriodRating {
    pub(crate) competitor_id: CompetitorId,
    /// mu before the period; `None` if the first rated contest is in it.
    pub(crate) mu_before: Option<f64>,
    /// The rating after the last contest of the period.
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
    pub(crate) volatility: Option<f64>,
    /// The end of that contest, in Unix seconds.
    pub(crate) last_contest_at: i64,
    /// Rated contests in the period.
    pub(crate) contests: u32,
    /// Rated contests up to the end of the period.
    pub(crate) all_contests: u32,
    /// The highest mu in the period, if it is the highest of all; else at least not more than that.
    pub(crate) highest_mu: f64,
    /// The highest mu up to the end of the period; `None` if only the earlier ratings tell.
    peak_mu: Option<f64>,
    /// The highest mu before the period; `None` if only the earlier ratings tell.
    peak_before: Option<f64>,
}

impl PeriodRating {
    /// Returns the change of mu in the period; `None` for new competitors.
    pub(crate) fn change(&self) -> Option<f64> {
        self.mu_before.map(|before| self.mu - before)
    }

    /// Returns the highest mu up to the end of the period.
    pub(crate) fn peak_mu(&self, earlier_ratings: &mut EarlierRatings<'_>) -> Result<f64, Error> {
        if let Some(peak) = self.peak_mu {
            return Ok(peak);
        }
        let earlier_peak = earlier_ratings.peak_mu(self.competitor_id)?;
        Ok(earlier_peak.map_or(self.highest_mu, |peak| peak.max(self.highest_mu)))
    }

    /// True unless the ratings of the period tell that the highest mu was reached before.
    pub(crate) fn may_be_new_peak(&self) -> bool {
        let has_risen = self.mu_before.is_some_and(|before| before < self.highest_mu);
        has_risen && self.peak_mu.is_none_or(|peak| peak <= self.highest_mu)
    }

    /// True if a competitor rated before reached its highest mu in the period. Systems that round
    /// ratings reach the same mu again, which is no new peak.
    pub(crate) fn is_new_peak(
        &self,
        earlier_ratings: &mut EarlierRatings<'_>,
    ) -> Result<bool, Error> {
        if !self.may_be_new_peak() {
            return Ok(false);
        }
        let earlier_peak = match self.peak_before {
            Some(peak) => Some(peak),
            None => earlier_ratings.peak_mu(self.competitor_id)?,
        };
        Ok(earlier_peak.is_some_and(|peak| peak < self.highest_mu))
    }
}

/// The ratings of a period.
pub(crate) struct RatedPeriod {
    /// Contests of the period that the run rated.
    pub(crate) contests: usize,
    pub(crate) ratings: Vec<PeriodRating>,
}

/// The contests and competitors of a period whose ratings are loaded.
pub(crate) struct PeriodQuery<'a> {
    pub(crate) store: &'a Store,
    pub(crate) run: &'a RunRow,
    /// The competitors of one source, if the run is over several; else any.
    pub(crate) members: Option<&'a CompetitorIndices>,
    /// Contests that ended at this time or later are in the period.
    pub(crate) since: ContestTime,
    /// Contests that ended before this time are in the period; by default all are.
    pub(crate) until: Option<ContestTime>,
}

impl PeriodQuery<'_> {
    /// Loads the ratings of the period.
    ///
    /// Reads the current ratings of those with a contest since, and the rows of the shorter side:
    /// since then, or before. Rows do not have the rating before the contest: of competitors with
    /// several contests since, it is in an earlier contest, which most of them entered recently.
    pub(crate) fn load(
        &self,
        is_stale: bool,
        earlier_ratings: &mut EarlierRatings<'_>,
    ) -> Result<RatedPeriod, Error> {
        let store = self.store;
        let run = self.run.run_id;
        let count = store.count_positions(run)?;
        // In a stale run contests may have other ends now.
        let start = if is_stale || count == 0 {
            None
        } else {
            Some(store.first_position_since(run, count, self.since)?)
        };
        if let (Some(start), Some(until)) = (start, self.until) {
            let end = store.first_position_since(run, count, until)?;
            // Without the rows since then a rating before the period has to be searched, and most
            // sources grow: an earlier contest has fewer rows.
            if end < 2 * (count - start) {
                return self.load_past(start..end);
            }
        }
        let since = start.map_or(ContestTime::MIN, |_| self.since);
        let current_ratings = self.load_current_ratings(since)?;
        if let Some(start) = start
            && self.until.is_none()
            && self.members.is_none()
            && start < count / 2
        {
            return self.load_from_before(start, &current_ratings);
        }
        let mut rows = PeriodRows::new(self.until, self.members);
        if count > 0 {
            let positions = start.unwrap_or(0)..count;
            store.for_each_rating_since(run, positions, self.since, |row| rows.add(&row))?;
        } else {
            rows.add_selected_contests(store, self.run, self.since)?;
        }
        let (mut ratings, unknown_indices) = rows.ratings(&current_ratings);
        self.add_earlier_ratings(start, unknown_indices, &mut ratings, earlier_ratings)?;
        Ok(RatedPeriod {
            contests: rows.contests,
            ratings,
        })
    }

    /// Loads the current ratings of members with a contest since a time; of a folded run all.
    fn load_current_ratings(&self, since: ContestTime) -> Result<Vec<CurrentRatingRow>, Error> {
        let Self { store, run, .. } = *self;
        let mut ratings = Vec::new();
        if run.competitors.is_none() {
            ratings = fold_ratings(store, run, None)?;
        } else {
            store.for_each_current_rating_since(run.run_id, since, |row| ratings.push(row))?;
        }
        ratings.retain(|row| is_member(self.members, row.competitor_id));
        Ok(ratings)
    }

    /// Loads the contests at these positions from the rows before their end, which have everything.
    fn load_past(&self, positions: Range<u32>) -> Result<RatedPeriod, Error> {
        let mut earlier_rows = PeriodRows::new(None, self.members);
        let mut period_rows = PeriodRows::new(None, self.members);
        let Self { store, run, .. } = *self;
        let any_time = ContestTime::MIN;
        store.for_each_rating_since(run.run_id, 0..positions.end, any_time, |row| {
            if row.position < positions.start {
                earlier_rows.add(&row);
            } else {
                period_rows.add(&row);
            }
        })?;
        let sums = period_rows.competitors.iter().zip(&period_rows.sums);
        let ratings = sums.map(|(&competitor_id, sum)| {
            let earlier = earlier_rows.get(competitor_id);
            let peak_before = earlier.map(|earlier| earlier.highest_mu);
            let peak_mu = peak_before.map_or(sum.highest_mu, |peak| peak.max(sum.highest_mu));
            PeriodRating {
                mu_before: earlier.map(|earlier| earlier.mu),
                all_contests: sum.contests + earlier.map_or(0, |earlier| earlier.contests),
                peak_mu: Some(peak_mu),
                peak_before,
                ..sum.rating(competitor_id)
            }
        });
        Ok(RatedPeriod {
            ratings: ratings.collect(),
            contests: period_rows.contests,
        })
    }

    /// Loads an open period from the rows before it.
    fn load_from_before(
        &self,
        start: u32,
        current_ratings: &[CurrentRatingRow],
    ) -> Result<RatedPeriod, Error> {
        let mut earlier_rows = PeriodRows::new(None, None);
        let Self { store, run, .. } = *self;
        let any_time = ContestTime::MIN;
        store.for_each_rating_since(run.run_id, 0..start, any_time, |row| {
            earlier_rows.add(&row);
        })?;
        let ratings = current_ratings.iter().map(|row| {
            let earlier = earlier_rows.get(row.competitor_id);
            let contests_before = earlier.map_or(0, |earlier| earlier.contests);
            PeriodRating {
                competitor_id: row.competitor_id,
                mu_before: earlier.map(|earlier| earlier.mu),
                mu: row.mu,
                sigma: row.sigma,
                volatility: row.volatility,
                last_contest_at: row.last_contest_at,
                contests: row.contests.saturating_sub(contests_before),
                all_contests: row.contests,
                highest_mu: row.peak_mu,
                peak_mu: Some(row.peak_mu),
                peak_before: earlier.map(|earlier| earlier.highest_mu),
            }
        });
        Ok(RatedPeriod {
            contests: (run.contests as usize).saturating_sub(earlier_rows.contests),
            // In a folded run, `current_ratings` has those without a contest since, too.
            ratings: ratings.filter(|rating| rating.contests > 0).collect(),
        })
    }

    /// Adds mu before the period to the ratings at these indices, and removes those without one.
    fn add_earlier_ratings(
        &self,
        start: Option<u32>,
        unknown_indices: Vec<usize>,
        ratings: &mut Vec<PeriodRating>,
        earlier_ratings: &mut EarlierRatings<'_>,
    ) -> Result<(), Error> {
        let mut missing_indices = match start {
            Some(start) => {
                find_in_recent_contests(self.store, self.run, start, unknown_indices, ratings)?
            }
            None => unknown_indices,
        };
        for &index in &missing_indices {
            let rating = &mut ratings[index];
            let last = earlier_ratings.last(rating.competitor_id)?;
            rating.mu_before = last.map(|(row, _)| row.mu);
        }
        // The rows before the period can be those of an account that was split off since the run.
        missing_indices.retain(|&index| ratings[index].mu_before.is_none());
        for index in missing_indices.into_iter().rev() {
            ratings.swap_remove(index);
        }
        Ok(())
    }
}

/// Finds mu before the period of the ratings at these indices in the contests before `start`, newest
/// first, as long as these have many of them. Returns the indices that remain.
fn find_in_recent_contests(
    store: &Store,
    run: &RunRow,
    start: u32,
    mut unknown_indices: Vec<usize>,
    ratings: &mut [PeriodRating],
) -> Result<Vec<usize>, Error> {
    /// Rows after which it is decided to go on.
    const ROWS: usize = 2048;
    // Looking up the earlier contests of a competitor, and when each ended, takes about as long as
    // reading this many rows.
    let per_competitor = run.results / run.competitors.unwrap_or(run.results).max(1);
    let rows_per_lookup = 16 + 3 * per_competitor as usize;
    let mut indices = CompetitorIndices::default();
    let mut competitors = Vec::with_capacity(unknown_indices.len());
    for &index in &unknown_indices {
        indices.find_or_add(ratings[index].competitor_id, &mut competitors);
    }
    let mut missing_count = unknown_indices.len();
    if missing_count == 0 {
        return Ok(unknown_indices);
    }
    // Since the last decision.
    let mut rows = 0;
    let mut matches = 0;
    store.for_each_rating_before(run.run_id, start, |competitor, mu, _| {
        if let Some(index) = indices.get(competitor) {
            let rating = &mut ratings[unknown_indices[index as usize]];
            if rating.mu_before.is_none() {
                rating.mu_before = Some(mu);
                matches += 1;
                missing_count -= 1;
            }
        }
        rows += 1;
        if rows == ROWS {
            if matches * rows_per_lookup < rows {
                return ControlFlow::Break(());
            }
            rows = 0;
            matches = 0;
        }
        if missing_count == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    unknown_indices.retain(|&index| ratings[index].mu_before.is_none());
    Ok(unknown_indices)
}

/// True if a competitor is one of these, or if any may be listed.
fn is_member(members: Option<&CompetitorIndices>, competitor: CompetitorId) -> bool {
    members.is_none_or(|members| members.get(competitor).is_some())
}

/// The rating rows since the start of a period, added up by competitor.
#[derive(Default)]
struct PeriodRows<'m> {
    members: Option<&'m CompetitorIndices>,
    until: Option<ContestTime>,
    /// Contests with rows in the period.
    contests: usize,
    /// Position of the contest of the row before.
    position: Option<u32>,
    indices: CompetitorIndices,
    competitors: Vec<CompetitorId>,
    sums: Vec<RowSum>,
}

/// The rating rows of a competitor.
#[derive(Clone, Copy)]
struct RowSum {
    /// Rows in the period.
    contests: u32,
    /// Rows after the period.
    later: u32,
    mu: f64,
    sigma: f64,
    volatility: Option<f64>,
    highest_mu: f64,
    last_contest_at: i64,
    /// The highest mu after the period.
    highest_later: f64,
}

impl RowSum {
    const NONE: Self = Self {
        contests: 0,
        later: 0,
        mu: 0.0,
        sigma: 0.0,
        volatility: None,
        highest_mu: f64::NEG_INFINITY,
        last_contest_at: 0,
        highest_later: f64::NEG_INFINITY,
    };

    /// Returns the rating of a competitor in the period, without the ratings before it.
    fn rating(&self, competitor_id: CompetitorId) -> PeriodRating {
        PeriodRating {
            competitor_id,
            mu_before: None,
            mu: self.mu,
            sigma: self.sigma,
            volatility: self.volatility,
            last_contest_at: self.last_contest_at,
            contests: self.contests,
            all_contests: self.contests,
            highest_mu: self.highest_mu,
            peak_mu: None,
            peak_before: None,
        }
    }
}

impl<'m> PeriodRows<'m> {
    fn new(until: Option<ContestTime>, members: Option<&'m CompetitorIndices>) -> Self {
        Self {
            members,
            until,
            ..Self::default()
        }
    }

    /// Adds a row of a member; rows are added in the order of the run.
    fn add(&mut self, row: &TimedRating) {
        if !is_member(self.members, row.competitor_id) {
            return;
        }
        let is_later = self.until.is_some_and(|until| row.ends_at >= until.get());
        if self.position.replace(row.position) != Some(row.position) && !is_later {
            self.contests += 1;
        }
        let indices = &mut self.indices;
        let index = indices.find_or_add(row.competitor_id, &mut self.competitors) as usize;
        if index == self.sums.len() {
            self.sums.push(RowSum::NONE);
        }
        let sum = &mut self.sums[index];
        if is_later {
            sum.later += 1;
            sum.highest_later = sum.highest_later.max(row.mu);
        } else {
            sum.contests += 1;
            sum.highest_mu = sum.highest_mu.max(row.mu);
            sum.mu = row.mu;
            sum.sigma = row.sigma;
            sum.volatility = row.volatility;
            sum.last_contest_at = row.ends_at;
        }
    }

    /// Adds the rows of the contests that a run selects: a run of an older version, and the ratings
    /// of a site, have no contests of their own.
    fn add_selected_contests(
        &mut self,
        store: &Store,
        run: &RunRow,
        since: ContestTime,
    ) -> Result<(), Error> {
        let mut selection = RunSelection::from_canonical_json(&run.selection);
        selection.since = selection.since.max(Some(since));
        let contests = selection.contests_if_any(store)?;
        for (contest, position) in contests.iter().zip(0..) {
            store.for_each_rating_row(run.run_id, contest.contest_id, |row| {
                self.add(&TimedRating {
                    competitor_id: row.competitor_id,
                    mu: row.mu,
                    sigma: row.sigma,
                    volatility: row.volatility,
                    position,
                    ends_at: contest.ends_at,
                });
            })?;
        }
        Ok(())
    }

    fn get(&self, competitor: CompetitorId) -> Option<&RowSum> {
        self.sums.get(self.indices.get(competitor)? as usize)
    }

    /// Returns the ratings of the competitors with a contest in the period, and the indices of those
    /// with a rating before that the rows do not tell.
    fn ratings(&self, current_ratings: &[CurrentRatingRow]) -> (Vec<PeriodRating>, Vec<usize>) {
        let mut ratings = Vec::new();
        let mut unknown_indices = Vec::new();
        for row in current_ratings {
            let Some(sum) = self.get(row.competitor_id).filter(|sum| sum.contests > 0) else {
                continue;
            };
            let is_new = row.contests <= sum.contests + sum.later;
            let has_one_row = sum.contests == 1 && sum.later == 0;
            let change = row.change.filter(|_| has_one_row);
            let mu_before = change.map(|change| sum.mu - change);
            if !is_new && mu_before.is_none() {
                unknown_indices.push(ratings.len());
            }
            // The peak of all time may be after the period.
            let is_known = sum.later == 0 || row.peak_mu > sum.highest_later;
            ratings.push(PeriodRating {
                mu_before: mu_before.filter(|_| !is_new),
                all_contests: row.contests.saturating_sub(sum.later),
                peak_mu: is_known.then_some(row.peak_mu),
                ..sum.rating(row.competitor_id)
            });
        }
        (ratings, unknown_indices)
    }
}

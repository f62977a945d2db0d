//! The ratings of the competitors of a run before, in and after a period.

use std::ops::{ControlFlow, Range};

use ranklore_contest::ContestTime;
use ranklore_store::{CompetitorId, CurrentRatingRow, RunRow, Store, TimedRating};

use crate::error::Error;
use crate::runs::lineup::CompetitorIndices;
use crate::runs::selection::RunSelection;
use crate::views::earlier_ratings::EarlierRatings;
use crate::views::ranking::ratings::fold_ratings;

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
    pub(crate) fn peak_mu(&self, earlier: &mut EarlierRatings<'_>) -> Result<f64, Error> {
        if let Some(peak) = self.peak_mu {
            return Ok(peak);
        }
        let before = earlier.peak_mu(self.competitor_id)?;
        Ok(before.map_or(self.highest_mu, |before| before.max(self.highest_mu)))
    }

    /// True unless the ratings of the period tell that the highest mu was reached before.
    pub(crate) fn may_be_new_peak(&self) -> bool {
        let rose = self
            .mu_before
            .is_some_and(|before| before < self.highest_mu);
        rose && self.peak_mu.is_none_or(|peak| peak <= self.highest_mu)
    }

    /// True if a competitor rated before reached its highest mu in the period. Systems that round
    /// ratings reach the same mu again, which is no new peak.
    pub(crate) fn is_new_peak(&self, earlier: &mut EarlierRatings<'_>) -> Result<bool, Error> {
        if !self.may_be_new_peak() {
            return Ok(false);
        }
        let before = match self.peak_before {
            Some(peak) => Some(peak),
            None => earlier.peak_mu(self.competitor_id)?,
        };
        Ok(before.is_some_and(|before| before < self.highest_mu))
    }
}

/// The ratings of a period.
pub(crate) struct RatedPeriod {
    /// Contests of the period that the run rated.
    pub(crate) contests: usize,
    pub(crate) ratings: Vec<PeriodRating>,
}

/// Loads the ratings of the contests that ended at `since` or later, and before `until`; of a run
/// over several sources those of the members of one.
///
/// Reads the current ratings of those with a contest since, and the rows of the shorter side: since
/// then, or before. Rows do not have the rating before the contest: of competitors with several
/// contests since, it is in an earlier contest, which most of them entered recently.
pub(crate) fn load_period(
    store: &Store,
    run: &RunRow,
    members: Option<&CompetitorIndices>,
    stale: bool,
    (since, until): (ContestTime, Option<ContestTime>),
    earlier: &mut EarlierRatings<'_>,
) -> Result<RatedPeriod, Error> {
    let count = store.count_positions(run.run_id)?;
    let start = if stale {
        // Contests may have other ends now.
        None
    } else {
        let start = store.first_position_since(run.run_id, count, since)?;
        Some(start).filter(|_| count > 0)
    };
    if let (Some(start), Some(until)) = (start, until) {
        let end = store.first_position_since(run.run_id, count, until)?;
        // Without the rows since then a rating before the period has to be searched, and most
        // sources grow: an earlier contest has fewer rows.
        if end < 2 * (count - start) {
            return load_past_period(store, run, members, start..end);
        }
    }
    let mut current = load_current_ratings(store, run, start.map(|_| since))?;
    current.retain(|of| is_member(members, of.competitor_id));
    if let Some(start) = start
        && until.is_none()
        && members.is_none()
        && start < count / 2
    {
        return load_from_before(store, run, start, &current);
    }
    let mut rows = PeriodRows::new(until, members);
    if count > 0 {
        let positions = start.unwrap_or(0)..count;
        store.for_each_rating_since(run.run_id, positions, since, |row| rows.add(&row))?;
    } else {
        rows.add_selected_contests(store, run, since)?;
    }
    let (mut ratings, unknown) = rows.ratings(&current);
    let mut missing = match start {
        Some(start) => find_in_recent_contests(store, run, start, unknown, &mut ratings)?,
        None => unknown,
    };
    for &index in &missing {
        let of = &mut ratings[index];
        of.mu_before = earlier.last(of.competitor_id)?.map(|(row, _)| row.mu);
    }
    // The rows before the period can be those of an account that was split off since the run.
    missing.retain(|&index| ratings[index].mu_before.is_none());
    for index in missing.into_iter().rev() {
        ratings.swap_remove(index);
    }
    Ok(RatedPeriod {
        contests: rows.contests,
        ratings,
    })
}

/// Loads the current ratings of those with a contest since a time, or all.
fn load_current_ratings(
    store: &Store,
    run: &RunRow,
    since: Option<ContestTime>,
) -> Result<Vec<CurrentRatingRow>, Error> {
    if run.competitors.is_none() {
        return fold_ratings(store, run, None);
    }
    let mut current = Vec::new();
    let since = since.unwrap_or(ContestTime::MIN);
    store.for_each_current_rating_since(run.run_id, since, |row| current.push(row))?;
    Ok(current)
}

/// Loads the contests at these positions from the rows before their end, which have everything.
fn load_past_period(
    store: &Store,
    run: &RunRow,
    members: Option<&CompetitorIndices>,
    positions: Range<u32>,
) -> Result<RatedPeriod, Error> {
    let (mut before, mut inside) = (
        PeriodRows::new(None, members),
        PeriodRows::new(None, members),
    );
    let all = ContestTime::MIN;
    store.for_each_rating_since(run.run_id, 0..positions.end, all, |row| {
        if row.position < positions.start {
            before.add(&row);
        } else {
            inside.add(&row);
        }
    })?;
    let rating = |(&competitor_id, sum): (&CompetitorId, &RowSum)| {
        let earlier = before.get(competitor_id);
        let peak_before = earlier.map(|of| of.highest_mu);
        PeriodRating {
            competitor_id,
            mu_before: earlier.map(|of| of.mu),
            mu: sum.mu,
            sigma: sum.sigma,
            volatility: sum.volatility,
            last_contest_at: sum.last_contest_at,
            contests: sum.contests,
            all_contests: sum.contests + earlier.map_or(0, |of| of.contests),
            highest_mu: sum.highest_mu,
            peak_mu: Some(peak_before.map_or(sum.highest_mu, |peak| peak.max(sum.highest_mu))),
            peak_before,
        }
    };
    Ok(RatedPeriod {
        contests: inside.contests,
        ratings: (inside.competitors.iter().zip(&inside.sums))
            .map(rating)
            .collect(),
    })
}

/// Loads an open period from the rows before it.
fn load_from_before(
    store: &Store,
    run: &RunRow,
    start: u32,
    current: &[CurrentRatingRow],
) -> Result<RatedPeriod, Error> {
    let mut before = PeriodRows::new(None, None);
    let all = ContestTime::MIN;
    store.for_each_rating_since(run.run_id, 0..start, all, |row| before.add(&row))?;
    let rating = |now: &CurrentRatingRow| {
        let earlier = before.get(now.competitor_id);
        let contests_before = earlier.map_or(0, |of| of.contests);
        PeriodRating {
            competitor_id: now.competitor_id,
            mu_before: earlier.map(|of| of.mu),
            mu: now.mu,
            sigma: now.sigma,
            volatility: now.volatility,
            last_contest_at: now.last_contest_at,
            contests: now.contests.saturating_sub(contests_before),
            all_contests: now.contests,
            highest_mu: now.peak_mu,
            peak_mu: Some(now.peak_mu),
            peak_before: earlier.map(|of| of.highest_mu),
        }
    };
    let ratings = current.iter().map(rating);
    Ok(RatedPeriod {
        contests: (run.contests as usize).saturating_sub(before.contests),
        // In a folded run, `current` has those without a contest since, too.
        ratings: ratings.filter(|of| of.contests > 0).collect(),
    })
}

/// Finds mu before the period of the ratings at these indices in the contests before `start`, newest
/// first, as long as these have many of them. Returns the indices that remain.
fn find_in_recent_contests(
    store: &Store,
    run: &RunRow,
    start: u32,
    mut unknown: Vec<usize>,
    ratings: &mut [PeriodRating],
) -> Result<Vec<usize>, Error> {
    /// Rows after which it is decided to go on.
    const ROWS: usize = 2048;
    // Looking up the earlier contests of a competitor, and when each ended, takes about as long as
    // reading this many rows.
    let per_competitor = run.results / run.competitors.unwrap_or(run.results).max(1);
    let rows_per_lookup = 16 + 3 * per_competitor as usize;
    let mut indices = CompetitorIndices::default();
    let mut competitors = Vec::with_capacity(unknown.len());
    for &index in &unknown {
        indices.find_or_add(ratings[index].competitor_id, &mut competitors);
    }
    let (mut read, mut found, mut left) = (0, 0, unknown.len());
    if left == 0 {
        return Ok(unknown);
    }
    store.for_each_rating_before(run.run_id, start, |competitor, mu, _| {
        if let Some(index) = indices.get(competitor) {
            let of = &mut ratings[unknown[index as usize]];
            if of.mu_before.is_none() {
                of.mu_before = Some(mu);
                found += 1;
                left -= 1;
            }
        }
        read += 1;
        if read == ROWS {
            if found * rows_per_lookup < read {
                return ControlFlow::Break(());
            }
            (read, found) = (0, 0);
        }
        if left == 0 {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    })?;
    unknown.retain(|&index| ratings[index].mu_before.is_none());
    Ok(unknown)
}

/// True if a competitor is one of these, or if any may be listed.
fn is_member(members: Option<&CompetitorIndices>, competitor: CompetitorId) -> bool {
    members.is_none_or(|members| members.get(competitor).is_some())
}

/// The rating rows since the start of a period, added up by competitor.
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
}

impl<'m> PeriodRows<'m> {
    fn new(until: Option<ContestTime>, members: Option<&'m CompetitorIndices>) -> Self {
        Self {
            members,
            until,
            contests: 0,
            position: None,
            indices: CompetitorIndices::default(),
            competitors: Vec::new(),
            sums: Vec::new(),
        }
    }

    /// Adds a row of a member; rows are added in the order of the run.
    fn add(&mut self, row: &TimedRating) {
        if !is_member(self.members, row.competitor_id) {
            return;
        }
        let is_later = (self.until).is_some_and(|until| row.ends_at >= until.get());
        if self.position.replace(row.position) != Some(row.position) && !is_later {
            self.contests += 1;
        }
        let index = (self.indices).find_or_add(row.competitor_id, &mut self.competitors) as usize;
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
            (sum.mu, sum.sigma, sum.volatility) = (row.mu, row.sigma, row.volatility);
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
    fn ratings(&self, current: &[CurrentRatingRow]) -> (Vec<PeriodRating>, Vec<usize>) {
        let (mut ratings, mut unknown) = (Vec::new(), Vec::new());
        for now in current {
            let Some(sum) = self.get(now.competitor_id).filter(|of| of.contests > 0) else {
                continue;
            };
            let is_new = now.contests <= sum.contests + sum.later;
            let mu_before = (now.change.filter(|_| sum.contests == 1 && sum.later == 0))
                .map(|change| sum.mu - change);
            if !is_new && mu_before.is_none() {
                unknown.push(ratings.len());
            }
            // The peak of all time may be after the period.
            let is_known = sum.later == 0 || now.peak_mu > sum.highest_later;
            ratings.push(PeriodRating {
                competitor_id: now.competitor_id,
                mu_before: mu_before.filter(|_| !is_new),
                mu: sum.mu,
                sigma: sum.sigma,
                volatility: sum.volatility,
                last_contest_at: sum.last_contest_at,
                contests: sum.contests,
                all_contests: now.contests.saturating_sub(sum.later),
                highest_mu: sum.highest_mu,
                peak_mu: is_known.then_some(now.peak_mu),
                peak_before: None,
            });
        }
        (ratings, unknown)
    }
}

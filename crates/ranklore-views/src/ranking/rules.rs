//! The rules by which views show and order ratings: displayed and conservative rating, provisional
//! ratings, and the growth of sigma up to the time of the view.

use ranklore_contest::ContestTime;
use ranklore_rating::{Display, PeriodGrowth, Provisional, SigmaGrowth, Title};
use ranklore_store::{CurrentRatingRow, RankingKey, RunRow, Store};

use crate::ranking::RankedCompetitor;
use crate::ranking::order::LeaderboardOrder;
use crate::ranking::ratings::fold_ratings;
use ranklore_replay::{Error, RatingPeriod, RunSelection, System, SystemName, find_source};

/// The growth of sigma, and the time that it grows to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct TimedGrowth {
    growth: SigmaGrowth,
    /// The growth in the rating periods of a run.
    by_period: Option<(RatingPeriod, PeriodGrowth)>,
    /// In Unix seconds; none before [`TimedGrowth::set_time`].
    as_of: Option<i64>,
}

impl TimedGrowth {
    /// Creates the growth of a system, up to no time so far.
    pub(crate) fn new(system: &System) -> Self {
        // The number of events between two times is not known here.
        let period = system.period.filter(|&period| period != RatingPeriod::Event);
        Self {
            growth: system.rating.sigma_growth(),
            by_period: period.zip(system.rating.period_growth()),
            as_of: None,
        }
    }

    /// True if sigma grows with time.
    pub(crate) fn grows(self) -> bool {
        self.growth != SigmaGrowth::None || self.by_period.is_some()
    }

    /// Lets sigma grow up to a time, in Unix seconds.
    pub(crate) fn set_time(&mut self, as_of: Option<i64>) {
        self.as_of = as_of.filter(|_| self.grows());
    }

    /// Lets sigma grow up to `as_of`, by default up to the newest rated contest of the run.
    pub(crate) fn set_time_or_newest(
        &mut self,
        store: &Store,
        run: &RunRow,
        as_of: Option<ContestTime>,
    ) -> Result<(), Error> {
        if self.grows() {
            self.as_of = match as_of {
                Some(as_of) => Some(as_of.get()),
                None => find_newest_contest(store, run)?,
            };
        }
        Ok(())
    }

    /// Returns the time that sigma grows to, in Unix seconds; `None` if it does not grow.
    pub(crate) const fn as_of(self) -> Option<i64> {
        self.as_of
    }

    /// Returns sigma at the time of the view.
    pub(crate) fn sigma(self, sigma: f64, volatility: Option<f64>, last_contest_at: i64) -> f64 {
        match (self.as_of, self.by_period) {
            (None, _) => sigma,
            (Some(as_of), None) => {
                let elapsed = as_of.saturating_sub(last_contest_at);
                self.growth.sigma_after(sigma, volatility, elapsed)
            }
            (Some(as_of), Some((period, growth))) => {
                let missed = period.missed_between(last_contest_at, as_of);
                growth.sigma_after(sigma, volatility, missed as f64)
            }
        }
    }
}

/// Returns the end of the newest rated contest of a run, in Unix seconds.
fn find_newest_contest(store: &Store, run: &RunRow) -> Result<Option<i64>, Error> {
    if run.competitors.is_some() {
        return Ok(store.newest_rated_contest_at(run.run_id)?);
    }
    Ok(newest_contest_before_rating(run, &fold_ratings(store, run, None)?))
}

/// Returns the end of the newest contest that had ended when the run was rated, or of the newest one
/// if none had: a mistyped date in the future must not make everybody inactive.
pub(crate) fn newest_contest_before_rating(
    run: &RunRow,
    ratings: &[CurrentRatingRow],
) -> Option<i64> {
    let ends = || ratings.iter().map(|rating| rating.last_contest_at);
    ends().filter(|&end| end <= run.rated_at).max().or_else(|| ends().max())
}

/// The rules by which a view shows and orders the ratings of a run.
#[derive(Clone, Debug)]
pub(crate) struct RatingRules {
    pub(crate) display: Display,
    pub(crate) provisional: Provisional,
    pub(crate) titles: &'static [Title],
    /// k of the conservative rating.
    pub(crate) k: f64,
    /// The growth of sigma; none in a view of the stored ratings.
    pub(crate) growth: TimedGrowth,
}

impl RatingRules {
    /// Loads the rules of the system of a run with its parameters. A rule for provisional ratings
    /// that all sources of the run share takes precedence. A run of `official`, or of a system that
    /// this version does not know, shows mu. With `as_stored` sigma does not grow.
    pub(crate) fn load(store: &Store, run: &RunRow, as_stored: bool) -> Result<Self, Error> {
        let about = SystemName::find(&run.system).map(SystemName::about).ok();
        let system = System::from_run_if_known(run)?;
        let system = system.as_ref();
        let growth = system.filter(|_| !as_stored).map(TimedGrowth::new);
        let provisional = system.map(|system| system.rating.provisional());
        Ok(Self {
            display: find_display(run),
            provisional: find_provisional_setting(store, run)?.or(provisional).unwrap_or_default(),
            titles: about.map_or(&[], |about| about.titles),
            k: about.map_or(0.0, |about| about.conservative_k),
            growth: growth.unwrap_or_default(),
        })
    }

    /// Returns sigma at the time of the view.
    pub(crate) fn sigma(&self, row: &CurrentRatingRow) -> f64 {
        let growth = self.growth;
        growth.sigma(row.sigma, row.volatility, row.last_contest_at)
    }

    /// True if the rating is provisional at the time of the view.
    pub(crate) fn is_provisional(&self, row: &CurrentRatingRow) -> bool {
        let sigma = self.sigma(row);
        self.provisional.is_provisional(sigma, row.contests)
    }

    /// Returns mu − k·sigma.
    pub(crate) fn conservative(&self, mu: f64, sigma: f64) -> f64 {
        mu - self.k * sigma
    }

    /// Returns the order of leaderboards: by the conservative rating in systems with uncertainty,
    /// else by the displayed rating.
    pub(crate) fn default_order(&self) -> LeaderboardOrder {
        if self.k > 0.0 {
            LeaderboardOrder::Conservative
        } else {
            LeaderboardOrder::Rating
        }
    }

    /// Returns the formula of a rating.
    fn formula(&self, rating: LeaderboardOrder) -> Display {
        match rating {
            LeaderboardOrder::Rating => self.display,
            LeaderboardOrder::Conservative => Display {
                k: self.k,
                ..Display::MU
            },
            _ => Display::MU,
        }
    }

    /// Returns the key that orders the stored ratings in the database by a rating.
    pub(super) fn key(&self, rating: LeaderboardOrder) -> RankingKey {
        if rating == LeaderboardOrder::Peak {
            return RankingKey::Peak;
        }
        let Display {
            scale,
            k,
            offset,
            newcomer,
            newcomer_since,
            whole,
            decimals: _,
        } = self.formula(rating);
        RankingKey::Formula {
            scale,
            k,
            offset,
            newcomer,
            newcomer_since: newcomer_since.unwrap_or(i64::MIN),
            whole,
        }
    }

    /// Returns the rating of a competitor that gives its place.
    pub(crate) fn key_value(&self, order: LeaderboardOrder, row: &CurrentRatingRow) -> f64 {
        if order == LeaderboardOrder::Peak {
            return row.peak_mu;
        }
        let formula = self.formula(order);
        formula.rating(row.mu, self.sigma(row), row.contests, row.last_contest_at)
    }

    /// Returns the row of a competitor at a place.
    pub(crate) fn row(&self, place: u32, row: &CurrentRatingRow) -> RankedCompetitor {
        let sigma = self.sigma(row);
        let display = &self.display;
        let rating = display.rating(row.mu, sigma, row.contests, row.last_contest_at);
        RankedCompetitor {
            place,
            competitor_id: row.competitor_id,
            rating,
            provisional: self.provisional.is_provisional(sigma, row.contests),
            title: Title::for_rating(self.titles, rating).map(|title| title.name),
            conservative: self.conservative(row.mu, sigma),
            mu: row.mu,
            sigma,
            stored_sigma: row.sigma,
            contests: row.contests,
            last_change: row.change,
            peak_mu: row.peak_mu,
            last_contest_at: row.last_contest_at,
        }
    }
}

/// Returns how the ratings of a run are displayed. A run of `official`, or of a system that this
/// version does not know, shows mu.
#[must_use]
pub fn find_display(run: &RunRow) -> Display {
    System::from_run(run).map_or(Display::MU, |system| system.rating.display())
}

/// Returns the rule for provisional ratings that the sources of a run are set to, if all are set to
/// the same.
fn find_provisional_setting(store: &Store, run: &RunRow) -> Result<Option<Provisional>, Error> {
    let mut common = None;
    for source in &RunSelection::from_canonical_json(&run.selection).sources {
        let settings = store.source_settings(find_source(store, source)?)?;
        let rule = match (settings.provisional_contests, settings.provisional_sigma) {
            (None, None) => None,
            (contests, max_sigma) => {
                let contests = contests.and_then(|contests| u32::try_from(contests).ok());
                Some(Provisional {
                    max_sigma,
                    ..Provisional::by_contests(contests.unwrap_or(0))
                })
            }
        };
        if *common.get_or_insert(rule) != rule {
            return Ok(None);
        }
    }
    Ok(common.flatten())
}

//! The trait of rating systems: a fold over contests in the order of time.

use crate::display::{Display, Provisional};
use crate::sigma_growth::{PeriodGrowth, SigmaGrowth};
use crate::win_model::{Belief, WinModel, WinProbability};
use std::ops::Range;

/// Index of a competitor, from 0. The caller maps names to indices.
pub type CompetitorIndex = u32;

/// A contest as numbers, entrants in order of place.
///
/// [`RatingRound::new`] creates an ordinary contest; set the fields for anything else.
#[derive(Clone, Copy, Debug)]
pub struct RatingRound<'a> {
    /// The time of the result, in seconds; contests come in this order.
    pub ends_at: i64,
    /// Factor on the weight of the contest; 1 for an ordinary one. Finite and above 0.
    pub weight: f64,
    /// Upper bound of performances; infinity for none. Systems without performances ignore it.
    pub performance_ceiling: f64,
    /// Number of rated events before the event of this contest. Contests of one event (the divisions of a
    /// round) share a number; a contest without an event is an event of its own.
    pub event: u32,
    /// The number of the rating period; contests of a period are consecutive. Without one the
    /// contest is a period of its own. Only for systems that support
    /// [periods](crate::Support::Periods); others ignore it.
    pub period: Option<i64>,
    /// The entrant (team) with the first move or at home in a game of two, as its index. Only for
    /// systems that support an [advantage](crate::Support::Advantage); others ignore it.
    pub advantaged: Option<u32>,
    /// The entrants, best place first, each once. In team contests the members of a team are
    /// adjacent.
    pub entrants: &'a [CompetitorIndex],
    /// Ends (exclusive) of the teams in `entrants`, increasing; none for individuals. Only for
    /// systems that support [teams](crate::Support::Teams).
    pub teams: Option<&'a [u32]>,
    /// Ends (exclusive) of the groups of tied entrants (tied teams in team contests), increasing;
    /// the last is the number of entrants (teams). Entrants that did not finish are one group, the
    /// last.
    pub groups: &'a [u32],
    /// Number of entrants (teams) that finished; the others are unordered among themselves. See
    /// [`UnfinishedPolicy`](crate::UnfinishedPolicy).
    pub finishers: u32,
}

impl<'a> RatingRound<'a> {
    /// Creates an ordinary contest, the first of all: individuals, all of whom finished.
    #[must_use]
    pub const fn new(entrants: &'a [CompetitorIndex], groups: &'a [u32]) -> Self {
        Self {
            ends_at: 0,
            weight: 1.0,
            performance_ceiling: f64::INFINITY,
            event: 0,
            period: None,
            advantaged: None,
            entrants,
            teams: None,
            groups,
            finishers: entrants.len() as u32,
        }
    }

    /// True if there is a result to rate: at least two entrants (teams), of which one finished. Any
    /// other contest leaves every system unchanged and does not count as an earlier contest.
    #[must_use]
    pub const fn has_result(&self) -> bool {
        let size = match self.teams {
            Some(teams) => teams.len(),
            None => self.entrants.len(),
        };
        size >= 2 && self.finishers > 0
    }

    /// Returns the points that are added to the rating of the entrant (team) at an index, in games
    /// of two.
    pub(crate) fn advantage_of(&self, index: usize, advantage: f64) -> f64 {
        let size = self.teams.map_or(self.entrants.len(), <[u32]>::len);
        match self.advantaged {
            Some(advantaged) if size == 2 && advantaged as usize == index => advantage,
            _ => 0.0,
        }
    }

    /// True if not all entrants are tied.
    #[must_use]
    pub const fn has_order(&self) -> bool {
        self.groups.len() >= 2
    }
}

/// The ranges of the groups or teams with these ends (exclusive).
pub(crate) fn group_ranges(ends: &[u32]) -> impl Iterator<Item = Range<usize>> {
    let mut start = 0;
    ends.iter().map(move |&end| {
        let end = end as usize;
        std::mem::replace(&mut start, end)..end
    })
}

/// The state of an entrant after a contest, in rating points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatedEntrant {
    /// The rating.
    pub mu: f64,
    /// The uncertainty of the rating, as a standard deviation.
    pub sigma: f64,
    /// The performance in this contest, if the system computes one.
    pub performance: Option<f64>,
    /// The volatility in the system's own units, if the system has one besides sigma.
    pub volatility: Option<f64>,
}

impl RatedEntrant {
    /// Creates the row of a system without performances and without a volatility besides sigma.
    pub(crate) const fn without_performance(mu: f64, sigma: f64) -> Self {
        Self {
            mu,
            sigma,
            performance: None,
            volatility: None,
        }
    }
}

/// An entrant's row of an earlier contest, from [`RatingSystem::rate`], and the facts about the
/// contest that restoring needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PastResult {
    /// The time of the result, as in [`RatingRound::ends_at`].
    pub ends_at: i64,
    /// The weight of the contest, as in [`RatingRound::weight`].
    pub weight: f64,
    /// The rating period, as in [`RatingRound::period`]. A run resumes at the beginning of a period.
    pub period: Option<i64>,
    /// The entrant's row, to the last bit.
    pub rated: RatedEntrant,
}

/// A rating before the first contest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InitialRating {
    /// The rating.
    pub mu: f64,
    /// The uncertainty of the rating, above 0; the system's value for newcomers if absent.
    pub sigma: Option<f64>,
}

/// The bound of ratings that move along a gradient, in points.
pub(crate) const MAX_RATING: f64 = 1e6;

/// True if a rating was stopped at the bound of one million points. A system that
/// [bounds ratings](RatingSystem::bounds_ratings) diverges then: a learning rate or a weight is so
/// great that each step overshoots further than the last one.
#[must_use]
pub fn has_diverged(rated: &[RatedEntrant]) -> bool {
    let mut ratings = rated.iter().map(|entrant| entrant.mu.abs());
    ratings.any(|rating| rating.to_bits() == MAX_RATING.to_bits())
}

/// A rating system with the state of all its competitors.
///
/// The same rounds in the same order give the same bits, on one thread or many.
pub trait RatingSystem: Send {
    /// Sets the rating of a competitor before their first contest. Without one, competitors start
    /// at the system's value for newcomers.
    fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating);

    /// Applies a row of an earlier run to a competitor, so that this run can resume from there.
    /// Rows come after [`set_initial_rating`](Self::set_initial_rating) and before any
    /// [`rate`](Self::rate). All rows of a competitor are needed, in the order in which they were
    /// rated; the order among competitors is free. Parameters and initial ratings must be those of
    /// the earlier run.
    ///
    /// After the last row the state of a competitor is bit for bit the state after that contest.
    /// Rows suffice: a belief depends on performances, weights and times alone (paper, section 4),
    /// and on opponents only through performances. Nothing is solved again, since the row contains
    /// the rating that balances the belief.
    ///
    /// Contests without a result have no rows. Competitors without later contests need not be
    /// restored, unless their [`mu`](Self::mu) is needed.
    fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult);

    /// Returns the current rating of a competitor and its uncertainty, which predict the next
    /// contest. After a contest they are those of the competitor's row.
    fn belief(&self, competitor: CompetitorIndex) -> Belief;

    /// Returns the current rating of a competitor.
    fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.belief(competitor).mu
    }

    /// Returns the model of win probabilities. With stored rows it predicts as the system did.
    fn win_model(&self) -> WinModel;

    /// Returns how likely `first` places above `second` in the next contest: two competitors, or
    /// two teams. The order of the members changes no bit.
    fn win_probability(
        &self,
        first: &[CompetitorIndex],
        second: &[CompetitorIndex],
    ) -> WinProbability {
        let belief = |team: &[CompetitorIndex]| {
            Belief::from_members(team.iter().map(|&competitor| self.belief(competitor)))
        };
        self.win_model().win_probability(belief(first), belief(second))
    }

    /// Returns the initial rating of a competitor whose first contest has `event` events before its
    /// own ([`RatingRound::event`]).
    fn newcomer_mu(&self, event: u32) -> f64 {
        let _ = event;
        // No competitor has this index, so the result is that of an unknown one.
        self.mu(CompetitorIndex::MAX)
    }

    /// True if newcomers have the same initial rating in all contests.
    fn has_equal_newcomers(&self) -> bool {
        self.newcomer_mu(0).to_bits() == self.newcomer_mu(1).to_bits()
    }

    /// Returns the rating points by which the first move, or playing at home, raises the chance of
    /// an entrant ([`RatingRound::advantaged`]): predictions add them to its rating.
    fn advantage(&self) -> f64 {
        0.0
    }

    /// True if ratings move along a gradient and stop at one million points; see [`has_diverged`].
    fn bounds_ratings(&self) -> bool {
        false
    }

    /// Returns the memory of the states of all competitors, in bytes.
    fn bytes(&self) -> usize;

    /// Returns the formula of the displayed rating.
    fn display(&self) -> Display {
        Display::MU
    }

    /// Returns the rule that marks a rating as provisional.
    fn provisional(&self) -> Provisional {
        Provisional::default()
    }

    /// Returns the rule by which sigma grows between contests. With stored rows it gives the
    /// uncertainty at any time after the last contest.
    fn sigma_growth(&self) -> SigmaGrowth {
        SigmaGrowth::None
    }

    /// Returns the growth of sigma in a [rating period](RatingRound::period) without a contest; none
    /// for systems without periods, and for those without sigma.
    fn period_growth(&self) -> Option<PeriodGrowth> {
        None
    }

    /// Rates one contest. `rated` becomes the entrants' new state, in their order, or empty for a
    /// contest without a result ([`RatingRound::has_result`]) and for one that is too large for the
    /// system ([`SystemInfo::max_entrants`](crate::SystemInfo::max_entrants)). No zero in it is
    /// negative, since storage does not keep −0.
    ///
    /// # Panics
    /// If the round's slices are inconsistent.
    fn rate(&mut self, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>);
}

//! State of a competitor in both of Topcoder's systems.

use crate::players::{PlayerState, Players};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::win_model::Belief;

/// The state of one competitor.
#[derive(Clone, Copy, Debug)]
pub struct TopcoderPlayer {
    pub(crate) mu: f64,
    pub(crate) volatility: f64,
    pub(crate) contests: u32,
}

impl TopcoderPlayer {
    /// Creates the state of a newcomer.
    pub(crate) const fn newcomer(mu: f64, volatility: f64) -> Self {
        Self {
            mu,
            volatility,
            contests: 0,
        }
    }

    /// Returns the factor on the weight of a performance, lower for high ratings.
    pub(crate) fn damping(&self) -> f64 {
        if self.mu >= 2500.0 {
            0.8
        } else if self.mu >= 2000.0 {
            0.9
        } else {
            1.0
        }
    }

    /// Applies the row of a contest.
    fn apply_row(&mut self, rated: &RatedEntrant) {
        self.mu = rated.mu;
        self.volatility = rated.sigma;
        self.contests += 1;
    }
}

impl<M> PlayerState<M> for TopcoderPlayer {
    fn with_initial_rating(&self, _: &M, start: InitialRating) -> Self {
        Self::newcomer(start.mu, start.sigma.unwrap_or(self.volatility))
    }

    fn restore(&mut self, _: &M, past: &PastResult) {
        self.apply_row(&past.rated);
    }

    fn belief(&self, _: &M) -> Belief {
        Belief::new(self.mu, self.volatility)
    }
}

impl Players<TopcoderPlayer> {
    /// Applies the rows of a round to its entrants, in their order.
    pub(crate) fn apply_rows(&mut self, round: &RatingRound<'_>, rated: &[RatedEntrant]) {
        for (&competitor, rated) in round.entrants.iter().zip(rated) {
            self[competitor].apply_row(rated);
        }
    }
}

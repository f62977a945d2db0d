//! State of a competitor in both of Topcoder's systems.

use crate::players::Players;
use crate::system::{CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound};

/// The state of one competitor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TopcoderPlayer {
    pub(crate) mu: f64,
    pub(crate) volatility: f64,
    pub(crate) contests: u32,
}

impl TopcoderPlayer {
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

/// The competitors of a Topcoder system.
pub(crate) type TopcoderPlayers = Players<TopcoderPlayer>;

impl TopcoderPlayers {
    /// Creates an empty list, with this rating and volatility for newcomers.
    pub(crate) const fn with_newcomer_rating(mu: f64, volatility: f64) -> Self {
        Self::with_newcomer(TopcoderPlayer {
            mu,
            volatility,
            contests: 0,
        })
    }

    /// Implements [`RatingSystem::set_initial_rating`](crate::RatingSystem::set_initial_rating).
    pub(crate) fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating) {
        let usual = self.newcomer.volatility;
        let player = self.add_competitor(competitor);
        player.mu = start.mu;
        player.volatility = start.sigma.unwrap_or(usual);
    }

    /// Implements [`RatingSystem::restore`](crate::RatingSystem::restore).
    pub(crate) fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult) {
        self.add_competitor(competitor).apply_row(&past.rated);
    }

    /// Implements [`RatingSystem::mu`](crate::RatingSystem::mu).
    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.get(competitor).mu
    }

    /// Applies the rows of a round to its entrants, in their order.
    pub(crate) fn apply_rows(&mut self, round: &RatingRound<'_>, rated: &[RatedEntrant]) {
        for (&competitor, rated) in round.entrants.iter().zip(rated) {
            self[competitor].apply_row(rated);
        }
    }
}

//! State of a competitor in both of Topcoder's systems.

use crate::players::Players;
use crate::system::{CompetitorIndex, Past, Rated, Round, Start};

/// The state of one competitor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) mu: f64,
    pub(crate) volatility: f64,
    pub(crate) contests: u32,
}

impl Player {
    /// Returns the factor on the weight of a performance, lower for high ratings.
    pub(crate) fn steadiness(&self) -> f64 {
        if self.mu >= 2500.0 {
            0.8
        } else if self.mu >= 2000.0 {
            0.9
        } else {
            1.0
        }
    }

    /// Applies the row of a contest.
    fn rated(&mut self, rated: &Rated) {
        self.mu = rated.mu;
        self.volatility = rated.sigma;
        self.contests += 1;
    }
}

/// The competitors of a Topcoder system.
pub(crate) type TopcoderPlayers = Players<Player>;

impl TopcoderPlayers {
    /// Creates an empty list, with this rating and volatility for newcomers.
    pub(crate) const fn of_newcomers(mu: f64, volatility: f64) -> Self {
        Self::of(Player {
            mu,
            volatility,
            contests: 0,
        })
    }

    /// Implements [`RatingSystem::set_initial_rating`](crate::RatingSystem::set_initial_rating).
    pub(crate) fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        let usual = self.newcomer.volatility;
        let player = self.meet_one(competitor);
        player.mu = start.mu;
        player.volatility = start.sigma.unwrap_or(usual);
    }

    /// Implements [`RatingSystem::restore`](crate::RatingSystem::restore).
    pub(crate) fn recall(&mut self, competitor: CompetitorIndex, past: &Past) {
        self.meet_one(competitor).rated(&past.rated);
    }

    /// Implements [`RatingSystem::mu`](crate::RatingSystem::mu).
    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.get(competitor).mu
    }

    /// Applies the rows of a round to its entrants, in their order.
    pub(crate) fn rated(&mut self, round: &Round<'_>, rated: &[Rated]) {
        for (&competitor, rated) in round.entrants.iter().zip(rated) {
            self[competitor].rated(rated);
        }
    }
}

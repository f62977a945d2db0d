//! What both of Topcoder's systems know of a competitor.

use crate::players::Players;
use crate::system::{CompetitorIndex, Past, Rated, Round, Start};

/// What is known of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) mu: f64,
    pub(crate) volatility: f64,
    pub(crate) contests: u32,
}

impl Player {
    /// What is left of the weight of a performance by how high the rating is.
    pub(crate) fn steadiness(&self) -> f64 {
        if self.mu >= 2500.0 {
            0.8
        } else if self.mu >= 2000.0 {
            0.9
        } else {
            1.0
        }
    }

    /// Takes over what a contest made of it, as a row has it.
    fn rated(&mut self, rated: &Rated) {
        self.mu = rated.mu;
        self.volatility = rated.sigma;
        self.contests += 1;
    }
}

/// All of them.
pub(crate) type TopcoderPlayers = Players<Player>;

impl TopcoderPlayers {
    /// Nobody met yet, of newcomers with this rating and volatility.
    pub(crate) const fn of_newcomers(mu: f64, volatility: f64) -> Self {
        Self::of(Player {
            mu,
            volatility,
            contests: 0,
        })
    }

    /// As [`RatingSystem::start`](crate::RatingSystem::start).
    pub(crate) fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        let usual = self.newcomer.volatility;
        let player = self.meet_one(competitor);
        player.mu = start.mu;
        player.volatility = start.sigma.unwrap_or(usual);
    }

    /// As [`RatingSystem::recall`](crate::RatingSystem::recall).
    pub(crate) fn recall(&mut self, competitor: CompetitorIndex, past: &Past) {
        self.meet_one(competitor).rated(&past.rated);
    }

    /// As [`RatingSystem::mu`](crate::RatingSystem::mu).
    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.get(competitor).mu
    }

    /// Takes over what a round made of its entrants, whose rows stand in their order.
    pub(crate) fn rated(&mut self, round: &Round<'_>, rated: &[Rated]) {
        for (&competitor, rated) in round.entrants.iter().zip(rated) {
            self[competitor].rated(rated);
        }
    }
}

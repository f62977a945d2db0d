//! What both of Topcoder's systems know of a competitor.

use std::ops::Index;

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

/// All of them; whoever was never met is as a newcomer.
#[derive(Clone, Debug)]
pub(crate) struct Players {
    newcomer: Player,
    met: Vec<Player>,
}

impl Players {
    /// Nobody met yet.
    pub(crate) const fn new(initial_mu: f64, initial_volatility: f64) -> Self {
        Self {
            newcomer: Player {
                mu: initial_mu,
                volatility: initial_volatility,
                contests: 0,
            },
            met: Vec::new(),
        }
    }

    /// Meets the entrants of a round: from now on they can be looked up.
    pub(crate) fn meet(&mut self, round: &Round<'_>) {
        self.meet_up_to(round.entrants.iter().copied().max().unwrap_or(0));
    }

    /// As [`RatingSystem::start`](crate::RatingSystem::start).
    pub(crate) fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        self.meet_up_to(competitor);
        let player = &mut self.met[competitor as usize];
        player.mu = start.mu;
        player.volatility = start.sigma.unwrap_or(self.newcomer.volatility);
    }

    /// As [`RatingSystem::recall`](crate::RatingSystem::recall).
    pub(crate) fn recall(&mut self, competitor: CompetitorIndex, past: &Past) {
        self.meet_up_to(competitor);
        self.met[competitor as usize].rated(&past.rated);
    }

    /// As [`RatingSystem::mu`](crate::RatingSystem::mu).
    pub(crate) fn mu(&self, competitor: CompetitorIndex) -> f64 {
        let player = self.met.get(competitor as usize);
        player.unwrap_or(&self.newcomer).mu
    }

    /// Takes over what a round made of its entrants, whose rows stand in their order.
    pub(crate) fn rated(&mut self, round: &Round<'_>, rated: &[Rated]) {
        for (&competitor, rated) in round.entrants.iter().zip(rated) {
            self.met[competitor as usize].rated(rated);
        }
    }

    fn meet_up_to(&mut self, highest: CompetitorIndex) {
        if self.met.len() <= highest as usize {
            self.met.resize(highest as usize + 1, self.newcomer);
        }
    }
}

impl Index<CompetitorIndex> for Players {
    type Output = Player;

    fn index(&self, competitor: CompetitorIndex) -> &Player {
        &self.met[competitor as usize]
    }
}

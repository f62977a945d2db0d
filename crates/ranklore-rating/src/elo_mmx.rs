//! Elo-MMX: Gaussian performances, a Gaussian update (paper, sections 3 and 4).

use serde::{Deserialize, Serialize};

use crate::elo_mmr::{Attendance, ContestNoise};
use crate::parameters::{self, InvalidParameter};
use crate::performance::{Opponents, Ties, gaussian_performances};
use crate::system::{CompetitorIndex, Rated, RatingSystem, Round, Start};

/// Parameters of Elo-MMX: those of [`EloMmrParameters`](crate::EloMmrParameters) without the
/// history, which a Gaussian belief does not have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloMmxParameters {
    /// Weight of one contest in the long run; 1e-6 to 1e6.
    pub weight_limit: f64,
    /// Uncertainty in the long run, in rating points; 0.001 to 1e6.
    pub sigma_limit: f64,
    /// Variance that a skill gains a day without contests, in points²; 0 to 1e9.
    pub drift_per_day: f64,
    /// Whether a tie is half a win and half a loss, instead of a draw.
    pub split_ties: bool,
    /// Factors on the weight of the first contests; each 1e-6 to 1e6.
    pub newcomer_weights: Vec<f64>,
    /// Rating of a newcomer; -1e6 to 1e6.
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, in rating points; 0.001 to 1e6.
    pub initial_sigma: f64,
}

impl Default for EloMmxParameters {
    fn default() -> Self {
        Self {
            weight_limit: 0.2,
            sigma_limit: 80.0,
            drift_per_day: 0.0,
            split_ties: false,
            newcomer_weights: Vec::new(),
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Player {
    mu: f64,
    variance: f64,
    attendance: Attendance,
}

/// Elo-MMX with the state of all its competitors. It keeps no history, and unlike Elo-MMR(ρ)
/// it is not robust: an extreme performance moves a rating without bound.
///
/// Entrants that did not finish are tied for the last place.
#[derive(Debug)]
pub struct EloMmx {
    parameters: EloMmxParameters,
    noise: ContestNoise,
    players: Vec<Player>,
}

impl EloMmx {
    /// The system with nobody rated yet.
    ///
    /// # Errors
    /// [`InvalidParameter`] when a parameter is outside its range.
    pub fn new(parameters: EloMmxParameters) -> Result<Self, InvalidParameter> {
        let noise = ContestNoise {
            weight_limit: parameters.weight_limit,
            sigma_limit: parameters.sigma_limit,
            drift_per_day: parameters.drift_per_day,
            newcomer_weights: parameters.newcomer_weights.clone(),
        };
        noise.validate()?;
        parameters::rating("initial_mu", parameters.initial_mu)?;
        parameters::uncertainty("initial_sigma", parameters.initial_sigma)?;
        Ok(Self {
            parameters,
            noise,
            players: Vec::new(),
        })
    }

    fn admit(&mut self, highest: CompetitorIndex) {
        if self.players.len() <= highest as usize {
            let newcomer = Player {
                mu: self.parameters.initial_mu,
                variance: self.parameters.initial_sigma * self.parameters.initial_sigma,
                attendance: Attendance::default(),
            };
            self.players.resize(highest as usize + 1, newcomer);
        }
    }
}

impl RatingSystem for EloMmx {
    fn start(&mut self, competitor: CompetitorIndex, start: Start) {
        self.admit(competitor);
        let sigma = start.sigma.unwrap_or(self.parameters.initial_sigma);
        let player = &mut self.players[competitor as usize];
        player.mu = start.mu;
        player.variance = sigma * sigma;
    }

    fn mu(&self, competitor: CompetitorIndex) -> f64 {
        self.players
            .get(competitor as usize)
            .map_or(self.parameters.initial_mu, |player| player.mu)
    }

    fn rate(&mut self, round: &Round<'_>, rated: &mut Vec<Rated>) {
        rated.clear();
        if !round.has_order() {
            return;
        }
        self.admit(round.entrants.iter().copied().max().unwrap_or(0));
        let count = round.entrants.len();
        let (mut mu, mut scale) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut beta_squared = Vec::with_capacity(count);
        for &competitor in round.entrants {
            let player = &mut self.players[competitor as usize];
            let weight = self.noise.weight(round.weight, player.attendance.contests);
            let days = player.attendance.days_until(round.ends_at);
            let noise = self.noise.performance(weight).variance;
            player.variance += self.noise.growth(weight, days);
            mu.push(player.mu);
            scale.push((player.variance + noise).sqrt());
            beta_squared.push(noise);
        }
        let ties = if self.parameters.split_ties {
            Ties::Split
        } else {
            Ties::Whole
        };
        let performances = gaussian_performances(
            &Opponents {
                mu: &mu,
                scale: &scale,
                groups: round.groups,
            },
            ties,
        );
        rated.reserve(count);
        let mut start = 0;
        for (&end, performance) in round.groups.iter().zip(performances) {
            let performance = performance.min(round.performance_ceiling);
            let group = start..end as usize;
            for (&entrant, &noise) in round.entrants[group.clone()]
                .iter()
                .zip(&beta_squared[group])
            {
                let player = &mut self.players[entrant as usize];
                let both = player.variance + noise;
                player.mu += (performance - player.mu) * (player.variance / both);
                player.variance *= noise / both;
                player.attendance.attend(round.ends_at);
                rated.push(Rated {
                    mu: player.mu,
                    sigma: player.variance.sqrt(),
                    performance,
                });
            }
            start = end as usize;
        }
    }
}

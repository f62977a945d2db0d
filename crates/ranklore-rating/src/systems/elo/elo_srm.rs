//! Elo for rounds of any number of entrants: a rank is valued by its logarithm.

use std::f64::consts::{LN_2, LN_10, LOG2_E};

use serde::{Deserialize, Serialize};

use crate::parameters::{self, InvalidParameter};
use crate::players::Players;
use crate::solve::performance::{ExpectedLosses, Opponents, Slope};
use crate::system::{
    CompetitorIndex, InitialRating, PastResult, RatedEntrant, RatingRound, RatingSystem,
    group_ranges,
};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;

/// Rating difference that multiplies the odds by e (equation 5).
const SCALE: f64 = 400.0 / LN_10;

/// Factor on the number of pieces of the tabulated field: derivatives need more than values.
const TABLE_FINENESS: f64 = 2.0;

/// Rating points per round won in a knock-out tournament, K₀ (equation 12).
const POINTS_PER_WIN: f64 = SCALE * LN_2;

/// Parameters of Elo-SRM, the authors' 'Elo' (Batty and Kamenetsky 2020, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloSrmParameters {
    /// Step size, K, in rating points (equation 20); 1e-6 to 1e6.
    pub k: f64,
    /// C of the variance factor 1 + C·P′ (equation 17); 0 to 1e6.
    pub variance_factor: f64,
    /// Largest magnitude of a performance, M, in wins (equation 19); 1e-6 to 1e6.
    pub maximum: f64,
    /// Rating of a newcomer (section 2.2); -1e6 to 1e6.
    pub initial_mu: f64,
}

impl Default for EloSrmParameters {
    fn default() -> Self {
        Self {
            k: 600.0,
            variance_factor: 4.0,
            maximum: 6.75,
            initial_mu: 1200.0,
        }
    }
}

/// Parameters of Elo-SRM with a performance bonus and inflation for newcomers, the authors'
/// 'Elo2' (Batty and Kamenetsky 2020, sections 3.8 and 3.9).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloSrm2Parameters {
    /// Step size, K, in rating points (equation 20); 1e-6 to 1e6.
    pub k: f64,
    /// C of the variance factor 1 + C·P′ (equation 17); 0 to 1e6.
    pub variance_factor: f64,
    /// Largest magnitude of a performance, M, in wins (equation 19); 1e-6 to 1e6.
    pub maximum: f64,
    /// Expected gain from taking part, B, in rating points (equation 21); 0 to 1e6.
    pub bonus: f64,
    /// Increase of newcomers' initial rating per event before theirs, N/100, in rating points
    /// (section 3.9); 0 to 1e3.
    pub inflation: f64,
    /// Rating of a newcomer in the first event (section 2.2); -1e6 to 1e6.
    pub initial_mu: f64,
}

impl Default for EloSrm2Parameters {
    fn default() -> Self {
        let EloSrmParameters {
            k,
            variance_factor,
            maximum,
            initial_mu,
        } = EloSrmParameters::default();
        Self {
            k,
            variance_factor,
            maximum,
            bonus: 27.0,
            inflation: 0.63,
            initial_mu,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Player {
    /// None until rated or initialised, since newcomers start higher with every event.
    mu: Option<f64>,
    contests: u32,
}

/// Elo-SRM with the state of all its competitors. A performance is the number of rounds of a
/// knock-out tournament between the actual and the expected rank, log₂ of their ratio; steps shrink
/// with the square root of the number of contests.
///
/// The system has no uncertainty: sigma is 0. A contest's weight multiplies the step. The
/// performance of a row is the previous rating plus K₀ = 400·log₁₀ 2 points for each win above
/// expectation. Entrants that did not finish are tied for the last place.
#[derive(Debug)]
pub struct EloSrm {
    parameters: EloSrm2Parameters,
    players: Players<Player>,
}

impl EloSrm {
    /// The description of Elo-SRM without bonus and inflation.
    pub const INFO: SystemInfo = SystemInfo {
        name: "elo-srm",
        summary: "Elo for rounds of many: performance is the logarithm of expected over actual rank",
        source: "Batty and Kamenetsky, An Elo-based rating system for TopCoder SRM, 2020",
        supports: &[Support::Ties, Support::Weights],
        promises: &[Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
    };

    /// The description of Elo-SRM with bonus and inflation.
    pub const INFO_2: SystemInfo = SystemInfo {
        name: "elo-srm2",
        summary: "Elo-SRM with a bonus for taking part; newcomers start higher with every event",
        ..Self::INFO
    };

    /// Creates the system without bonus and inflation, without competitors.
    ///
    /// # Errors
    /// [`InvalidParameter`] if a parameter is outside its range.
    pub fn new(parameters: EloSrmParameters) -> Result<Self, InvalidParameter> {
        let EloSrmParameters {
            k,
            variance_factor,
            maximum,
            initial_mu,
        } = parameters;
        Self::with_stability(EloSrm2Parameters {
            k,
            variance_factor,
            maximum,
            bonus: 0.0,
            inflation: 0.0,
            initial_mu,
        })
    }

    /// Creates the system with bonus and inflation, without competitors.
    ///
    /// # Errors
    /// [`InvalidParameter`] if a parameter is outside its range.
    pub fn with_stability(parameters: EloSrm2Parameters) -> Result<Self, InvalidParameter> {
        parameters::check_factor("k", parameters.k)?;
        parameters::check_factor("maximum", parameters.maximum)?;
        for (name, value) in [
            ("variance_factor", parameters.variance_factor),
            ("bonus", parameters.bonus),
        ] {
            parameters::check_range(name, value, "between 0 and 1e6", |value| {
                (0.0..=1e6).contains(&value)
            })?;
        }
        parameters::check_range(
            "inflation",
            parameters.inflation,
            "between 0 and 1e3",
            |value| (0.0..=1e3).contains(&value),
        )?;
        parameters::check_rating("initial_mu", parameters.initial_mu)?;
        Ok(Self {
            parameters,
            players: Players::with_newcomer(Player::default()),
        })
    }
}

/// An entrant's expectation against a field that includes it.
#[derive(Clone, Copy)]
struct ExpectedLoss {
    /// The expected number of better entrants, the entrant itself counted as a half.
    losses: f64,
    /// The variance of that number, the entrant's own quarter included.
    variance: f64,
}

/// Computes the expectations of entrants with these ratings against each other.
fn expected_losses(mu: &[f64]) -> Vec<ExpectedLoss> {
    if mu.len() == 1 {
        return vec![ExpectedLoss {
            losses: 0.5,
            variance: 0.25,
        }];
    }
    let losses = ExpectedLosses::new(&Opponents {
        mu,
        scale: &vec![SCALE; mu.len()],
        groups: &[mu.len() as u32],
    });
    let bounds = losses.bounds();
    let slopes = losses
        .tabulated(bounds, mu.len(), TABLE_FINENESS)
        .at_each(mu);
    let of = |slope: &Slope| ExpectedLoss {
        losses: SCALE * slope.value,
        variance: SCALE * SCALE * slope.fall,
    };
    slopes.iter().map(of).collect()
}

impl RatingSystem for EloSrm {
    fn set_initial_rating(&mut self, competitor: CompetitorIndex, start: InitialRating) {
        self.players.add_competitor(competitor).mu = Some(start.mu);
    }

    fn restore(&mut self, competitor: CompetitorIndex, past: &PastResult) {
        let player = self.players.add_competitor(competitor);
        player.mu = Some(past.rated.mu);
        player.contests += 1;
    }

    /// Returns the rating of a competitor now; for a newcomer that of the first event, since the
    /// event of their first contest is unknown.
    fn mu(&self, competitor: CompetitorIndex) -> f64 {
        let player = self.players.get(competitor);
        player.mu.unwrap_or(self.parameters.initial_mu)
    }

    fn newcomer_mu(&self, event: u32) -> f64 {
        self.parameters.initial_mu + self.parameters.inflation * f64::from(event)
    }

    fn rate(&mut self, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        rated.clear();
        round.assert_no_teams();
        if !round.has_order() {
            return;
        }
        self.players.add_entrants(round);
        let EloSrm2Parameters {
            k,
            variance_factor,
            maximum,
            bonus,
            ..
        } = self.parameters;
        let newcomer = self.newcomer_mu(round.event);
        let before = |&who: &CompetitorIndex| self.players[who].mu.unwrap_or(newcomer);
        let prior: Vec<f64> = round.entrants.iter().map(before).collect();
        let to_all = expected_losses(&prior);
        for group in group_ranges(round.groups) {
            let to_tied = expected_losses(&prior[group.clone()]);
            // Ties are split equally, in the actual rank and in the expected one.
            let of_ties = 0.5 * (group.len() - 1) as f64;
            let actual = 1.0 + group.start as f64 + of_ties;
            for (entrant, tied) in group.zip(to_tied) {
                let (mu, all) = (prior[entrant], to_all[entrant]);
                let expected = 1.0 + (all.losses - tied.losses) + of_ties;
                let wins = LOG2_E * libm::log(expected / actual);
                let ceiling = (round.performance_ceiling - mu) / POINTS_PER_WIN;
                let wins = wins.min(ceiling);
                // P′, with one loss and one win against oneself (equation 16).
                let slope = (0.75 + all.variance) / (0.5 + all.losses);
                let surprise = wins + bonus / POINTS_PER_WIN * slope;
                let adjusted = surprise / (1.0 + surprise.abs() / maximum);
                let player = &mut self.players[round.entrants[entrant]];
                player.contests += 1;
                let divisor = f64::from(player.contests).sqrt() * (1.0 + variance_factor * slope);
                let mu_after = mu + round.weight * k * adjusted / divisor + 0.0;
                player.mu = Some(mu_after);
                rated.push(RatedEntrant {
                    mu: mu_after,
                    sigma: 0.0,
                    // The conversion to wins and back may exceed the ceiling by its last bits.
                    performance: (mu + POINTS_PER_WIN * wins).min(round.performance_ceiling) + 0.0,
                    volatility: None,
                });
            }
        }
    }
}

//! Elo for rounds of any number of entrants: a rank is valued by its logarithm.

use std::f64::consts::{LN_2, LN_10, LOG2_E};

use serde::{Deserialize, Serialize};

use crate::model::{ModelSystem, RatingModel};
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::{PlayerState, Players};
use crate::search_range::{SHIFT, fixed, linear, log};
use crate::solve::performance::{ExpectedLosses, Opponents};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound, group_ranges};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, WinModel};

/// Rating difference that multiplies the odds by e (equation 5).
const SCALE: f64 = 400.0 / LN_10;

/// Factor on the number of pieces of the tabulated field: derivatives need more than values.
const TABLE_FINENESS: f64 = 2.0;

/// The exponent of [`f64::sqrt`], which rounds correctly.
const SQUARE_ROOT: f64 = 0.5;

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
    /// Exponent α of the number of contests so far, this one included, by which steps are divided,
    /// W = NR^α (section 3.3); 0 (equal steps) to 10.
    pub experience_exponent: f64,
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
            experience_exponent: SQUARE_ROOT,
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
    /// Exponent α of the number of contests so far, this one included, by which steps are divided,
    /// W = NR^α (section 3.3); 0 (equal steps) to 10.
    pub experience_exponent: f64,
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
        Self {
            bonus: 27.0,
            inflation: 0.63,
            ..EloSrmParameters::default().without_stability()
        }
    }
}

impl EloSrmParameters {
    /// Returns the parameters of the system with bonus and inflation, both 0.
    const fn without_stability(self) -> EloSrm2Parameters {
        EloSrm2Parameters {
            k: self.k,
            variance_factor: self.variance_factor,
            experience_exponent: self.experience_exponent,
            maximum: self.maximum,
            bonus: 0.0,
            inflation: 0.0,
            initial_mu: self.initial_mu,
        }
    }
}

impl EloSrm2Parameters {
    /// Returns W for a competitor's contest with this number, from 1 (equation 13).
    fn weigh_experience(&self, contests: u32) -> f64 {
        let contests = f64::from(contests);
        if self.experience_exponent == SQUARE_ROOT {
            contests.sqrt()
        } else {
            libm::pow(contests, self.experience_exponent)
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub struct EloSrmPlayer {
    /// None until rated or initialised, since newcomers start higher with every event.
    mu: Option<f64>,
    contests: u32,
}

impl<M: RatingModel<Player = Self>> PlayerState<M> for EloSrmPlayer {
    fn with_initial_rating(&self, _: &M, start: InitialRating) -> Self {
        Self {
            mu: Some(start.mu),
            ..*self
        }
    }

    fn restore(&mut self, _: &M, past: &PastResult) {
        self.mu = Some(past.rated.mu);
        self.contests += 1;
    }

    /// Returns the rating now; for a newcomer that of the first event, since the event of their
    /// first contest is unknown.
    fn belief(&self, model: &M) -> Belief {
        Belief::new(self.mu.unwrap_or_else(|| model.newcomer_mu(0)), 0.0)
    }
}

/// Elo-SRM with the state of all its competitors. A performance is the number of rounds of a
/// knock-out tournament between the actual and the expected rank, log₂ of their ratio; steps shrink
/// with the square root of the number of contests, or another power of it.
///
/// The system has no uncertainty: sigma is 0. A contest's weight multiplies the step. The
/// performance of a row is the previous rating plus K₀ = 400·log₁₀ 2 points for each win above
/// expectation. Entrants that did not finish are tied for the last place.
pub type EloSrm = ModelSystem<EloSrmParameters>;

impl RatingModel for EloSrmParameters {
    type Player = EloSrmPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "elo-srm",
        summary: "Elo for rounds of many: performance is the logarithm of expected over actual rank",
        source: "Batty and Kamenetsky, An Elo-based rating system for TopCoder SRM, 2020",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 0.0,
        titles: &[],
        parameters: &[
            log("k", 60.0, 3000.0),
            linear("variance_factor", 0.0, 20.0),
            linear("experience_exponent", 0.0, 1.5),
            log("maximum", 1.0, 50.0),
            fixed("initial_mu", SHIFT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        self.without_stability().validate()
    }

    fn newcomer(&self) -> EloSrmPlayer {
        EloSrmPlayer::default()
    }

    fn newcomer_mu(&self, _: u32) -> f64 {
        self.initial_mu
    }

    fn win_model(&self) -> WinModel {
        WinModel::logistic(SCALE)
    }

    fn rate(
        &self,
        players: &mut Players<EloSrmPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        self.without_stability().rate(players, round, rated);
    }
}

/// [`EloSrm`] with a bonus for taking part, and with newcomers that start higher with every event.
pub type EloSrm2 = ModelSystem<EloSrm2Parameters>;

impl RatingModel for EloSrm2Parameters {
    type Player = EloSrmPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "elo-srm2",
        summary: "Elo-SRM with a bonus for taking part; newcomers start higher with every event",
        drifts_in_games: true,
        parameters: &[
            log("k", 60.0, 3000.0),
            linear("variance_factor", 0.0, 20.0),
            linear("experience_exponent", 0.0, 1.5),
            log("maximum", 1.0, 50.0),
            linear("bonus", 0.0, 100.0),
            linear("inflation", 0.0, 5.0),
            fixed("initial_mu", SHIFT),
        ],
        ..EloSrm::INFO
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_factor("k", self.k)?;
        parameters::check_factor("maximum", self.maximum)?;
        for (name, value) in [
            ("variance_factor", self.variance_factor),
            ("bonus", self.bonus),
        ] {
            check_between(name, value, "between 0 and 1e6", 0.0..=1e6)?;
        }
        let exponent = self.experience_exponent;
        check_between("experience_exponent", exponent, "between 0 and 10", 0.0..=10.0)?;
        check_between("inflation", self.inflation, "between 0 and 1e3", 0.0..=1e3)?;
        parameters::check_rating("initial_mu", self.initial_mu)
    }

    fn newcomer(&self) -> EloSrmPlayer {
        EloSrmPlayer::default()
    }

    fn newcomer_mu(&self, event: u32) -> f64 {
        self.initial_mu + self.inflation * f64::from(event)
    }

    fn win_model(&self) -> WinModel {
        WinModel::logistic(SCALE)
    }

    fn rate(
        &self,
        players: &mut Players<EloSrmPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let EloSrm2Parameters {
            k,
            variance_factor,
            maximum,
            bonus,
            ..
        } = *self;
        let newcomer = self.newcomer_mu(round.event);
        let entrants = round.entrants.iter();
        let prior: Vec<f64> =
            entrants.map(|&competitor| players[competitor].mu.unwrap_or(newcomer)).collect();
        let performances = rank_performances(&prior, round.groups);
        for ((&competitor, &mu), performance) in round.entrants.iter().zip(&prior).zip(performances)
        {
            let RankPerformance { wins, slope } = performance;
            let ceiling = (round.performance_ceiling - mu) / POINTS_PER_WIN;
            let wins = wins.min(ceiling);
            let surprise = wins + bonus / POINTS_PER_WIN * slope;
            let adjusted = surprise / (1.0 + surprise.abs() / maximum);
            let player = &mut players[competitor];
            player.contests += 1;
            let experience = self.weigh_experience(player.contests);
            let divisor = experience * (1.0 + variance_factor * slope);
            let mu_after = mu + round.weight * k * adjusted / divisor + 0.0;
            player.mu = Some(mu_after);
            rated.push(RatedEntrant {
                // The conversion to wins and back may exceed the ceiling by its last bits.
                performance: Some(
                    (mu + POINTS_PER_WIN * wins).min(round.performance_ceiling) + 0.0,
                ),
                ..RatedEntrant::without_performance(mu_after, 0.0)
            });
        }
    }
}

/// The performance of an entrant by its rank.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankPerformance {
    /// P, the rounds of a knock-out tournament won above expectation: log₂ of the expected over the
    /// actual rank (equation 8).
    pub wins: f64,
    /// P′, the growth of the expected performance with the rating, over that at the top (equation
    /// 16); above 0, at most 1.
    pub slope: f64,
}

/// Returns the performances of entrants with these ratings, ordered by place, by the win
/// probabilities of Elo (Batty and Kamenetsky 2020, equations 5 to 8). `groups` are the ends of the
/// tie groups, as in [`RatingRound::groups`]; ties are split equally, in the actual rank and in the
/// expected one.
#[must_use]
pub fn rank_performances(mu: &[f64], groups: &[u32]) -> Vec<RankPerformance> {
    let to_all = expected_losses(mu);
    let mut performances = Vec::with_capacity(mu.len());
    for group in group_ranges(groups) {
        let to_tied = expected_losses(&mu[group.clone()]);
        let of_ties = 0.5 * (group.len() - 1) as f64;
        let actual = 1.0 + group.start as f64 + of_ties;
        for (entrant, tied) in group.zip(to_tied) {
            let all = to_all[entrant];
            let expected = 1.0 + (all.losses - tied.losses) + of_ties;
            performances.push(RankPerformance {
                wins: LOG2_E * libm::log(expected / actual),
                // With one loss and one win against oneself.
                slope: (0.75 + all.variance) / (0.5 + all.losses),
            });
        }
    }
    performances
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
    let slopes = losses.tabulated(bounds, mu.len(), TABLE_FINENESS).at_each(mu);
    let expectations = slopes.iter().map(|slope| ExpectedLoss {
        losses: SCALE * slope.value,
        variance: SCALE * SCALE * slope.fall,
    });
    expectations.collect()
}

//! Glicko-2 for contests of any size: a contest is a rating period in which every entrant plays
//! every other.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::root::{Probe, Search};
use crate::open_period::{OpenPeriod, PairSums};
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::{PlayerState, Players};
use crate::search_range::{ADVANTAGE, SHIFT, choice, fixed, log};
use crate::sigma_growth::{PeriodGrowth, SECONDS_PER_DAY, SigmaGrowth};
use crate::solve::performance::{Opponents, scores};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Support, SystemInfo};
use crate::systems::bayesian::glicko::GlickoInformation;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, PerformanceShape, WinModel};

/// Rating points per unit of Glicko-2's internal scale.
const POINTS_PER_UNIT: f64 = 173.7178;

/// Upper bound of the volatility, in units: 1,737 points a period. Glickman has none; it bounds the
/// effect of a defeat by an opponent with no chance of winning.
const MAX_VOLATILITY: f64 = 10.0;

/// Parameters of Glicko-2 (Glickman, Example of the Glicko-2 system, 2012, by its steps; its
/// formulas have no numbers). The ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Glicko2Parameters {
    /// Rate of change of the volatility, the system constant τ, a plain number (chosen in step 1,
    /// used in step 5); 0.01 to 10. Glickman finds 0.3 to 1.2 reasonable. By default 0.5, as in his
    /// worked example.
    pub tau: f64,
    /// Volatility of a newcomer, σ, in units of 173.7178 points (step 2) a period; 1e-6 to 10. By
    /// default Glickman's 0.06 (step 1).
    pub initial_volatility: f64,
    /// Length of a rating period in days; 0, or 0.01 to 1e6. Each missed period increases the
    /// uncertainty (step 6), fractions included; with 0 no period is ever missed. Glickman leaves
    /// the length open; the default 0 and fractions are this crate's.
    pub period_days: f64,
    /// Information in a contest. For two entrants the default and
    /// [`EveryPair`](GlickoInformation::EveryPair) are both Glickman's formulas; for more, only the
    /// latter is (a contest is a rating period of independent games). The pairs of a large contest
    /// are not independent, so the default weights them as one performance.
    pub information: GlickoInformation,
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default Glickman's 1500 (step 1).
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, in rating points; 0.001 to 1e6. By default Glickman's 350
    /// (step 1).
    pub initial_sigma: f64,
    /// Rating points that the first move, or playing at home, is worth: the expected score of a
    /// game of two is that for a rating higher by them; -1e4 to 1e4. By default 0. Glickman has no
    /// such parameter; World Football Elo Ratings add 100 to the home team in this way.
    pub advantage: f64,
}

impl Default for Glicko2Parameters {
    fn default() -> Self {
        Self {
            tau: 0.5,
            initial_volatility: 0.06,
            period_days: 0.0,
            information: GlickoInformation::OnePerformance,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
            advantage: 0.0,
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Glicko2Player {
    mu: f64,
    sigma: f64,
    volatility: f64,
    last: Option<i64>,
    period: OpenPeriod<PeriodStart, PairSums>,
}

/// The state of a player before a rating period.
#[derive(Clone, Copy, Debug)]
struct PeriodStart {
    /// In rating points.
    mu: f64,
    /// φ², in units².
    variance: f64,
    volatility: f64,
}

impl Glicko2Player {
    fn new(mu: f64, sigma: f64, volatility: f64) -> Self {
        let phi = sigma / POINTS_PER_UNIT;
        let variance = phi * phi;
        Self {
            mu,
            sigma,
            volatility,
            last: None,
            period: OpenPeriod::new(PeriodStart {
                mu,
                variance,
                volatility,
            }),
        }
    }
}

impl PlayerState<Glicko2Parameters> for Glicko2Player {
    fn with_initial_rating(&self, _: &Glicko2Parameters, start: InitialRating) -> Self {
        Self::new(start.mu, start.sigma.unwrap_or(self.sigma), self.volatility)
    }

    fn restore(&mut self, _: &Glicko2Parameters, past: &PastResult) {
        self.mu = past.rated.mu;
        self.sigma = past.rated.sigma;
        self.volatility = past.rated.volatility.unwrap_or(self.volatility);
        self.last = Some(past.ends_at);
        self.period.restore(past.period);
    }

    fn belief(&self, _: &Glicko2Parameters) -> Belief {
        Belief::new(self.mu, self.sigma)
    }
}

/// Glicko-2 with the state of all its competitors.
///
/// Absence makes nobody less certain than a newcomer, as in Glicko (Glickman's step 1), and a
/// contest adds to that once, at most as much again. Without these bounds, ratings overshoot
/// further each time if a player alternates between first and last. Otherwise contests of two are
/// Glickman's own.
///
/// In a contest of weight W each game counts W times. With
/// [`EveryPair`](GlickoInformation::EveryPair) a contest of many carries far too much weight, sigma
/// is far too low, and the volatility rises without end. Ratings can also be farmed (Ebtekar and
/// Liu, section 5.1). Entrants that did not finish are tied for the last place.
pub type Glicko2 = ModelSystem<Glicko2Parameters>;

impl RatingModel for Glicko2Parameters {
    type Player = Glicko2Player;

    const INFO: SystemInfo = SystemInfo {
        name: "glicko2",
        summary: "Glicko-2: with volatility; the pairs of a contest weigh as one performance",
        source: "Glickman, Dynamic paired comparison models with stochastic variances, 2001",
        supports: &[
            Support::Ties,
            Support::Weights,
            Support::Time,
            Support::Periods,
            Support::Advantage,
        ],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("tau", 0.1, 2.0),
            log("initial_volatility", 0.005, 0.5),
            fixed("period_days", "0 means that no period is missed; set it, or period"),
            choice("information", &["one-match", "one-performance", "mean", "every-pair"]),
            fixed("initial_mu", SHIFT),
            // The scale of Glicko-2 is a constant.
            log("initial_sigma", 50.0, 1000.0),
            ADVANTAGE,
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        check_between("tau", self.tau, "between 0.01 and 10", 0.01..=10.0)?;
        let volatility = self.initial_volatility;
        check_between(
            "initial_volatility",
            volatility,
            "between 1e-6 and 10",
            1e-6..=MAX_VOLATILITY,
        )?;
        let days = self.period_days;
        parameters::check_range("period_days", days, "0, or between 0.01 and 1e6", |days| {
            days == 0.0 || (0.01..=1e6).contains(&days)
        })?;
        parameters::check_advantage(self.advantage)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn advantage(&self) -> f64 {
        self.advantage
    }

    fn newcomer(&self) -> Glicko2Player {
        Glicko2Player::new(self.initial_mu, self.initial_sigma, self.initial_volatility)
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.initial_sigma)
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.4 * self.initial_sigma)
    }

    fn sigma_growth(&self) -> SigmaGrowth {
        match self.period_growth() {
            Some(growth) if self.period_days > 0.0 => SigmaGrowth::PerMissedPeriod {
                days: self.period_days,
                growth,
            },
            _ => SigmaGrowth::None,
        }
    }

    fn period_growth(&self) -> Option<PeriodGrowth> {
        Some(PeriodGrowth {
            variance: None,
            unit: POINTS_PER_UNIT,
            newcomer_sigma: self.initial_sigma,
        })
    }

    fn win_model(&self) -> WinModel {
        // Glickman's E with g(√(φ_i² + φ_j²)); φ grows in step 6, after the prediction of step 3.
        let unit = PI / 6.0_f64.sqrt() * POINTS_PER_UNIT;
        WinModel::new(PerformanceShape::Logistic, unit * unit)
    }

    fn rate(
        &self,
        players: &mut Players<Glicko2Player>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let count = round.entrants.len();
        let mut mu = Vec::with_capacity(count);
        let mut scale = Vec::with_capacity(count);
        for (index, &competitor) in round.entrants.iter().enumerate() {
            let before = self.enter_period(&mut players[competitor], round);
            mu.push(before.mu + round.advantage_of(index, self.advantage));
            // One unit over g(φ): Glickman's expected score is logistic with this scale.
            scale.push(POINTS_PER_UNIT * (1.0 + 3.0 / (PI * PI) * before.variance).sqrt());
        }
        let scores = scores(&Opponents {
            mu: &mu,
            scale: &scale,
            groups: round.groups,
        });
        for (&competitor, score) in round.entrants.iter().zip(scores) {
            let player = &mut players[competitor];
            let divisor = self.information.pair_divisor(count);
            let information = if self.information == GlickoInformation::OneMatch {
                0.25
            } else {
                POINTS_PER_UNIT * POINTS_PER_UNIT * score.information / divisor
            };
            player.period.sums += PairSums {
                surplus: POINTS_PER_UNIT * score.surplus / divisor * round.weight,
                information: information * round.weight,
            };
            let PeriodStart {
                mu,
                variance,
                volatility,
            } = player.period.before;
            let period = Period {
                variance,
                surplus: player.period.sums.surplus,
                information: player.period.sums.information,
            };
            player.volatility = period.volatility(volatility, self.tau);
            let newcomer = self.newcomer_variance();
            let growth = (player.volatility * player.volatility).min(newcomer);
            let grown = variance.max(variance.min(newcomer) + growth);
            let variance = 1.0 / (1.0 / grown + period.information);
            // Adding 0 turns −0 into 0.
            player.mu = mu + POINTS_PER_UNIT * variance * period.surplus + 0.0;
            player.sigma = POINTS_PER_UNIT * variance.sqrt();
            player.last = Some(round.ends_at);
            rated.push(RatedEntrant {
                volatility: Some(player.volatility),
                ..RatedEntrant::without_performance(player.mu, player.sigma)
            });
        }
    }
}

impl Glicko2Parameters {
    /// Lets a player enter the rating period of a contest, and returns the state before it.
    fn enter_period(&self, player: &mut Glicko2Player, round: &RatingRound<'_>) -> PeriodStart {
        let now = PeriodStart {
            mu: player.mu,
            variance: 0.0,
            volatility: player.volatility,
        };
        let elapsed = player.period.enter(round.period, now);
        if elapsed > 0 {
            let missed = match round.period {
                Some(_) => (elapsed - 1) as f64,
                None => self.missed_periods(player, round.ends_at),
            };
            player.period.before.variance = self.variance_after(player, missed);
        }
        player.period.before
    }

    /// Returns the periods of `period_days` that a player missed before a contest.
    fn missed_periods(&self, player: &Glicko2Player, ends_at: i64) -> f64 {
        match player.last {
            Some(last) if self.period_days > 0.0 => {
                let days = ends_at.saturating_sub(last) as f64 / SECONDS_PER_DAY;
                // The contest is itself the last of these periods and increases φ² on its own.
                (days / self.period_days - 1.0).max(0.0)
            }
            _ => 0.0,
        }
    }

    /// Returns φ² of a player who missed some periods, in units².
    fn variance_after(&self, player: &Glicko2Player, missed: f64) -> f64 {
        let phi = player.sigma / POINTS_PER_UNIT;
        let variance = phi * phi;
        let grown = variance + missed * (player.volatility * player.volatility);
        grown.min(variance.max(self.newcomer_variance()))
    }

    /// Returns φ² of a newcomer, in units².
    fn newcomer_variance(&self) -> f64 {
        let phi = self.initial_sigma / POINTS_PER_UNIT;
        phi * phi
    }
}

/// The rating period of one player, in units.
#[derive(Clone, Copy, Debug)]
struct Period {
    /// φ² before the period.
    variance: f64,
    /// Σ g·(s − E) = Δ/v.
    surplus: f64,
    /// Σ g²·E·(1 − E) = 1/v.
    information: f64,
}

impl Period {
    /// Returns the volatility after the period: the solution of the equation of step 5 that is
    /// nearest to the volatility before, or [`MAX_VOLATILITY`] if there is none below it.
    ///
    /// Computed from Δ/v and 1/v: against opponents who always win or always lose, v is infinite.
    fn volatility(&self, before: f64, tau: f64) -> f64 {
        let start = 2.0 * libm::log(before);
        let search = Search {
            // The first term of the equation is at least −½.
            low: start - 0.5 * tau * tau,
            high: 2.0 * libm::log(MAX_VOLATILITY),
            start,
            last_step: 1e-9,
        };
        // Up to three solutions exist after an upset. The function is convex up to the first, so
        // Newton's method from below does not pass it. If there is none, bisection ends the search.
        let x = search.zero_of_decreasing(|x| {
            let growth = libm::exp(x);
            let total = 1.0 + self.information * (self.variance + growth);
            let excess = self.surplus * self.surplus - self.information * total;
            let first = growth * excess / (2.0 * total * total);
            let share = self.information * growth / total;
            let value = first - (x - start) / (tau * tau);
            let slope = first * (1.0 - 2.0 * share) - 0.5 * share * share - 1.0 / (tau * tau);
            Probe {
                value,
                step: if slope < 0.0 {
                    -value / slope
                } else {
                    f64::INFINITY
                },
            }
        });
        libm::exp(0.5 * x).min(MAX_VOLATILITY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_increases_sigma() {
        // Glickman's step 6, as in other implementations: 95 becomes 96 after one period without
        // games, and 35 becomes 37 and 38 after one and two, rounded.
        let system = Glicko2Parameters {
            period_days: 7.0,
            ..Glicko2Parameters::default()
        };
        let sigma_after = |sigma: f64, volatility: f64, periods: i64| {
            let player = Glicko2Player {
                last: Some(0),
                ..Glicko2Player::new(1500.0, sigma, volatility)
            };
            // The last period is that of the next contest.
            let ends_at = (periods + 1) * 7 * 86_400;
            let missed = system.missed_periods(&player, ends_at);
            let grown = POINTS_PER_UNIT * system.variance_after(&player, missed).sqrt();
            let growth = system.sigma_growth();
            let displayed = growth.sigma_after(sigma, Some(volatility), ends_at);
            assert!((displayed - grown).abs() < 1e-12 * grown);
            grown.round()
        };
        assert_eq!(sigma_after(95.0, 0.06, 1), 96.0);
        assert_eq!(sigma_after(35.0, 0.059_998, 1), 37.0);
        assert_eq!(sigma_after(35.0, 0.059_998, 2), 38.0);
        assert_eq!(sigma_after(35.0, 0.06, 0), 35.0);
    }

    /// The two terms of the equation of step 5, which are equal at its solutions, and the sum of
    /// the sizes of what they are computed from.
    fn equation(period: Period, before: f64, tau: f64, x: f64) -> (f64, f64, f64) {
        let Period {
            variance,
            surplus,
            information,
        } = period;
        let growth = x.exp();
        let total = 1.0 + information * (variance + growth);
        let part = |excess: f64| growth * excess / (2.0 * total * total);
        (
            part(surplus * surplus - information * total),
            (x - 2.0 * before.ln()) / (tau * tau),
            part(surplus * surplus + information * total) + x.abs() / (tau * tau),
        )
    }

    #[test]
    fn volatility_solves_its_equation() {
        let sizes = [0.0, 5e-324, 1e-300, 1e-9, 1e-3, 0.3, 1.0, 30.0, 1e3, 1e9];
        let mut bounded = 0;
        for (surplus, information) in sizes
            .iter()
            .flat_map(|&surplus| sizes.map(|information| (surplus, information)))
        {
            for variance in [1e-12, 0.01, 1.325, 4.0, 1e12] {
                for (before, tau) in [
                    (1e-6, 0.5),
                    (0.06, 0.01),
                    (0.06, 0.5),
                    (0.9, 10.0),
                    (10.0, 1.2),
                ] {
                    let period = Period {
                        variance,
                        surplus,
                        information,
                    };
                    let volatility = period.volatility(before, tau);
                    assert!(volatility > 0.0 && volatility <= MAX_VOLATILITY);
                    // The first term exceeds the second below the solution only.
                    let x = 2.0 * volatility.ln();
                    let excess_at = |x: f64| {
                        let (first, second, size) = equation(period, before, tau, x);
                        (first - second, 1e-13 * size)
                    };
                    let ((below, low), (above, high)) = (excess_at(x - 1e-7), excess_at(x + 1e-7));
                    let at_bound = volatility > MAX_VOLATILITY * (1.0 - 1e-12);
                    bounded += u32::from(at_bound);
                    assert!(
                        below >= -low && (above <= high || at_bound),
                        "{period:?}, {before}, {tau}: {below:e} and {above:e} around {volatility}"
                    );
                }
            }
        }
        assert!((1..1_000).contains(&bounded), "{bounded} at the bound");
    }

    #[test]
    fn volatility_is_nearest_of_three_solutions() {
        // An upset with solutions near σ = 0.06, 1.5 and 4.7.
        let period = Period {
            variance: 0.1,
            surplus: 2.0,
            information: 0.1,
        };
        let excess = |volatility: f64| {
            let (first, second, _) = equation(period, 0.06, 1.5, 2.0 * volatility.ln());
            first - second
        };
        let grid = (60..10_000).map(|at| excess(f64::from(at) * 1e-3) > 0.0);
        let signs: Vec<bool> = grid.collect();
        let changes = signs.windows(2).filter(|pair| pair[0] != pair[1]).count();
        assert_eq!(changes, 3);
        let nearest = 0.06 + 1e-3 * signs.iter().position(|&above| !above).unwrap() as f64;
        let solution = period.volatility(0.06, 1.5);
        assert!((solution - nearest).abs() < 1e-3, "{solution} for {nearest}");
    }

    #[test]
    fn uninformative_game_keeps_volatility() {
        let nothing = Period {
            variance: 1.0,
            surplus: 0.0,
            information: 0.0,
        };
        assert!((nothing.volatility(0.06, 0.5) - 0.06).abs() < 1e-15);
        let impossible = Period {
            variance: 1.0,
            surplus: -1e5,
            information: 0.0,
        };
        assert!((impossible.volatility(0.06, 0.5) - MAX_VOLATILITY).abs() < 1e-12);
    }
}

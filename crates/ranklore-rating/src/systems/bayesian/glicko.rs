//! Glicko for contests of any size: every pair is a game.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::open_period::{OpenPeriod, PairSums};
use crate::parameters::{self, InvalidParameter};
use crate::players::{PlayerState, Players};
use crate::search_range::{ADVANTAGE, SHIFT, UNIT, choice, fixed, log};
use crate::sigma_growth::PeriodGrowth;
use crate::solve::performance::{Opponents, scores};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, PerformanceShape, WinModel};

/// Parameters of Glicko (Glickman, The Glicko system, by its steps; for many entrants Ebtekar and
/// Liu, An Elo-like System for Massive Multiplayer Competitions, 2021, section 6.2). The latter
/// give no parameters: `beta` and `sigma_drift` with their defaults are from their implementation.
/// The ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GlickoParameters {
    /// Standard deviation of the logistic difference of two performances of certain skills, in
    /// rating points; 0.001 to 1e6. A contest of weight W has beta/√W. Glickman has no such
    /// parameter. By default π/√3 · 400/ln 10, which is his scale, q = ln 10/400 (step 2): a lead
    /// of 400 points wins ten times in eleven.
    pub beta: f64,
    /// Uncertainty that a rating gains from one rating period to the next, in rating points: sigma²
    /// grows by its square; 0 to 1e6. Glickman's c (step 1); without periods, each contest of a
    /// competitor is one. Absence raises sigma at most to that of a newcomer, and the period of a
    /// contest adds to that once; with [`EveryPair`](GlickoInformation::EveryPair) and periods it
    /// does so neither for a newcomer nor beyond that bound (Glickman). By default 35, as in the
    /// implementation, and as skills change in the paper's synthetic contests (section 6.1).
    pub sigma_drift: f64,
    /// Information in a contest. By default as in Ebtekar and Liu (section 6.2).
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

/// The amount of information that a contest carries about a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GlickoInformation {
    /// The information of the most informative game, against an equal whose rating is certain: the
    /// pairs of a contest are far from independent (Ebtekar and Liu, section 6.2). The rating moves
    /// by the mean over all entrants, with the entrant itself as a tie.
    #[default]
    OneMatch,
    /// The information of one performance: the sums over all pairs, divided by N/2 for N entrants.
    /// A game has the noise of two performances, a contest that of the entrant's own and of the
    /// mean of N − 1 others. Noise of equal variances makes a contest worth 2·(N − 1)/N games: one
    /// for two entrants, almost two for many. As with [`EveryPair`](Self::EveryPair), a better
    /// place now may cause a lower rating later.
    OnePerformance,
    /// The mean over the N − 1 pairs: a contest is worth one game, whatever its size. As with
    /// [`EveryPair`](Self::EveryPair), a better place now may cause a lower rating later.
    Mean,
    /// The information of all pairs as independent games (Glickman): a contest is a rating period
    /// in which every entrant plays every other. The information depends on the entrant's own
    /// rating, so a better place now may cause a lower rating later.
    EveryPair,
}

impl GlickoInformation {
    /// Returns the divisor of the sums over all pairs of a contest of `count` entrants.
    pub(crate) fn pair_divisor(self, count: usize) -> f64 {
        match self {
            Self::OneMatch => count as f64,
            Self::OnePerformance => 0.5 * count as f64,
            Self::Mean => (count - 1) as f64,
            Self::EveryPair => 1.0,
        }
    }
}

impl Default for GlickoParameters {
    fn default() -> Self {
        Self {
            beta: 315.089_222_066_618_85,
            sigma_drift: 35.0,
            information: GlickoInformation::OneMatch,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
            advantage: 0.0,
        }
    }
}

/// Glicko with the state of all its competitors.
///
/// The opponents' uncertainty is that at the beginning of the contest, increased by the drift.
/// Entrants that did not finish are tied for the last place.
pub type Glicko = ModelSystem<GlickoParameters>;

impl RatingModel for GlickoParameters {
    type Player = GlickoPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "glicko",
        summary: "Glicko: all pairs of a contest as games, with the information of one",
        source: "Glickman, Parameter estimation in large dynamic paired comparison experiments, 1999, as in Ebtekar and Liu, Elo-MMR, 2021",
        supports: &[
            Support::Ties,
            Support::Weights,
            Support::Periods,
            Support::Advantage,
        ],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible, Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("beta", 50.0, 1500.0),
            log("sigma_drift", 2.0, 150.0),
            choice("information", &["one-match", "one-performance", "mean", "every-pair"]),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
            ADVANTAGE,
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_uncertainty("beta", self.beta)?;
        parameters::check_drift("sigma_drift", self.sigma_drift)?;
        parameters::check_advantage(self.advantage)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn advantage(&self) -> f64 {
        self.advantage
    }

    fn newcomer(&self) -> GlickoPlayer {
        GlickoPlayer::new(self.initial_mu, self.initial_sigma)
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.initial_sigma)
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.43 * self.initial_sigma)
    }

    fn period_growth(&self) -> Option<PeriodGrowth> {
        Some(PeriodGrowth {
            variance: Some(self.sigma_drift * self.sigma_drift),
            unit: 1.0,
            newcomer_sigma: self.initial_sigma,
        })
    }

    fn win_model(&self) -> WinModel {
        // Glickman's E with g(√(RD_i² + RD_j²)), after the drift of step 1.
        let noise = 0.5 * self.beta * self.beta + self.sigma_drift * self.sigma_drift;
        WinModel::new(PerformanceShape::Logistic, noise)
    }

    fn rate(
        &self,
        players: &mut Players<GlickoPlayer>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let count = round.entrants.len();
        let to_scale = 3.0_f64.sqrt() / PI;
        let beta_squared = self.beta * self.beta / round.weight;
        let mut mu = Vec::with_capacity(count);
        let mut scale = Vec::with_capacity(count);
        for (index, &competitor) in round.entrants.iter().enumerate() {
            let before = self.enter_period(&mut players[competitor], round.period);
            mu.push(before.mu + round.advantage_of(index, self.advantage));
            scale.push(to_scale * (before.variance + beta_squared).sqrt());
        }
        let scores = scores(&Opponents {
            mu: &mu,
            scale: &scale,
            groups: round.groups,
        });
        for (&competitor, score) in round.entrants.iter().zip(scores) {
            let divisor = self.information.pair_divisor(count);
            let information = if self.information == GlickoInformation::OneMatch {
                0.25 / (to_scale * to_scale * beta_squared)
            } else {
                score.information / divisor
            };
            let player = &mut players[competitor];
            let period = &mut player.period;
            period.sums += PairSums {
                surplus: score.surplus / divisor,
                information,
            };
            let variance = 1.0 / (1.0 / period.before.variance + period.sums.information);
            // Adding 0 turns −0 into 0.
            player.mu = period.before.mu + variance * period.sums.surplus + 0.0;
            player.sigma = variance.sqrt();
            rated.push(RatedEntrant::without_performance(player.mu, player.sigma));
        }
    }
}

impl GlickoParameters {
    /// Lets a player enter the rating period of a contest, and returns the belief before it.
    fn enter_period(&self, player: &mut GlickoPlayer, number: Option<i64>) -> Gaussian {
        let drift = self.sigma_drift * self.sigma_drift;
        let variance = player.sigma * player.sigma;
        let now = Gaussian {
            mu: player.mu,
            variance,
        };
        let is_first = player.period.is_first();
        let elapsed = player.period.enter(number, now);
        if elapsed > 0 {
            let newcomer = self.initial_sigma * self.initial_sigma;
            let is_glickmans = number.is_some() && self.information == GlickoInformation::EveryPair;
            // Glickman's step 1. Otherwise the period of the contest itself adds to the bound, also
            // for a newcomer, as in Ebtekar and Liu's implementation.
            let own_drift = if is_glickmans { 0.0 } else { drift };
            let absence = match (is_glickmans, is_first) {
                (true, true) => 0,
                (true, false) => elapsed,
                (false, _) => elapsed - 1,
            };
            let away = (variance + absence as f64 * drift).min(variance.max(newcomer));
            player.period.before.variance = away + own_drift;
        }
        player.period.before
    }
}

/// A rating and its variance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gaussian {
    mu: f64,
    variance: f64,
}

/// The state of a competitor.
#[derive(Clone, Copy, Debug)]
pub struct GlickoPlayer {
    mu: f64,
    sigma: f64,
    period: OpenPeriod<Gaussian, PairSums>,
}

impl GlickoPlayer {
    fn new(mu: f64, sigma: f64) -> Self {
        let variance = sigma * sigma;
        Self {
            mu,
            sigma,
            period: OpenPeriod::new(Gaussian { mu, variance }),
        }
    }
}

impl PlayerState<GlickoParameters> for GlickoPlayer {
    fn with_initial_rating(&self, _: &GlickoParameters, start: InitialRating) -> Self {
        Self::new(start.mu, start.sigma.unwrap_or(self.sigma))
    }

    fn restore(&mut self, _: &GlickoParameters, past: &PastResult) {
        self.mu = past.rated.mu;
        self.sigma = past.rated.sigma;
        self.period.restore(past.period);
    }

    fn belief(&self, _: &GlickoParameters) -> Belief {
        Belief::new(self.mu, self.sigma)
    }
}

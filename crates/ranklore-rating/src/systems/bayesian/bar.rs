//! BAR: Bayesian approximation ranking with the Bradley-Terry model, all pairs.

use std::f64::consts::PI;

use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::parameters::{self, InvalidParameter, check_between};
use crate::players::{GaussianPlayer, Players};
use crate::search_range::{SHIFT, UNIT, fixed, log};
use crate::solve::performance::{Opponents, surpluses};
use crate::system::{RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Parameters of BAR (Weng and Lin, A Bayesian Approximation Method for Online Ranking, 2011,
/// algorithm 1; the normalisation is that of Ebtekar and Liu, An Elo-like System for Massive
/// Multiplayer Competitions, 2021, section 6.2 with footnote 4). The defaults of `beta`,
/// `sigma_drift` and `kappa` are those of the latter's implementation, not of either paper; the
/// ranges are this crate's.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BarParameters {
    /// Spread of a performance around the skill, β, in rating points; 0.001 to 1e6. A contest of
    /// weight W has beta/√W. It goes into `c² = σ_i² + σ_q² + 2·β²` of a pair (algorithm 1). As in
    /// the implementation, c is the standard deviation of the logistic curve by which one of them
    /// wins; in algorithm 1 it is the scale. By default π/√3 · 400/ln 10, the standard deviation
    /// of Elo's logistic curve, as in the implementation. Weng and Lin have no rating points.
    pub beta: f64,
    /// Uncertainty that a rating gains from one contest to the next, in rating points: sigma²
    /// grows by its square; 0 to 1e6. Algorithm 1 has no such growth; by default 35, as in the
    /// implementation.
    pub sigma_drift: f64,
    /// Lower bound of the share of sigma² that remains after one contest, κ: a small number that
    /// keeps variances above 0 (Weng and Lin, table 1 and equations 28 and 44); 1e-9 to 1. By
    /// default 1e-4, as in the implementation.
    pub kappa: f64,
    /// Rating of a newcomer, in rating points; -1e6 to 1e6. By default 1500, as for Elo-MMR
    /// (Ebtekar and Liu, section 4.2).
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, in rating points; 0.001 to 1e6. By default 350, likewise.
    pub initial_sigma: f64,
}

impl Default for BarParameters {
    fn default() -> Self {
        Self {
            beta: 315.089_222_066_618_85,
            sigma_drift: 35.0,
            kappa: 1e-4,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

/// BAR with the state of all its competitors.
///
/// A contest carries as much information as its most informative game, against an equal whose
/// rating is certain. The rating moves by the mean over all entrants, with the entrant itself as a
/// tie. Entrants that did not finish are tied for the last place.
pub type Bar = ModelSystem<BarParameters>;

impl RatingModel for BarParameters {
    type Player = GaussianPlayer;

    const INFO: SystemInfo = SystemInfo {
        name: "bar",
        summary: "BAR: Bradley-Terry over all pairs of a contest, with the uncertainty of both",
        source: "Weng and Lin, A Bayesian approximation method for online ranking, 2011, as in Ebtekar and Liu, Elo-MMR, 2021",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible, Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        conservative_k: 3.0,
        titles: &[],
        parameters: &[
            log("beta", 50.0, 1500.0),
            log("sigma_drift", 2.0, 150.0),
            log("kappa", 1e-6, 0.1),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_uncertainty("beta", self.beta)?;
        parameters::check_drift("sigma_drift", self.sigma_drift)?;
        check_between("kappa", self.kappa, "between 1e-9 and 1", 1e-9..=1.0)?;
        parameters::check_newcomer(self.initial_mu, self.initial_sigma)
    }

    fn newcomer(&self) -> GaussianPlayer {
        GaussianPlayer::new(self.initial_mu, self.initial_sigma)
    }

    fn display(&self) -> Display {
        Display::mu_in_scale(self.initial_sigma)
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.83 * self.initial_sigma)
    }

    fn win_model(&self) -> WinModel {
        let noise = self.beta * self.beta + self.sigma_drift * self.sigma_drift;
        WinModel::new(PerformanceShape::Logistic, noise)
    }

    fn rate(&self, players: &mut Players, round: &RatingRound<'_>, rated: &mut Vec<RatedEntrant>) {
        let count = round.entrants.len();
        let to_scale = 3.0_f64.sqrt() / PI;
        let beta_squared = self.beta * self.beta / round.weight;
        let drift = self.sigma_drift * self.sigma_drift;
        // The sum of two such squared scales is c² of the pair, σ_i² + σ_j² + 2β².
        let before = players.priors(round, drift, beta_squared);
        let surpluses = surpluses(&Opponents {
            mu: &before.mu,
            scale: &before.scale,
            groups: round.groups,
        });
        for ((&competitor, surplus), variance) in
            round.entrants.iter().zip(surpluses).zip(before.variances)
        {
            let information_share = 0.25 * variance / (variance + 2.0 * beta_squared);
            let player = &mut players[competitor];
            // The scale of a pair is √3/π·c. Adding 0 turns −0 into 0.
            player.mu = player.mu + variance * to_scale * surplus / count as f64 + 0.0;
            player.sigma = (variance * (1.0 - information_share).max(self.kappa)).sqrt();
            rated.push(player.row());
        }
    }
}

//! Elo-R, the draft that became Elo-MMR.

mod belief;

use std::f64::consts::PI;

use pulp::Arch;
use serde::{Deserialize, Serialize};

use crate::display::{Display, Provisional};
use crate::model::{ModelSystem, RatingModel};
use crate::numerics::dispatch::dispatch;
use crate::parameters::{self, InvalidParameter};
use crate::players::{PlayerState, Players};
use crate::search_range::{ACCURACY, SHIFT, UNIT, fixed, log};
use crate::solve::performance::{Opponents, performances_with_clones};
use crate::system::{InitialRating, PastResult, RatedEntrant, RatingRound};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::mmr::elo_mmr::for_each_run;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{Belief, PerformanceShape, WinModel};
use belief::EloRBelief;

/// Parameters of Elo-R (draft of 2016, section 4).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloRParameters {
    /// Uncertainty of one performance, δ, in rating points (equation 11); 0.001 to 1e6, and
    /// more than `sigma_limit`.
    pub delta: f64,
    /// Uncertainty in the long run, σ*, in rating points (equation 28); 0.001 to 1e6.
    pub sigma_limit: f64,
    /// Number of past performances kept separately, M, from 0; older ones are merged into the
    /// normal factor (section 3.2). Absent by default: then performances are merged once that
    /// moves no rating by more than about 1e-10. Merging preserves the current rating but not all
    /// later ones: with few kept, a better place may be worth a little less later.
    pub history_limit: Option<usize>,
    /// Rating of a newcomer; -1e6 to 1e6.
    pub initial_mu: f64,
    /// Uncertainty of a newcomer, τ₀, in rating points; 0.001 to 1e6.
    pub initial_sigma: f64,
}

impl Default for EloRParameters {
    fn default() -> Self {
        Self {
            delta: 250.0,
            sigma_limit: 100.0,
            history_limit: None,
            initial_mu: 1500.0,
            initial_sigma: 350.0,
        }
    }
}

impl EloRParameters {
    /// Returns η², the growth of a squared uncertainty before each contest (equation 29).
    fn growth(&self) -> f64 {
        let limit = self.sigma_limit;
        let noise = self.delta;
        let square = limit * limit;
        // 1/(1/σ*² − 1/δ²) − σ*² without its cancellation.
        square * square / ((noise - limit) * (noise + limit))
    }

    /// Merges the performances beyond the limit.
    #[inline(always)]
    fn limit_history(&self, belief: &mut EloRBelief) {
        if let Some(limit) = self.history_limit {
            belief.merge_beyond(limit);
        }
    }
}

/// Elo-R with the state of all its competitors. Performances are zeros of sums over all opponents
/// (equation 20); a rating is the maximum of a product of one normal and many logistic densities
/// (equation 24), all of which widen before each contest by one factor (equations 25 to 29).
///
/// Opponents' uncertainty is that at the beginning of the contest, the noise before it included.
/// Densities so wide that they are indistinguishable from normal ones are merged into one, which
/// moves no rating by more than about 1e-10. Contests have no weight and time is ignored, as in the
/// draft. Entrants that did not finish are tied for the last place.
pub type EloR = ModelSystem<EloRParameters>;

impl RatingModel for EloRParameters {
    type Player = EloRBelief;

    const INFO: SystemInfo = SystemInfo {
        name: "elo-r",
        summary: "Elo-R: the draft that became Elo-MMR, robust, with a fixed noise per contest",
        source: "Elo-R Draft, 21 March 2016",
        supports: &[Support::Ties],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::IncentiveCompatible, Promise::Robust],
        unfinished: UnfinishedPolicy::Tied,
        // The displayed rating, r − 2(σ − σ*), gives this order.
        conservative_k: 2.0,
        titles: &[],
        parameters: &[
            // Apart, since delta must be more than sigma_limit.
            log("delta", 160.0, 1600.0),
            log("sigma_limit", 20.0, 150.0),
            // After a merge, a better place may be worth less later.
            fixed("history_limit", ACCURACY).breaking(Promise::IncentiveCompatible),
            fixed("initial_mu", SHIFT),
            fixed("initial_sigma", UNIT),
        ],
    };

    fn validate(&self) -> Result<(), InvalidParameter> {
        parameters::check_uncertainty("sigma_limit", self.sigma_limit)?;
        parameters::check_uncertainty("initial_sigma", self.initial_sigma)?;
        parameters::check_rating("initial_mu", self.initial_mu)?;
        let words = "more than sigma_limit and at most 1e6";
        parameters::check_range("delta", self.delta, words, |delta| {
            delta > self.sigma_limit && delta <= 1e6
        })
    }

    fn newcomer(&self) -> EloRBelief {
        EloRBelief::new(self.initial_mu, self.initial_sigma)
    }

    fn display(&self) -> Display {
        // r − 2·(σ − σ*): below the estimate while it is uncertain, so that high ratings take time
        // to earn (draft, section 4). A newcomer shows 1000.
        Display {
            k: 2.0,
            offset: 2.0 * self.sigma_limit,
            ..Display::mu_in_scale(self.initial_sigma)
        }
    }

    fn provisional(&self) -> Provisional {
        Provisional::by_sigma(0.35 * self.initial_sigma)
    }

    fn win_model(&self) -> WinModel {
        // The variance of a logistic of scale τ/2 is π²/12·τ².
        let factor = PI * PI / 12.0;
        WinModel {
            sigma_weight: factor,
            ..WinModel::new(
                PerformanceShape::LogisticEach,
                factor * (self.delta * self.delta + self.growth()),
            )
        }
    }

    fn rate(
        &self,
        players: &mut Players<EloRBelief>,
        round: &RatingRound<'_>,
        rated: &mut Vec<RatedEntrant>,
    ) {
        let delta = self.delta;
        let growth = self.growth();
        let competitors = round.entrants.iter();
        let mut entrants: Vec<(EloRBelief, f64)> = competitors
            .map(|&competitor| {
                let player = &mut players[competitor];
                // Taken out for the round, so that entrants can be updated in parallel.
                let mut belief = std::mem::replace(player, EloRBelief::new(0.0, 1.0));
                belief.widen(growth);
                (belief, 0.0)
            })
            .collect();
        let mu: Vec<f64> = entrants.iter().map(|(belief, _)| belief.mu).collect();
        // The scale is τ/2, with τ² = σ² + δ².
        let scale: Vec<f64> = entrants
            .iter()
            .map(|(belief, _)| 0.5 * (belief.variance + delta * delta).sqrt())
            .collect();
        let performances = performances_with_clones(&Opponents {
            mu: &mu,
            scale: &scale,
            groups: round.groups,
        });
        for (entrant, performance) in entrants.iter_mut().zip(performances) {
            entrant.1 = performance.min(round.performance_ceiling) + 0.0;
        }
        for_each_run(&mut entrants, |entrants| {
            dispatch!(Arch::new(), {
                for (belief, performance) in &mut *entrants {
                    belief.observe(*performance, delta);
                    self.limit_history(belief);
                }
            });
        });
        for (&competitor, (belief, performance)) in round.entrants.iter().zip(entrants) {
            rated.push(RatedEntrant {
                mu: belief.mu,
                sigma: belief.variance.sqrt(),
                performance: Some(performance),
                volatility: None,
            });
            players[competitor] = belief;
        }
    }
}

impl PlayerState<EloRParameters> for EloRBelief {
    fn with_initial_rating(&self, model: &EloRParameters, start: InitialRating) -> Self {
        Self::new(start.mu, start.sigma.unwrap_or(model.initial_sigma))
    }

    fn restore(&mut self, model: &EloRParameters, past: &PastResult) {
        self.widen(model.growth());
        let performance = past.rated.performance.unwrap_or(past.rated.mu);
        self.restore(performance, model.delta, past.rated.mu);
        model.limit_history(self);
    }

    fn belief(&self, _: &EloRParameters) -> Belief {
        Belief::new(self.mu, self.variance.sqrt())
    }

    fn heap_bytes(&self) -> usize {
        Self::heap_bytes(self)
    }
}

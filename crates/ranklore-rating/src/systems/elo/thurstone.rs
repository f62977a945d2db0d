//! Steps along the gradient of Thurstone's likelihood (multiplayer note, section 3.2.3).

use serde::{Deserialize, Serialize};

use crate::model::ModelSystem;
use crate::search_range::{NO_NUMBER, SHIFT, UNIT, choice, fixed, log};
use crate::solve::likelihood::{RankingOutcome, thurstone};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::elo::single_parameter::{
    GradientModel, GradientStep, LearningRate, SingleParameterSettings,
};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Parameters of [`Thurstone`] (multiplayer note, sections 3.2.3, 4 and 5). With `scale` 1
/// and `initial_mu` 0 they are in the note's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ThurstoneParameters {
    /// Rating points per standard deviation of one performance, 1 to 1e6. By default 200, as Elo
    /// had it.
    pub scale: f64,
    /// Points for a gradient of 1; a number, or knots by rating (section 5.2). 52 unless set,
    /// the note's 0.26 deviations.
    pub learning_rate: LearningRate,
    /// Limit of the steps: clipped, or the plain steps of the note.
    pub step: GradientStep,
    /// Rating of a newcomer; -1e5 to 1e5.
    pub initial_mu: f64,
    /// Rating of a dummy that takes part in every contest, shares the last place and never
    /// moves: an anchor of the scale (section 5.1); -1e5 to 1e5. None unless set.
    pub dummy_mu: Option<f64>,
    /// No rating falls below this (section 5.2); -1e5 to 1e5. None unless set.
    pub floor: Option<f64>,
}

impl Default for ThurstoneParameters {
    fn default() -> Self {
        Self {
            scale: 200.0,
            learning_rate: LearningRate::Fixed(52.0),
            step: GradientStep::default(),
            initial_mu: 1500.0,
            dummy_mu: None,
            floor: None,
        }
    }
}

/// Thurstone's model with the ratings of all its competitors: Gaussian performances, and one step
/// along the gradient of the log-likelihood of a contest's order. For two it is Elo with Gaussian
/// performances.
///
/// A step is at most 1 + ln N learning rates in a contest of N > 2 and weight 1. Steps of two
/// entrants, and plain steps, have no bound: an upset moves ratings in proportion to their
/// distance. Tied entrants performed equally. Entrants that did not finish are unordered, as are
/// the dummy and the entrants with whom it shares the last place (section 4). A contest preserves
/// the sum of ratings, with one learning rate for all, no dummy and no floor.
///
/// Sigma is 0 and the performance is the new rating: the system computes neither.
pub type Thurstone = ModelSystem<ThurstoneParameters>;

impl GradientModel for ThurstoneParameters {
    const INFO: SystemInfo = SystemInfo {
        name: "thurstone",
        summary: "Thurstone: Gaussian performances, exact did-not-finish; not robust",
        source: "Kerby, Multiplayer generalizations of Elo rating system, 2025, section 3.2.3",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::ZeroSum],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 0.0,
        titles: &[],
        parameters: &[
            fixed("scale", UNIT),
            // With over two scales, steps overshoot a tie of two, and ratings diverge.
            log("learning_rate", 5.0, 200.0),
            choice("step", &["clipped", "plain"]),
            fixed("initial_mu", SHIFT),
            fixed("dummy_mu", NO_NUMBER),
            fixed("floor", NO_NUMBER),
        ],
    };

    fn settings(&self) -> SingleParameterSettings<'_> {
        SingleParameterSettings {
            scale: self.scale,
            learning_rate: &self.learning_rate,
            initial_mu: self.initial_mu,
            dummy_mu: self.dummy_mu,
            floor: self.floor,
            advantage: 0.0,
            win_model: WinModel::new(PerformanceShape::Normal, self.scale * self.scale),
        }
    }

    fn gradient(&self, outcome: &RankingOutcome<'_>) -> Vec<f64> {
        let gradient = thurstone(outcome).gradient;
        self.step.limit(gradient)
    }
}

//! Steps along the gradient of the Plackett-Luce likelihood (multiplayer note, section 3.2.2).

use serde::{Deserialize, Serialize};

use crate::model::ModelSystem;
use crate::search_range::{NO_NUMBER, SHIFT, UNIT, choice, fixed, log};
use crate::solve::likelihood::{Orientation, RankingOutcome, UnfinishedModel, plackett_luce};
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::elo::single_parameter::{
    GradientModel, GradientStep, LearningRate, SingleParameterSettings,
};
use crate::systems::elo::two_player::ELO_SCALE;
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::WinModel;

/// Parameters of [`PlackettLuce`] (multiplayer note, sections 3.2.2, 4 and 5). With `scale` 1
/// and `initial_mu` 0 they are in the note's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlackettLuceParameters {
    /// Model of the places: those of an elimination, the note's first form, or of a race.
    pub orientation: Orientation,
    /// Likelihood of entrants that did not finish: exact, as a block without an order, or each
    /// independently. In a race both are the same.
    pub block: UnfinishedModel,
    /// Rating points per unit of the model, 1 to 1e6. By default 400/ln 10, with which 400 points
    /// are odds of 10 to 1 between two.
    pub scale: f64,
    /// Points for a gradient of 1; a number, or knots by rating (section 5.2). 55 unless set,
    /// the note's 0.32 units.
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

impl Default for PlackettLuceParameters {
    fn default() -> Self {
        Self {
            orientation: Orientation::default(),
            block: UnfinishedModel::default(),
            scale: ELO_SCALE,
            learning_rate: LearningRate::Fixed(55.0),
            step: GradientStep::default(),
            initial_mu: 1500.0,
            dummy_mu: None,
            floor: None,
        }
    }
}

/// The Plackett-Luce system with the ratings of all its competitors: one step along the gradient of
/// the log-likelihood of a contest's order.
///
/// A step is at most 1 + ln N learning rates in a contest of N and weight 1. Plain steps have other
/// bounds: in an elimination the last loses at most one learning rate and the winner gains at most
/// N − 1; in a race the winner gains at most one. Tied entrants performed equally. Entrants that
/// did not finish are unordered, as are the dummy and the entrants with whom it shares the last
/// place (section 4). A contest preserves the sum of ratings, with one learning rate for all, no
/// dummy and no floor.
///
/// Sigma is 0 and the performance is the new rating: the system computes neither.
pub type PlackettLuce = ModelSystem<PlackettLuceParameters>;

impl GradientModel for PlackettLuceParameters {
    const INFO: SystemInfo = SystemInfo {
        name: "plackett-luce",
        summary: "Plackett-Luce: exponential performances, elimination or race, exact did-not-finish",
        source: "Kerby, Multiplayer generalizations of Elo rating system, 2025, section 3.2.2",
        supports: &[Support::Ties, Support::Weights],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::ZeroSum],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 0.0,
        titles: &[],
        parameters: &[
            choice("orientation", &["elimination", "race"]),
            choice("block", &["exact", "independent"]),
            fixed("scale", UNIT),
            log("learning_rate", 5.0, 500.0),
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
            win_model: WinModel::logistic(self.scale),
        }
    }

    fn gradient(&self, outcome: &RankingOutcome<'_>) -> Vec<f64> {
        let gradient = plackett_luce(outcome, self.orientation, self.block).gradient;
        self.step.limit(gradient)
    }
}

//! Two-player Elo in the forms of the multiplayer note, section 3.1.

use serde::{Deserialize, Serialize};

use crate::model::ModelSystem;
use crate::numerics::lanes::Lanes;
use crate::search_range::{ADVANTAGE, NO_NUMBER, SHIFT, UNIT, choice, fixed, log};
use crate::solve::likelihood::RankingOutcome;
use crate::solve::performance::mills::inverse_mills;
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::elo::single_parameter::{GradientModel, LearningRate, SingleParameterSettings};
use crate::unfinished_policy::UnfinishedPolicy;
use crate::win_model::{PerformanceShape, WinModel};

/// Distribution of performances around a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Exponential, with a mean of e to the rating (in units of the scale): the difference is
    /// logistic (section 3.1.1).
    #[default]
    Exponential,
    /// Normal, with a standard deviation of one scale (section 3.1.2).
    Gaussian,
}

impl EloModel {
    /// Returns the win probabilities of performances with this number of points per unit.
    pub(crate) fn win_model(self, scale: f64) -> WinModel {
        match self {
            Self::Exponential => WinModel::logistic(scale),
            Self::Gaussian => WinModel::new(PerformanceShape::Normal, scale * scale),
        }
    }
}

/// Size of an update. With exponential performances both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloUpdate {
    /// The gradient of the log-likelihood of the result. Unbounded under the Gaussian model: it
    /// grows with the difference of the ratings.
    #[default]
    Likelihood,
    /// The expected score of the loser: at most the learning rate.
    Bounded,
}

/// Parameters of [`Elo`]. With `scale` 1 and `initial_mu` 0 they are those of the multiplayer
/// note (Kerby, 2025), sections 3.1 and 5, in its units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloParameters {
    /// Distribution of performances.
    pub model: EloModel,
    /// Size of an update.
    pub update: EloUpdate,
    /// Rating points per unit of the model, 1 to 1e6. By default 400/ln 10, with which 400 points
    /// are odds of 10 to 1. For Gaussian performances Elo himself used 200.
    pub scale: f64,
    /// Points for a gradient of 1: K, at most half of which is at stake between equals; a number,
    /// or knots by rating (section 5.2). 32 unless set.
    pub learning_rate: LearningRate,
    /// Rating of a newcomer; -1e5 to 1e5.
    pub initial_mu: f64,
    /// Rating of a dummy that takes part in every contest, shares the last place and never
    /// moves: an anchor of the scale (section 5.1); -1e5 to 1e5. None unless set.
    pub dummy_mu: Option<f64>,
    /// No rating falls below this (section 5.2); -1e5 to 1e5. None unless set.
    pub floor: Option<f64>,
    /// Rating points that the first move, or playing at home, is worth: the expected score of a
    /// game is that for a rating higher by them; -1e4 to 1e4. 0 unless set. World Football Elo
    /// Ratings (eloratings.net) add 100 to the home team.
    pub advantage: f64,
}

impl Default for EloParameters {
    fn default() -> Self {
        Self {
            model: EloModel::default(),
            update: EloUpdate::default(),
            scale: ELO_SCALE,
            learning_rate: LearningRate::Fixed(32.0),
            initial_mu: 1500.0,
            dummy_mu: None,
            floor: None,
            advantage: 0.0,
        }
    }
}

/// 400/ln 10: as the scale of a logistic, 400 points are odds of 10 to 1.
pub(crate) const ELO_SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Two-player Elo with the ratings of all its competitors.
///
/// A game of two: one gains what the other loses. A draw is half a win and half a loss. Contests of
/// more entrants are not rated; for those use [`EloPairwise`](crate::EloPairwise) and others. With a
/// dummy the winner has also beaten it, and the loser shares its place; it takes no part in a draw.
///
/// Sigma is 0 and the performance is the new rating: the system computes neither. An entrant that
/// did not finish has lost.
pub type Elo = ModelSystem<EloParameters>;

impl GradientModel for EloParameters {
    const INFO: SystemInfo = SystemInfo {
        name: "elo",
        summary: "Elo: games of two",
        source: "Elo, The Rating of Chessplayers, 1978; Kerby, Multiplayer generalizations of Elo rating system, 2025, section 3.1",
        supports: &[
            Support::Ties,
            Support::Weights,
            Support::Periods,
            Support::Advantage,
        ],
        max_entrants: Some(2),
        drifts_in_games: false,
        promises: &[Promise::Robust, Promise::ZeroSum],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 0.0,
        titles: &[],
        parameters: &[
            choice("model", &["exponential", "gaussian"]),
            choice("update", &["likelihood", "bounded"]),
            fixed("scale", UNIT),
            log("learning_rate", 2.0, 200.0),
            fixed("initial_mu", SHIFT),
            fixed("dummy_mu", NO_NUMBER),
            fixed("floor", NO_NUMBER),
            ADVANTAGE,
        ],
    };

    fn settings(&self) -> SingleParameterSettings<'_> {
        SingleParameterSettings {
            scale: self.scale,
            learning_rate: &self.learning_rate,
            initial_mu: self.initial_mu,
            dummy_mu: self.dummy_mu,
            floor: self.floor,
            advantage: self.advantage,
            win_model: self.model.win_model(self.scale),
        }
    }

    fn gradient(&self, outcome: &RankingOutcome<'_>) -> Vec<f64> {
        if let (&[first, second], [_]) = (outcome.ratings, outcome.groups) {
            let lead = first - second;
            let drawn = 0.5 * self.gain(lead) - 0.5 * self.gain(-lead);
            return vec![drawn, -drawn];
        }
        let mut gradient = vec![0.0; outcome.ratings.len()];
        // The winner comes first; the dummy, if any, shares the loser's place.
        for other in 1..outcome.ratings.len() {
            let lead = outcome.ratings[0] - outcome.ratings[other];
            let gain = self.gain(lead);
            gradient[0] += gain;
            gradient[other] -= gain;
        }
        gradient
    }
}

impl EloParameters {
    /// Gain of the winner and loss of the loser, for a learning rate of 1; `lead` is the rating of
    /// the winner minus that of the loser, in units of the model.
    fn gain(&self, lead: f64) -> f64 {
        match (self.model, self.update) {
            (EloModel::Exponential, _) => 1.0 / (1.0 + libm::exp(lead)),
            (EloModel::Gaussian, EloUpdate::Likelihood) => {
                let z = lead * std::f64::consts::FRAC_1_SQRT_2;
                inverse_mills(Lanes::splat(z)).at.0[0] * std::f64::consts::FRAC_1_SQRT_2
            }
            // The normal distribution function at −lead/√2.
            (EloModel::Gaussian, EloUpdate::Bounded) => 0.5 * libm::erfc(0.5 * lead),
        }
    }
}

//! Pairwise Elo: every pair of a contest is a game (multiplayer note, section 3.2.1).

use std::ops::Range;

use pulp::Arch;
use serde::{Deserialize, Serialize};

use crate::model::ModelSystem;
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::search_range::{NO_NUMBER, SHIFT, UNIT, choice, fixed, log};
use crate::solve::likelihood::RankingOutcome;
use crate::solve::performance::expected_wins;
use crate::solve::performance::mills::{distribution, inverse_mills};
use crate::system::group_ranges;
use crate::system_info::{Promise, Support, SystemInfo};
use crate::systems::elo::single_parameter::{GradientModel, LearningRate, SingleParameterSettings};
use crate::systems::elo::two_player::{ELO_SCALE, EloModel, EloUpdate};
use crate::unfinished_policy::UnfinishedPolicy;

/// Aggregation of the updates of an entrant's games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PairAggregation {
    /// The mean: a contest moves a rating by at most as much as one game.
    #[default]
    Mean,
    /// The sum: large contests move ratings very far.
    Sum,
}

/// Parameters of [`EloPairwise`] (multiplayer note, sections 3.2.1 and 5). With `scale` 1 and
/// `initial_mu` 0 they are in the note's units.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct EloPairwiseParameters {
    /// Aggregation of an entrant's updates.
    pub pairs: PairAggregation,
    /// Distribution of performances (sections 3.1.1 and 3.1.2).
    pub model: EloModel,
    /// Size of the update of a pair.
    pub update: EloUpdate,
    /// Rating points per unit of the model, 1 to 1e6. By default 400/ln 10, with which 400 points
    /// are odds of 10 to 1.
    pub scale: f64,
    /// Points for a gradient of 1; a number, or knots by rating (section 5.2). 130 unless set,
    /// the note's 0.75 for the mean; for the sum it found 0.07, which is 12.
    pub learning_rate: LearningRate,
    /// Rating of a newcomer; -1e5 to 1e5.
    pub initial_mu: f64,
    /// Rating of a dummy that takes part in every contest, shares the last place and never
    /// moves: an anchor of the scale (section 5.1); -1e5 to 1e5. None unless set.
    pub dummy_mu: Option<f64>,
    /// No rating falls below this (section 5.2); -1e5 to 1e5. None unless set.
    pub floor: Option<f64>,
}

impl Default for EloPairwiseParameters {
    fn default() -> Self {
        Self {
            pairs: PairAggregation::default(),
            model: EloModel::default(),
            update: EloUpdate::default(),
            scale: ELO_SCALE,
            learning_rate: LearningRate::Fixed(130.0),
            initial_mu: 1500.0,
            dummy_mu: None,
            floor: None,
        }
    }
}

/// Pairwise Elo with the ratings of all its competitors.
///
/// Every pair of entrants is a game between exponential or Gaussian performances. A tie is half a win
/// and half a loss. Two entrants who did not finish form no pair, since their order is unknown; neither do
/// the dummy and the entrants with whom it shares the last place. The mean is taken over an
/// entrant's pairs. A contest preserves the sum of ratings with the sum, and with the mean if all
/// finished, provided that there is one learning rate for all, no dummy and no floor.
///
/// Sigma is 0 and the performance is the new rating: the system computes neither.
pub type EloPairwise = ModelSystem<EloPairwiseParameters>;

impl GradientModel for EloPairwiseParameters {
    const INFO: SystemInfo = SystemInfo {
        name: "elo-pairwise",
        summary: "Pairwise Elo: every pair of a contest is a game; the mean or the sum of all",
        source: "Kerby, Multiplayer generalizations of Elo rating system, 2025, section 3.2.1",
        supports: &[Support::Ties, Support::Weights, Support::Periods],
        max_entrants: None,
        drifts_in_games: false,
        promises: &[Promise::Robust],
        unfinished: UnfinishedPolicy::Censored,
        conservative_k: 0.0,
        titles: &[],
        parameters: &[
            choice("pairs", &["mean", "sum"]),
            // A Gaussian step grows with the difference of the ratings.
            fixed("model", "sums of Gaussian steps diverge at high learning rates")
                .breaking(Promise::Robust),
            fixed("update", "without effect on exponential performances"),
            fixed("scale", UNIT),
            log("learning_rate", 2.0, 1000.0),
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
            win_model: self.model.win_model(self.scale),
        }
    }

    /// Returns for each entrant the sum or the mean of the gradients of its pairs.
    fn gradient(&self, outcome: &RankingOutcome<'_>) -> Vec<f64> {
        let mut gradient = match self.model {
            EloModel::Exponential => excess_wins(outcome),
            EloModel::Gaussian => {
                dispatch!(Arch::new(), gaussian_gains(outcome, self.update))
            }
        };
        if self.pairs == PairAggregation::Mean {
            let finishers = outcome.finishers as usize;
            let opponents = outcome.ratings.len() - 1;
            for (entrant, gradient) in gradient.iter_mut().enumerate() {
                let count = if entrant < finishers {
                    opponents
                } else {
                    finishers
                };
                *gradient /= count.max(1) as f64;
            }
        }
        gradient
    }
}

/// Returns for each entrant the number of wins beyond expectation, over its pairs.
fn excess_wins(outcome: &RankingOutcome<'_>) -> Vec<f64> {
    let finishers = outcome.finishers as usize;
    let (finished, unfinished) = outcome.ratings.split_at(finishers);
    let mut excess = vec![0.0; outcome.ratings.len()];
    // Finishers meet all entrants; in the sum also themselves, as half a win.
    let expected = expected_wins(outcome.ratings, finished);
    for group in group_ranges(outcome.groups).take_while(|group| group.end <= finishers) {
        let beaten = (outcome.ratings.len() - group.end) as f64;
        let actual = beaten + 0.5 * group.len() as f64;
        for entrant in group {
            let expected = expected[entrant];
            excess[entrant] = (actual - expected.certain) - expected.rest;
        }
    }
    // The other entrants have lost to each finisher.
    let expected = expected_wins(finished, unfinished);
    for (entrant, expected) in (finishers..).zip(expected) {
        excess[entrant] = -(expected.certain + expected.rest);
    }
    excess
}

/// Returns for each entrant the sum of the gains and losses of its pairs under Gaussian performances.
/// Takes time in the square of the number of different ratings.
#[inline(always)]
fn gaussian_gains(outcome: &RankingOutcome<'_>, update: EloUpdate) -> Vec<f64> {
    // Sorted within each group, since the last bits of a sum depend on the order.
    let mut distinct = DistinctRatings::default();
    let mut runs = Vec::with_capacity(outcome.groups.len());
    for group in group_ranges(outcome.groups) {
        runs.push(distinct.add(&outcome.ratings[group]));
    }
    let mut gains = Vec::with_capacity(outcome.ratings.len());
    for (group, run) in group_ranges(outcome.groups).zip(runs) {
        let is_finished = group.end <= outcome.finishers as usize;
        let run_gains = run.clone().map(|index| {
            let rating = distinct.ratings[index];
            let lost = distinct.sum_gains(0..run.start, rating, -1.0, update);
            if !is_finished {
                return -lost;
            }
            let won = distinct.sum_gains(run.end..distinct.ratings.len(), rating, 1.0, update);
            let tied_won = distinct.sum_gains(run.clone(), rating, 1.0, update);
            let tied_lost = distinct.sum_gains(run.clone(), rating, -1.0, update);
            (won - lost) + 0.5 * (tied_won - tied_lost)
        });
        let run_gains: Vec<f64> = run_gains.collect();
        let run_ratings = &distinct.ratings[run];
        gains.extend(
            outcome.ratings[group]
                .iter()
                .map(|&rating| run_gains[run_ratings.partition_point(|&other| other < rating)]),
        );
    }
    gains
}

/// The different ratings of some groups, each with the number of entrants that have it.
#[derive(Default)]
struct DistinctRatings {
    ratings: Vec<f64>,
    counts: Vec<f64>,
}

impl DistinctRatings {
    /// Adds the ratings of a group, and returns their indices, in increasing order of the ratings.
    fn add(&mut self, group: &[f64]) -> Range<usize> {
        let start = self.ratings.len();
        let mut sorted = group.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        for equal in sorted.chunk_by(|a, b| a == b) {
            self.ratings.push(equal[0]);
            self.counts.push(equal.len() as f64);
        }
        start..self.ratings.len()
    }

    /// Returns the sum of the gains of the winners of games of an entrant with these opponents. `sign`
    /// is 1 if the entrant wins and −1 if it loses.
    #[inline(always)]
    fn sum_gains(&self, opponents: Range<usize>, rating: f64, sign: f64, update: EloUpdate) -> f64 {
        let ratings = self.ratings[opponents.clone()].chunks(LANES);
        let counts = self.counts[opponents].chunks(LANES);
        let mut total = Lanes::ZERO;
        for (ratings, counts) in ratings.zip(counts) {
            let mut leads = [0.0; LANES];
            let mut weights = [0.0; LANES];
            for (lead, opponent) in leads.iter_mut().zip(ratings) {
                *lead = sign * (rating - opponent);
            }
            weights[..counts.len()].copy_from_slice(counts);
            total += update.gaussian_gain(Lanes(leads)) * Lanes(weights);
        }
        total.sum()
    }
}

impl EloUpdate {
    /// Returns the gain of the winner of a game of Gaussian performances, for a learning rate of 1;
    /// `lead` is its rating minus that of the loser, in units of the model.
    #[inline(always)]
    fn gaussian_gain(self, lead: Lanes) -> Lanes {
        let root_half = Lanes::splat(std::f64::consts::FRAC_1_SQRT_2);
        let z = lead * root_half;
        match self {
            Self::Likelihood => inverse_mills(z).at * root_half,
            Self::Bounded => distribution(-z),
        }
    }
}

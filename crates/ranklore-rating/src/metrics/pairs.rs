//! Win probabilities of pairs of entrants: log loss, Brier score and calibration.

use super::accuracy::{Accuracy, CalibrationBin};
use super::competitors::EntrantPairs;
use super::contest::SelectedContest;
use super::metric::Metric;
use super::random::SplitMix64;
use crate::WinModel;

/// The largest contest all of whose pairs are evaluated: 2,016 of them.
const ALL_PAIRS_ENTRANTS: usize = 64;

/// The number of pairs drawn from a larger contest.
const SAMPLED_PAIRS: usize = 2_000;

/// Probabilities are clipped to this distance from 0 and 1, so that no pair has an infinite loss.
const CLIP: f64 = 1e-6;

/// The prediction for a pair of entrants and its result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairPrediction {
    /// The index of the entrant that is more likely to place above the other.
    pub favourite: u32,
    /// The index of the other entrant.
    pub underdog: u32,
    /// The expected score of the favourite, from ½: the probability to place above the other and
    /// half of the probability of a tie.
    pub expected: f64,
    /// The score of the favourite: 1 above the other, ½ tied, 0 below.
    pub score: f64,
}

impl SelectedContest {
    /// Calls a function with each evaluated pair. Pairs of two entrants that did not finish have
    /// no result.
    pub(super) fn for_each_pair(
        &self,
        model: &WinModel,
        random: &mut SplitMix64,
        mut each: impl FnMut(PairPrediction),
    ) {
        let mut add = |better: usize, worse: usize| {
            let probability = model.win_probability(self.beliefs[better], self.beliefs[worse]);
            let expected = probability.expected_score().clamp(CLIP, 1.0 - CLIP);
            let is_tied = worse < self.ties[better].1 as usize;
            let score = if is_tied { 0.5 } else { 1.0 };
            let better = self.entrants[better];
            let worse = self.entrants[worse];
            // No branches: half of them would be predicted wrongly.
            let is_upset = expected < 0.5;
            each(PairPrediction {
                favourite: if is_upset { worse } else { better },
                underdog: if is_upset { better } else { worse },
                expected: expected.max(1.0 - expected),
                score: if is_upset { 1.0 - score } else { score },
            });
        };
        let count = self.ties.len();
        let finishers = self.finishers;
        if count <= ALL_PAIRS_ENTRANTS {
            for better in 0..finishers {
                for worse in better + 1..count {
                    add(better, worse);
                }
            }
        } else if finishers > 0 {
            // For each finisher the other finishers, then the rest twice: so each pair is drawn in
            // two ways.
            let other_finishers = finishers as u64 - 1;
            let opponents = other_finishers + 2 * (count - finishers) as u64;
            for _ in 0..SAMPLED_PAIRS {
                let (first, second) = random.pair_below(finishers as u64, opponents);
                let second = if second < other_finishers {
                    second + u64::from(second >= first)
                } else {
                    finishers as u64 + (second - other_finishers) / 2
                };
                add(first.min(second) as usize, first.max(second) as usize);
            }
        }
    }

    /// Adds log loss and Brier score, means over the pairs of the contest, and the calibration; and
    /// the pairs of each entrant if they are wanted.
    pub(super) fn add_pair_metrics(
        &self,
        model: &WinModel,
        random: &mut SplitMix64,
        accuracy: &mut Accuracy,
        mut entrant_pairs: Option<&mut [EntrantPairs]>,
    ) {
        let mut pairs = 0;
        let mut squares = 0.0;
        let mut decided = LogProduct::default();
        let mut tied = LogProduct::default();
        self.for_each_pair(model, random, |pair| {
            pairs += 1;
            let error = pair.score - pair.expected;
            squares += error * error;
            if pair.score == 0.5 {
                tied.multiply(pair.expected * (1.0 - pair.expected));
            } else {
                decided.multiply(1.0 - error.abs());
            }
            CalibrationBin::add_pair(&mut accuracy.calibration, pair.expected, pair.score);
            if let Some(entrants) = &mut entrant_pairs {
                for index in [pair.favourite, pair.underdog] {
                    let (sum, weight) = &mut entrants[index as usize].score;
                    *sum += error * error;
                    *weight += 1.0;
                }
            }
        });
        if pairs == 0 {
            return;
        }
        let pairs = f64::from(pairs);
        let loss = -decided.ln() - 0.5 * tied.ln();
        accuracy.sums.set(Metric::LogLoss, loss / pairs, 1.0);
        accuracy.sums.set(Metric::Brier, squares / pairs, 1.0);
        for entrant in entrant_pairs.into_iter().flatten() {
            let (sum, weight) = entrant.score;
            entrant.score = (sum / pairs, weight / pairs);
        }
    }
}

/// The logarithm of a product of probabilities. It costs one logarithm for many factors.
struct LogProduct {
    sum: f64,
    product: f64,
}

impl Default for LogProduct {
    fn default() -> Self {
        Self {
            sum: 0.0,
            product: 1.0,
        }
    }
}

impl LogProduct {
    /// Multiplies by a factor of at least [`CLIP`] / 2.
    fn multiply(&mut self, factor: f64) {
        self.product *= factor;
        if self.product < 1e-290 {
            self.sum += libm::log(self.product);
            self.product = 1.0;
        }
    }

    fn ln(&self) -> f64 {
        self.sum + libm::log(self.product)
    }
}

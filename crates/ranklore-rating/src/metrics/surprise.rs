//! The spread of surprises: squared differences of actual and expected scores, over the variance
//! that the prediction gives them.

use std::f64::consts::PI;

use super::contest::SelectedContest;
use super::metric::{Metric, MetricSums};
use super::random::SplitMix64;
use crate::{Belief, WinModel};

/// The entrants of a contest that are compared; of more, a sample of so many.
const COMPARED_ENTRANTS: usize = 64;

/// The terms of Mehler's series for the covariance of two results of an entrant; the next one is
/// below 0.001.
const TERMS: usize = 4;

/// The score of an entrant against the field, and the terms of its variance.
#[derive(Clone, Copy, Default)]
struct EntrantScore {
    /// The actual less the expected score.
    surprise: f64,
    /// The variance of the results with independent performances.
    independent: f64,
    /// The variance by which ties, broken at random, would add to the surprise.
    ties: f64,
    /// For each term of the series, its sum over opponents and the sum of its squares.
    terms: [(f64, f64); TERMS],
}

impl SelectedContest {
    /// Adds the spread of surprises among the entrants that finished.
    pub(super) fn add_surprise(
        &self,
        model: &WinModel,
        random: &mut SplitMix64,
        sums: &mut MetricSums,
    ) {
        let sample = self.sample_finishers(random);
        let mut scores = vec![EntrantScore::default(); sample.len()];
        for (first, &better) in sample.iter().enumerate() {
            let (scores_above, scores_below) = scores.split_at_mut(first + 1);
            for (score, &worse) in scores_below.iter_mut().zip(&sample[first + 1..]) {
                let is_tied = worse < self.ties[better].1 as usize;
                let beliefs = [self.beliefs[better], self.beliefs[worse]];
                add_pair(model, beliefs, is_tied, [&mut scores_above[first], score]);
            }
        }
        // By opponent, so that an entrant of a large contest weighs as one of a small contest.
        let scale = (sample.len() as f64 - 1.0).powi(2);
        let squares: f64 = scores.iter().map(|s| s.surprise * s.surprise + s.ties).sum();
        let variances: f64 = scores.iter().map(EntrantScore::variance).sum();
        if variances > 0.0 {
            sums.set(Metric::Surprise, squares / scale, variances / scale);
        }
    }

    /// Returns the places of the compared entrants, in order.
    fn sample_finishers(&self, random: &mut SplitMix64) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.finishers).collect();
        if places.len() > COMPARED_ENTRANTS {
            for drawn in 0..COMPARED_ENTRANTS {
                places.swap(drawn, drawn + random.below(self.finishers - drawn));
            }
            places.truncate(COMPARED_ENTRANTS);
            places.sort_unstable();
        }
        places
    }
}

impl EntrantScore {
    /// Returns the variance of the score: results share the performance of the entrant.
    fn variance(&self) -> f64 {
        let mut variance = self.independent;
        let mut factorial = 1.0;
        for (order, (sum, squares)) in (1..).zip(self.terms) {
            factorial *= f64::from(order);
            variance += (sum * sum - squares) / factorial;
        }
        variance
    }
}

/// Adds a pair to the scores of both entrants, of whom the first placed above or tied.
fn add_pair(model: &WinModel, beliefs: [Belief; 2], is_tied: bool, scores: [&mut EntrantScore; 2]) {
    let variances = beliefs.map(|belief| model.performance_variance(belief));
    let variance = variances[0] + variances[1];
    if variance <= 0.0 {
        return;
    }
    let distance = (beliefs[0].mu - beliefs[1].mu) / variance.sqrt();
    let density = libm::exp(-0.5 * distance * distance) / (2.0 * PI).sqrt();
    let expected = model.win_probability(beliefs[0], beliefs[1]).expected_score();
    let surprise = if is_tied { 0.5 } else { 1.0 } - expected;
    let pairs = scores.into_iter().zip(variances).zip([1.0, -1.0]);
    for ((score, own_variance), sign) in pairs {
        score.surprise += sign * surprise;
        score.independent += expected * (1.0 - expected);
        score.ties += if is_tied { 0.25 } else { 0.0 };
        let share = (own_variance / variance).sqrt();
        let z = sign * distance;
        let hermite = [1.0, z, z * z - 1.0, z * (z * z - 3.0)];
        let mut weight = density;
        for (term, polynomial) in score.terms.iter_mut().zip(hermite) {
            weight *= share;
            let part = weight * polynomial;
            term.0 += part;
            term.1 += part * part;
        }
    }
}

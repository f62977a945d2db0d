//! Exponential performances: the model of Plackett and Luce, in both orientations.
//!
//! Every entrant has a clock that rings once, at a rate λ. The clocks ring in the order of the
//! places, or in reverse. Exponential times are memoryless, so the next to ring is one of the
//! remaining entrants in proportion to its rate: the log-probability is the sum, over all entrants,
//! of ln λ minus the logarithm of the sum of the remaining rates. Linear time. All numbers are
//! logarithms, since the rates of ratings a thousand apart exceed the range of a double.

use std::ops::Range;

use super::unfinished_block::block_likelihood;
use super::{Likelihood, Orientation, RankingOutcome, UnfinishedModel};

/// Computes the likelihood of an outcome under exponential performances.
///
/// Tied entrants performed equally, within a margin that tends to 0 in proportion to the
/// performance: each of them rings as if the others of the group were still in (Breslow's form).
/// Linear in the number of entrants.
///
/// # Panics
/// If the slices of the outcome are inconsistent.
#[must_use]
pub fn plackett_luce(
    outcome: &RankingOutcome<'_>,
    orientation: Orientation,
    block: UnfinishedModel,
) -> Likelihood {
    outcome.assert_valid();
    // ∂ ln λ/∂ rating.
    let sign = match orientation {
        Orientation::Elimination => -1.0,
        Orientation::Race => 1.0,
    };
    let rates: Vec<f64> = outcome.ratings.iter().map(|r| sign * r).collect();
    let (ordered, unordered) = rates.split_at(outcome.ordered_end());
    let mut groups = outcome.ordered_groups();
    if orientation == Orientation::Elimination {
        groups.reverse();
    }
    // In a race the unordered entrants ring after all others, else before them.
    let after_all = match orientation {
        Orientation::Elimination => f64::NEG_INFINITY,
        Orientation::Race => log_sum(unordered),
    };
    let sums = remaining_sums(ordered, &groups, after_all);
    // In reverse: `shared` is the logarithm of the number of entrants that rang before or ring now,
    // each divided by the sum of the rates remaining for it.
    let mut log = 0.0;
    let mut gradient = vec![0.0; rates.len()];
    let mut shared = f64::NEG_INFINITY;
    if orientation == Orientation::Elimination
        && !unordered.is_empty()
        && let Some(&all) = sums.first()
    {
        let likelihood = block_likelihood(unordered, all, block);
        log += likelihood.log;
        // Sorted, since the last bits of a sum depend on the order.
        let mut sorted = likelihood.gradient.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        shared = libm::log(sorted.iter().sum()) - all;
        let unordered_gradient = gradient[ordered.len()..].iter_mut();
        for (gradient, slope) in unordered_gradient.zip(likelihood.gradient) {
            *gradient = sign * slope;
        }
    }
    for (group, &sum) in groups.iter().zip(&sums) {
        let count = group.len() as f64;
        shared = log_add(shared, libm::log(count) - sum);
        let mut rates_of_group = ordered[group.clone()].to_vec();
        rates_of_group.sort_unstable_by(f64::total_cmp);
        log += rates_of_group.iter().map(|rate| rate - sum).sum::<f64>();
        for entrant in group.clone() {
            gradient[entrant] = sign * (1.0 - libm::exp(ordered[entrant] + shared));
        }
    }
    if orientation == Orientation::Race {
        for (gradient, rate) in gradient[ordered.len()..].iter_mut().zip(unordered) {
            *gradient = -libm::exp(rate + shared);
        }
    }
    Likelihood { log, gradient }
}

/// Returns for each group, from the first to ring, the logarithm of the sum of the rates that remain;
/// `after_all` is that of the entrants who ring last.
fn remaining_sums(rates: &[f64], groups: &[Range<usize>], after_all: f64) -> Vec<f64> {
    let mut remaining = after_all;
    let mut sums = Vec::with_capacity(groups.len());
    for group in groups.iter().rev() {
        remaining = log_add(remaining, log_sum(&rates[group.clone()]));
        sums.push(remaining);
    }
    sums.reverse();
    sums
}

/// ln(e^a + e^b).
fn log_add(a: f64, b: f64) -> f64 {
    let (large, small) = if a > b { (a, b) } else { (b, a) };
    if small == f64::NEG_INFINITY {
        large
    } else {
        large + libm::log1p(libm::exp(small - large))
    }
}

/// ln Σ e^x, independent of the order of the terms.
fn log_sum(terms: &[f64]) -> f64 {
    let Some(largest) = terms.iter().copied().reduce(f64::max) else {
        return f64::NEG_INFINITY;
    };
    let mut terms = terms.to_vec();
    terms.sort_unstable_by(f64::total_cmp);
    largest + libm::log(terms.iter().map(|term| libm::exp(term - largest)).sum())
}

//! Likelihood of a block: clocks that ring before all others, in any order (entrants that did not
//! finish).
//!
//! With Λ the rate of the first of the others, and rates λ, the probability is
//! ∫ Π(1 − e^(−λt)) Λe^(−Λt) dt. In s = ln Λt the integrand e^G has
//!
//! ```text
//! G(s) = s − e^s + Σ ln(1 − exp(−(λ/Λ)·e^s))
//! ```
//!
//! which is concave, and analytic near the real axis. The plain trapezoidal rule around the mode
//! thus converges exponentially: about 30 to 80 nodes, whatever the number of clocks and however
//! small the probability. In t or in e^(−t) no number of nodes suffices.

use super::UnfinishedModel;

/// The log-likelihood that the block rings first, and its derivative by the logarithm of each rate.
/// The derivative by ln Λ is the negative of their sum, since only ratios of rates matter.
pub(super) struct BlockLikelihood {
    pub(super) log: f64,
    pub(super) gradient: Vec<f64>,
}

/// The step in widths of the integrand at its mode.
const STEP: f64 = 0.6;
/// The largest step h: at iπ/2 off the real axis e^G grows, which causes an error of e^(−π²/h).
const MAX_STEP: f64 = 0.35;
/// With many clocks it grows closer to the axis: where about one of k is still to ring,
/// exp(−k·e^(−x)) turns over at an angle of π/x, with x about ln k. The largest step times 1 + ln
/// k.
const MAX_STEP_OF_MANY: f64 = 0.7;
/// The integrand is truncated below this fraction of its value at the mode.
const CUT_OFF: f64 = 1e-16;
/// Last step of Newton's method for the mode; the nodes need not be centred exactly.
const LAST_STEP: f64 = 1e-6;

/// Computes the likelihood that all clocks of log-rates `rates` ring before the first of the
/// others, of total log-rate `other_rate`.
pub(super) fn block_likelihood(
    rates: &[f64],
    other_rate: f64,
    block: UnfinishedModel,
) -> BlockLikelihood {
    match block {
        UnfinishedModel::Exact => exact_likelihood(rates, other_rate),
        UnfinishedModel::Independent => independent_likelihood(rates, other_rate),
    }
}

fn independent_likelihood(rates: &[f64], other_rate: f64) -> BlockLikelihood {
    let mut sorted = rates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    // ln λ/(λ + Λ), and its derivative Λ/(λ + Λ).
    let losses = sorted.iter().map(|rate| {
        let ahead = other_rate - rate;
        let tail = libm::log1p(libm::exp(-ahead.abs()));
        -(ahead.max(0.0) + tail)
    });
    BlockLikelihood {
        log: losses.sum(),
        gradient: rates.iter().map(|rate| 1.0 / (1.0 + libm::exp(rate - other_rate))).collect(),
    }
}

/// A rate and its multiplicity.
struct EqualRates {
    rate: f64,
    count: f64,
    /// Sum of the weighted derivatives at the nodes.
    gradient: f64,
}

fn exact_likelihood(rates: &[f64], other_rate: f64) -> BlockLikelihood {
    // Sorted for reproducible sums, and merged: newcomers are many.
    let mut sorted = rates.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let mut distinct_rates: Vec<EqualRates> = sorted
        .chunk_by(|a, b| a == b)
        .map(|clocks| EqualRates {
            rate: clocks[0] - other_rate,
            count: clocks.len() as f64,
            gradient: 0.0,
        })
        .collect();
    let (mode, curvature) = mode(&distinct_rates, rates.len() as f64);
    let step = (STEP / libm::sqrt(curvature))
        .min(MAX_STEP)
        .min(MAX_STEP_OF_MANY / (1.0 + libm::log(rates.len() as f64)));
    let mut slopes = vec![0.0; distinct_rates.len()];
    let height = exponent(&distinct_rates, mode, &mut slopes);
    let mut sum = 0.0;
    let mut add = |s: f64| {
        let weight = libm::exp(exponent(&distinct_rates, s, &mut slopes) - height);
        sum += weight;
        for (clocks, slope) in distinct_rates.iter_mut().zip(&slopes) {
            clocks.gradient += weight * slope;
        }
        weight > CUT_OFF
    };
    add(mode);
    for direction in [-1.0, 1.0] {
        let mut node = 1.0;
        while add(mode + direction * node * step) {
            node += 1.0;
        }
    }
    let log = height + libm::log(step * sum);
    let gradient = rates.iter().map(|rate| {
        let at = distinct_rates.partition_point(|clocks| clocks.rate < rate - other_rate);
        distinct_rates[at].gradient / sum
    });
    BlockLikelihood {
        log,
        gradient: gradient.collect(),
    }
}

/// G at s; `slopes` becomes the derivatives of its terms.
fn exponent(distinct_rates: &[EqualRates], s: f64, slopes: &mut [f64]) -> f64 {
    let mut terms = 0.0;
    for (clocks, slope) in distinct_rates.iter().zip(slopes) {
        let term = Term::at(clocks.rate + s);
        terms += clocks.count * term.log;
        *slope = term.slope;
    }
    (s - libm::exp(s)) + terms
}

/// The part of a clock in G, with x = e^l the time in its own units.
struct Term {
    /// ln(1 − e^(−x)).
    log: f64,
    /// The derivative by l, a = x/(e^x − 1).
    slope: f64,
    /// The rate at which the derivative decreases: a·(x + a − 1).
    fall: f64,
}

impl Term {
    fn at(l: f64) -> Self {
        if l < -37.0 {
            return Self {
                log: l,
                slope: 1.0,
                fall: 0.0,
            };
        }
        // Beyond this all terms are 0.
        let x = libm::exp(l.min(7.0));
        let rung = -libm::expm1(-x);
        let slope = x * (1.0 - rung) / rung;
        Self {
            log: libm::log(rung),
            slope,
            fall: slope * (x + slope - 1.0),
        }
    }
}

/// The point of the maximum of G, and −G″ there. G′ = 1 − e^s + Σa with every a between 0 and 1: the
/// mode lies between 0 and the logarithm of the number of clocks plus one.
fn mode(distinct_rates: &[EqualRates], count: f64) -> (f64, f64) {
    let mut low = 0.0;
    let mut high = libm::log1p(count);
    let mut s = high;
    loop {
        let t = libm::exp(s);
        let mut rise = 1.0 - t;
        let mut fall = t;
        for clocks in distinct_rates {
            let term = Term::at(clocks.rate + s);
            rise += clocks.count * term.slope;
            fall += clocks.count * term.fall;
        }
        if rise > 0.0 {
            low = s;
        } else {
            high = s;
        }
        let newton = s + rise / fall;
        let next = if newton > low && newton < high {
            newton
        } else {
            0.5 * (low + high)
        };
        let change = (next - s).abs();
        s = next;
        if change < LAST_STEP || high - low < LAST_STEP {
            return (s, fall);
        }
    }
}

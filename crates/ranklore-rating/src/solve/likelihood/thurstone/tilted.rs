//! Integrals of a polynomial times an exponential, from the left end of a piece to its nodes.
//!
//! On −1 … 1 functions are stored as polynomials times a tilt, e^(λ(t + 1)), which leaves a flat
//! factor, however steep they are. Their integrals, at the same tilt, are ∫ e^(−λ(t − s))·q(s) ds
//! from −1 to t: linear in the values of the polynomial q at the nodes, with weights that depend on
//! λ alone. Tilts are multiples of the one by which a function grows by a power of two over a
//! piece.

use std::sync::{LazyLock, OnceLock};

use super::lobatto::{
    LOBATTO, LegendreValues, NODES, NodeLanes, at_nodes, derivatives, dot, legendre_values,
};
use crate::numerics::lanes::{LANES, Lanes};

/// Number of doublings over a piece for a tilt of 1.
pub(super) const DOUBLINGS_PER_TILT: i64 = 6;
/// λ at a tilt of 1.
pub(super) const TILT_RATE: f64 = 0.5 * DOUBLINGS_PER_TILT as f64 * std::f64::consts::LN_2;

/// Integrals of a tilted polynomial, at the same tilt.
pub(super) struct Integrals {
    /// From −1 to each node.
    pub(super) up_to: NodeLanes,
    /// The remainder at the nodes of a value of 1 at −1.
    pub(super) decay: NodeLanes,
}

/// The weights of one tilt.
struct Weights {
    /// `up_to[j]`: integrals up to the nodes of the polynomial that is 1 at node `j` and 0 at the
    /// others.
    up_to: [NodeLanes; NODES],
    decay: NodeLanes,
}

/// Number of tilts with cached weights; beyond, functions are steep enough for a series.
const CACHED_TILTS: usize = 256;

static WEIGHTS: LazyLock<Vec<OnceLock<Box<Weights>>>> =
    LazyLock::new(|| (0..CACHED_TILTS).map(|_| OnceLock::new()).collect());

/// Terms of the series that a double resolves at the smallest tilt for which it is used.
const SERIES_TERMS: usize = 14;

/// Derivatives at the nodes: `DERIVATIVES[j]` of the polynomial that is 1 at node `j` and 0 at the
/// others.
static DERIVATIVES: LazyLock<[NodeLanes; NODES]> = LazyLock::new(|| {
    let slopes = LOBATTO.nodes.map(|t| derivatives(&legendre_values(t)));
    let weights = slopes.map(|functional| LOBATTO.weights_of(&functional));
    std::array::from_fn(|j| at_nodes(|i| weights[i][j]))
});

/// The weights of the values at the nodes in derivatives at the ends.
pub(super) struct EndDerivatives {
    slope_at_first: NodeLanes,
    second_at_first: NodeLanes,
    slope_at_last: NodeLanes,
}

pub(super) static END_DERIVATIVES: LazyLock<EndDerivatives> = LazyLock::new(|| {
    let slope_at_first = derivatives(&legendre_values(-1.0));
    let slope_at_last = derivatives(&legendre_values(1.0));
    EndDerivatives {
        slope_at_first: weights_in_lanes(&slope_at_first),
        second_at_first: weights_in_lanes(&derivatives(&slope_at_first)),
        slope_at_last: weights_in_lanes(&slope_at_last),
    }
});

fn weights_in_lanes(functional: &LegendreValues) -> NodeLanes {
    let weights = LOBATTO.weights_of(functional);
    at_nodes(|j| weights[j])
}

impl EndDerivatives {
    /// Returns the derivative at −1 of the polynomial through `values`.
    #[inline(always)]
    pub(super) fn slope_at_first(&self, values: &NodeLanes) -> f64 {
        dot(&self.slope_at_first, values)
    }

    /// Returns its second derivative at −1.
    #[inline(always)]
    pub(super) fn second_at_first(&self, values: &NodeLanes) -> f64 {
        dot(&self.second_at_first, values)
    }

    /// Returns its derivative at 1.
    #[inline(always)]
    pub(super) fn slope_at_last(&self, values: &NodeLanes) -> f64 {
        dot(&self.slope_at_last, values)
    }
}

/// Integrals of the polynomial through `values`, tilted by `tilt`, which is not negative.
#[inline(always)]
pub(super) fn integrals(tilt: i64, values: &NodeLanes) -> Integrals {
    let Some(weights) = WEIGHTS.get(tilt as usize) else {
        return integrals_by_series(TILT_RATE * tilt as f64, values);
    };
    let weights = weights.get_or_init(|| Weights::new(TILT_RATE * tilt as f64));
    Integrals {
        up_to: combine_columns(&weights.up_to, values),
        decay: weights.decay,
    }
}

impl Weights {
    fn new(rate: f64) -> Box<Self> {
        let lobatto = &*LOBATTO;
        let up_to: [[f64; NODES]; NODES] =
            std::array::from_fn(|i| weights_up_to(rate, lobatto.nodes[i]));
        Box::new(Self {
            up_to: std::array::from_fn(|j| at_nodes(|i| up_to[i][j])),
            decay: at_nodes(|i| libm::exp(-rate * (lobatto.nodes[i] + 1.0))),
        })
    }
}

/// The weights of the values at the nodes in the integral up to `t`.
fn weights_up_to(rate: f64, t: f64) -> [f64; NODES] {
    let lobatto = &*LOBATTO;
    // In steps on which the exponential is a polynomial, down to where it vanishes.
    let step = (4.0 / rate).min(2.0);
    let mut functional = [0.0; NODES];
    let mut right = t;
    while right > -1.0 && rate * (t - right) < 40.0 {
        let half = 0.5 * step.min(right + 1.0);
        for (node, weight) in lobatto.nodes.iter().zip(&lobatto.weights) {
            let s = right - half * (1.0 + node);
            let weight = half * weight * libm::exp(-rate * (t - s));
            for (value, polynomial) in functional.iter_mut().zip(legendre_values(s)) {
                *value += weight * polynomial;
            }
        }
        right -= 2.0 * half;
    }
    lobatto.weights_of(&functional)
}

/// Computes q/λ − q'/λ² + q''/λ³ …, the polynomial solution Q of Q' + λQ = q.
#[inline(always)]
fn integrals_by_series(rate: f64, values: &NodeLanes) -> Integrals {
    let inverse = Lanes::splat(1.0 / rate);
    let mut series = *values;
    for _ in 0..SERIES_TERMS {
        let derivatives = combine_columns(&DERIVATIVES, &series);
        for chunk in 0..series.len() {
            series[chunk] = values[chunk] - derivatives[chunk] * inverse;
        }
    }
    let decay = LOBATTO.at.map(|t| {
        let along = t + Lanes::ONE;
        (-along * Lanes::splat(rate)).at_least(-700.0).exp()
    });
    let first = Lanes::splat(series[0].0[0]);
    Integrals {
        up_to: std::array::from_fn(|chunk| (series[chunk] - first * decay[chunk]) * inverse),
        decay,
    }
}

#[inline(always)]
fn combine_columns(columns: &[NodeLanes; NODES], values: &NodeLanes) -> NodeLanes {
    let mut sums = [Lanes::ZERO; NODES / LANES];
    for (j, column) in columns.iter().enumerate() {
        let value = Lanes::splat(values[j / LANES].0[j % LANES]);
        for chunk in 0..sums.len() {
            sums[chunk] += value * column[chunk];
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ∫ e^(−λ(t − s))·s^n ds from −1 to t, by parts.
    fn exact(rate: f64, power: i32, t: f64) -> f64 {
        if rate == 0.0 {
            return (t.powi(power + 1) - (-1.0_f64).powi(power + 1)) / f64::from(power + 1);
        }
        let at = |t: f64| {
            let mut term = 1.0 / rate;
            let mut sum = 0.0;
            for k in 0..=power {
                sum += term * t.powi(power - k);
                term *= -f64::from(power - k) / rate;
            }
            sum
        };
        at(t) - at(-1.0) * libm::exp(-rate * (t + 1.0))
    }

    #[test]
    fn tilted_integrals_are_exact_for_polynomials() {
        let lobatto = &*LOBATTO;
        for tilt in [0, 20, 100, 255, 256, 1_000, 1_000_000] {
            let rate = TILT_RATE * tilt as f64;
            for power in 0..NODES as i32 {
                let values = at_nodes(|j| lobatto.nodes[j].powi(power));
                let actual = integrals(tilt, &values);
                let allowed = 1e-13 / (1.0 + rate);
                for j in 0..NODES {
                    let error =
                        actual.up_to[j / LANES].0[j % LANES] - exact(rate, power, lobatto.nodes[j]);
                    assert!(error.abs() < allowed, "{tilt}, {power}: {error:e}");
                }
            }
        }
    }
}

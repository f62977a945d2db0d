//! Integrals of a polynomial times an exponential, from the left end of a piece to its nodes.
//!
//! On −1 … 1 functions are kept as polynomials times a tilt, e^(λ(t + 1)), so that what is left
//! is flat however steep they are. Their integrals, at the same tilt, are
//! ∫ e^(−λ(t − s))·q(s) ds from −1 to t: linear in the values of the polynomial q at the nodes,
//! with weights that depend on λ alone. Tilts are multiples of one such that over a piece a
//! function grows by a power of two.

use std::sync::{LazyLock, OnceLock};

use super::lobatto::{LOBATTO, NODES, Nodes, Polynomials, at_nodes, derivatives, dot, polynomials};
use crate::lanes::{LANES, Lanes};

/// Over a piece a tilt of 1 doubles so many times.
pub(super) const DOUBLINGS: i64 = 6;
/// λ at a tilt of 1.
pub(super) const RATE: f64 = 0.5 * DOUBLINGS as f64 * std::f64::consts::LN_2;

/// Integrals of a tilted polynomial, at the same tilt.
pub(super) struct Integrals {
    pub(super) up_to: Nodes,
    /// Up to 1.
    pub(super) whole: f64,
    /// What is left at the nodes of 1 at −1.
    pub(super) decay: Nodes,
}

/// The weights of one tilt.
struct Weights {
    /// `up_to[j]`: integrals up to the nodes of the polynomial that is 1 at node `j` and 0 at
    /// the others.
    up_to: [Nodes; NODES],
    whole: Nodes,
    decay: Nodes,
}

/// So many tilts have weights that are kept; those beyond are steep enough for a series.
const KEPT: usize = 256;

static WEIGHTS: LazyLock<Vec<OnceLock<Box<Weights>>>> =
    LazyLock::new(|| (0..KEPT).map(|_| OnceLock::new()).collect());

/// Terms of the series that a double sees at the least tilt it is taken for.
const TERMS: usize = 14;

static SERIES: LazyLock<Series> = LazyLock::new(Series::new);

/// What the series needs: derivatives at the nodes, and at the ends the value and the first two
/// derivatives.
struct Series {
    derivatives: [Nodes; NODES],
    at_left: [Nodes; 3],
    at_right: [Nodes; 3],
}

/// A function at an end of a piece, where it is above 0.
#[derive(Clone, Copy)]
pub(super) struct AtEnd {
    pub(super) value: f64,
    /// The first and the second derivative of its logarithm.
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl AtEnd {
    /// The polynomial through `values`, tilted, at −1; its value without the tilt.
    #[inline(always)]
    pub(super) fn left(tilt: i64, values: &Nodes) -> Option<Self> {
        Self::of(&SERIES.at_left, tilt, values)
    }

    /// The same at 1.
    #[inline(always)]
    pub(super) fn right(tilt: i64, values: &Nodes) -> Option<Self> {
        Self::of(&SERIES.at_right, tilt, values)
    }

    #[inline(always)]
    fn of(at: &[Nodes; 3], tilt: i64, values: &Nodes) -> Option<Self> {
        let [value, first, second] = [0, 1, 2].map(|order| dot(&at[order], values));
        let slope = first / value;
        (value > 0.0).then_some(Self {
            value,
            slope: RATE * tilt as f64 + slope,
            curvature: second / value - slope * slope,
        })
    }
}

/// Integrals of the polynomial through `values`, tilted by `tilt`, which is not negative.
#[inline(always)]
pub(super) fn integrals(tilt: i64, values: &Nodes) -> Integrals {
    let Some(weights) = WEIGHTS.get(tilt as usize) else {
        return SERIES.integrals(tilt, values);
    };
    let weights = weights.get_or_init(|| Weights::new(RATE * tilt as f64));
    Integrals {
        up_to: combined(&weights.up_to, values),
        whole: dot(&weights.whole, values),
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
            whole: {
                let whole = weights_up_to(rate, 1.0);
                at_nodes(|j| whole[j])
            },
            decay: at_nodes(|i| libm::exp(-rate * (lobatto.nodes[i] + 1.0))),
        })
    }
}

/// The weights of the values at the nodes in the integral up to `t`.
fn weights_up_to(rate: f64, t: f64) -> [f64; NODES] {
    let lobatto = &*LOBATTO;
    // In steps in which the exponential is a polynomial, down to where nothing is left of it.
    let step = (4.0 / rate).min(2.0);
    let mut of = [0.0; NODES];
    let mut right = t;
    while right > -1.0 && rate * (t - right) < 40.0 {
        let half = 0.5 * step.min(right + 1.0);
        for (node, weight) in lobatto.nodes.iter().zip(&lobatto.weights) {
            let s = right - half * (1.0 + node);
            let weight = half * weight * libm::exp(-rate * (t - s));
            for (of, polynomial) in of.iter_mut().zip(polynomials(s)) {
                *of += weight * polynomial;
            }
        }
        right -= 2.0 * half;
    }
    lobatto.weights_of(&of)
}

impl Series {
    fn new() -> Self {
        let lobatto = &*LOBATTO;
        let weights = |of: &Polynomials| {
            let weights = lobatto.weights_of(of);
            at_nodes(|j| weights[j])
        };
        let at = |t: f64| {
            let value = polynomials(t);
            let first = derivatives(&value);
            [value, first, derivatives(&first)].map(|of| weights(&of))
        };
        let derivatives = lobatto
            .nodes
            .map(|t| lobatto.weights_of(&derivatives(&polynomials(t))));
        Self {
            derivatives: std::array::from_fn(|j| at_nodes(|i| derivatives[i][j])),
            at_left: at(-1.0),
            at_right: at(1.0),
        }
    }

    /// By q/λ − q'/λ² + q''/λ³ …, the solution Q of Q' + λQ = q that is a polynomial.
    fn integrals(&self, tilt: i64, values: &Nodes) -> Integrals {
        let rate = RATE * tilt as f64;
        let inverse = Lanes::splat(1.0 / rate);
        let mut of = *values;
        for _ in 0..TERMS {
            let derivatives = combined(&self.derivatives, &of);
            for chunk in 0..of.len() {
                of[chunk] = values[chunk] - derivatives[chunk] * inverse;
            }
        }
        for of in &mut of {
            *of = *of * inverse;
        }
        let (left, right) = (dot(&self.at_left[0], &of), dot(&self.at_right[0], &of));
        let decay = LOBATTO.at.map(|t| {
            (-(t + Lanes::ONE) * Lanes::splat(rate))
                .at_least(-700.0)
                .exp()
        });
        let up_to = std::array::from_fn(|chunk| of[chunk] - Lanes::splat(left) * decay[chunk]);
        Integrals {
            up_to,
            whole: right,
            decay,
        }
    }
}

#[inline(always)]
fn combined(columns: &[Nodes; NODES], values: &Nodes) -> Nodes {
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
            let (mut term, mut sum) = (1.0 / rate, 0.0);
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
            let rate = RATE * tilt as f64;
            for power in 0..NODES as i32 {
                let values = at_nodes(|j| lobatto.nodes[j].powi(power));
                let found = integrals(tilt, &values);
                let allowed = 1e-13 / (1.0 + rate);
                for j in 0..NODES {
                    let error =
                        found.up_to[j / LANES].0[j % LANES] - exact(rate, power, lobatto.nodes[j]);
                    assert!(error.abs() < allowed, "{tilt}, {power}: {error:e}");
                }
                let error = found.whole - exact(rate, power, 1.0);
                assert!(error.abs() < allowed, "{tilt}, {power}: {error:e}");
            }
        }
    }
}

//! Polynomials through the sixteen Gauss-Lobatto nodes, which include the ends.

use std::sync::LazyLock;

use crate::numerics::lanes::{LANES, Lanes};

/// Nodes per piece.
pub(super) const NODES: usize = 16;
/// The highest degree of an interpolating polynomial.
const DEGREE: usize = NODES - 1;

/// Values at the nodes of a piece, from left to right.
pub(super) type NodeLanes = [Lanes; NODES / LANES];

/// The values of `P_0`, `P_1` … up to the highest degree.
pub(super) type LegendreValues = [f64; NODES];

/// Nodes on −1 … 1, and functionals of the polynomials through values at them.
pub(super) struct Lobatto {
    pub(super) nodes: [f64; NODES],
    /// The nodes, in lanes.
    pub(super) at: NodeLanes,
    /// The quadrature weights of the nodes, for the integral from −1 to 1.
    pub(super) weights: [f64; NODES],
    /// `polynomials[j]`: the values at node `j`.
    polynomials: [LegendreValues; NODES],
}

pub(super) static LOBATTO: LazyLock<Lobatto> = LazyLock::new(Lobatto::new);

/// The values of Legendre's polynomials at t.
pub(super) fn legendre_values(t: f64) -> LegendreValues {
    let mut values = [1.0; NODES];
    values[1] = t;
    for n in 1..DEGREE {
        let order = n as f64;
        values[n + 1] =
            ((2.0 * order + 1.0) * t * values[n] - order * values[n - 1]) / (order + 1.0);
    }
    values
}

/// The derivatives of functions with these values, or their derivatives again:
/// P'(n + 1) = P'(n − 1) + (2n + 1)·P(n).
pub(super) fn derivatives(values: &LegendreValues) -> LegendreValues {
    let mut derivatives = [0.0; NODES];
    derivatives[1] = values[0];
    for n in 1..DEGREE {
        derivatives[n + 1] = derivatives[n - 1] + (2.0 * n as f64 + 1.0) * values[n];
    }
    derivatives
}

/// Evaluates a function of the node index.
pub(super) fn at_nodes(function: impl Fn(usize) -> f64) -> NodeLanes {
    std::array::from_fn(|chunk| Lanes(std::array::from_fn(|lane| function(chunk * LANES + lane))))
}

#[inline(always)]
pub(super) fn dot(weights: &NodeLanes, values: &NodeLanes) -> f64 {
    let mut sum = Lanes::ZERO;
    for (&weights, &values) in weights.iter().zip(values) {
        sum += weights * values;
    }
    sum.sum()
}

impl Lobatto {
    fn new() -> Self {
        let count = NODES as f64;
        // Newton's method from the usual guess; the ends are fixed.
        let nodes: [f64; NODES] = std::array::from_fn(|j| {
            let mut t = -libm::cos(std::f64::consts::PI * j as f64 / DEGREE as f64);
            for _ in 0..20 {
                let values = legendre_values(t);
                t -= (t * values[DEGREE] - values[DEGREE - 1]) / (count * values[DEGREE]);
            }
            t
        });
        let polynomials = nodes.map(legendre_values);
        Self {
            nodes,
            at: at_nodes(|j| nodes[j]),
            weights: polynomials
                .map(|values| 2.0 / (DEGREE as f64 * count * values[DEGREE] * values[DEGREE])),
            polynomials,
        }
    }

    /// Converts a linear functional, given by its values for Legendre's polynomials, to weights of
    /// the values at the nodes.
    pub(super) fn weights_of(&self, functional: &LegendreValues) -> [f64; NODES] {
        std::array::from_fn(|j| {
            let pairs = self.polynomials[j].iter().zip(functional).enumerate();
            let terms = pairs.map(|(n, (polynomial, value))| inverse_norm(n) * polynomial * value);
            self.weights[j] * terms.sum::<f64>()
        })
    }

    /// Returns the polynomial through `values` in Legendre's basis.
    pub(super) fn coefficients(&self, values: &[f64; NODES]) -> LegendreValues {
        std::array::from_fn(|n| {
            let terms = (0..NODES).map(|j| self.weights[j] * self.polynomials[j][n] * values[j]);
            inverse_norm(n) * terms.sum::<f64>()
        })
    }

    /// Returns the integral of the polynomial through `values` from −1 to 1.
    #[inline(always)]
    pub(super) fn integral(&self, values: &NodeLanes) -> f64 {
        let mut sum = Lanes::ZERO;
        for (chunk, values) in values.iter().enumerate() {
            for lane in 0..LANES {
                sum.0[lane] += self.weights[chunk * LANES + lane] * values.0[lane];
            }
        }
        sum.sum()
    }
}

/// The inverse of the weighted sum of squares of a polynomial at the nodes: the integral, except
/// for the last.
fn inverse_norm(n: usize) -> f64 {
    if n == DEGREE {
        0.5 * DEGREE as f64
    } else {
        n as f64 + 0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functionals_are_exact_for_polynomials() {
        let lobatto = &*LOBATTO;
        assert_eq!((lobatto.nodes[0], lobatto.nodes[DEGREE]), (-1.0, 1.0));
        for power in 0..NODES as i32 {
            let values = lobatto.nodes.map(|t| t.powi(power));
            let integral = lobatto.integral(&at_nodes(|j| values[j]));
            let primitive = |t: f64| t.powi(power + 1) / f64::from(power + 1);
            assert!((integral - (primitive(1.0) - primitive(-1.0))).abs() < 1e-14);
            for t in [-1.0, -0.3, 0.8_f64] {
                let coefficients = lobatto.coefficients(&values);
                let terms = coefficients.iter().zip(legendre_values(t));
                let value: f64 = terms.map(|(coefficient, value)| coefficient * value).sum();
                assert!((value - t.powi(power)).abs() < 1e-13);
                let weights = lobatto.weights_of(&derivatives(&legendre_values(t)));
                let slope: f64 = weights.iter().zip(values).map(|(w, v)| w * v).sum();
                let exact = f64::from(power) * if power == 0 { 0.0 } else { t.powi(power - 1) };
                assert!((slope - exact).abs() < 1e-11, "{power} at {t}: {slope}");
            }
        }
    }
}

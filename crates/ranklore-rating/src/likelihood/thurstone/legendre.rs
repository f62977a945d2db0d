//! Polynomials through the sixteen nodes of Gauss and Legendre.

use std::sync::LazyLock;

use crate::lanes::{LANES, Lanes};

/// Nodes on a piece.
pub(super) const NODES: usize = 16;

/// Values at the nodes of a piece, from left to right.
pub(super) type Nodes = [Lanes; NODES / LANES];

/// Nodes on −1 … 1, and integrals of the polynomials through values at them.
pub(super) struct Legendre {
    pub(super) nodes: [f64; NODES],
    pub(super) weights: [f64; NODES],
    /// `polynomials[n][j]`: `P_n` at node `j`.
    pub(super) polynomials: [[f64; NODES]; NODES],
    /// `up_to[j]`: the integral from −1 to each node, of the polynomial that is 1 at node `j`
    /// and 0 at the others.
    up_to: [Nodes; NODES],
    /// The same from each node to 1.
    from: [Nodes; NODES],
}

pub(super) static LEGENDRE: LazyLock<Legendre> = LazyLock::new(Legendre::new);

/// `P_0` … `P_NODES` at t.
pub(super) fn polynomials(t: f64) -> [f64; NODES + 1] {
    let mut of = [1.0; NODES + 1];
    of[1] = t;
    for n in 1..NODES {
        let order = n as f64;
        of[n + 1] = ((2.0 * order + 1.0) * t * of[n] - order * of[n - 1]) / (order + 1.0);
    }
    of
}

impl Legendre {
    fn new() -> Self {
        let count = NODES as f64;
        // Newton's method from the usual guess.
        let nodes: [f64; NODES] = std::array::from_fn(|j| {
            let mut t = -libm::cos(std::f64::consts::PI * (j as f64 + 0.75) / (count + 0.5));
            for _ in 0..20 {
                let of = polynomials(t);
                t -= of[NODES] * (t * t - 1.0) / (count * (t * of[NODES] - of[NODES - 1]));
            }
            t
        });
        let at = nodes.map(polynomials);
        let weights = std::array::from_fn(|j| {
            let before = count * at[j][NODES - 1];
            2.0 * (1.0 - nodes[j] * nodes[j]) / (before * before)
        });
        let integral = |j: usize, i: usize| -> f64 {
            let terms: f64 = (1..NODES)
                .map(|n| at[j][n] * (at[i][n + 1] - at[i][n - 1]))
                .sum();
            0.5 * weights[j] * (nodes[i] + 1.0 + terms)
        };
        let lanes = |of: &dyn Fn(usize) -> f64| -> Nodes {
            std::array::from_fn(|chunk| Lanes(std::array::from_fn(|lane| of(chunk * LANES + lane))))
        };
        let last = NODES - 1;
        Self {
            nodes,
            weights,
            polynomials: std::array::from_fn(|n| std::array::from_fn(|j| at[j][n])),
            up_to: std::array::from_fn(|j| lanes(&|i| integral(j, i))),
            from: std::array::from_fn(|j| lanes(&|i| integral(last - j, last - i))),
        }
    }

    /// Integrals of the polynomial through `values` from −1 to each node, and to 1.
    #[inline(always)]
    pub(super) fn integrals_up_to(&self, values: &Nodes) -> (Nodes, f64) {
        (integrals(&self.up_to, values), self.integral(values))
    }

    /// The same from each node to 1.
    #[inline(always)]
    pub(super) fn integrals_from(&self, values: &Nodes) -> (Nodes, f64) {
        (integrals(&self.from, values), self.integral(values))
    }

    /// The integral of the polynomial through `values` from −1 to 1.
    #[inline(always)]
    pub(super) fn integral(&self, values: &Nodes) -> f64 {
        let mut sum = Lanes::ZERO;
        for (chunk, values) in values.iter().enumerate() {
            for lane in 0..LANES {
                sum.0[lane] += self.weights[chunk * LANES + lane] * values.0[lane];
            }
        }
        sum.sum()
    }
}

#[inline(always)]
fn integrals(matrix: &[Nodes; NODES], values: &Nodes) -> Nodes {
    let mut sums = [Lanes::ZERO; NODES / LANES];
    for (j, column) in matrix.iter().enumerate() {
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

    #[test]
    fn integrals_are_exact_for_polynomials() {
        let legendre = &*LEGENDRE;
        for power in 0..NODES as i32 {
            let at = |j: usize| legendre.nodes[j].powi(power);
            let values: Nodes = std::array::from_fn(|chunk| {
                Lanes(std::array::from_fn(|lane| at(chunk * LANES + lane)))
            });
            let primitive = |t: f64| t.powi(power + 1) / f64::from(power + 1);
            let (up_to, whole) = legendre.integrals_up_to(&values);
            let (from, _) = legendre.integrals_from(&values);
            assert!((whole - (primitive(1.0) - primitive(-1.0))).abs() < 1e-14);
            for j in 0..NODES {
                let t = legendre.nodes[j];
                let (up_to, from) = (up_to[j / LANES].0[j % LANES], from[j / LANES].0[j % LANES]);
                assert!((up_to - (primitive(t) - primitive(-1.0))).abs() < 1e-14);
                assert!((from - (primitive(1.0) - primitive(t))).abs() < 1e-14);
            }
        }
    }
}

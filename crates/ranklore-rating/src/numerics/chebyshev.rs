//! Interpolation at Chebyshev nodes on −1 … 1.

use std::f64::consts::PI;

use crate::numerics::polynomial::evaluate;

/// The nodes of an interpolation with `N` nodes, a multiple of 4, and the conversion of values to a
/// polynomial.
pub(crate) struct Chebyshev<const N: usize> {
    /// The nodes, decreasing; the second half has the negatives of the first.
    pub(crate) nodes: [f64; N],
    /// `cosines[node][k]`: the factor of the value at a node in the coefficient of `T_k`; only the
    /// first half of the nodes is used, since the second mirrors it.
    cosines: [[f64; N]; N],
    /// `monomial[k][i]`: coefficient of t^i in `T_k`.
    monomial: [[f64; N]; N],
}

/// A polynomial of degree `N` − 1 and its derivative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Polynomial<const N: usize> {
    powers: [f64; N],
    derivative: [f64; N],
}

impl<const N: usize> Chebyshev<N> {
    pub(crate) fn new() -> Self {
        let angle = |node: usize| PI * (2 * node + 1) as f64 / (2 * N) as f64;
        let mut monomial = [[0.0; N]; N];
        monomial[0][0] = 1.0;
        monomial[1][1] = 1.0;
        for k in 2..N {
            for i in 0..N {
                let shifted = if i > 0 { monomial[k - 1][i - 1] } else { 0.0 };
                monomial[k][i] = 2.0 * shifted - monomial[k - 2][i];
            }
        }
        Self {
            nodes: std::array::from_fn(|node| {
                if node < N / 2 {
                    libm::cos(angle(node))
                } else {
                    -libm::cos(angle(N - 1 - node))
                }
            }),
            cosines: std::array::from_fn(|node| {
                std::array::from_fn(|k| {
                    let factor = if k == 0 { 1.0 } else { 2.0 } / N as f64;
                    factor * libm::cos(k as f64 * angle(node))
                })
            }),
            monomial,
        }
    }

    /// Returns the polynomial with these values at the nodes.
    ///
    /// Powers instead of Chebyshev polynomials: shorter dependency chains in millions of
    /// evaluations. Their coefficients add up to little more than the largest value, since those of
    /// the Chebyshev polynomials decrease by more than the 1 + √2 by which the conversion amplifies
    /// them: no precision is lost.
    #[inline(always)]
    pub(crate) fn interpolate(&self, values: &[f64; N]) -> Polynomial<N> {
        let mut coefficients = [0.0; N];
        for node in 0..N / 2 {
            // T_k is even or odd: a node and its negative share one cosine.
            let plus = values[node];
            let minus = values[N - 1 - node];
            let both = [plus + minus, plus - minus];
            for k in 0..N {
                coefficients[k] += self.cosines[node][k] * both[k % 2];
            }
        }
        let mut powers = [0.0; N];
        for k in (0..N).rev() {
            for (power, factor) in powers.iter_mut().zip(&self.monomial[k]) {
                *power += coefficients[k] * factor;
            }
        }
        let mut derivative = [0.0; N];
        for (i, slope) in derivative.iter_mut().take(N - 1).enumerate() {
            *slope = (i + 1) as f64 * powers[i + 1];
        }
        Polynomial { powers, derivative }
    }
}

impl<const N: usize> Polynomial<N> {
    /// Evaluates the polynomial and its derivative.
    #[inline(always)]
    pub(crate) fn at(&self, t: f64) -> (f64, f64) {
        (evaluate(&self.powers, t), evaluate(&self.derivative, t))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smooth_function_is_interpolated_to_last_digits() {
        let chebyshev = Chebyshev::<24>::new();
        let polynomial = chebyshev.interpolate(&chebyshev.nodes.map(libm::exp));
        for step in 0..=100 {
            let t = -1.0 + 0.02 * f64::from(step);
            let (value, slope) = polynomial.at(t);
            let exact = libm::exp(t);
            assert!((value - exact).abs() < 1e-14, "{t}: {value}");
            assert!((slope - exact).abs() < 1e-12, "{t}: {slope}");
        }
    }

    #[test]
    fn polynomial_has_given_values() {
        let chebyshev = Chebyshev::<16>::new();
        let values = std::array::from_fn(|node| f64::from(node as u32 * 7 % 5));
        let polynomial = chebyshev.interpolate(&values);
        for (&node, value) in chebyshev.nodes.iter().zip(values) {
            assert!((polynomial.at(node).0 - value).abs() < 1e-10, "{node}");
        }
    }
}

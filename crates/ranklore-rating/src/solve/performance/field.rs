//! The opponent field: the sum over all opponents as a function of `p`, tabulated once per contest
//! and shared by all its entrants.
//!
//! The range of performances is cut into pieces of at most twice the smallest scale. On each piece
//! the field is interpolated at 14 Chebyshev nodes; its poles lie π scales off the real axis, so
//! the interpolant is exact to about 1e-13 of the opponents nearby. As in the direct sum, each
//! piece is centred: opponents rated above its centre `c` contribute F, those at or below F − 1,
//! and the constants are kept separately in two doubles.
//!
//! Nodes come in pairs c ± h·t. With E = e^{|μ−c|/δ̄} and G = e^{h·t/δ̄} the two tails are 1/(1 +
//! E·G) and 1/(1 + E/G): one exponential per piece and opponent, one division per pair.

use std::sync::LazyLock;

use pulp::Arch;
use rayon::prelude::*;

use super::direct::SplitSum;
use super::opponents::ByRating;
use super::slope::Slope;
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::Lanes;
use crate::numerics::two_double::TwoDouble;

/// Nodes on each piece.
pub(super) const NODES: usize = 14;
const PAIRS: usize = NODES / 2;

/// Chunks of eight opponents per block. A block's factors G stay in the first-level cache while all
/// pieces pass over it. Threads share blocks, whose sums are added in order.
const BLOCK_CHUNKS: usize = 32;

/// Maximum number of block sums held at a time, which bounds the memory of huge contests.
const MAX_SUMS: usize = 64;

/// Beyond this many scales a tail is 1e-130; E² must stay finite.
const TAIL_CUT_OFF: f64 = 300.0;

/// Node positions on −1 … 1 and the conversion from values to a polynomial.
struct Chebyshev {
    /// The positive nodes; the others are their negatives.
    nodes: [f64; PAIRS],
    /// `cosines[k][pair]`: `T_k` at the positive nodes.
    cosines: [[f64; PAIRS]; NODES],
    /// `monomial[k][i]`: coefficient of t^i in `T_k`.
    monomial: [[f64; NODES]; NODES],
}

static CHEBYSHEV: LazyLock<Chebyshev> = LazyLock::new(|| {
    let angle = |pair: usize| std::f64::consts::PI * (2 * pair + 1) as f64 / (2 * NODES) as f64;
    let mut monomial = [[0.0; NODES]; NODES];
    monomial[0][0] = 1.0;
    monomial[1][1] = 1.0;
    for k in 2..NODES {
        for i in 0..NODES {
            let shifted = if i > 0 { monomial[k - 1][i - 1] } else { 0.0 };
            monomial[k][i] = 2.0 * shifted - monomial[k - 2][i];
        }
    }
    Chebyshev {
        nodes: std::array::from_fn(|pair| libm::cos(angle(pair))),
        cosines: std::array::from_fn(|k| {
            std::array::from_fn(|pair| libm::cos(k as f64 * angle(pair)))
        }),
        monomial,
    }
});

/// Values at the nodes of one piece: at c + h·t and at c − h·t.
#[derive(Clone, Copy)]
struct NodeValues {
    plus: [f64; PAIRS],
    minus: [f64; PAIRS],
}

impl NodeValues {
    const ZERO: Self = Self {
        plus: [0.0; PAIRS],
        minus: [0.0; PAIRS],
    };

    fn add(&mut self, other: &Self) {
        for pair in 0..PAIRS {
            self.plus[pair] += other.plus[pair];
            self.minus[pair] += other.minus[pair];
        }
    }
}

/// The field on one piece, a polynomial in t = (p − c)/h.
struct Piece {
    centre: f64,
    /// The weight of the opponents rated up to the centre.
    up_to_centre: TwoDouble,
    polynomial: [f64; NODES],
    derivative: [f64; NODES],
}

/// The tabulated field.
pub(super) struct OpponentField {
    low: f64,
    half_width: f64,
    pieces: Vec<Piece>,
}

/// The number of pieces of the field between two performances.
pub(super) fn count_pieces(low: f64, high: f64, min_scale: f64) -> f64 {
    ((high - low) / (2.0 * min_scale)).ceil().max(1.0)
}

impl OpponentField {
    /// Tabulates the field between the performances `low` and `high` in `count` pieces, at least
    /// [`count_pieces`].
    pub(super) fn new(opponents: &ByRating, low: f64, high: f64, count: usize, arch: Arch) -> Self {
        let half_width = 0.5 * (high - low) / count as f64;
        let centres: Vec<f64> =
            (0..count).map(|piece| low + (2 * piece + 1) as f64 * half_width).collect();
        let chunks = opponents.mu.len();
        // A bounded number of sums at a time, each of a fixed set of blocks, whatever the number of
        // threads. The bits of a sum do not depend on the thread, and sums are added in order.
        let chunks_a_sum = BLOCK_CHUNKS * chunks.div_ceil(BLOCK_CHUNKS).div_ceil(MAX_SUMS).max(1);
        let sums: Vec<usize> = (0..chunks).step_by(chunks_a_sum).collect();
        let sum_of = |&start: &usize| {
            let mut sum = vec![NodeValues::ZERO; count];
            let end = (start + chunks_a_sum).min(chunks);
            for block in (start..end).step_by(BLOCK_CHUNKS) {
                let values = dispatch!(
                    arch,
                    block_values(
                        opponents,
                        block..(block + BLOCK_CHUNKS).min(end),
                        &centres,
                        half_width,
                    )
                );
                for (sum, values) in sum.iter_mut().zip(&values) {
                    sum.add(values);
                }
            }
            sum
        };
        let values: Vec<Vec<NodeValues>> = if sums.len() > 1 {
            sums.par_iter().map(sum_of).collect()
        } else {
            sums.iter().map(sum_of).collect()
        };
        let pieces = centres
            .iter()
            .enumerate()
            .map(|(piece, &centre)| {
                let mut sum = NodeValues::ZERO;
                for values in &values {
                    sum.add(&values[piece]);
                }
                let up_to_centre = opponents.weight_of_lowest(opponents.count_up_to(centre));
                Piece::interpolating(centre, up_to_centre, &sum)
            })
            .collect();
        Self {
            low,
            half_width,
            pieces,
        }
    }

    /// Returns the field at `p`, split at the centre of a piece.
    #[inline(always)]
    pub(super) fn at(&self, p: f64) -> SplitSum {
        let index = ((p - self.low) / (2.0 * self.half_width)) as usize;
        self.in_piece(index.min(self.pieces.len() - 1), p)
    }

    #[inline(always)]
    fn in_piece(&self, index: usize, p: f64) -> SplitSum {
        let piece = &self.pieces[index];
        let inverse = 1.0 / self.half_width;
        let t = ((p - piece.centre) * inverse).clamp(-1.0, 1.0);
        SplitSum {
            tails: Slope {
                value: polynomial(&piece.polynomial, t),
                fall: polynomial(&piece.derivative, t) * inverse,
            },
            up_to: piece.up_to_centre,
        }
    }

    /// Finds the highest piece at whose lower end the decreasing `q` is still positive: the one
    /// that contains the zero. Returns the ends of that piece.
    #[inline(always)]
    pub(super) fn piece_with_zero(&self, q: impl Fn(f64, SplitSum) -> f64) -> (f64, f64) {
        let edge = |index: usize| self.low + (2 * index) as f64 * self.half_width;
        let mut first = 0;
        let mut last = self.pieces.len() - 1;
        while first < last {
            let middle = first + (last - first).div_ceil(2);
            if q(edge(middle), self.in_piece(middle, edge(middle))) > 0.0 {
                first = middle;
            } else {
                last = middle - 1;
            }
        }
        (edge(first), edge(first + 1))
    }
}

impl Piece {
    fn interpolating(centre: f64, up_to_centre: TwoDouble, values: &NodeValues) -> Self {
        let chebyshev = &*CHEBYSHEV;
        let mut coefficients = [0.0; NODES];
        for (k, coefficient) in coefficients.iter_mut().enumerate() {
            // T_k is even or odd: both nodes of a pair share one cosine.
            let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
            let sum: f64 = (0..PAIRS)
                .map(|pair| {
                    chebyshev.cosines[k][pair] * (values.plus[pair] + sign * values.minus[pair])
                })
                .sum();
            *coefficient = sum * if k == 0 { 1.0 } else { 2.0 } / NODES as f64;
        }
        // Powers instead of Chebyshev polynomials: shorter dependency chains in millions of
        // evaluations. The coefficients decrease by a factor of 6.4 each, faster than the
        // conversion amplifies them, so no precision is lost.
        let mut polynomial = [0.0; NODES];
        for (k, coefficient) in coefficients.iter().enumerate().rev() {
            for (power, &factor) in chebyshev.monomial[k].iter().enumerate() {
                polynomial[power] += coefficient * factor;
            }
        }
        let mut derivative = [0.0; NODES];
        for power in 1..NODES {
            derivative[power - 1] = power as f64 * polynomial[power];
        }
        Self {
            centre,
            up_to_centre,
            polynomial,
            derivative,
        }
    }
}

/// Evaluates a polynomial of degree 13 by Estrin's scheme.
#[inline(always)]
fn polynomial(c: &[f64; NODES], t: f64) -> f64 {
    let t2 = t * t;
    let t4 = t2 * t2;
    let t8 = t4 * t4;
    let pair = |i: usize| c[i] + c[i + 1] * t;
    let low = (pair(0) + pair(2) * t2) + (pair(4) + pair(6) * t2) * t4;
    let high = (pair(8) + pair(10) * t2) + pair(12) * t4;
    low + high * t8
}

/// The contribution of one block of opponents at the nodes of all pieces.
#[inline(always)]
fn block_values(
    opponents: &ByRating,
    chunks: std::ops::Range<usize>,
    centres: &[f64],
    half_width: f64,
) -> Vec<NodeValues> {
    let mu = &opponents.mu[chunks.clone()];
    let inverse = &opponents.inverse[chunks.clone()];
    let weight = &opponents.weight[chunks];
    let mut growth = [[Lanes::ONE; PAIRS]; BLOCK_CHUNKS];
    let mut decay = [[Lanes::ONE; PAIRS]; BLOCK_CHUNKS];
    for (chunk, &inverse) in inverse.iter().enumerate() {
        for pair in 0..PAIRS {
            let reach = Lanes::splat(half_width * CHEBYSHEV.nodes[pair]) * inverse;
            growth[chunk][pair] = reach.exp();
            decay[chunk][pair] = (-reach).exp();
        }
    }
    // Loops instead of iterator chains: a closure that is not inlined here is compiled for the
    // baseline instruction set.
    let mut values = Vec::with_capacity(centres.len());
    for &centre in centres {
        let c = Lanes::splat(centre);
        let mut plus = [Lanes::ZERO; PAIRS];
        let mut minus = [Lanes::ZERO; PAIRS];
        for chunk in 0..mu.len() {
            let e = ((mu[chunk] - c) * inverse[chunk]).abs().at_most(TAIL_CUT_OFF).exp();
            // Loaded once for all pairs of nodes.
            let chunk_weight = weight[chunk];
            // By rating: all above the centre, all at or below, or, in one chunk, both.
            let all_above = mu[chunk].0[0] > centre;
            let none_above = mu[chunk].0[7] <= centre;
            for pair in 0..PAIRS {
                let far = Lanes::ONE + e * growth[chunk][pair];
                let near = Lanes::ONE + e * decay[chunk][pair];
                let both = chunk_weight / (far * near);
                let small = both * near;
                let large = both * far;
                if all_above {
                    plus[pair] += large;
                    minus[pair] += small;
                } else if none_above {
                    plus[pair] -= small;
                    minus[pair] -= large;
                } else {
                    plus[pair] += mu[chunk].select_above(c, large, -small);
                    minus[pair] += mu[chunk].select_above(c, small, -large);
                }
            }
        }
        let mut at = NodeValues::ZERO;
        for pair in 0..PAIRS {
            at.plus[pair] = plus[pair].sum();
            at.minus[pair] = minus[pair].sum();
        }
        values.push(at);
    }
    values
}

//! Performances under the Gaussian model: Elo-MMX.
//!
//! With z = (p − μ)/δ and λ = φ/Φ, a win over an opponent adds λ(z)/δ to `Q`, a loss −λ(−z)/δ and a
//! tie −z/δ (paper, section 3.1). There is no field shared by all, since an opponent's term depends
//! on the side. But at any one node `x` a prefix sum of the losses and a suffix sum of the wins
//! give `Q(x)` of every entrant at once, each sum starting at its own small end. So nodes are the
//! outer loop and ranks the inner one. `Q` falls with `p` and with rank, so the groups with their
//! zero in one piece are consecutive, and only their rows are kept.

use pulp::Arch;
use rayon::prelude::*;

use super::mills::inverse_mills;
use super::opponents::{MergedOpponent, extreme, sort_by_rating};
use super::slope::Slope;
use super::{Opponents, Ties};
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::root::Search;
use crate::system::group_ranges;

/// Nodes on each piece of twice the smallest scale: an error of at most 6e-10 points.
pub(super) const NODES: usize = 18;

/// A Newton step of this many smallest scales is the last; the error left is its square.
const LAST_STEP: f64 = 1e-7;

/// Cost of a direct solve of one tie group, in node evaluations over all entrants.
const DIRECT_SOLVE_COST: usize = 4;

/// Computes the performances of all tie groups, best first, under Gaussian performances of standard
/// deviation `scale`. See [`logistic_performances`](super::logistic_performances) for the common
/// properties of both.
///
/// # Panics
/// If the slices are inconsistent (see [`Opponents`]).
#[must_use]
pub fn gaussian_performances(opponents: &Opponents<'_>, ties: Ties) -> Vec<f64> {
    solve(opponents, ties, Arch::new())
}

/// Solves with the vector instructions of `arch`.
fn solve(opponents: &Opponents<'_>, ties: Ties, arch: Arch) -> Vec<f64> {
    opponents.assert_valid();
    let count = opponents.groups.len();
    if opponents.mu.len() < 2 {
        return opponents.mu.to_vec();
    }
    let entrants = Entrants::new(opponents, ties);
    let spread = entrants.max_scale / entrants.min_scale;
    let tail = libm::sqrt(2.0 * libm::log(4.0 * opponents.mu.len() as f64 * spread));
    let reach = 2.0 * entrants.max_scale * (1.0 + tail);
    let bounds = Search {
        low: entrants.lowest - reach,
        high: entrants.highest + reach,
        start: 0.5 * (entrants.lowest + entrants.highest),
        last_step: LAST_STEP * entrants.min_scale,
    };
    let solve_direct = |groups: std::ops::Range<usize>| {
        dispatch!(
            arch,
            bounds.zeros_of_decreasing(
                groups.clone(),
                #[inline(always)]
                |group, p| direct_q(&entrants, group, p).newton_probe(),
            )
        )
    };
    let pieces = |low: f64, high: f64| ((high - low) / (2.0 * entrants.min_scale)).ceil().max(1.0);
    let few = |pieces: f64| (count * DIRECT_SOLVE_COST) as f64 <= pieces * NODES as f64;
    if few(pieces(entrants.lowest, entrants.highest)) {
        return solve_direct(0..count);
    }
    let (high, low) = (solve_direct(0..1)[0], solve_direct(count - 1..count)[0]);
    if few(pieces(low, high)) {
        return solve_direct(0..count);
    }
    let pieces = pieces(low, high) as usize;
    let width = (high - low) / pieces as f64;
    let edges: Vec<f64> = (0..=pieces).map(|edge| low + edge as f64 * width).collect();
    // Number of groups with a performance above each edge: all but the last at the lowest edge,
    // none at the highest.
    let mut above: Vec<usize> = edges
        .par_iter()
        .map(|&edge| {
            let sums = dispatch!(arch, column_sums(&entrants, edge));
            let positive = |group: &usize| entrants.q(&sums, *group, edge) > 0.0;
            partition_point(count, |group| positive(&group))
        })
        .collect();
    above[0] = count;
    above[pieces] = 0;
    // Monotone already, except for rounding at an edge: every group is in exactly one piece.
    for edge in 1..=pieces {
        above[edge] = above[edge].min(above[edge - 1]);
    }
    let solved: Vec<Vec<f64>> = (0..pieces)
        .into_par_iter()
        .map(|piece| {
            dispatch!(
                arch,
                solve_piece(
                    &entrants,
                    edges[piece],
                    edges[piece + 1],
                    above[piece + 1]..above[piece],
                    bounds.last_step,
                    arch,
                )
            )
        })
        .collect();
    let mut performances: Vec<f64> = solved.into_iter().rev().flatten().collect();
    performances[0] = high;
    performances[count - 1] = low;
    performances
}

/// The first of `0..count` for which `holds` is false.
fn partition_point(count: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// Entrants by place, within a tie by rating, eight to a chunk; the last chunk is padded with
/// entrants of weight 0.
struct Entrants {
    mu: Vec<Lanes>,
    inverse: Vec<Lanes>,
    weight: Vec<Lanes>,
    starts: Vec<usize>,
    ties: Ties,
    /// For each group the sums of 1/δ² and of (μ − lowest)/δ²: the draw terms are linear in p.
    draws: Vec<(f64, f64)>,
    lowest: f64,
    highest: f64,
    min_scale: f64,
    max_scale: f64,
}

/// Running sums at one `p`: of losses from the first place down, of wins from the last up.
struct ColumnSums {
    losses: Vec<f64>,
    wins: Vec<f64>,
}

impl Entrants {
    fn new(opponents: &Opponents<'_>, ties: Ties) -> Self {
        let mut order: Vec<(f64, f64)> = opponents
            .mu
            .iter()
            .copied()
            .zip(opponents.scale.iter().copied())
            .collect();
        let lowest = extreme(opponents.mu, f64::min);
        let mut starts = vec![0];
        let mut draws = Vec::with_capacity(opponents.groups.len());
        for group in group_ranges(opponents.groups) {
            starts.push(group.end);
            let group = &mut order[group];
            sort_by_rating(group);
            draws.push(group.iter().fold((0.0, 0.0), |(sum, moment), (mu, scale)| {
                let weight = 1.0 / (scale * scale);
                (sum + weight, moment + (mu - lowest) * weight)
            }));
        }
        let opponents_by_place: Vec<_> = order.iter().map(MergedOpponent::single).collect();
        let [mu, inverse, weight] = MergedOpponent::in_lanes(&opponents_by_place);
        Self {
            mu,
            inverse,
            weight,
            starts,
            ties,
            draws,
            lowest,
            highest: extreme(opponents.mu, f64::max),
            min_scale: extreme(opponents.scale, f64::min),
            max_scale: extreme(opponents.scale, f64::max),
        }
    }

    /// Returns the contribution of the draws within a group to `Q` at `p`.
    #[inline(always)]
    fn draw_term(&self, group: usize, p: f64) -> f64 {
        let (sum, moment) = self.draws[group];
        moment - (p - self.lowest) * sum
    }

    /// Returns `Q` of a group at the `p` of a column.
    #[inline(always)]
    fn q(&self, sums: &ColumnSums, group: usize, p: f64) -> f64 {
        let (start, end) = (self.starts[group], self.starts[group + 1]);
        match self.ties {
            Ties::Whole => (sums.losses[start] + sums.wins[end]) + self.draw_term(group, p),
            Ties::Split => {
                0.5 * ((sums.losses[start] + sums.losses[end])
                    + (sums.wins[start] + sums.wins[end]))
            }
        }
    }
}

/// The sums of all entrants at one `p`.
#[inline(always)]
fn column_sums(entrants: &Entrants, p: f64) -> ColumnSums {
    let length = entrants.mu.len() * LANES;
    let mut losses = vec![0.0; length + 1];
    let mut wins = vec![0.0; length + 1];
    for chunk in 0..entrants.mu.len() {
        let z = (Lanes::splat(p) - entrants.mu[chunk]) * entrants.inverse[chunk];
        let lambda = inverse_mills(z);
        let at = chunk * LANES;
        // The terms first, each at the position of its running sum.
        losses[at + 1..at + 1 + LANES]
            .copy_from_slice(&(-(lambda.at_negative * entrants.weight[chunk])).0);
        wins[at..at + LANES].copy_from_slice(&(lambda.at * entrants.weight[chunk]).0);
    }
    for index in 1..=length {
        losses[index] += losses[index - 1];
    }
    for index in (0..length).rev() {
        wins[index] += wins[index + 1];
    }
    ColumnSums { losses, wins }
}

/// `Q` of one group at `p`, summed over all entrants.
#[inline(always)]
fn direct_q(entrants: &Entrants, group: usize, p: f64) -> Slope {
    let (start, end) = (entrants.starts[group], entrants.starts[group + 1]);
    let mut value = Lanes::ZERO;
    let mut fall = Lanes::ZERO;
    for chunk in 0..entrants.mu.len() {
        let (inverse, weight) = (entrants.inverse[chunk], entrants.weight[chunk]);
        let z = (Lanes::splat(p) - entrants.mu[chunk]) * inverse;
        let lambda = inverse_mills(z);
        let (win, loss) = (lambda.at * weight, -(lambda.at_negative * weight));
        let win_fall = lambda.at * (lambda.at + z) * (inverse * weight);
        let loss_fall = lambda.at_negative * (lambda.at_negative - z) * (inverse * weight);
        // Factors of a win and of a loss for each of the eight.
        let mut won = [0.0; LANES];
        let mut lost = [0.0; LANES];
        for lane in 0..LANES {
            let place = chunk * LANES + lane;
            let tied = if matches!(entrants.ties, Ties::Split) {
                0.5
            } else {
                0.0
            };
            won[lane] = if place >= end {
                1.0
            } else if place >= start {
                tied
            } else {
                0.0
            };
            lost[lane] = if place < start {
                1.0
            } else if place < end {
                tied
            } else {
                0.0
            };
        }
        value += win * Lanes(won) + loss * Lanes(lost);
        fall += win_fall * Lanes(won) + loss_fall * Lanes(lost);
    }
    let mut slope = Slope {
        value: value.sum(),
        fall: fall.sum(),
    };
    if entrants.ties == Ties::Whole {
        slope.value += entrants.draw_term(group, p);
        slope.fall += entrants.draws[group].0;
    }
    slope
}

/// Solves the groups with their performance in one piece, by interpolation between its nodes.
#[inline(always)]
fn solve_piece(
    entrants: &Entrants,
    low: f64,
    high: f64,
    groups: std::ops::Range<usize>,
    last_step: f64,
    arch: Arch,
) -> Vec<f64> {
    if groups.is_empty() {
        return Vec::new();
    }
    let (centre, half_width) = (0.5 * (low + high), 0.5 * (high - low));
    let angle = |k: usize| std::f64::consts::PI * (2 * k + 1) as f64 / (2 * NODES) as f64;
    let mut cosines = [[0.0; NODES]; NODES];
    for (degree, row) in cosines.iter_mut().enumerate() {
        let factor = if degree == 0 { 1.0 } else { 2.0 } / NODES as f64;
        for (node, cosine) in row.iter_mut().enumerate() {
            *cosine = factor * libm::cos(degree as f64 * angle(node));
        }
    }
    let rows = groups.len();
    let mut values = vec![0.0; NODES * rows];
    for node in 0..NODES {
        let p = centre + half_width * libm::cos(angle(node));
        let sums = dispatch!(arch, column_sums(entrants, p));
        for (row, group) in groups.clone().enumerate() {
            values[row * NODES + node] = entrants.q(&sums, group, p);
        }
    }
    let coefficients: Vec<[f64; NODES]> = values
        .chunks_exact(NODES)
        .map(|values| cosines.map(|cosines| cosines.iter().zip(values).map(|(c, v)| c * v).sum()))
        .collect();
    let search = Search {
        low,
        high,
        start: centre,
        last_step,
    };
    search.zeros_of_decreasing(
        0..rows,
        #[inline(always)]
        |row, p| {
            chebyshev_series(&coefficients[row], (p - centre) / half_width, half_width)
                .newton_probe()
        },
    )
}

/// A Chebyshev series at `t`, and its decrease by `p`, with t = (p − c)/h.
#[inline(always)]
pub(super) fn chebyshev_series(coefficients: &[f64; NODES], t: f64, half_width: f64) -> Slope {
    let twice = 2.0 * t;
    // Clenshaw's recurrence and its derivative.
    let (mut b1, mut b2, mut d1, mut d2) = (0.0, 0.0, 0.0, 0.0);
    for &coefficient in coefficients[1..].iter().rev() {
        let d = (twice * d1 - d2) + 2.0 * b1;
        let b = (twice * b1 - b2) + coefficient;
        (d2, d1, b2, b1) = (d1, d, b1, b);
    }
    Slope {
        value: (t * b1 - b2) + coefficients[0],
        fall: -((t * d1 - d2) + b1) / half_width,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::performance::tests::{assert_same_bits, contests};

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        for contest in contests() {
            for ties in [Ties::Whole, Ties::Split] {
                assert_same_bits(|arch| solve(&contest.opponents(), ties, arch));
            }
        }
    }
}

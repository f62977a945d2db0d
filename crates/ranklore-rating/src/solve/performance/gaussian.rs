//! Performances under the Gaussian model: Elo-MMX.
//!
//! With z = (p − μ)/δ and λ = φ/Φ, a win over an opponent adds λ(z)/δ to `Q`, a loss −λ(−z)/δ and a
//! tie −z/δ (paper, section 3.1). There is no field shared by all, since an opponent's term depends
//! on the side. But at any one point a prefix sum of the losses and a suffix sum of the wins give
//! `Q` of every entrant at once, each sum starting at its own small end. So the range of
//! performances is cut into pieces, with Chebyshev nodes in each. `Q` falls with `p` and with rank,
//! so the groups with their zero in one piece are consecutive, and `Q` is interpolated for them
//! alone: of all placed before only the losses are summed, of all placed behind only the wins.

use std::array::from_fn;
use std::ops::Range;
use std::sync::LazyLock;

use pulp::Arch;
use rayon::prelude::*;

use super::mills::{hazard_rate, inverse_mills};
use super::opponents::{MergedOpponent, extreme, sort_by_rating};
use super::slope::Slope;
use super::{Opponents, Ties};
use crate::numerics::chebyshev::Chebyshev;
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::numerics::root::Search;
use crate::system::group_ranges;

/// Nodes on each piece: the error is below 1e-11 of the smallest scale, for up to a million equals.
pub(super) const NODES: usize = 24;

/// Maximum width of a piece, in the smallest scale.
pub(super) const PIECE_WIDTH: f64 = 3.0;

pub(super) static CHEBYSHEV: LazyLock<Chebyshev<NODES>> = LazyLock::new(Chebyshev::new);

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
    let bounds = entrants.search_bounds(opponents.mu.len());
    let direct_cost = (count * DIRECT_SOLVE_COST) as f64;
    let widest = entrants.count_pieces(entrants.lowest, entrants.highest);
    if direct_cost <= widest * NODES as f64 {
        return solve_direct(&entrants, 0..count, bounds, arch);
    }
    let high = solve_direct(&entrants, 0..1, bounds, arch)[0];
    let low = solve_direct(&entrants, count - 1..count, bounds, arch)[0];
    let pieces = entrants.count_pieces(low, high);
    if direct_cost <= pieces * NODES as f64 {
        return solve_direct(&entrants, 0..count, bounds, arch);
    }
    let half_width = 0.5 * (high - low) / pieces;
    let centres: Vec<f64> = (0..pieces as usize)
        .map(|piece| high - (2 * piece + 1) as f64 * half_width)
        .collect();
    let solved: Vec<Vec<f64>> = assign_groups(&entrants, &centres, half_width, arch)
        .into_par_iter()
        .map(|(centre, groups)| {
            dispatch!(
                arch,
                solve_piece(&entrants, centre, half_width, groups.clone(), bounds.last_step)
            )
        })
        .collect();
    let mut performances = solved.concat();
    performances[0] = high;
    performances[count - 1] = low;
    performances
}

/// Solves groups by sums over all entrants.
fn solve_direct(entrants: &Entrants, groups: Range<usize>, bounds: Search, arch: Arch) -> Vec<f64> {
    dispatch!(
        arch,
        bounds.zeros_of_decreasing(
            groups.clone(),
            #[inline(always)]
            |group, p| direct_q(entrants, group, p).newton_probe(),
        )
    )
}

/// Assigns to each piece, given by its centre, the groups with their performance in it: up to the
/// last with a positive `Q` at the lower end. Pieces come from the highest performances down, as the
/// groups do.
fn assign_groups(
    entrants: &Entrants,
    centres: &[f64],
    half_width: f64,
    arch: Arch,
) -> Vec<(f64, Range<usize>)> {
    let inner = &centres[..centres.len() - 1];
    let edges: Vec<f64> = inner.iter().map(|centre| centre - half_width).collect();
    let mut ends = dispatch!(arch, groups_above(entrants, &edges));
    ends.push(entrants.draws.len());
    let mut start = 0;
    let tasks = centres.iter().zip(ends).map(|(&centre, end)| {
        // Increasing already, except for rounding.
        let groups = start..end.max(start);
        start = groups.end;
        (centre, groups)
    });
    tasks.collect()
}

/// Entrants by place, within a tie by rating.
struct Entrants {
    /// Ratings and 1/δ.
    by_place: Vec<(f64, f64)>,
    /// Ratings and 1/δ eight to a chunk, and the weights; the last chunk is padded with entrants of
    /// weight 0.
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

impl Entrants {
    fn new(opponents: &Opponents<'_>, ties: Ties) -> Self {
        let mut order: Vec<(f64, f64)> =
            opponents.mu.iter().copied().zip(opponents.scale.iter().copied()).collect();
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
            by_place: order.iter().map(|&(mu, scale)| (mu, 1.0 / scale)).collect(),
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

    /// Returns the bounds of all performances of `count` entrants.
    fn search_bounds(&self, count: usize) -> Search {
        let spread = self.max_scale / self.min_scale;
        let tail = libm::sqrt(2.0 * libm::log(4.0 * count as f64 * spread));
        let reach = 2.0 * self.max_scale * (1.0 + tail);
        Search {
            low: self.lowest - reach,
            high: self.highest + reach,
            start: 0.5 * (self.lowest + self.highest),
            last_step: LAST_STEP * self.min_scale,
        }
    }

    /// Returns the number of pieces between two performances.
    fn count_pieces(&self, low: f64, high: f64) -> f64 {
        let width = PIECE_WIDTH * self.min_scale;
        ((high - low) / width).ceil().max(1.0)
    }

    /// Returns the contribution of the draws within a group to `Q` at `p`.
    #[inline(always)]
    fn draw_term(&self, group: usize, p: f64) -> f64 {
        let (sum, moment) = self.draws[group];
        moment - (p - self.lowest) * sum
    }
}

/// `Q` of some consecutive groups at some points, eight to a chunk.
#[inline(always)]
fn q_at_points<const CHUNKS: usize>(
    entrants: &Entrants,
    groups: Range<usize>,
    points: &[Lanes; CHUNKS],
) -> Vec<[Lanes; CHUNKS]> {
    let first = entrants.starts[groups.start];
    let end = entrants.starts[groups.end];
    // Losses to all placed before and wins over all placed behind the groups so far.
    let mut losses = [Lanes::ZERO; CHUNKS];
    for &(mu, inverse) in &entrants.by_place[..first] {
        let mu = Lanes::splat(mu);
        let inverse = Lanes::splat(inverse);
        for chunk in 0..CHUNKS {
            losses[chunk] += hazard_rate((points[chunk] - mu) * inverse) * inverse;
        }
    }
    let mut wins = [Lanes::ZERO; CHUNKS];
    for &(mu, inverse) in entrants.by_place[end..].iter().rev() {
        let mu = Lanes::splat(mu);
        let inverse = Lanes::splat(inverse);
        for chunk in 0..CHUNKS {
            wins[chunk] += hazard_rate((mu - points[chunk]) * inverse) * inverse;
        }
    }
    let half = Lanes::splat(0.5);
    let mut rows = Vec::with_capacity(groups.len());
    let mut wins_over = Vec::with_capacity(groups.len());
    for group in groups {
        let mut lost = [Lanes::ZERO; CHUNKS];
        let mut won = [Lanes::ZERO; CHUNKS];
        for &(mu, inverse) in &entrants.by_place[entrants.starts[group]..entrants.starts[group + 1]]
        {
            let mu = Lanes::splat(mu);
            let inverse = Lanes::splat(inverse);
            for chunk in 0..CHUNKS {
                let lambda = inverse_mills((points[chunk] - mu) * inverse);
                lost[chunk] += lambda.at_negative * inverse;
                won[chunk] += lambda.at * inverse;
            }
        }
        let mut row = [Lanes::ZERO; CHUNKS];
        for chunk in 0..CHUNKS {
            row[chunk] = match entrants.ties {
                Ties::Whole => {
                    Lanes(points[chunk].0.map(
                        #[inline(always)]
                        |p| entrants.draw_term(group, p),
                    )) - losses[chunk]
                }
                Ties::Split => half * (won[chunk] - lost[chunk]) - losses[chunk],
            };
            losses[chunk] += lost[chunk];
        }
        rows.push(row);
        wins_over.push(won);
    }
    for (row, won) in rows.iter_mut().zip(wins_over).rev() {
        for chunk in 0..CHUNKS {
            row[chunk] += wins[chunk];
            wins[chunk] += won[chunk];
        }
    }
    rows
}

/// Returns for each of some decreasing performances the number of groups with a higher one.
#[inline(always)]
fn groups_above(entrants: &Entrants, edges: &[f64]) -> Vec<usize> {
    let mut above = Vec::with_capacity(edges.len() + 1);
    for edges in edges.chunks(LANES) {
        let mut points = Lanes::splat(edges[0]);
        points.0[..edges.len()].copy_from_slice(edges);
        let rows = q_at_points(entrants, 0..entrants.draws.len(), &[points]);
        for lane in 0..edges.len() {
            above.push(rows.partition_point(|row| row[0].0[lane] > 0.0));
        }
    }
    above
}

/// `Q` of one group at `p`, summed over all entrants.
#[inline(always)]
fn direct_q(entrants: &Entrants, group: usize, p: f64) -> Slope {
    let start = entrants.starts[group];
    let end = entrants.starts[group + 1];
    // Chunks of entrants placed before, of tied and other ones, and of entrants placed behind.
    let first = start / LANES;
    let last = end.div_ceil(LANES);
    let at = Lanes::splat(p);
    let mut value = Lanes::ZERO;
    let mut fall = Lanes::ZERO;
    for chunk in (0..first).chain(last..entrants.mu.len()) {
        let inverse = entrants.inverse[chunk];
        let weight = entrants.weight[chunk];
        let z = (at - entrants.mu[chunk]) * inverse;
        let z = if chunk < first { z } else { -z };
        let hazard = hazard_rate(z);
        let term = hazard * weight;
        value += if chunk < first { -term } else { term };
        fall += term * (hazard - z) * inverse;
    }
    let tied = match entrants.ties {
        Ties::Whole => 0.0,
        Ties::Split => 0.5,
    };
    for chunk in first..last {
        let inverse = entrants.inverse[chunk];
        let weight = entrants.weight[chunk];
        let z = (at - entrants.mu[chunk]) * inverse;
        let lambda = inverse_mills(z);
        // Factors of a win and of a loss for each of the eight.
        let mut won = Lanes::splat(tied);
        let mut lost = Lanes::splat(tied);
        for lane in 0..LANES {
            let place = chunk * LANES + lane;
            if place < start {
                (won.0[lane], lost.0[lane]) = (0.0, 1.0);
            } else if place >= end {
                (won.0[lane], lost.0[lane]) = (1.0, 0.0);
            }
        }
        let won = won * weight;
        let lost = lost * weight;
        value += lambda.at * won - lambda.at_negative * lost;
        fall += lambda.at * (lambda.at + z) * (inverse * won)
            + lambda.at_negative * (lambda.at_negative - z) * (inverse * lost);
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
    centre: f64,
    half_width: f64,
    groups: Range<usize>,
    last_step: f64,
) -> Vec<f64> {
    if groups.is_empty() {
        return Vec::new();
    }
    let chebyshev = &*CHEBYSHEV;
    let points: [Lanes; NODES / LANES] = from_fn(
        #[inline(always)]
        |chunk| {
            Lanes(from_fn(
                #[inline(always)]
                |lane| centre + half_width * chebyshev.nodes[chunk * LANES + lane],
            ))
        },
    );
    let rows = q_at_points(entrants, groups, &points);
    let mut search = Search {
        low: centre - half_width,
        high: centre + half_width,
        start: centre,
        last_step,
    };
    let mut performances = Vec::with_capacity(rows.len());
    for row in &rows {
        let mut values = [0.0; NODES];
        for (values, lanes) in values.chunks_exact_mut(LANES).zip(row) {
            values.copy_from_slice(&lanes.0);
        }
        let polynomial = chebyshev.interpolate(&values);
        let performance = search.zero_of_decreasing(
            #[inline(always)]
            |p| {
                let (value, slope) = polynomial.at((p - centre) / half_width);
                let fall = -slope / half_width;
                Slope { value, fall }.newton_probe()
            },
        );
        performances.push(performance);
        search = search.below(performance);
    }
    performances
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

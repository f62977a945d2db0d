//! Performances under the logistic model: Elo-MMR(ρ).

use pulp::Arch;

use super::field::{self, OpponentField};
use super::opponents::{OpponentLayout, PARALLEL_THRESHOLD, in_runs};
use super::{Opponents, Ties, direct};
use crate::numerics::dispatch::dispatch;
use crate::numerics::root::Search;

/// A Newton step of this many smallest scales is the last; the error left is its square.
const LAST_STEP: f64 = 1e-7;

/// Tie groups solved in sequence, each starting from its neighbour's performance. Fixed, so that
/// the number of threads changes no bit.
pub(super) const RUN_LENGTH: usize = 256;

/// Cost of a direct solve of one tie group, in node evaluations of the field.
const DIRECT_SOLVE_COST: usize = 14;

/// Computes the performances of all tie groups, best first: for group `g` the zero of
///
/// ```text
/// Q_g(p) = Σ_{below, tied} (1 − F_j(p))/δ̄_j − Σ_{above, tied} F_j(p)/δ̄_j
/// ```
///
/// with `F_j` the logistic distribution of scale `δ̄_j` around `μ_j` (paper, section 3.1), or with
/// the tied terms halved for [`Ties::Split`]. Strictly decreasing from group to group (theorem
/// 5.2). Performances are unbounded: a lone winner over N equal newcomers performs at μ + δ̄·ln N.
///
/// Exact to about 1e-9 of a rating point, in time linear in N for large contests; the same bits on
/// one thread or many. With fewer than two entrants there is nothing to compare: each performs at
/// its own rating.
///
/// # Panics
/// If the slices are inconsistent (see [`Opponents`]).
#[must_use]
pub fn logistic_performances(opponents: &Opponents<'_>, ties: Ties) -> Vec<f64> {
    solve(opponents, ties, Arch::new())
}

/// Solves with the vector instructions of `arch`.
fn solve(opponents: &Opponents<'_>, ties: Ties, arch: Arch) -> Vec<f64> {
    opponents.assert_valid();
    let count = opponents.groups.len();
    if opponents.mu.len() < 2 {
        return opponents.mu.to_vec();
    }
    let layout = OpponentLayout::new(opponents);
    let bounds = search_bounds(&layout);
    let solve_direct = |groups: std::ops::Range<usize>, search: Search| {
        dispatch!(
            arch,
            search.zeros_of_decreasing(
                groups.clone(),
                #[inline(always)]
                |group, p| direct::q(&layout, group, ties, p).newton_probe(),
            )
        )
    };
    let direct_cost = (count * DIRECT_SOLVE_COST) as f64;
    let widest = field::count_pieces(layout.lowest, layout.highest, layout.min_scale);
    if direct_cost <= widest * field::NODES as f64 {
        return solve_direct(0..count, bounds);
    }
    let solve_first = || solve_direct(0..1, bounds)[0];
    let solve_last = || solve_direct(count - 1..count, bounds)[0];
    let (high, low) = if opponents.mu.len() < PARALLEL_THRESHOLD {
        (solve_first(), solve_last())
    } else {
        rayon::join(solve_first, solve_last)
    };
    let inside = Search {
        low,
        high,
        start: high,
        ..bounds
    };
    let pieces = field::count_pieces(low, high, layout.min_scale);
    if direct_cost <= pieces * field::NODES as f64 {
        return solve_direct(0..count, inside);
    }
    let field = OpponentField::new(&layout.by_rating, low, high, pieces as usize, arch);
    let mut performances = in_runs(count, RUN_LENGTH, |run| {
        dispatch!(arch, solve_in_field(&layout, &field, ties, run.clone(), inside))
    });
    performances[0] = high;
    performances[count - 1] = low;
    performances
}

/// The bounds of all performances.
pub(super) fn search_bounds(layout: &OpponentLayout) -> Search {
    // Outside of them no Q can be zero: every term but the smallest is saturated.
    let spread = layout.max_scale / layout.min_scale;
    let reach = layout.max_scale * libm::log(4.0 * layout.by_place.mu.len() as f64 * spread);
    Search {
        low: layout.lowest - reach,
        high: layout.highest + reach,
        start: 0.5 * (layout.lowest + layout.highest),
        last_step: LAST_STEP * layout.min_scale,
    }
}

/// Solves a run of tie groups in the tabulated field.
#[inline(always)]
fn solve_in_field(
    layout: &OpponentLayout,
    field: &OpponentField,
    ties: Ties,
    groups: std::ops::Range<usize>,
    mut search: Search,
) -> Vec<f64> {
    let entrants = &layout.by_place;
    let (low, high) = field
        .piece_with_zero(|p, sum| direct::q_of_group(entrants, groups.start, ties, p, sum).value);
    search.start = 0.5 * (low + high);
    search.zeros_of_decreasing(
        groups,
        #[inline(always)]
        |group, p| direct::q_of_group(entrants, group, ties, p, field.at(p)).newton_probe(),
    )
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

//! Performances under the logistic model in which entrants meet clones of themselves: Elo-R.

use pulp::Arch;

use super::field::{self, OpponentField};
use super::logistic::{RUN_LENGTH, search_bounds};
use super::opponents::{OpponentLayout, in_runs};
use super::slope::Slope;
use super::{Opponents, Ties, direct};
use crate::numerics::dispatch::dispatch;
use crate::numerics::root::Search;

/// Cost of a direct solve of one entrant, in node evaluations of the field.
const DIRECT_SOLVE_COST: usize = 14;

/// Computes the performance of each entrant, in their order: the zero of
///
/// ```text
/// Q_i(p) = Σ_{below} (1 − F_j(p))/δ̄_j − Σ_{above} F_j(p)/δ̄_j + (1 − 2·F_i(p))/δ̄_i
///          + ½·Σ_{tied with i} (1 − 2·F_j(p))/δ̄_j
/// ```
///
/// with `F_j` the logistic distribution of scale `δ̄_j` around `μ_j` (Elo-R draft, equation 20: one
/// win and one loss against a clone, ties as half of each). Performances follow the places
/// strictly; entrants of one tie differ by their own terms.
///
/// As exact and as fast as [`logistic_performances`](super::logistic_performances), and the same
/// bits for every order of tied entrants.
pub(crate) fn performances_with_clones(opponents: &Opponents<'_>) -> Vec<f64> {
    solve(opponents, Arch::new())
}

/// Solves with the vector instructions of `arch`.
fn solve(opponents: &Opponents<'_>, arch: Arch) -> Vec<f64> {
    opponents.assert_valid();
    let count = opponents.mu.len();
    let groups = opponents.groups.len();
    if count < 2 {
        return opponents.mu.to_vec();
    }
    let layout = OpponentLayout::new(opponents);
    let bounds = search_bounds(&layout);
    // The zero of the first or the last tie group, without clones.
    let end_zero = |group: usize| {
        dispatch!(
            arch,
            bounds.zero_of_decreasing(
                #[inline(always)]
                |p| direct::q(&layout, group, Ties::Split, p).newton_probe(),
            )
        )
    };
    // Without the clone's term a tie group has one zero. There only that term is left, which points
    // to the entrant's own rating: each zero lies between the two.
    let low = end_zero(groups - 1).min(layout.lowest);
    let high = end_zero(0).max(layout.highest);
    let pieces = field::count_pieces(low, high, layout.min_scale);
    let is_direct_cheaper = (2 * count * DIRECT_SOLVE_COST) as f64 <= pieces * field::NODES as f64;
    let field = (!is_direct_cheaper)
        .then(|| OpponentField::new(&layout.by_rating, low, high, pieces as usize, arch));
    let inside = Search {
        low,
        high,
        start: 0.5 * (low + high),
        ..bounds
    };
    in_runs(groups, RUN_LENGTH, |run| {
        dispatch!(arch, solve_groups(opponents, &layout, field.as_ref(), run.clone(), inside))
    })
}

/// Solves all entrants of a run of tie groups.
#[inline(always)]
fn solve_groups(
    opponents: &Opponents<'_>,
    layout: &OpponentLayout,
    field: Option<&OpponentField>,
    groups: std::ops::Range<usize>,
    search: Search,
) -> Vec<f64> {
    let entrants = &layout.by_place;
    let q = |group: usize, p: f64| -> Slope {
        match field {
            None => direct::q(layout, group, Ties::Split, p),
            Some(field) => direct::q_of_group(entrants, group, Ties::Split, p, field.at(p)),
        }
    };
    let without_clones = search.zeros_of_decreasing(
        groups.clone(),
        #[inline(always)]
        |group, p| q(group, p).newton_probe(),
    );
    let mut performances = Vec::new();
    for (group, &zero) in groups.zip(&without_clones) {
        for entrant in entrants.members(group) {
            let mu = opponents.mu[entrant];
            let inverse = 1.0 / opponents.scale[entrant];
            let between = Search {
                low: mu.min(zero),
                high: mu.max(zero),
                start: zero,
                ..search
            };
            performances.push(between.zero_of_decreasing(
                #[inline(always)]
                |p| {
                    let all = q(group, p);
                    let clone = direct::clone_term(mu, inverse, p);
                    let both = Slope {
                        value: all.value + clone.value,
                        fall: all.fall + clone.fall,
                    };
                    both.newton_probe()
                },
            ));
        }
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
            assert_same_bits(|arch| solve(&contest.opponents(), arch));
        }
    }
}

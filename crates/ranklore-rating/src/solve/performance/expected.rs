//! Expected numbers of wins: the opponent field at the ratings of some entrants.

use pulp::Arch;

use super::field::{self, OpponentField};
use super::opponents::ByRating;
use super::{Opponents, direct};
use crate::numerics::dispatch::dispatch;

/// A sum of probabilities as an integer and a remainder, so that neither costs the other digits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wins {
    /// Number of opponents that are certainly beaten.
    pub(crate) certain: f64,
    /// Expected wins over the others, minus the missing part of the certain ones.
    pub(crate) rest: f64,
}

/// For each rating of `at` the expected number of wins over all opponents rated `mu`, if
/// performances differ by a logistic of scale 1: Σ 1/(1 + e^(μ − p)).
///
/// As exact as the field, about 1e-13 of the number of opponents nearby, in time linear in their
/// number; the order of the opponents does not matter.
pub(crate) fn expected_wins(mu: &[f64], at: &[f64]) -> Vec<Wins> {
    let (Some(low), Some(high)) =
        (at.iter().copied().reduce(f64::min), at.iter().copied().reduce(f64::max))
    else {
        return Vec::new();
    };
    // A piece needs a width even if all ratings are equal.
    let high = high.max(low + 1.0);
    let opponents = ByRating::new(&Opponents {
        mu,
        scale: &vec![1.0; mu.len()],
        groups: &[],
    });
    let arch = Arch::new();
    let pieces = field::count_pieces(low, high, 1.0);
    if at.len() as f64 <= pieces * field::NODES as f64 {
        return dispatch!(arch, sum_directly(&opponents, at));
    }
    let field = OpponentField::new(&opponents, low, high, pieces as usize, arch);
    let sums = at.iter().map(|&p| field.at(p));
    let wins = sums.map(|sum| Wins {
        certain: sum.up_to.value(),
        rest: sum.tails.value,
    });
    wins.collect()
}

/// Computes direct sums.
#[inline(always)]
fn sum_directly(opponents: &ByRating, at: &[f64]) -> Vec<Wins> {
    let mut wins = Vec::with_capacity(at.len());
    for &p in at {
        let up_to = opponents.count_up_to(p);
        wins.push(Wins {
            certain: opponents.weight_of_lowest(up_to).value(),
            rest: direct::all_tails(opponents, p).value,
        });
    }
    wins
}

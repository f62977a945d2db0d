//! Expected numbers of wins: the opponent field at the ratings of some entrants.

use pulp::Arch;

use super::field::{self, Field};
use super::opponents::ByRating;
use super::{Opponents, direct};
use crate::numerics::dispatch::dispatch;

/// A sum of probabilities as a whole number and a remainder, so that neither loses the digits of
/// the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Wins {
    /// How many opponents are surely beaten.
    pub(crate) whole: f64,
    /// What the others add, less what is missing of these.
    pub(crate) rest: f64,
}

/// For each rating of `at` the expected number of wins over all opponents rated `mu`, when
/// performances differ by a logistic of scale 1: Σ 1/(1 + e^(μ − p)).
///
/// As exact as the field, about 1e-13 of the number of opponents nearby, in a time that grows
/// as their number; the order of the opponents does not matter.
pub(crate) fn expected_wins(mu: &[f64], at: &[f64]) -> Vec<Wins> {
    let (Some(low), Some(high)) = (
        at.iter().copied().reduce(f64::min),
        at.iter().copied().reduce(f64::max),
    ) else {
        return Vec::new();
    };
    // A piece has a width, also where all ratings are equal.
    let high = high.max(low + 1.0);
    let opponents = ByRating::new(&Opponents {
        mu,
        scale: &vec![1.0; mu.len()],
        groups: &[],
    });
    let arch = Arch::new();
    let pieces = field::pieces_between(low, high, 1.0);
    if at.len() as f64 <= pieces * field::NODES as f64 {
        return dispatch(
            arch,
            #[inline(always)]
            || sum_directly(&opponents, at),
        );
    }
    let field = Field::new(&opponents, low, high, pieces as usize, arch);
    let in_field = |&p: &f64| {
        let (slope, up_to) = field.at(p);
        Wins {
            whole: up_to.value(),
            rest: slope.value,
        }
    };
    at.iter().map(in_field).collect()
}

/// By direct sums.
#[inline(always)]
fn sum_directly(opponents: &ByRating, at: &[f64]) -> Vec<Wins> {
    let mut wins = Vec::with_capacity(at.len());
    for &p in at {
        let up_to = opponents.count_up_to(p);
        wins.push(Wins {
            whole: opponents.weight_of_lowest(up_to).value(),
            rest: direct::all_tails(opponents, p).value,
        });
    }
    wins
}

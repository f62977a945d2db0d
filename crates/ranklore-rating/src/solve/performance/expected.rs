//! Expected numbers of wins: the opponent field at the ratings of some entrants.

use pulp::{Arch, NullaryFnOnce};

use super::field::{self, Field};
use super::opponents::ByRating;
use super::{Opponents, direct};

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
        return arch.dispatch(Direct { opponents, at });
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
struct Direct<'a> {
    opponents: ByRating,
    at: &'a [f64],
}

impl NullaryFnOnce for Direct<'_> {
    type Output = Vec<Wins>;

    #[inline(always)]
    fn call(self) -> Vec<Wins> {
        let mut wins = Vec::with_capacity(self.at.len());
        for &p in self.at {
            let up_to = self.opponents.count_up_to(p);
            wins.push(Wins {
                whole: self.opponents.weight_of_lowest(up_to).value(),
                rest: direct::all_tails(&self.opponents, p).value,
            });
        }
        wins
    }
}

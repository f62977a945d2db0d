//! Expected losses of a rating against all entrants of a contest, as a function of the rating,
//!
//! ```text
//! L(p) = Σ_all (1 − F_j(p))/δ̄_j
//! ```
//!
//! with `F_j` the logistic distribution of scale `δ̄_j` around `μ_j`. Systems that compare all
//! pairs evaluate it at every entrant's rating, or solve for the rating with given losses. For few
//! evaluations each is a direct sum; for many the opponent field is tabulated first.

use pulp::Arch;

use super::field::{self, OpponentField};
use super::opponents::{OpponentLayout, in_runs};
use super::slope::Slope;
use super::{Opponents, direct};
use crate::numerics::dispatch::dispatch;
use crate::numerics::root::Search;

/// A Newton step of this many smallest scales is the last; the error left is its square.
const LAST_STEP: f64 = 1e-7;

/// Evaluations and searches done in sequence. Fixed, so that the number of threads changes no bit.
const RUN_LENGTH: usize = 512;

/// The expected losses `L` in one contest.
pub(crate) struct ExpectedLosses {
    layout: OpponentLayout,
    field: Option<OpponentField>,
    arch: Arch,
}

impl ExpectedLosses {
    /// Creates the losses against these opponents, evaluated by direct sums.
    pub(crate) fn new(opponents: &Opponents<'_>) -> Self {
        opponents.assert_valid();
        Self {
            layout: OpponentLayout::new(opponents),
            field: None,
            arch: Arch::new(),
        }
    }

    /// Tabulates `L` between the ratings `low` and `high` if that pays for `evaluations`; `L` must
    /// not be evaluated beyond them afterwards. With a `fineness` of 1 values are as exact as sums,
    /// and slopes have three digits fewer; with 1.5 slopes are as exact too.
    pub(crate) fn tabulated(
        mut self,
        (low, high): (f64, f64),
        evaluations: usize,
        fineness: f64,
    ) -> Self {
        // If all have one rating the table still needs a width.
        let high = high.max(low + self.layout.min_scale);
        let pieces = (fineness * field::count_pieces(low, high, self.layout.min_scale)).ceil();
        if evaluations as f64 > pieces * field::NODES as f64 {
            self.field = Some(OpponentField::new(
                &self.layout.by_rating,
                low,
                high,
                pieces as usize,
                self.arch,
            ));
        }
        self
    }

    /// Returns the lowest and the highest rating.
    pub(crate) fn bounds(&self) -> (f64, f64) {
        (self.layout.lowest, self.layout.highest)
    }

    /// Returns the weight, Σ 1/δ̄, of the entrants placed before tie group `group`, and of that
    /// group.
    pub(crate) fn weights(&self, group: usize) -> (f64, f64) {
        let entrants = &self.layout.by_place;
        let members = entrants.members(group);
        let before = entrants.weight_of_first(members.start);
        let tied = entrants.weight_of_first(members.end).minus(before);
        (before.value(), tied.value())
    }

    /// Evaluates `L` at a rating, with its rate of decrease.
    pub(crate) fn at(&self, p: f64) -> Slope {
        self.at_each(&[p])[0]
    }

    /// Evaluates `L` at each of some ratings, with its rate of decrease there.
    pub(crate) fn at_each(&self, ratings: &[f64]) -> Vec<Slope> {
        in_runs(ratings.len(), RUN_LENGTH, |run| {
            dispatch!(self.arch, evaluate(self, &ratings[run.clone()]))
        })
    }

    /// Finds for each of `count` decreasing functions its zero between `low` and `high`; one of the
    /// two ends if there is none. A function is computed from `L` and its decrease at `p`. Each
    /// search starts from the previous zero.
    pub(crate) fn zeros<Q>(&self, count: usize, low: f64, high: f64, function: Q) -> Vec<f64>
    where
        Q: Fn(usize, f64, Slope) -> Slope + Sync,
    {
        let search = Search {
            low,
            high,
            start: 0.5 * (low + high),
            last_step: LAST_STEP * self.layout.min_scale,
        };
        in_runs(count, RUN_LENGTH, |run| {
            dispatch!(self.arch, self.solve(run.clone(), search, &function))
        })
    }

    #[inline(always)]
    fn solve(
        &self,
        functions: std::ops::Range<usize>,
        mut search: Search,
        function: impl Fn(usize, f64, Slope) -> Slope,
    ) -> Vec<f64> {
        let mut zeros = Vec::with_capacity(functions.len());
        for index in functions {
            search.start = search.zero_of_decreasing(
                #[inline(always)]
                |p| function(index, p, self.slope(p)).newton_probe(),
            );
            zeros.push(search.start);
        }
        zeros
    }

    #[inline(always)]
    fn slope(&self, p: f64) -> Slope {
        let wins = match &self.field {
            Some(field) => field.at(p),
            None => direct::sum_over_all(&self.layout, p),
        };
        // Wins are split: those up to a point count whole in the subtracted weight.
        let total = self.layout.by_place.total();
        Slope {
            value: total.minus(wins.up_to).value() - wins.tails.value,
            fall: wins.tails.fall,
        }
    }
}

#[inline(always)]
fn evaluate(losses: &ExpectedLosses, ratings: &[f64]) -> Vec<Slope> {
    let mut slopes = Vec::with_capacity(ratings.len());
    for &rating in ratings {
        slopes.push(losses.slope(rating));
    }
    slopes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::performance::tests::{assert_same_bits, contests};

    /// `L` and its decrease, term by term.
    fn direct_sum(opponents: &Opponents<'_>, p: f64) -> (f64, f64) {
        let terms = opponents.mu.iter().zip(opponents.scale).map(|(mu, scale)| {
            let wins = 1.0 / (1.0 + libm::exp((mu - p) / scale));
            ((1.0 - wins) / scale, wins * (1.0 - wins) / (scale * scale))
        });
        terms.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1))
    }

    #[test]
    fn table_matches_direct_sums() {
        for contest in contests() {
            let opponents = contest.opponents();
            let direct = ExpectedLosses::new(&opponents);
            let (low, high) = direct.bounds();
            let table = ExpectedLosses::new(&opponents).tabulated((low, high), usize::MAX, 1.5);
            assert!(direct.field.is_none() && table.field.is_some());
            let ratings: Vec<f64> =
                (0..=40).map(|step| low + (high - low) * f64::from(step) / 40.0).collect();
            let total = direct_sum(&opponents, f64::NEG_INFINITY).0;
            for (at, &p) in ratings.iter().enumerate() {
                let expected = direct_sum(&opponents, p);
                for losses in [&direct, &table] {
                    let actual = losses.at_each(&ratings)[at];
                    assert!((actual.value - expected.0).abs() < 1e-12 * total);
                    let scale = losses.layout.min_scale;
                    assert!((actual.fall - expected.1).abs() * scale < 1e-12 * total);
                }
            }
        }
    }

    #[test]
    fn zeros_stay_within_bounds() {
        for contest in contests() {
            let opponents = contest.opponents();
            let losses = ExpectedLosses::new(&opponents);
            let (low, high) = losses.bounds();
            let ratings = [low - 200.0, 0.5 * (low + high), high + 300.0];
            let targets = ratings.map(|p| losses.at(p).value);
            let floor = low - 100.0;
            let ceiling = high + 400.0;
            let zeros = losses.zeros(3, floor, ceiling, |index, _, all| Slope {
                value: all.value - targets[index],
                ..all
            });
            assert!((zeros[0] - floor).abs() < 1e-4, "{zeros:?}");
            assert!((zeros[1] - ratings[1]).abs() < 1e-8, "{zeros:?}");
            assert!((zeros[2] - ratings[2]).abs() < 1e-8, "{zeros:?}");
        }
    }

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        for contest in contests() {
            let opponents = contest.opponents();
            for evaluations in [0, usize::MAX] {
                assert_same_bits(|arch| {
                    let losses = ExpectedLosses {
                        arch,
                        ..ExpectedLosses::new(&opponents)
                    };
                    let bounds = losses.bounds();
                    let losses = losses.tabulated(bounds, evaluations, 1.0);
                    let half = 0.5 * losses.at(bounds.0).value;
                    let mut numbers = losses.zeros(1, bounds.0, bounds.1, |_, _, all| Slope {
                        value: all.value - half,
                        ..all
                    });
                    let slopes = losses.at_each(opponents.mu);
                    numbers.extend(slopes.iter().flat_map(|slope| [slope.value, slope.fall]));
                    numbers
                });
            }
        }
    }
}

//! Performances of entrants that did not finish, from the exact likelihood: each lost to every
//! finisher, with no order among themselves.
//!
//! Such a performance is the zero of the term of the entrant's own rating, as a tie with itself,
//! minus the losses to all finishers. The losses are one function of `p` for all of them. If many
//! entrants did not finish it is tabulated at Chebyshev nodes, like the wins and losses of Gaussian
//! performances.

use pulp::Arch;
use rayon::prelude::*;

use super::gaussian::{CHEBYSHEV, NODES, PIECE_WIDTH};
use super::mills::{hazard_rate, inverse_mills};
use super::opponents::{MergedOpponent, extreme, sort_by_rating};
use super::slope::Slope;
use super::{Opponents, Ties};
use crate::numerics::chebyshev::Polynomial;
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{Lanes, exp};
use crate::numerics::root::Search;

/// A Newton step of this many smallest scales is the last; the error left is its square.
const LAST_STEP: f64 = 1e-7;

/// Cost of one solve without a table, in sums over all finishers.
const DIRECT_SOLVE_COST: usize = 6;

/// Beyond this many scales a tail is 1e-304: negligible in every sum, with a finite exponential.
const TAIL_CUT_OFF: f64 = 700.0;

/// Distribution of performances around ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    Logistic,
    Gaussian,
}

/// Computes the performances of the entrants from place `finishers` on, who did not finish, one
/// each in their order, under logistic performances. `opponents` holds all entrants. See
/// [`logistic_performances`](super::logistic_performances) for the finishers, who count as winners
/// over these entrants.
///
/// Lower than that of any finisher of the same rating or a higher one; exact to about 1e-9 of a
/// rating point, in time linear in the number of entrants.
///
/// # Panics
/// If the slices are inconsistent (see [`Opponents`]), or no entrant finished.
#[must_use]
pub fn logistic_unfinished(opponents: &Opponents<'_>, finishers: usize, ties: Ties) -> Vec<f64> {
    solve(Model::Logistic, opponents, finishers, ties, Arch::new())
}

/// Computes the same as [`logistic_unfinished`] under Gaussian performances.
///
/// # Panics
/// Same as [`logistic_unfinished`].
#[must_use]
pub fn gaussian_unfinished(opponents: &Opponents<'_>, finishers: usize, ties: Ties) -> Vec<f64> {
    solve(Model::Gaussian, opponents, finishers, ties, Arch::new())
}

fn solve(
    model: Model,
    opponents: &Opponents<'_>,
    finishers: usize,
    ties: Ties,
    arch: Arch,
) -> Vec<f64> {
    opponents.assert_valid();
    assert!((1..=opponents.mu.len()).contains(&finishers), "at least one entrant finished");
    let min_scale = extreme(opponents.scale, f64::min);
    let max_scale = extreme(opponents.scale, f64::max);
    let mu = &opponents.mu[finishers..];
    let scale = &opponents.scale[finishers..];
    // Below this the losses vanish against the own term.
    let many = libm::log(4.0 * opponents.mu.len() as f64 * (max_scale / min_scale));
    let reach = match model {
        Model::Logistic => max_scale * many,
        Model::Gaussian => 2.0 * max_scale * (1.0 + libm::sqrt(2.0 * many)),
    };
    let low = extreme(opponents.mu, f64::min) - reach;
    let finishers = Finishers::new(model, opponents, finishers);
    let sums = |p: f64| dispatch!(arch, losses(&finishers, p));
    let width = PIECE_WIDTH * min_scale;
    let pieces = ((extreme(mu, f64::max) - low) / width).ceil().max(1.0);
    let table = (pieces * NODES as f64 <= (mu.len() * DIRECT_SOLVE_COST) as f64)
        .then(|| LossTable::new(low, width, pieces as usize, &sums));
    let entrants = mu.par_iter().zip(scale).with_min_len(64);
    let performances = entrants.map(|(&mu, &scale)| {
        let search = Search {
            low,
            // A loss implies a performance of at most the rating.
            high: mu,
            start: mu - scale,
            last_step: LAST_STEP * min_scale,
        };
        search.zero_of_decreasing(|p| {
            let tie = own_term(model, ties, (p - mu) / scale, scale);
            let losses = match &table {
                Some(table) => table.at(p),
                None => sums(p),
            };
            Slope {
                value: tie.value - losses.value,
                fall: tie.fall + losses.fall,
            }
            .newton_probe()
        })
    });
    performances.collect()
}

/// The term of an entrant's own rating in a performance `z` scales above it.
fn own_term(model: Model, ties: Ties, z: f64, scale: f64) -> Slope {
    let full_term = match model {
        Model::Logistic => {
            let e = exp(z.abs().min(TAIL_CUT_OFF));
            let tail = 1.0 / (1.0 + e);
            // F and 1 − F, of which the smaller is the tail.
            let balance = if z > 0.0 {
                2.0 * tail - 1.0
            } else {
                1.0 - 2.0 * tail
            };
            Slope {
                value: balance / scale,
                fall: 2.0 * tail * (e * tail) / (scale * scale),
            }
        }
        Model::Gaussian if ties == Ties::Split => {
            let lambda = inverse_mills(Lanes::splat(z));
            let win = lambda.at.0[0];
            let loss = lambda.at_negative.0[0];
            Slope {
                value: (win - loss) / scale,
                fall: (win * (win + z) + loss * (loss - z)) / (scale * scale),
            }
        }
        Model::Gaussian => Slope {
            value: -z / scale,
            fall: 1.0 / (scale * scale),
        },
    };
    match ties {
        Ties::Whole => full_term,
        Ties::Split => Slope {
            value: 0.5 * full_term.value,
            fall: 0.5 * full_term.fall,
        },
    }
}

/// The finishers by rating, eight to a chunk; the last chunk is padded with weight 0.
struct Finishers {
    model: Model,
    mu: Vec<Lanes>,
    inverse: Vec<Lanes>,
    weight: Vec<Lanes>,
}

impl Finishers {
    fn new(model: Model, opponents: &Opponents<'_>, finishers: usize) -> Self {
        let pairs = opponents.mu.iter().copied().zip(opponents.scale.iter().copied());
        let mut sorted: Vec<(f64, f64)> = pairs.take(finishers).collect();
        sort_by_rating(&mut sorted);
        let sorted: Vec<_> = sorted.iter().map(MergedOpponent::single).collect();
        let [mu, inverse, weight] = MergedOpponent::in_lanes(&sorted);
        Self {
            model,
            mu,
            inverse,
            weight,
        }
    }
}

/// The sum of losses to all finishers with a performance `p`, and its rate of increase.
#[inline(always)]
fn losses(finishers: &Finishers, p: f64) -> Slope {
    let p = Lanes::splat(p);
    let mut value = Lanes::ZERO;
    let mut growth = Lanes::ZERO;
    for chunk in 0..finishers.mu.len() {
        let inverse = finishers.inverse[chunk];
        let weight = finishers.weight[chunk];
        let z = (p - finishers.mu[chunk]) * inverse;
        match finishers.model {
            Model::Logistic => {
                let e = z.abs().at_most(TAIL_CUT_OFF).exp();
                let tail = Lanes::ONE / (Lanes::ONE + e);
                value += weight * Lanes::ZERO.select_above(z, tail, e * tail);
                growth += weight * inverse * tail * (e * tail);
            }
            Model::Gaussian => {
                let loss = hazard_rate(z);
                value += weight * loss;
                growth += weight * inverse * loss * (loss - z);
            }
        }
    }
    Slope {
        value: value.sum(),
        fall: growth.sum(),
    }
}

/// The losses, tabulated on pieces of equal width from `low` on.
struct LossTable {
    low: f64,
    width: f64,
    pieces: Vec<Polynomial<NODES>>,
}

impl LossTable {
    fn new(low: f64, width: f64, pieces: usize, sums: &(impl Fn(f64) -> Slope + Sync)) -> Self {
        let chebyshev = &*CHEBYSHEV;
        let polynomials = (0..pieces).into_par_iter().map(|piece| {
            let centre = low + (piece as f64 + 0.5) * width;
            let points = chebyshev.nodes.map(|node| centre + 0.5 * width * node);
            chebyshev.interpolate(&points.map(|point| sums(point).value))
        });
        Self {
            low,
            width,
            pieces: polynomials.collect(),
        }
    }

    fn at(&self, p: f64) -> Slope {
        let index = (((p - self.low) / self.width) as usize).min(self.pieces.len() - 1);
        let half_width = 0.5 * self.width;
        let centre = self.low + (index as f64 + 0.5) * self.width;
        let (value, slope) = self.pieces[index].at(((p - centre) / half_width).clamp(-1.0, 1.0));
        Slope {
            value,
            fall: slope / half_width,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::performance::tests::{assert_same_bits, contests};

    const MODELS: [Model; 2] = [Model::Logistic, Model::Gaussian];

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        for contest in contests() {
            let opponents = contest.opponents();
            for model in MODELS {
                assert_same_bits(|arch| solve(model, &opponents, 2, Ties::Whole, arch));
            }
        }
    }

    #[test]
    fn table_matches_direct_sums() {
        let count = 3000_u32;
        let mu: Vec<f64> = (0..count).map(|i| 1500.0 + f64::from(i * 7919 % 1801)).collect();
        let scale: Vec<f64> = (0..count).map(|i| 90.0 + f64::from(i * 31 % 170)).collect();
        let groups: Vec<u32> = (1..=count).collect();
        let opponents = Opponents {
            mu: &mu,
            scale: &scale,
            groups: &groups,
        };
        for model in MODELS {
            for ties in [Ties::Whole, Ties::Split] {
                let all = solve(model, &opponents, 1000, ties, Arch::new());
                for unfinished in [0, 77, 1999] {
                    let place = 1000 + unfinished;
                    let mut mu = mu[..1000].to_vec();
                    let mut scale = scale[..1000].to_vec();
                    mu.push(opponents.mu[place]);
                    scale.push(opponents.scale[place]);
                    let one = Opponents {
                        mu: &mu,
                        scale: &scale,
                        groups: &groups[..1001],
                    };
                    let alone = solve(model, &one, 1000, ties, Arch::new())[0];
                    let off = (alone - all[unfinished]).abs();
                    assert!(off < 1e-8, "{model:?} {ties:?}: off by {off:e}");
                }
            }
        }
    }
}

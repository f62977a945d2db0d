//! `Q` as a direct sum over all opponents: for contests of few tie groups, and for the first
//! and the last group of large ones, whose performances bound all others (theorem 5.2).
//!
//! With F the logistic distribution function around an opponent's rating and weight 1/δ̄,
//!
//! ```text
//! Q(p) = W − Σ_all F/δ̄ − Σ_tied F/δ̄          whole ties; W = weight of those below or tied
//! Q(p) = W' − Σ_all F/δ̄                       split ties; the tied at half their weight
//! ```
//!
//! Evaluated literally, W minus the sum loses its digits where F is close to 1: two players rated
//! thousands of points apart, the weaker one winning, would err by 0.03 points. So every sum is
//! split at `p`: opponents rated above contribute F, opponents at or below contribute their whole
//! weight to a constant and F − 1 to the sum. The constants cancel exactly, in two doubles, and the
//! rest is small numbers of full precision.

use super::Ties;
use super::opponents::{ByPlace, ByRating, OpponentLayout};
use super::slope::Slope;
use crate::numerics::lanes::{LANES, Lanes, exp};
use crate::numerics::two_double::TwoDouble;

/// Beyond this many scales a tail is 1e-304: negligible in every sum, with a finite exponential.
pub(super) const TAIL_CUT_OFF: f64 = 700.0;

/// A sum of tails `F` (above the split) and `F − 1` (at or below), and its slope.
#[derive(Clone, Copy)]
struct Tails {
    sum: Lanes,
    slope: Lanes,
}

impl Tails {
    const ZERO: Self = Self {
        sum: Lanes::ZERO,
        slope: Lanes::ZERO,
    };

    #[inline(always)]
    fn add(&mut self, p: f64, mu: Lanes, inverse: Lanes, weight: Lanes) {
        let at = Lanes::splat(p);
        let distance = ((mu - at) * inverse).abs().at_most(TAIL_CUT_OFF);
        let e = distance.exp();
        let tail = Lanes::ONE / (Lanes::ONE + e);
        let weighted = weight * tail;
        self.sum += mu.select_above(at, weighted, -weighted);
        self.slope += weighted * inverse * (e * tail);
    }
}

/// The sum over all opponents at a point, split at some rating.
#[derive(Clone, Copy)]
pub(super) struct SplitSum {
    pub(super) tails: Slope,
    /// The weight of the opponents rated up to the split.
    pub(super) up_to: TwoDouble,
}

/// The sum over all opponents at `p`, without their constant.
#[inline(always)]
pub(super) fn all_tails(opponents: &ByRating, p: f64) -> Slope {
    let mut tails = Tails::ZERO;
    for chunk in 0..opponents.mu.len() {
        tails.add(p, opponents.mu[chunk], opponents.inverse[chunk], opponents.weight[chunk]);
    }
    Slope {
        value: tails.sum.sum(),
        fall: tails.slope.sum(),
    }
}

/// The sum over the entrants of one tie group at `p`, and the number of them rated `p` or lower.
#[inline(always)]
pub(super) fn tied_tails(entrants: &ByPlace, group: usize, p: f64) -> (Slope, usize) {
    let members = entrants.members(group);
    if members.len() == 1 {
        let mu = entrants.mu[members.start];
        let inverse = entrants.inverse[members.start];
        let e = exp(((mu - p) * inverse).abs().min(TAIL_CUT_OFF));
        let weighted = inverse / (1.0 + e);
        let fall = weighted * inverse * (e / (1.0 + e));
        return if mu > p {
            (
                Slope {
                    value: weighted,
                    fall,
                },
                0,
            )
        } else {
            (
                Slope {
                    value: -weighted,
                    fall,
                },
                1,
            )
        };
    }
    let mu = &entrants.mu[members.clone()];
    let inverse = &entrants.inverse[members];
    let mut tails = Tails::ZERO;
    for (mu, inverse) in mu.chunks(LANES).zip(inverse.chunks(LANES)) {
        let mut at = Lanes::splat(mu[0]);
        let mut scale = Lanes::splat(inverse[0]);
        let mut weight = Lanes::ZERO;
        at.0[..mu.len()].copy_from_slice(mu);
        scale.0[..inverse.len()].copy_from_slice(inverse);
        weight.0[..inverse.len()].copy_from_slice(inverse);
        tails.add(p, at, scale, weight);
    }
    let below = mu.partition_point(|&mu| mu <= p);
    let slope = Slope {
        value: tails.sum.sum(),
        fall: tails.slope.sum(),
    };
    (slope, below)
}

/// Half a win and half a loss against an opponent of rating `mu`, at `p`, separate from the ties.
#[inline(always)]
pub(super) fn clone_term(mu: f64, inverse: f64, p: f64) -> Slope {
    let e = exp(-((mu - p) * inverse).abs().min(TAIL_CUT_OFF));
    let share = 1.0 / (1.0 + e);
    Slope {
        // ½·(1 − 2F) = ½·tanh((μ − p)/2δ̄).
        value: (0.5 * inverse * (1.0 - e) * share).copysign(mu - p),
        fall: inverse * inverse * e * share * share,
    }
}

/// `Q` of tie group `group` at `p`, given the sum over all opponents.
#[inline(always)]
pub(super) fn q_of_group(
    entrants: &ByPlace,
    group: usize,
    ties: Ties,
    p: f64,
    sum: SplitSum,
) -> Slope {
    let all = sum.tails;
    let members = entrants.members(group);
    let total = entrants.total().minus(sum.up_to);
    match ties {
        Ties::Whole => {
            let (tied, below) = tied_tails(entrants, group, p);
            // Below or tied, minus the tied at or below p: the sums up to the group's start cancel.
            let constant = total.minus(entrants.weight_of_first(members.start + below));
            Slope {
                value: constant.value() - (all.value + tied.value),
                fall: all.fall + tied.fall,
            }
        }
        Ties::Split => {
            let first = entrants.weight_of_first(members.start).half();
            let last = entrants.weight_of_first(members.end).half();
            Slope {
                value: total.minus(first).minus(last).value() - all.value,
                fall: all.fall,
            }
        }
    }
}

/// The sum over all opponents at `p`, split there.
#[inline(always)]
pub(super) fn sum_over_all(layout: &OpponentLayout, p: f64) -> SplitSum {
    let opponents = &layout.by_rating;
    SplitSum {
        up_to: opponents.weight_of_lowest(opponents.count_up_to(p)),
        tails: all_tails(opponents, p),
    }
}

/// `Q` of tie group `group` at `p`, summed over all opponents.
#[inline(always)]
pub(super) fn q(layout: &OpponentLayout, group: usize, ties: Ties, p: f64) -> Slope {
    q_of_group(&layout.by_place, group, ties, p, sum_over_all(layout, p))
}

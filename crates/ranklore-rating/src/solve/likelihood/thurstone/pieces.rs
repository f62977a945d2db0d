//! Functions on pieces, and what L and U are on those of a window and beyond.
//!
//! Over a piece they grow by more than a polynomial can, and from piece to piece and from place
//! to place beyond the range of a double: so they are kept as a polynomial of moderate values, a
//! tilt and a power of two. For L the nodes are counted from left to right, and the tilt from
//! the left end; for U both from the right end, so that the one is the other's mirror image.

use super::lobatto::{LOBATTO, NODES, Nodes, at_nodes};
use super::scaled::{Scaled, power_of, power_of_two};
use super::tilted::{DOUBLINGS, ENDS, RATE, integrals};
use crate::numerics::lanes::{LANES, Lanes};

/// A function on a piece: polynomial, times e^(λ·(t + 1)), times a power of two.
#[derive(Clone, Copy)]
pub(super) struct OnPiece {
    pub(super) values: Nodes,
    pub(super) tilt: i64,
    pub(super) power: i64,
}

impl OnPiece {
    const ZERO: Self = Self {
        values: [Lanes::ZERO; NODES / LANES],
        tilt: 0,
        power: Scaled::ZERO.power,
    };

    /// Given its logarithm, from 0 at one end of the piece to 2 at the other.
    pub(super) fn of_log(log: impl Fn(f64) -> f64) -> Self {
        let (first, last) = (log(0.0), log(2.0));
        let tilt = tilt_of((last - first) * std::f64::consts::LOG2_E);
        let power = (first * std::f64::consts::LOG2_E) as i64;
        let shift = power as f64 * std::f64::consts::LN_2;
        Self {
            values: at_nodes(|node| {
                let along = LOBATTO.nodes[node] + 1.0;
                libm::exp(log(along) - shift - RATE * tilt as f64 * along)
            }),
            tilt,
            power,
        }
    }

    /// How often it doubles over the piece, about.
    #[inline(always)]
    pub(super) fn doublings(&self) -> f64 {
        let (first, last) = (self.first().value, self.values[LAST.0].0[LAST.1]);
        let beside = if first > 0.0 && last > 0.0 {
            power_of(last) - power_of(first)
        } else {
            0
        };
        (self.tilt * DOUBLINGS + beside) as f64
    }

    /// Its value at the end where it begins.
    #[inline(always)]
    pub(super) fn first(&self) -> Scaled {
        Scaled {
            value: self.values[0].0[0],
            power: self.power,
        }
    }

    /// Its value at the other end.
    #[inline(always)]
    pub(super) fn last(&self) -> Scaled {
        Scaled {
            value: self.values[LAST.0].0[LAST.1],
            power: self.power + self.tilt * DOUBLINGS,
        }
    }

    /// How it grows where it begins, on a piece half as wide as that.
    #[inline(always)]
    pub(super) fn growth(&self, half: f64) -> Growth {
        let value = self.first().value;
        if value <= 0.0 {
            return Growth::NONE;
        }
        let slope = ENDS.slope_at_first(&self.values) / value;
        let second = ENDS.second_at_first(&self.values) / value;
        Growth {
            slope: (RATE * self.tilt as f64 + slope) / half,
            curvature: (second - slope * slope) / (half * half),
        }
    }

    /// The derivative of its logarithm at the other end.
    #[inline(always)]
    fn slope_at_last(&self, half: f64) -> f64 {
        let value = self.values[LAST.0].0[LAST.1];
        (RATE * self.tilt as f64 + ENDS.slope_at_last(&self.values) / value) / half
    }

    /// Its integral on a piece half as wide as that, with what it is where the piece begins.
    #[inline(always)]
    pub(super) fn integral(&self, half: f64, before: Scaled) -> Self {
        let found = integrals(self.tilt, &self.values);
        let power = before.power.max(self.power);
        let scale = Lanes::splat(half * power_of_two(self.power - power));
        let before = Lanes::splat(before.at(power));
        let mut values = found.up_to;
        for (values, decay) in values.iter_mut().zip(found.decay) {
            *values = *values * scale + before * decay;
        }
        let last = values[LAST.0].0[LAST.1];
        // Nothing here yet: its power must not outweigh what is to come.
        if last <= 0.0 {
            return Self::ZERO;
        }
        let change = power_of(last);
        let scale = Lanes::splat(power_of_two(-change));
        for values in &mut values {
            *values = *values * scale;
        }
        Self {
            values,
            tilt: self.tilt,
            power: power + change,
        }
    }
}

/// The last node's chunk and lane.
const LAST: (usize, usize) = (NODES / LANES - 1, LANES - 1);

/// The tilt that leaves what doubles so often over a piece flat.
#[inline(always)]
pub(super) fn tilt_of(doublings: f64) -> i64 {
    // Adding a half rounds: what it is not right for is below 0.
    (doublings * (1.0 / DOUBLINGS as f64) + 0.5).max(0.0) as i64
}

/// The first and the second derivative of a logarithm, along the way of a sweep.
#[derive(Clone, Copy)]
pub(super) struct Growth {
    pub(super) slope: f64,
    pub(super) curvature: f64,
}

impl Growth {
    pub(super) const NONE: Self = Self {
        slope: 0.0,
        curvature: 0.0,
    };

    /// That of the integral of what grows like this, from where it is nothing: to the second
    /// order in how little the slope changes before the integral does. None for what does not
    /// grow.
    #[inline(always)]
    pub(super) fn of_integral(self) -> Option<Self> {
        let change = self.curvature.min(0.0) / self.slope;
        (self.slope > 0.0).then_some(Self {
            slope: self.slope - change,
            curvature: (self.curvature + change * change).min(0.0),
        })
    }
}

/// L or U of a place.
pub(super) struct Sums {
    /// The piece at which the window begins: at its left end for L, at its right for U.
    pub(super) first: usize,
    /// How it grows there.
    pub(super) growth: Growth,
    /// On the pieces of the window, from there on.
    pub(super) pieces: Vec<OnPiece>,
    pub(super) beyond: Beyond,
}

/// L or U beyond a window: its logarithm a parabola up to its top, and from there on the same.
/// What is beyond a window is next to nothing, but it has to go on smoothly.
#[derive(Clone, Copy)]
pub(super) struct Beyond {
    /// Where it begins.
    pub(super) at: f64,
    pub(super) value: Scaled,
    slope: f64,
    /// How the slope falls.
    fall: f64,
}

impl Beyond {
    pub(super) const fn always(value: Scaled) -> Self {
        Self {
            at: 0.0,
            value,
            slope: 0.0,
            fall: 0.0,
        }
    }

    /// Beyond the last piece of a window, half as wide as that, given an integral there and what
    /// it is the integral of.
    #[inline(always)]
    pub(super) fn after(at: f64, integral: &OnPiece, integrand: &OnPiece, half: f64) -> Self {
        let value = integral.last();
        let slope = integrand.last().at(value.power) / value.value;
        let is_known = slope > 0.0 && slope < f64::INFINITY;
        let slope = if is_known { slope } else { 0.0 };
        Self {
            at,
            value,
            slope,
            fall: (slope * (slope - integrand.slope_at_last(half))).max(0.0),
        }
    }

    /// The logarithm, but for that of the value, at a distance from where it begins.
    fn log(&self, distance: f64) -> f64 {
        let distance = if self.fall > 0.0 {
            distance.min(self.slope / self.fall)
        } else {
            distance
        };
        distance * (self.slope - 0.5 * self.fall * distance)
    }

    /// On a piece that is so far away and half as wide as that.
    pub(super) fn on(&self, distance: f64, half: f64) -> OnPiece {
        let mut of = OnPiece::of_log(|along| self.log(distance + half * along));
        for values in &mut of.values {
            *values = *values * Lanes::splat(self.value.value);
        }
        of.power += self.value.power;
        of
    }
}

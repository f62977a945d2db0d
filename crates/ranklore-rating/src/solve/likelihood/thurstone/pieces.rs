//! Functions on pieces, and L and U on the pieces of a window and beyond.
//!
//! Over a piece they grow more than a polynomial can, and over many pieces and places beyond the
//! range of a double. They are stored as a polynomial of moderate values, a tilt and a power of
//! two. For L the nodes run from left to right, and the tilt starts at the left end; for U both
//! start at the right end, so that one is the mirror image of the other.

use super::lobatto::{LOBATTO, NODES, NodeLanes, at_nodes};
use super::scaled::{Scaled, exponent_of, power_of_two};
use super::tilted::{DOUBLINGS_PER_TILT, END_DERIVATIVES, TILT_RATE, integrals};
use crate::numerics::lanes::{LANES, Lanes};

/// A function on a piece: polynomial times e^(λ·(t + 1)) times a power of two.
#[derive(Clone, Copy)]
pub(super) struct PieceFunction {
    pub(super) values: NodeLanes,
    pub(super) tilt: i64,
    pub(super) power: i64,
}

impl PieceFunction {
    const ZERO: Self = Self {
        values: [Lanes::ZERO; NODES / LANES],
        tilt: 0,
        power: Scaled::ZERO.power,
    };

    /// Creates a function from its logarithm, over 0 at one end of the piece to 2 at the other.
    pub(super) fn from_log(log: impl Fn(f64) -> f64) -> Self {
        let first = log(0.0);
        let last = log(2.0);
        let tilt = tilt_for((last - first) * std::f64::consts::LOG2_E);
        let power = (first * std::f64::consts::LOG2_E) as i64;
        let shift = power as f64 * std::f64::consts::LN_2;
        Self {
            values: at_nodes(|node| {
                let along = LOBATTO.nodes[node] + 1.0;
                libm::exp(log(along) - shift - TILT_RATE * tilt as f64 * along)
            }),
            tilt,
            power,
        }
    }

    /// Returns the approximate number of doublings over the piece.
    #[inline(always)]
    pub(super) fn doublings(&self) -> f64 {
        let first = self.first_value().value;
        let last = self.values[LAST_NODE.0].0[LAST_NODE.1];
        let change = if first > 0.0 && last > 0.0 {
            exponent_of(last) - exponent_of(first)
        } else {
            0
        };
        (self.tilt * DOUBLINGS_PER_TILT + change) as f64
    }

    /// Returns the value at the end where the sweep enters.
    #[inline(always)]
    pub(super) fn first_value(&self) -> Scaled {
        Scaled {
            value: self.values[0].0[0],
            power: self.power,
        }
    }

    /// Returns the value at the other end.
    #[inline(always)]
    pub(super) fn last_value(&self) -> Scaled {
        Scaled {
            value: self.values[LAST_NODE.0].0[LAST_NODE.1],
            power: self.power + self.tilt * DOUBLINGS_PER_TILT,
        }
    }

    /// Returns the growth at the entry, on a piece of half-width `half`.
    #[inline(always)]
    pub(super) fn growth(&self, half: f64) -> Growth {
        let value = self.first_value().value;
        if value <= 0.0 {
            return Growth::NONE;
        }
        let slope = END_DERIVATIVES.slope_at_first(&self.values) / value;
        let second = END_DERIVATIVES.second_at_first(&self.values) / value;
        Growth {
            slope: (TILT_RATE * self.tilt as f64 + slope) / half,
            curvature: (second - slope * slope) / (half * half),
        }
    }

    /// Returns the derivative of the logarithm at the other end.
    #[inline(always)]
    fn slope_at_last(&self, half: f64) -> f64 {
        let value = self.values[LAST_NODE.0].0[LAST_NODE.1];
        (TILT_RATE * self.tilt as f64 + END_DERIVATIVES.slope_at_last(&self.values) / value) / half
    }

    /// Returns the integral on a piece of half-width `half`, starting from `before`.
    #[inline(always)]
    pub(super) fn integral(&self, half: f64, before: Scaled) -> Self {
        let integrals_to_nodes = integrals(self.tilt, &self.values);
        let power = before.power.max(self.power);
        let scale = Lanes::splat(half * power_of_two(self.power - power));
        let before = Lanes::splat(before.value_at_power(power));
        let mut values = integrals_to_nodes.up_to;
        for (values, decay) in values.iter_mut().zip(integrals_to_nodes.decay) {
            *values = *values * scale + before * decay;
        }
        let last = values[LAST_NODE.0].0[LAST_NODE.1];
        // Still 0 here: its exponent must not dominate that of later pieces.
        if last <= 0.0 {
            return Self::ZERO;
        }
        let change = exponent_of(last);
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

/// Chunk and lane of the last node.
const LAST_NODE: (usize, usize) = (NODES / LANES - 1, LANES - 1);

/// Returns the tilt that flattens a function with this many doublings over a piece.
#[inline(always)]
pub(super) fn tilt_for(doublings: f64) -> i64 {
    // Adding a half rounds, except for numbers below 0.
    (doublings * (1.0 / DOUBLINGS_PER_TILT as f64) + 0.5).max(0.0) as i64
}

/// The first and the second derivative of a logarithm, in the direction of a sweep.
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

    /// Returns the growth of the integral of a function with this growth, from where it is 0: to
    /// second order in the relative change of the slope. None if the function does not grow.
    #[inline(always)]
    pub(super) fn integrated(self) -> Option<Self> {
        let change = self.curvature.min(0.0) / self.slope;
        (self.slope > 0.0).then_some(Self {
            slope: self.slope - change,
            curvature: (self.curvature + change * change).min(0.0),
        })
    }
}

/// L or U of a place.
pub(super) struct PlaceIntegral {
    /// The first piece of the window: its left end for L, its right end for U.
    pub(super) first: usize,
    /// The growth there.
    pub(super) growth: Growth,
    /// The function on the pieces of the window, in the order of the sweep.
    pub(super) pieces: Vec<PieceFunction>,
    pub(super) beyond: WindowTail,
}

/// L or U beyond a window: the logarithm is a parabola up to its maximum, then constant. The mass
/// beyond a window is negligible, but the continuation must be smooth.
#[derive(Clone, Copy)]
pub(super) struct WindowTail {
    /// Start of the tail.
    pub(super) at: f64,
    pub(super) value: Scaled,
    slope: f64,
    /// Rate at which the slope decreases.
    fall: f64,
}

impl WindowTail {
    pub(super) const fn constant(value: Scaled) -> Self {
        Self {
            at: 0.0,
            value,
            slope: 0.0,
            fall: 0.0,
        }
    }

    /// Creates the tail after the last piece of a window, of half-width `half`, from the integral
    /// there and its integrand.
    #[inline(always)]
    pub(super) fn after_window(
        at: f64,
        integral: &PieceFunction,
        integrand: &PieceFunction,
        half: f64,
    ) -> Self {
        let value = integral.last_value();
        let slope = integrand.last_value().value_at_power(value.power) / value.value;
        let is_known = slope > 0.0 && slope < f64::INFINITY;
        let slope = if is_known { slope } else { 0.0 };
        Self {
            at,
            value,
            slope,
            fall: (slope * (slope - integrand.slope_at_last(half))).max(0.0),
        }
    }

    /// Returns the logarithm at a distance from the start, relative to that of the value.
    fn log(&self, distance: f64) -> f64 {
        let distance = if self.fall > 0.0 {
            distance.min(self.slope / self.fall)
        } else {
            distance
        };
        distance * (self.slope - 0.5 * self.fall * distance)
    }

    /// Returns the function on a piece at this distance, of half-width `half`.
    pub(super) fn on(&self, distance: f64, half: f64) -> PieceFunction {
        let mut function = PieceFunction::from_log(|along| self.log(distance + half * along));
        for values in &mut function.values {
            *values = *values * Lanes::splat(self.value.value);
        }
        function.power += self.value.power;
        function
    }
}

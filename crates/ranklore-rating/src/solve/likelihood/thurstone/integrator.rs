//! The step for one place: L from that of the place below, U from that of the place above, and
//! f·L·U.

use super::Place;
use super::centres::Centres;
use super::grid::PieceGrid;
use super::lobatto::{LOBATTO, NODES, NodeLanes};
use super::pieces::{Growth, PieceFunction, PlaceIntegral, WindowTail, tilt_for};
use super::scaled::Scaled;
use super::tilted::{DOUBLINGS_PER_TILT, TILT_RATE};
use crate::numerics::lanes::{LANES, Lanes};

/// Direction of a sweep: upwards it computes L, downwards U.
#[derive(Clone, Copy)]
pub(super) enum Direction {
    Up,
    Down,
}

/// A piece relative to a sweep and a place.
#[derive(Clone, Copy)]
struct SweepPiece {
    /// Entry point of the sweep, relative to the centre of the place.
    entry: f64,
    /// Half the width, negative on the way down.
    half: f64,
}

/// The density of a place without its height, relative to its value at the centre.
#[derive(Clone, Copy)]
struct Density {
    /// The negative of half its count.
    factor: f64,
    /// Twice its centre minus its mean.
    lean: f64,
}

/// A density times an exponential, at the nodes of a piece.
struct TiltedDensity {
    values: NodeLanes,
    /// The offsets of the nodes from the centre.
    offsets: NodeLanes,
    power: i64,
}

impl Density {
    /// Returns the logarithm at an offset from the centre.
    #[inline(always)]
    fn log(self, off: f64) -> f64 {
        self.factor * off * (off + self.lean)
    }

    /// Returns the number of doublings over the piece.
    #[inline(always)]
    fn doublings(self, on: SweepPiece) -> f64 {
        let last = self.log(on.entry + 2.0 * on.half);
        (last - self.log(on.entry)) * std::f64::consts::LOG2_E
    }

    /// Multiplies by e^(λ·(t + 1)) with λ = `rate`.
    #[inline(always)]
    fn tilted(self, on: SweepPiece, rate: f64) -> TiltedDensity {
        let first = self.log(on.entry);
        let last = self.log(on.entry + 2.0 * on.half) + 2.0 * rate;
        let power = (first.max(last) * std::f64::consts::LOG2_E) as i64;
        let shift = Lanes::splat(power as f64 * std::f64::consts::LN_2);
        let factor = Lanes::splat(self.factor);
        let lean = Lanes::splat(self.lean);
        let enters = Lanes::splat(on.entry);
        let half = Lanes::splat(on.half);
        let rate = Lanes::splat(rate);
        let mut values = LOBATTO.at;
        let mut off = values;
        for (values, off) in values.iter_mut().zip(&mut off) {
            let along = *values + Lanes::ONE;
            *off = enters + half * along;
            let log = factor * *off * (*off + lean) + rate * along - shift;
            *values = log.at_least(-700.0).at_most(700.0).exp();
        }
        TiltedDensity {
            values,
            offsets: off,
            power,
        }
    }

    /// Multiplies by another function, with a tilt that leaves the product flat.
    #[inline(always)]
    fn times(self, other: &PieceFunction, on: SweepPiece) -> PieceFunction {
        let tilt = tilt_for(self.doublings(on) + other.doublings());
        let tilted = self.tilted(on, TILT_RATE * (other.tilt - tilt) as f64);
        let mut values = tilted.values;
        for (values, &other) in values.iter_mut().zip(&other.values) {
            *values = *values * other;
        }
        PieceFunction {
            values,
            tilt,
            power: tilted.power + other.power,
        }
    }

    /// Returns the growth at the entry point, times a function with growth `other`.
    #[inline(always)]
    fn growth_with(self, other: Growth, on: SweepPiece) -> Growth {
        let slope = self.factor * (2.0 * on.entry + self.lean);
        Growth {
            slope: other.slope + slope * on.half.signum(),
            curvature: other.curvature + 2.0 * self.factor,
        }
    }
}

/// Integrals of f·L·U of a place.
pub(super) struct Product {
    /// Difference of its mean from the centre.
    pub(super) mean_offset: f64,
    /// The integral.
    pub(super) total: Scaled,
    /// The share of the integral that may be cut off at the ends of the window.
    pub(super) edge_share: f64,
    /// The values at the nodes of each piece, if requested.
    pub(super) values: Vec<PieceFunction>,
}

/// All places and pieces.
#[derive(Clone, Copy)]
pub(super) struct Integrator<'a> {
    pub(super) places: &'a [Place],
    pub(super) centres: &'a Centres,
    pub(super) grid: &'a PieceGrid,
}

impl Integrator<'_> {
    #[inline(always)]
    fn sweep_piece(&self, place: usize, piece: usize, way: Direction) -> SweepPiece {
        let left = self.grid.ends[piece];
        let right = self.grid.ends[piece + 1];
        let half = 0.5 * (right - left);
        let centre = self.centres.at[place];
        let (enters, half) = match way {
            Direction::Up => (left - centre, half),
            Direction::Down => (right - centre, -half),
        };
        SweepPiece {
            entry: enters,
            half,
        }
    }

    #[inline(always)]
    fn density(&self, place: usize) -> Density {
        let Place { count, mean, .. } = self.places[place];
        Density {
            factor: -0.5 * count,
            lean: 2.0 * (self.centres.at[place] - mean),
        }
    }

    /// Returns L or U on a piece on the side where it is not 0.
    #[inline(always)]
    fn on_piece(&self, sums: &PlaceIntegral, piece: usize, way: Direction) -> PieceFunction {
        if let Some(&function) = sums.pieces.get(piece.abs_diff(sums.first)) {
            return function;
        }
        let left = self.grid.ends[piece];
        let right = self.grid.ends[piece + 1];
        let distance = match way {
            Direction::Up => left - sums.beyond.at,
            Direction::Down => sums.beyond.at - right,
        };
        sums.beyond.on(distance, 0.5 * (right - left))
    }

    /// Computes L of a place from that of the place below; or U of it from that of the place above.
    #[inline(always)]
    pub(super) fn advance(
        &self,
        place: usize,
        before: &PlaceIntegral,
        way: Direction,
    ) -> PlaceIntegral {
        let window = self.grid.windows[place].clone();
        let density = self.density(place);
        let first = match way {
            Direction::Up => window.start,
            Direction::Down => window.end - 1,
        };
        // Starting from 0 at the beginning of the window would not be smooth. A polynomial also
        // cannot extrapolate its own derivatives there for long, so they are carried from place to
        // place.
        let on = self.sweep_piece(place, first, way);
        let other = self.on_piece(before, first, way);
        let other_growth = if before.first == first {
            before.growth
        } else {
            other.growth(on.half.abs())
        };
        let growth = density.growth_with(other_growth, on).integrated();
        let mut sum = match growth {
            Some(growth) => {
                let mut sum = density.times(&other, on).first_value();
                sum.value /= growth.slope;
                sum.normalised()
            }
            None => Scaled::ZERO,
        };
        let mut beyond = WindowTail::constant(sum);
        let mut pieces = Vec::with_capacity(window.len());
        for at in 0..window.len() {
            let piece = match way {
                Direction::Up => window.start + at,
                Direction::Down => window.end - 1 - at,
            };
            let on = self.sweep_piece(place, piece, way);
            let half = on.half.abs();
            let integrand = density.times(&self.on_piece(before, piece, way), on);
            let integral = integrand.integral(half, sum);
            sum = integral.last_value();
            if at + 1 == window.len() {
                let end = match way {
                    Direction::Up => self.grid.ends[piece + 1],
                    Direction::Down => self.grid.ends[piece],
                };
                beyond = WindowTail::after_window(end, &integral, &integrand, half);
            }
            pieces.push(integral);
        }
        PlaceIntegral {
            first,
            growth: growth.unwrap_or(Growth::NONE),
            pieces,
            beyond,
        }
    }

    /// Computes f·L·U of one place, given L of the place below and U of that above.
    #[inline(always)]
    pub(super) fn product(
        &self,
        place: usize,
        below: &PlaceIntegral,
        above: &PlaceIntegral,
        must_store: bool,
    ) -> Product {
        let window = self.grid.windows[place].clone();
        let density = self.density(place);
        let mut sums = ProductSums::ZERO;
        let mut edges = Scaled::ZERO;
        let mut functions = Vec::new();
        for piece in window.clone() {
            let below = self.on_piece(below, piece, Direction::Up);
            let above = self.on_piece(above, piece, Direction::Down);
            let on = self.sweep_piece(place, piece, Direction::Up);
            // Measured from the left end, the tilt of U has the opposite sign.
            let tilted = density.tilted(on, TILT_RATE * (below.tilt - above.tilt) as f64);
            let power = tilted.power + below.power + above.power + above.tilt * DOUBLINGS_PER_TILT;
            let half = Lanes::splat(on.half);
            let mut values = tilted.values;
            let mut moments = tilted.offsets;
            for chunk in 0..values.len() {
                let above = above.values[NODES / LANES - 1 - chunk].reversed();
                values[chunk] = values[chunk] * below.values[chunk] * above * half;
                moments[chunk] = moments[chunk] * values[chunk];
            }
            let mass = LOBATTO.integral(&values);
            if mass > 0.0 {
                sums.add(mass, LOBATTO.integral(&moments), power);
            }
            // An upper estimate: the value at the very end over the whole piece.
            if piece == window.start {
                let value = 2.0 * values[0].0[0].abs();
                edges = edges.plus(Scaled { value, power });
            }
            if piece + 1 == window.end {
                let value = 2.0 * values[NODES / LANES - 1].0[LANES - 1].abs();
                edges = edges.plus(Scaled { value, power });
            }
            if must_store {
                functions.push(PieceFunction {
                    values,
                    tilt: 0,
                    power,
                });
            }
        }
        let ProductSums { total, moment } = sums;
        Product {
            mean_offset: moment.value_at_power(total.power) / total.value,
            total,
            edge_share: edges.value_at_power(total.power) / total.value,
            values: functions,
        }
    }
}

/// The integrals of f·L·U, and of f·L·U times the distance from the centre.
struct ProductSums {
    total: Scaled,
    /// Signed, and stored with the exponent of the total.
    moment: Scaled,
}

impl ProductSums {
    const ZERO: Self = Self {
        total: Scaled::ZERO,
        moment: Scaled::ZERO,
    };

    /// Adds the integrals over a piece, times a power of two.
    #[inline(always)]
    fn add(&mut self, mass: f64, moment: f64, power: i64) {
        let signed = self.moment.plus(Scaled {
            value: moment,
            power,
        });
        self.total = self.total.plus(Scaled { value: mass, power }).normalised();
        self.moment = Scaled {
            value: signed.value_at_power(self.total.power),
            power: self.total.power,
        };
    }
}

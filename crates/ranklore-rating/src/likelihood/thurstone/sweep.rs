//! From the last place up, from the first down, and both together.
//!
//! What belongs to a piece is kept as numbers of moderate size, a tilt and a power of two, for
//! over a piece it grows by more than a polynomial can, and from piece to piece and from place
//! to place beyond the range of a double. Upwards a tilt is counted from the left end of a
//! piece, and its nodes from left to right; downwards both from the right end, so that the one
//! is the mirror image of the other.

use pulp::{Arch, NullaryFnOnce};

use super::centres::Centres;
use super::grid::Grid;
use super::lobatto::{LOBATTO, NODES, Nodes, at_nodes};
use super::scaled::{Scaled, power_of, power_of_two};
use super::tilted::{AtEnd, DOUBLINGS, RATE, integrals};
use super::unfinished::{LogCurve, Pulls, Unfinished};
use super::{Place, Posterior};
use crate::lanes::{LANES, Lanes};

/// So many places lie between those whose L is kept; the L between are computed again.
const STRIDE: usize = 512;

/// A function on a piece: polynomial, times e^(λ·(t + 1)), times a power of two.
#[derive(Clone, Copy)]
struct OnPiece {
    values: Nodes,
    tilt: i64,
    power: i64,
}

impl OnPiece {
    const ZERO: Self = Self {
        values: [Lanes::ZERO; NODES / LANES],
        tilt: 0,
        power: Scaled::ZERO.power,
    };

    /// How often it doubles over the piece, about.
    #[inline(always)]
    fn doublings(&self) -> f64 {
        let first = self.values[0].0[0];
        let last = self.values[NODES / LANES - 1].0[LANES - 1];
        let beside = if first > 0.0 && last > 0.0 {
            power_of(last) - power_of(first)
        } else {
            0
        };
        (self.tilt * DOUBLINGS + beside) as f64
    }
}

/// L or U of a place: on the pieces of its window, and what it is beyond.
struct Sums {
    /// The piece at which the window begins: at its left end for L, at its right for U.
    first: usize,
    /// How it grows there.
    growth: Growth,
    /// From there on.
    pieces: Vec<OnPiece>,
    beyond: Beyond,
}

/// The first and the second derivative of a logarithm, along the way of a sweep.
#[derive(Clone, Copy)]
struct Growth {
    slope: f64,
    curvature: f64,
}

impl Growth {
    const NONE: Self = Self {
        slope: 0.0,
        curvature: 0.0,
    };

    /// At the end where a sweep enters a piece, half as wide as that.
    #[inline(always)]
    fn on(piece: &OnPiece, half: f64) -> Self {
        match AtEnd::left(piece.tilt, &piece.values) {
            Some(end) => Self {
                slope: end.slope / half,
                curvature: end.curvature / (half * half),
            },
            None => Self::NONE,
        }
    }

    /// That of the integral of a function from where it is nothing, to the second order in how
    /// little the slope changes before it is. None where it does not grow.
    #[inline(always)]
    fn of_integral(self) -> Option<Self> {
        let change = self.curvature.min(0.0) / self.slope;
        (self.slope > 0.0).then_some(Self {
            slope: self.slope - change,
            curvature: (self.curvature + change * change).min(0.0),
        })
    }
}

/// A function beyond a window: its logarithm a parabola up to its top, and from there on the
/// same. What is beyond a window is next to nothing; this goes on smoothly.
#[derive(Clone, Copy)]
struct Beyond {
    at: f64,
    value: Scaled,
    slope: f64,
    /// How the slope falls.
    fall: f64,
}

impl Beyond {
    const fn always(value: Scaled) -> Self {
        Self {
            at: 0.0,
            value,
            slope: 0.0,
            fall: 0.0,
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

    /// On a piece that is so far away and so wide.
    fn on(&self, distance: f64, width: f64) -> OnPiece {
        let first = self.log(distance);
        let doublings = (self.log(distance + width) - first) * std::f64::consts::LOG2_E;
        let tilt = (doublings / DOUBLINGS as f64 + 0.5) as i64;
        let power = (first * std::f64::consts::LOG2_E) as i64;
        let shift = power as f64 * std::f64::consts::LN_2;
        OnPiece {
            values: at_nodes(|node| {
                let along = LOBATTO.nodes[node] + 1.0;
                let log = self.log(distance + 0.5 * width * along);
                self.value.value * libm::exp(log - shift - RATE * tilt as f64 * along)
            }),
            tilt,
            power: power + self.value.power,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Up,
    Down,
}

/// The nodes of a piece, from the end where a sweep enters it.
#[derive(Clone, Copy)]
struct Nodal {
    /// Where the sweep enters, as a difference from the centre of a place.
    enters: f64,
    /// Half the width, negative on the way down.
    half: f64,
}

/// The density of a place but for its height, over its density at its centre.
#[derive(Clone, Copy)]
struct Density {
    /// The negative of half its count.
    factor: f64,
    /// Twice its centre less its mean.
    lean: f64,
}

impl Density {
    /// The logarithm so far from the centre.
    #[inline(always)]
    fn log(self, off: f64) -> f64 {
        self.factor * off * (off + self.lean)
    }

    /// How another function grows there, times this one.
    #[inline(always)]
    fn growth_with(self, other: Growth, nodal: Nodal) -> Growth {
        let slope = self.factor * (2.0 * nodal.enters + self.lean);
        Growth {
            slope: other.slope + slope * nodal.half.signum(),
            curvature: other.curvature + 2.0 * self.factor,
        }
    }
}

/// What a sweep needs to know of everything.
#[derive(Clone, Copy)]
struct Field<'a> {
    places: &'a [Place],
    centres: &'a Centres,
    grid: &'a Grid,
    at: &'a Nodes,
}

impl Field<'_> {
    #[inline(always)]
    fn nodal(&self, place: usize, piece: usize, way: Way) -> Nodal {
        let (left, right) = (self.grid.ends[piece], self.grid.ends[piece + 1]);
        let half = 0.5 * (right - left);
        let centre = self.centres.at[place];
        match way {
            Way::Up => Nodal {
                enters: left - centre,
                half,
            },
            Way::Down => Nodal {
                enters: right - centre,
                half: -half,
            },
        }
    }

    /// L or U on a piece, which is not on the side where there is nothing.
    #[inline(always)]
    fn on(&self, sums: &Sums, piece: usize, way: Way) -> OnPiece {
        if let Some(&of) = sums.pieces.get(piece.abs_diff(sums.first)) {
            return of;
        }
        let (left, right) = (self.grid.ends[piece], self.grid.ends[piece + 1]);
        let distance = match way {
            Way::Up => left - sums.beyond.at,
            Way::Down => sums.beyond.at - right,
        };
        sums.beyond.on(distance, right - left)
    }

    #[inline(always)]
    fn density(&self, place: usize) -> Density {
        let Place { count, mean, .. } = self.places[place];
        Density {
            factor: -0.5 * count,
            lean: 2.0 * (self.centres.at[place] - mean),
        }
    }

    /// The density of a place times another function, at a tilt that leaves it flat.
    #[inline(always)]
    fn density_times(&self, density: Density, nodal: Nodal, other: &OnPiece) -> OnPiece {
        let first = density.log(nodal.enters);
        let last = density.log(nodal.enters + 2.0 * nodal.half);
        let doublings = (last - first) * std::f64::consts::LOG2_E + other.doublings();
        // Rounding a half by adding it: cheaper than any other, and as good.
        let tilt = (doublings * (1.0 / DOUBLINGS as f64) + 0.5).max(0.0) as i64;
        let rate = RATE * (other.tilt - tilt) as f64;
        let highest = first.max(last + 2.0 * rate);
        let power = (highest * std::f64::consts::LOG2_E) as i64;
        let shift = Lanes::splat(power as f64 * std::f64::consts::LN_2);
        let (factor, lean) = (Lanes::splat(density.factor), Lanes::splat(density.lean));
        let (rate, half) = (Lanes::splat(rate), Lanes::splat(nodal.half));
        let enters = Lanes::splat(nodal.enters);
        let mut values = other.values;
        for (values, &at) in values.iter_mut().zip(self.at) {
            let along = at + Lanes::ONE;
            let off = enters + half * along;
            let log = factor * off * (off + lean) + rate * along - shift;
            *values = *values * log.at_least(-700.0).at_most(700.0).exp();
        }
        OnPiece {
            values,
            tilt,
            power: power + other.power,
        }
    }

    /// L of a place from that of the place below; or U of it from that of the place above.
    #[inline(always)]
    fn next(&self, place: usize, before: &Sums, way: Way) -> Sums {
        let window = self.grid.windows[place].clone();
        let density = self.density(place);
        let mut pieces = Vec::with_capacity(window.len());
        let mut sum = Scaled::ZERO;
        let mut beyond = Beyond::always(sum);
        let mut growth = Growth::NONE;
        let first = match way {
            Way::Up => window.start,
            Way::Down => window.end - 1,
        };
        for at in 0..window.len() {
            let piece = match way {
                Way::Up => window.start + at,
                Way::Down => window.end - 1 - at,
            };
            let nodal = self.nodal(place, piece, way);
            let other = self.on(before, piece, way);
            let of = self.density_times(density, nodal, &other);
            let half = nodal.half.abs();
            if at == 0 {
                // Going on from nothing would not be smooth. And by its derivatives there a
                // polynomial cannot go on for long: what is known of them is carried along.
                let of_other = if before.first == piece {
                    before.growth
                } else {
                    Growth::on(&other, half)
                };
                if let Some(of_sum) = density.growth_with(of_other, nodal).of_integral() {
                    growth = of_sum;
                    sum = Scaled {
                        value: of.values[0].0[0] / growth.slope,
                        power: of.power,
                    }
                    .normal();
                }
            }
            let found = integrals(of.tilt, &of.values);
            let up_to = OnPiece {
                values: found.up_to,
                ..of
            };
            pieces.push(joined(sum, &found.decay, up_to, half));
            let whole = Scaled {
                value: half * found.whole,
                power: of.power + of.tilt * DOUBLINGS,
            };
            sum = sum.plus(whole).normal();
            if at + 1 == window.len() {
                let at = match way {
                    Way::Up => self.grid.ends[piece + 1],
                    Way::Down => self.grid.ends[piece],
                };
                beyond = beyond_window(&of, half, sum, at);
            }
        }
        Sums {
            first,
            growth,
            pieces,
            beyond,
        }
    }

    /// f·L·U of one place, given L of the place below and U of that above.
    #[inline(always)]
    fn product(&self, place: usize, below: &Sums, above: &Sums, keep: bool) -> Product {
        let window = self.grid.windows[place].clone();
        let density = self.density(place);
        let (mut total, mut moment, mut edges) = (Scaled::ZERO, Scaled::ZERO, Scaled::ZERO);
        let mut values = Vec::new();
        for piece in window.clone() {
            let below = self.on(below, piece, Way::Up);
            let above = self.on(above, piece, Way::Down);
            let nodal = self.nodal(place, piece, Way::Up);
            // The tilts together, as a tilt about the middle.
            let tilt = below.tilt - above.tilt;
            let rate = RATE * tilt as f64;
            let (first, last) = (
                density.log(nodal.enters) - rate,
                density.log(nodal.enters + 2.0 * nodal.half) + rate,
            );
            let power = (first.max(last) * std::f64::consts::LOG2_E) as i64;
            let shift = Lanes::splat(power as f64 * std::f64::consts::LN_2);
            let (factor, lean) = (Lanes::splat(density.factor), Lanes::splat(density.lean));
            let (rate, half) = (Lanes::splat(rate), Lanes::splat(nodal.half));
            let mut product = below.values;
            let mut off = product;
            for chunk in 0..product.len() {
                off[chunk] = Lanes::splat(nodal.enters) + half * (self.at[chunk] + Lanes::ONE);
                let log = factor * off[chunk] * (off[chunk] + lean) + rate * self.at[chunk] - shift;
                product[chunk] = product[chunk]
                    * above.values[NODES / LANES - 1 - chunk].reversed()
                    * log.at_least(-700.0).at_most(700.0).exp()
                    * half;
                off[chunk] = off[chunk] * product[chunk];
            }
            let power =
                power + below.power + above.power + (below.tilt + above.tilt) * (DOUBLINGS / 2);
            let mass = Scaled {
                value: LOBATTO.integral(&product),
                power,
            };
            if mass.value > 0.0 {
                let value = LOBATTO.integral(&off);
                // The moment has a sign; it is kept at the power of the total.
                moment = moment.plus(Scaled { value, power });
                total = total.plus(mass).normal();
                moment = Scaled {
                    value: moment.at(total.power),
                    power: total.power,
                };
            }
            // As much as if it were everywhere on the piece what it is at the very end.
            if piece == window.start {
                let value = 2.0 * product[0].0[0].abs();
                edges = edges.plus(Scaled { value, power });
            }
            if piece + 1 == window.end {
                let value = 2.0 * product[NODES / LANES - 1].0[LANES - 1].abs();
                edges = edges.plus(Scaled { value, power });
            }
            if keep {
                values.push(OnPiece {
                    values: product,
                    tilt: 0,
                    power,
                });
            }
        }
        Product {
            off: moment.at(total.power) / total.value,
            total,
            at_edge: edges.at(total.power) / total.value,
            values,
        }
    }
}

/// How an integral that is `sum` at the end of a window goes on from there.
#[inline(always)]
fn beyond_window(of: &OnPiece, half: f64, sum: Scaled, at: f64) -> Beyond {
    let beyond = Beyond {
        at,
        ..Beyond::always(sum)
    };
    let Some(end) = AtEnd::right(of.tilt, &of.values) else {
        return beyond;
    };
    let integrand = Scaled {
        value: end.value,
        power: of.power + of.tilt * DOUBLINGS,
    };
    let slope = integrand.at(sum.power) / sum.value;
    let fall = slope * (slope - end.slope / half);
    if slope > 0.0 && slope < f64::INFINITY {
        Beyond {
            slope,
            fall: fall.max(0.0),
            ..beyond
        }
    } else {
        beyond
    }
}

/// Adds what comes from the pieces before, and brings values to a moderate size.
#[inline(always)]
fn joined(before: Scaled, decay: &Nodes, of: OnPiece, half: f64) -> OnPiece {
    let power = before.power.max(of.power);
    let scale = Lanes::splat(half * power_of_two(of.power - power));
    let before = Lanes::splat(before.at(power));
    let mut values = of.values;
    for chunk in 0..values.len() {
        values[chunk] = values[chunk] * scale + before * decay[chunk];
    }
    let last = values[NODES / LANES - 1].0[LANES - 1];
    // Nothing here yet: its power must not outweigh what is to come.
    if last <= 0.0 {
        return OnPiece::ZERO;
    }
    let change = power_of(last);
    let scale = Lanes::splat(power_of_two(-change));
    for values in &mut values {
        *values = *values * scale;
    }
    OnPiece {
        values,
        tilt: of.tilt,
        power: power + change,
    }
}

/// L of the places from one on, given that of the place below.
struct Up<'a> {
    field: Field<'a>,
    places: std::ops::Range<usize>,
    below: &'a Sums,
    /// Whether all are wanted, or the last.
    all: bool,
}

impl NullaryFnOnce for Up<'_> {
    type Output = Vec<Sums>;

    #[inline(always)]
    fn call(self) -> Vec<Sums> {
        let mut sums: Vec<Sums> = Vec::new();
        for place in self.places {
            let below = sums.last().unwrap_or(self.below);
            let next = self.field.next(place, below, Way::Up);
            if !self.all {
                sums.clear();
            }
            sums.push(next);
        }
        sums
    }
}

/// What f·L·U says of a place: how far its mean is from the centre, and the share of what may
/// be cut off.
struct Product {
    off: f64,
    total: Scaled,
    at_edge: f64,
    /// Its values, where they are wanted: for each piece those at the nodes.
    values: Vec<OnPiece>,
}

/// U of a place and f·L·U, given L of the place below and U of that above.
struct Down<'a> {
    field: Field<'a>,
    place: usize,
    below: &'a Sums,
    above: &'a Sums,
}

impl NullaryFnOnce for Down<'_> {
    type Output = (Sums, Product);

    #[inline(always)]
    fn call(self) -> (Sums, Product) {
        let (field, place) = (self.field, self.place);
        let product = field.product(place, self.below, self.above, place == 0);
        (field.next(place, self.above, Way::Down), product)
    }
}

/// What both sweeps found.
pub(super) struct Found {
    pub(super) posterior: Posterior,
    /// The share of each place that may be cut off at the ends of its window.
    pub(super) at_edge: Vec<f64>,
    /// By how much the places' densities differ in what they add up to: all to the probability.
    pub(super) discord: f64,
}

pub(super) fn sweep(
    places: &[Place],
    unfinished: &Unfinished,
    centres: &Centres,
    grid: &Grid,
) -> Found {
    let arch = Arch::new();
    let field = Field {
        places,
        centres,
        grid,
        at: &LOBATTO.at,
    };
    let lowest = grid.windows[0].clone();
    let curve = unfinished.between(grid.ends[lowest.start], grid.ends[lowest.end]);
    // Below the last place are those that did not finish.
    let pieces: Vec<OnPiece> = lowest
        .clone()
        .map(|piece| on_curve(&curve, grid.ends[piece], grid.ends[piece + 1]))
        .collect();
    let half = 0.5 * (grid.ends[lowest.start + 1] - grid.ends[lowest.start]);
    let bottom = Sums {
        first: lowest.start,
        growth: Growth::on(&pieces[0], half),
        pieces,
        beyond: Beyond::always(Scaled::ZERO),
    };
    let starts: Vec<usize> = (0..places.len()).step_by(STRIDE).collect();
    let up = |start: usize, below: &Sums, all: bool| {
        arch.dispatch(Up {
            field,
            places: start..(start + STRIDE).min(places.len()),
            below,
            all,
        })
    };
    // L of the places before each stride; those of the last stride all.
    let mut kept = vec![bottom];
    for (index, &start) in starts[1..].iter().enumerate() {
        let last = up(start - STRIDE, &kept[index], false);
        kept.extend(last);
    }
    let mut above = Sums {
        first: grid.ends.len(),
        growth: Growth::NONE,
        pieces: Vec::new(),
        beyond: Beyond::always(Scaled::ONE),
    };
    let mut probability = Scaled::ZERO;
    let mut discord: f64 = 0.0;
    let mut off = vec![0.0; places.len()];
    let mut at_edge = vec![0.0; places.len()];
    let mut lowest_product = Vec::new();
    for (&start, bottom) in starts.iter().zip(&kept).rev() {
        let sums = up(start, bottom, true);
        if start + sums.len() == places.len() {
            probability = sums[sums.len() - 1].beyond.value;
        }
        for place in (start..start + sums.len()).rev() {
            let below = match place - start {
                0 => bottom,
                before => &sums[before - 1],
            };
            let (next, product) = arch.dispatch(Down {
                field,
                place,
                below,
                above: &above,
            });
            off[place] = product.off;
            let share = product.total.at(probability.power) / probability.value;
            // Not a number where nothing is left.
            discord = if (share - 1.0).abs() <= discord {
                discord
            } else {
                (share - 1.0).abs()
            };
            at_edge[place] = product.at_edge;
            above = next;
            lowest_product = product.values;
        }
    }
    let mut log = probability.log();
    for (place, centre) in places.iter().zip(&centres.at) {
        let lean = centre - place.mean;
        log += place.height - 0.5 * place.count * lean * lean;
    }
    let means = centres.at.iter().zip(off).map(|(at, off)| at + off);
    Found {
        posterior: Posterior {
            log,
            means: means.collect(),
            pulls: pulls(&curve, grid, &lowest_product),
        },
        at_edge,
        discord,
    }
}

/// Where a node of a piece is.
fn point(left: f64, right: f64, node: usize) -> f64 {
    left + 0.5 * (right - left) * (LOBATTO.nodes[node] + 1.0)
}

/// What a curve is the logarithm of, on a piece.
fn on_curve(curve: &LogCurve, left: f64, right: f64) -> OnPiece {
    let (first, last) = (curve.at(left), curve.at(right));
    let doublings = (last - first) * std::f64::consts::LOG2_E;
    let tilt = (doublings / DOUBLINGS as f64 + 0.5) as i64;
    let power = (first * std::f64::consts::LOG2_E) as i64;
    let shift = power as f64 * std::f64::consts::LN_2;
    OnPiece {
        values: at_nodes(|node| {
            let along = RATE * tilt as f64 * (LOBATTO.nodes[node] + 1.0);
            libm::exp(curve.at(point(left, right, node)) - shift - along)
        }),
        tilt,
        power,
    }
}

fn pulls(curve: &LogCurve, grid: &Grid, product: &[OnPiece]) -> Pulls {
    let most = product.iter().map(|of| of.power).max().unwrap_or(0);
    let points = product
        .iter()
        .zip(grid.windows[0].clone())
        .flat_map(|(of, piece)| {
            let scale = power_of_two(of.power - most);
            (0..NODES).map(move |node| {
                let value = of.values[node / LANES].0[node % LANES];
                let x = point(grid.ends[piece], grid.ends[piece + 1], node);
                (x, LOBATTO.weights[node] * value * scale)
            })
        });
    curve.pulls(points)
}

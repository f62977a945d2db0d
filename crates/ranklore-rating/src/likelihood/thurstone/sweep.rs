//! From the last place up, from the first down, and both together.
//!
//! What belongs to a piece is kept as numbers of moderate size and a power of two, for from
//! piece to piece and from place to place it grows beyond the range of a double.

use pulp::{Arch, NullaryFnOnce};

use super::centres::Centres;
use super::grid::Grid;
use super::legendre::{LEGENDRE, Legendre, NODES, Nodes};
use super::unfinished::{LogCurve, Unfinished};
use super::{Place, Posterior};
use crate::lanes::{LANES, Lanes};

/// So many places lie between those whose L is kept; the L between are computed again.
const STRIDE: usize = 64;

/// A number `value`·2^`power`.
#[derive(Clone, Copy)]
struct Scaled {
    value: f64,
    power: i64,
}

const ZERO: Scaled = Scaled {
    value: 0.0,
    power: i64::MIN / 4,
};

impl Scaled {
    /// Where its value stands at another power of two.
    #[inline(always)]
    fn at(self, power: i64) -> f64 {
        self.value * power_of_two(self.power - power)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let power = self.power.max(other.power);
        Self {
            value: self.at(power) + other.at(power),
            power,
        }
    }

    fn log(self) -> f64 {
        libm::log(self.value) + self.power as f64 * std::f64::consts::LN_2
    }
}

/// 2^n; 0 where that is below the normal range.
#[inline(always)]
fn power_of_two(n: i64) -> f64 {
    if n < -1022 {
        0.0
    } else {
        f64::from_bits(((n.min(1023) + 1023) as u64) << 52)
    }
}

/// The power of two of a positive number, about.
#[inline(always)]
fn power_of(x: f64) -> i64 {
    ((x.to_bits() >> 52) as i64 & 0x7FF) - 1023
}

/// A function on a piece.
#[derive(Clone, Copy)]
struct OnPiece {
    values: Nodes,
    power: i64,
}

/// L or U of a place: on the pieces of its window, and what it is beyond.
#[derive(Clone)]
struct Sums {
    start: usize,
    pieces: Vec<OnPiece>,
    beyond: Scaled,
}

impl Sums {
    /// On a piece, which is not on the side where there is nothing.
    #[inline(always)]
    fn on(&self, piece: usize) -> OnPiece {
        match piece
            .checked_sub(self.start)
            .and_then(|at| self.pieces.get(at))
        {
            Some(&of) => of,
            None => OnPiece {
                values: [Lanes::splat(self.beyond.value); NODES / LANES],
                power: self.beyond.power,
            },
        }
    }
}

/// e to the power of a logarithm at each node.
#[inline(always)]
fn exponential(logs: Nodes) -> OnPiece {
    let mut largest = f64::NEG_INFINITY;
    for chunk in logs {
        for log in chunk.0 {
            largest = if log > largest { log } else { largest };
        }
    }
    let power = (largest * std::f64::consts::LOG2_E) as i64;
    let shift = Lanes::splat(power as f64 * std::f64::consts::LN_2);
    let mut values = [Lanes::ZERO; NODES / LANES];
    for chunk in 0..values.len() {
        values[chunk] = (logs[chunk] - shift).at_least(-700.0).exp();
    }
    OnPiece { values, power }
}

/// What a sweep needs to know of everything.
#[derive(Clone, Copy)]
struct Integrals<'a> {
    places: &'a [Place],
    grid: &'a Grid,
    legendre: &'a Legendre,
}

impl Integrals<'_> {
    #[inline(always)]
    fn half_width(&self, piece: usize) -> f64 {
        0.5 * (self.grid.ends[piece + 1] - self.grid.ends[piece])
    }

    #[inline(always)]
    fn points(&self, piece: usize) -> Nodes {
        let (left, half) = (Lanes::splat(self.grid.ends[piece]), self.half_width(piece));
        let mut points = [left; NODES / LANES];
        for (chunk, points) in points.iter_mut().enumerate() {
            for lane in 0..LANES {
                points.0[lane] += half * (self.legendre.nodes[chunk * LANES + lane] + 1.0);
            }
        }
        points
    }

    /// The density of a place, but for its height, times another function.
    #[inline(always)]
    fn density_times(&self, place: usize, piece: usize, other: OnPiece) -> OnPiece {
        let place = &self.places[place];
        let mean = Lanes::splat(place.mean);
        let factor = Lanes::splat(-0.5 * place.count);
        let mut logs = self.points(piece);
        for log in &mut logs {
            let off = *log - mean;
            *log = factor * off * off;
        }
        let mut of = exponential(logs);
        for chunk in 0..of.values.len() {
            of.values[chunk] = of.values[chunk] * other.values[chunk];
        }
        of.power += other.power;
        of
    }

    /// L of a place from that of the place below.
    #[inline(always)]
    fn up(&self, place: usize, below: &Sums) -> Sums {
        let window = self.grid.windows[place].clone();
        let mut pieces = Vec::with_capacity(window.len());
        let mut sum = ZERO;
        for piece in window.clone() {
            let half_width = self.half_width(piece);
            let of = self.density_times(place, piece, below.on(piece));
            let (values, whole) = self.legendre.integrals_up_to(&of.values);
            let power = of.power;
            pieces.push(joined(
                sum,
                OnPiece { values, power },
                half_width,
                NODES - 1,
            ));
            let value = half_width * whole;
            sum = normal(sum.plus(Scaled { value, power }));
        }
        Sums {
            start: window.start,
            pieces,
            beyond: sum,
        }
    }
}

/// Adds what comes from the pieces before, and brings values to a moderate size.
#[inline(always)]
fn joined(before: Scaled, of: OnPiece, half_width: f64, largest: usize) -> OnPiece {
    let power = before.power.max(of.power);
    let scale = Lanes::splat(half_width * power_of_two(of.power - power));
    let before = Lanes::splat(before.at(power));
    let mut values = of.values;
    for values in &mut values {
        *values = *values * scale + before;
    }
    let own = values[largest / LANES].0[largest % LANES];
    // Nothing here yet: its power must not outweigh what is to come.
    if own <= 0.0 {
        return OnPiece {
            values: [Lanes::ZERO; NODES / LANES],
            power: ZERO.power,
        };
    }
    let change = power_of(own);
    let scale = Lanes::splat(power_of_two(-change));
    for values in &mut values {
        *values = *values * scale;
    }
    OnPiece {
        values,
        power: power + change,
    }
}

/// With a value of moderate size.
#[inline(always)]
fn normal(of: Scaled) -> Scaled {
    if of.value <= 0.0 {
        return ZERO;
    }
    let change = power_of(of.value);
    Scaled {
        value: of.value * power_of_two(-change),
        power: of.power + change,
    }
}

/// L of the places from one on, given that of the place below.
struct Up<'a> {
    integrals: Integrals<'a>,
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
            let next = self.integrals.up(place, sums.last().unwrap_or(self.below));
            if !self.all {
                sums.clear();
            }
            sums.push(next);
        }
        sums
    }
}

/// f·L·U of one place: its mean, and the share of what is in the outermost pieces.
struct Product {
    mean: f64,
    at_edge: f64,
    /// Its values, where they are wanted: for each piece those at the nodes, weighted.
    values: Vec<OnPiece>,
}

/// U of a place and f·L·U, given L of the place below and U of that above.
struct Down<'a> {
    integrals: Integrals<'a>,
    place: usize,
    below: &'a Sums,
    above: &'a Sums,
    centre: f64,
    keep: bool,
}

impl NullaryFnOnce for Down<'_> {
    type Output = (Sums, Product);

    #[inline(always)]
    fn call(self) -> (Sums, Product) {
        let Self {
            integrals,
            place,
            below,
            above,
            centre,
            keep,
        } = self;
        let window = integrals.grid.windows[place].clone();
        let (mut total, mut moment, mut edges) = (ZERO, ZERO, ZERO);
        let mut values = Vec::new();
        let mut pieces = Vec::with_capacity(window.len());
        let mut sum = ZERO;
        for piece in window.clone().rev() {
            let half_width = integrals.half_width(piece);
            let of = integrals.density_times(place, piece, above.on(piece));
            let below = below.on(piece);
            let mut product = below.values;
            let mut off = integrals.points(piece);
            for chunk in 0..product.len() {
                product[chunk] = product[chunk] * of.values[chunk] * Lanes::splat(half_width);
                off[chunk] = (off[chunk] - Lanes::splat(centre)) * product[chunk];
            }
            let power = of.power + below.power;
            let mass = Scaled {
                value: integrals.legendre.integral(&product),
                power,
            };
            if mass.value > 0.0 {
                let value = integrals.legendre.integral(&off);
                // The moment has a sign; it is kept at the power of the total.
                moment = moment.plus(Scaled { value, power });
                total = normal(total.plus(mass));
                moment = Scaled {
                    value: moment.at(total.power),
                    power: total.power,
                };
            }
            if piece == window.start || piece + 1 == window.end {
                edges = edges.plus(mass);
            }
            if keep {
                values.push(OnPiece {
                    values: product,
                    power,
                });
            }
            let (from, whole) = integrals.legendre.integrals_from(&of.values);
            let from = OnPiece {
                values: from,
                power: of.power,
            };
            pieces.push(joined(sum, from, half_width, 0));
            sum = normal(sum.plus(Scaled {
                value: half_width * whole,
                power: of.power,
            }));
        }
        pieces.reverse();
        values.reverse();
        let product = Product {
            mean: centre + moment.at(total.power) / total.value,
            at_edge: edges.at(total.power) / total.value,
            values,
        };
        let sums = Sums {
            start: window.start,
            pieces,
            beyond: sum,
        };
        (sums, product)
    }
}

/// What both sweeps found.
pub(super) struct Found {
    pub(super) posterior: Posterior,
    /// The largest share of a performance in the outermost pieces of its window.
    pub(super) at_edge: f64,
}

pub(super) fn sweep(
    places: &[Place],
    unfinished: &Unfinished,
    centres: &Centres,
    grid: &Grid,
) -> Found {
    let arch = Arch::new();
    let integrals = Integrals {
        places,
        grid,
        legendre: &LEGENDRE,
    };
    let lowest = grid.windows[0].clone();
    let curve = unfinished.between(grid.ends[lowest.start], grid.ends[lowest.end]);
    // Below the last place are those that did not finish.
    let bottom = Sums {
        start: lowest.start,
        pieces: lowest
            .clone()
            .map(|piece| {
                let mut logs = integrals.points(piece);
                for chunk in &mut logs {
                    *chunk = Lanes(chunk.0.map(|x| curve.at(x)));
                }
                exponential(logs)
            })
            .collect(),
        beyond: ZERO,
    };
    let starts: Vec<usize> = (0..places.len()).step_by(STRIDE).collect();
    let up = |start: usize, below: &Sums, all: bool| {
        arch.dispatch(Up {
            integrals,
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
        start: grid.ends.len(),
        pieces: Vec::new(),
        beyond: Scaled {
            value: 1.0,
            power: 0,
        },
    };
    let mut log = f64::NAN;
    let mut means = vec![0.0; places.len()];
    let mut at_edge: f64 = 0.0;
    let mut lowest_product = Vec::new();
    for (&start, bottom) in starts.iter().zip(&kept).rev() {
        let sums = up(start, bottom, true);
        if start + sums.len() == places.len() {
            log = sums[sums.len() - 1].beyond.log();
        }
        for place in (start..start + sums.len()).rev() {
            let below = match place - start {
                0 => bottom,
                before => &sums[before - 1],
            };
            let (next, product) = arch.dispatch(Down {
                integrals,
                place,
                below,
                above: &above,
                centre: centres.at[place],
                keep: place == 0,
            });
            means[place] = product.mean;
            // Not a number where nothing is left: then all is at the edge.
            let share = product.at_edge;
            at_edge = if share <= at_edge { at_edge } else { share };
            above = next;
            lowest_product = product.values;
        }
    }
    Found {
        posterior: Posterior {
            log: log + places.iter().map(|place| place.height).sum::<f64>(),
            means,
            pulls: pulls(&curve, integrals, lowest.start, &lowest_product),
        },
        at_edge,
    }
}

fn pulls(
    curve: &LogCurve,
    integrals: Integrals<'_>,
    start: usize,
    product: &[OnPiece],
) -> super::unfinished::Pulls {
    let most = product.iter().map(|of| of.power).max().unwrap_or(0);
    let points = product.iter().zip(start..).flat_map(|(of, piece)| {
        let points = integrals.points(piece);
        let scale = power_of_two(of.power - most);
        (0..NODES).map(move |node| {
            let (chunk, lane) = (node / LANES, node % LANES);
            let weight = integrals.legendre.weights[node] * of.values[chunk].0[lane];
            (points[chunk].0[lane], weight * scale)
        })
    });
    curve.pulls(points)
}

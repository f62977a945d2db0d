//! Sweeps over the places: from the last up, and from the first down.

use pulp::Arch;

use super::centres::Centres;
use super::grid::PieceGrid;
use super::integrator::{Direction, Integrator, Product};
use super::lobatto::{LOBATTO, NODES};
use super::pieces::{Growth, PieceFunction, PlaceIntegral, WindowTail};
use super::scaled::{Scaled, power_of_two};
use super::unfinished::{LogCurve, LowestPerformance, UnfinishedRatings};
use super::{Place, Posterior};
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::LANES;

/// Places between checkpoints of L; those between are recomputed.
const STRIDE: usize = 512;

/// L of the places from one on, given that of the place below: of all of them, or of the last.
#[inline(always)]
fn sweep_up(
    field: Integrator<'_>,
    places: std::ops::Range<usize>,
    below: &PlaceIntegral,
    all: bool,
) -> Vec<PlaceIntegral> {
    let mut sums: Vec<PlaceIntegral> = Vec::new();
    for place in places {
        let below = sums.last().unwrap_or(below);
        let next = field.advance(place, below, Direction::Up);
        if !all {
            sums.clear();
        }
        sums.push(next);
    }
    sums
}

/// U of a place and f·L·U, given L of the place below and U of that above.
#[inline(always)]
fn sweep_down(
    field: Integrator<'_>,
    place: usize,
    below: &PlaceIntegral,
    above: &PlaceIntegral,
) -> (PlaceIntegral, Product) {
    let product = field.product(place, below, above, place == 0);
    (field.advance(place, above, Direction::Down), product)
}

/// L of the places of a stride from `start` on, or of its last place.
fn sweep_stride(
    arch: Arch,
    field: Integrator<'_>,
    start: usize,
    below: &PlaceIntegral,
    all: bool,
) -> Vec<PlaceIntegral> {
    let end = (start + STRIDE).min(field.places.len());
    dispatch!(arch, sweep_up(field, start..end, below, all))
}

/// Checkpoints: L below each stride, given that below the last place. All L would need too much
/// memory.
fn checkpoints(arch: Arch, field: Integrator<'_>, bottom: PlaceIntegral) -> Vec<PlaceIntegral> {
    let mut checkpoints = vec![bottom];
    for index in 0..(field.places.len() - 1) / STRIDE {
        let last = sweep_stride(arch, field, index * STRIDE, &checkpoints[index], false);
        checkpoints.extend(last);
    }
    checkpoints
}

/// L below the last place: that of the unfinished entrants.
fn unfinished_integral(curve: &LogCurve, grid: &PieceGrid) -> PlaceIntegral {
    let half = |piece: usize| 0.5 * (grid.ends[piece + 1] - grid.ends[piece]);
    let lowest = grid.windows[0].clone();
    let first = lowest.start;
    let pieces: Vec<PieceFunction> = lowest
        .map(|piece| {
            PieceFunction::from_log(|along| curve.at(grid.ends[piece] + half(piece) * along))
        })
        .collect();
    PlaceIntegral {
        first,
        growth: pieces[0].growth(half(first)),
        pieces,
        beyond: WindowTail::constant(Scaled::ZERO),
    }
}

/// The integrals of f·L·U of all places.
struct Products {
    /// The probability of the outcome.
    probability: Scaled,
    /// Mean performances of the places.
    means: Vec<f64>,
    edge_share: Vec<f64>,
    disagreement: f64,
    /// f·L·U of the last place.
    lowest: Vec<PieceFunction>,
}

/// Computes U from the first place down, and f·L·U of each place with the L of its stride.
fn products(arch: Arch, field: Integrator<'_>, checkpoints: &[PlaceIntegral]) -> Products {
    let count = field.places.len();
    let mut above = PlaceIntegral {
        first: field.grid.ends.len(),
        growth: Growth::NONE,
        pieces: Vec::new(),
        beyond: WindowTail::constant(Scaled::ONE),
    };
    let mut products = Products {
        probability: Scaled::ZERO,
        means: vec![0.0; count],
        edge_share: vec![0.0; count],
        disagreement: 0.0,
        lowest: Vec::new(),
    };
    for (start, bottom) in (0..count).step_by(STRIDE).zip(checkpoints).rev() {
        let sums = sweep_stride(arch, field, start, bottom, true);
        if start + sums.len() == count {
            products.probability = sums[sums.len() - 1].beyond.value;
        }
        let probability = products.probability;
        for place in (start..start + sums.len()).rev() {
            let below = match place - start {
                0 => bottom,
                before => &sums[before - 1],
            };
            let (next, product) = dispatch!(arch, sweep_down(field, place, below, &above));
            products.means[place] = field.centres.at[place] + product.mean_offset;
            let share = product.total.value_at_power(probability.power) / probability.value;
            let off = (share - 1.0).abs();
            // NaN if no mass is left.
            let off = if off.is_nan() { f64::INFINITY } else { off };
            products.disagreement = products.disagreement.max(off);
            products.edge_share[place] = product.edge_share;
            above = next;
            products.lowest = product.values;
        }
    }
    products
}

/// The result of both sweeps.
pub(super) struct SweepResult {
    pub(super) posterior: Posterior,
    /// The share of each place that may be cut off at the ends of its window.
    pub(super) edge_share: Vec<f64>,
    /// Spread of the places' integrals, all of which should equal the probability.
    pub(super) disagreement: f64,
}

pub(super) fn sweep(
    arch: Arch,
    places: &[Place],
    unfinished: &UnfinishedRatings,
    centres: &Centres,
    grid: &PieceGrid,
) -> SweepResult {
    let field = Integrator {
        places,
        centres,
        grid,
    };
    let lowest = grid.windows[0].clone();
    let curve = unfinished.tabulate(grid.ends[lowest.start], grid.ends[lowest.end]);
    let checkpoints = checkpoints(arch, field, unfinished_integral(&curve, grid));
    let products = products(arch, field, &checkpoints);
    let mut log = products.probability.log();
    for (place, centre) in places.iter().zip(&centres.at) {
        let lean = centre - place.mean;
        log += place.height - 0.5 * place.count * lean * lean;
    }
    SweepResult {
        posterior: Posterior {
            log,
            means: products.means,
            pulls: lowest_performance(&curve, grid, &products.lowest),
        },
        edge_share: products.edge_share,
        disagreement: products.disagreement,
    }
}

/// The position of a node on a piece.
fn node_position(left: f64, right: f64, node: usize) -> f64 {
    left + 0.5 * (right - left) * (LOBATTO.nodes[node] + 1.0)
}

fn lowest_performance(
    curve: &LogCurve,
    grid: &PieceGrid,
    product: &[PieceFunction],
) -> LowestPerformance {
    let highest_power = product.iter().map(|function| function.power).max().unwrap_or(0);
    let points = product.iter().zip(grid.windows[0].clone()).flat_map(|(function, piece)| {
        let scale = power_of_two(function.power - highest_power);
        (0..NODES).map(move |node| {
            let value = function.values[node / LANES].0[node % LANES];
            let x = node_position(grid.ends[piece], grid.ends[piece + 1], node);
            (x, LOBATTO.weights[node] * value * scale)
        })
    });
    curve.condense(points)
}

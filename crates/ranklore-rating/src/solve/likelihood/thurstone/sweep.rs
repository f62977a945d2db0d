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
    // Below the last place are the unfinished entrants.
    let half = |piece: usize| 0.5 * (grid.ends[piece + 1] - grid.ends[piece]);
    let pieces: Vec<PieceFunction> = (lowest.clone())
        .map(|piece| {
            PieceFunction::from_log(|along| curve.at(grid.ends[piece] + half(piece) * along))
        })
        .collect();
    let bottom = PlaceIntegral {
        first: lowest.start,
        growth: pieces[0].growth(half(lowest.start)),
        pieces,
        beyond: WindowTail::constant(Scaled::ZERO),
    };
    let starts: Vec<usize> = (0..places.len()).step_by(STRIDE).collect();
    let up = |start: usize, below: &PlaceIntegral, all: bool| {
        dispatch!(
            arch,
            sweep_up(field, start..(start + STRIDE).min(places.len()), below, all)
        )
    };
    // Checkpoints of L before each stride; the last stride is stored completely.
    let mut kept = vec![bottom];
    for (index, &start) in starts[1..].iter().enumerate() {
        let last = up(start - STRIDE, &kept[index], false);
        kept.extend(last);
    }
    let mut above = PlaceIntegral {
        first: grid.ends.len(),
        growth: Growth::NONE,
        pieces: Vec::new(),
        beyond: WindowTail::constant(Scaled::ONE),
    };
    let mut probability = Scaled::ZERO;
    let mut discord: f64 = 0.0;
    let mut means = vec![0.0; places.len()];
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
            let (next, product) = dispatch!(arch, sweep_down(field, place, below, &above));
            means[place] = centres.at[place] + product.mean_offset;
            let share = product.total.value_at_power(probability.power) / probability.value;
            let off = (share - 1.0).abs();
            // NaN if no mass is left.
            discord = discord.max(if off.is_nan() { f64::INFINITY } else { off });
            at_edge[place] = product.edge_share;
            above = next;
            lowest_product = product.values;
        }
    }
    let mut log = probability.log();
    for (place, centre) in places.iter().zip(&centres.at) {
        let lean = centre - place.mean;
        log += place.height - 0.5 * place.count * lean * lean;
    }
    SweepResult {
        posterior: Posterior {
            log,
            means,
            pulls: lowest_performance(&curve, grid, &lowest_product),
        },
        edge_share: at_edge,
        disagreement: discord,
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
    let most = product.iter().map(|of| of.power).max().unwrap_or(0);
    let points = product
        .iter()
        .zip(grid.windows[0].clone())
        .flat_map(|(of, piece)| {
            let scale = power_of_two(of.power - most);
            (0..NODES).map(move |node| {
                let value = of.values[node / LANES].0[node % LANES];
                let x = node_position(grid.ends[piece], grid.ends[piece + 1], node);
                (x, LOBATTO.weights[node] * value * scale)
            })
        });
    curve.condense(points)
}

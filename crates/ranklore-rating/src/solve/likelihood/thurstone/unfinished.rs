//! Entrants that did not finish: each is below x with probability Φ(x − r).

use pulp::Arch;

use super::LOG_ROOT_2_PI;
use super::lobatto::{LOBATTO, LegendreValues, NODES, at_nodes, legendre_values};
use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::solve::performance::mills::inverse_mills;

/// Ratings of unfinished entrants, eight to a chunk, sorted; the last chunk is padded.
pub(super) struct UnfinishedRatings {
    pub(super) count: usize,
    ratings: Vec<Lanes>,
    counts: Vec<Lanes>,
}

impl UnfinishedRatings {
    pub(super) fn new(ratings: &[f64]) -> Self {
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let merged: Vec<(f64, f64)> = sorted
            .chunk_by(|a, b| a == b)
            .map(|equal| (equal[0], equal.len() as f64))
            .collect();
        let (ratings, counts) = merged
            .chunks(LANES)
            .map(|chunk| {
                let mut lanes = [(chunk[0].0, 0.0); LANES];
                lanes[..chunk.len()].copy_from_slice(chunk);
                let ratings = lanes.map(|(rating, _)| rating);
                (Lanes(ratings), Lanes(lanes.map(|(_, count)| count)))
            })
            .unzip();
        Self {
            count: sorted.len(),
            ratings,
            counts,
        }
    }

    /// Returns the derivative of ln ΠΦ(x − r), and its rate of decrease.
    pub(super) fn slope(&self, x: f64) -> (f64, f64) {
        dispatch!(Arch::new(), slope_kernel(self, x))
    }

    /// Returns ln ΠΦ(x − r).
    pub(super) fn log(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for (ratings, counts) in self.ratings.iter().zip(&self.counts) {
            for lane in 0..LANES {
                sum += counts.0[lane] * log_normal(x - ratings.0[lane]);
            }
        }
        sum
    }

    /// Tabulates the logarithm between two points.
    pub(super) fn tabulate(&self, low: f64, high: f64) -> LogCurve {
        let lobatto = &*LOBATTO;
        let count = (high - low).ceil().max(1.0) as usize;
        let width = (high - low) / count as f64;
        let mut pieces = Vec::with_capacity(count);
        let mut slopes_at_nodes = Vec::with_capacity(count * NODES / LANES);
        let from = lobatto.nodes.map(|t| lobatto.weights_of(&integrals_from(t)));
        // From the right, where the logarithm is smallest: it accumulates to there.
        let mut at_right = self.log(high);
        for piece in (0..count).rev() {
            let left = low + piece as f64 * width;
            let points = lobatto.nodes.map(|t| left + 0.5 * width * (t + 1.0));
            let slopes = points.map(|x| self.slope(x).0);
            let logs = from.map(|weights| {
                let integral: f64 = weights.iter().zip(slopes).map(|(w, slope)| w * slope).sum();
                at_right - 0.5 * width * integral
            });
            pieces.push(lobatto.coefficients(&logs));
            at_right = logs[0];
            slopes_at_nodes.extend(at_nodes(|j| slopes[j]).into_iter().rev());
        }
        pieces.reverse();
        slopes_at_nodes.reverse();
        LogCurve {
            low,
            width,
            pieces,
            slopes: slopes_at_nodes,
        }
    }
}

/// The kernel of [`UnfinishedRatings::slope`].
#[inline(always)]
fn slope_kernel(unfinished: &UnfinishedRatings, x: f64) -> (f64, f64) {
    let mut slope = Lanes::ZERO;
    let mut fall = Lanes::ZERO;
    for (&ratings, &counts) in unfinished.ratings.iter().zip(&unfinished.counts) {
        let z = Lanes::splat(x) - ratings;
        let mills = inverse_mills(z).at;
        slope += counts * mills;
        fall += counts * (mills * (mills + z)).at_least(0.0);
    }
    (slope.sum(), fall.sum())
}

/// Integrals of Legendre's polynomials from t to 1: (2n + 1)·P(n) is the derivative of P(n + 1) −
/// P(n − 1).
fn integrals_from(t: f64) -> LegendreValues {
    let values = legendre_values(t);
    std::array::from_fn(|n| match n {
        0 => 1.0 - t,
        // The last through (n + 1)·P(n + 1) = (2n + 1)·t·P(n) − n·P(n − 1).
        _ => (values[n - 1] - t * values[n]) / (n as f64 + 1.0),
    })
}

/// ln Φ(z).
fn log_normal(z: f64) -> f64 {
    if z > 0.0 {
        libm::log1p(-0.5 * libm::erfc(z * std::f64::consts::FRAC_1_SQRT_2))
    } else {
        let mills = inverse_mills(Lanes::splat(z)).at.0[0];
        -0.5 * z * z - LOG_ROOT_2_PI - libm::log(mills)
    }
}

/// The logarithm as Legendre series on pieces one deviation wide: smooth enough for 1e-12.
pub(super) struct LogCurve {
    low: f64,
    width: f64,
    pieces: Vec<LegendreValues>,
    /// The derivative at the nodes of the pieces.
    slopes: Vec<Lanes>,
}

impl LogCurve {
    /// Returns the piece that contains x, and the position on it.
    fn locate(&self, x: f64) -> (usize, f64) {
        let at = (x - self.low) / self.width;
        let piece = (at.max(0.0) as usize).min(self.pieces.len() - 1);
        (piece, 2.0 * (at - piece as f64) - 1.0)
    }

    pub(super) fn at(&self, x: f64) -> f64 {
        let (piece, t) = self.locate(x);
        let polynomials = legendre_values(t);
        let terms = self.pieces[piece].iter().zip(polynomials);
        terms.map(|(coefficient, polynomial)| coefficient * polynomial).sum()
    }

    /// Condenses a performance with weight `weight` at each of `points`, preserving integrals of
    /// functions as smooth as this one.
    pub(super) fn condense(&self, points: impl Iterator<Item = (f64, f64)>) -> LowestPerformance {
        let mut moments = vec![[0.0; NODES]; self.pieces.len()];
        let mut total = 0.0;
        for (x, weight) in points {
            let (piece, t) = self.locate(x);
            for (moment, polynomial) in moments[piece].iter_mut().zip(legendre_values(t)) {
                *moment += weight * polynomial;
            }
            total += weight;
        }
        let lobatto = &*LOBATTO;
        let mut pulls = LowestPerformance::default();
        for (piece, moments) in moments.iter().enumerate() {
            let left = self.low + piece as f64 * self.width;
            let weights = lobatto.weights_of(moments);
            for chunk in 0..NODES / LANES {
                let first = chunk * LANES;
                pulls.points.push(Lanes(std::array::from_fn(|lane| {
                    left + 0.5 * self.width * (lobatto.nodes[first + lane] + 1.0)
                })));
                pulls
                    .weights
                    .push(Lanes(std::array::from_fn(|lane| weights[first + lane] / total)));
            }
        }
        for (&weights, &slopes) in pulls.weights.iter().zip(&self.slopes) {
            pulls.total_pull += (weights * slopes).sum();
        }
        pulls
    }
}

/// The lowest placed performance as a few points and their weights, which sum to 1.
#[derive(Default)]
pub(super) struct LowestPerformance {
    points: Vec<Lanes>,
    weights: Vec<Lanes>,
    /// The total pull on all unfinished entrants, downwards.
    pub(super) total_pull: f64,
}

impl LowestPerformance {
    /// Creates the distribution at a single point, where the logarithm has slope `slope`.
    pub(super) fn at_point(point: f64, slope: f64) -> Self {
        let mut weights = Lanes::ZERO;
        weights.0[0] = 1.0;
        Self {
            total_pull: slope,
            points: vec![Lanes::splat(point)],
            weights: vec![weights],
        }
    }

    /// Returns the downward pull on each entrant below it: the mean of φ/Φ.
    pub(super) fn pulls_on(&self, ratings: &[f64]) -> Vec<f64> {
        dispatch!(Arch::new(), pull_kernel(self, ratings))
    }
}

/// The kernel of [`LowestPerformance::pulls_on`].
#[inline(always)]
fn pull_kernel(lowest: &LowestPerformance, ratings: &[f64]) -> Vec<f64> {
    let mut pulls = Vec::with_capacity(ratings.len());
    for &rating in ratings {
        let mut sum = Lanes::ZERO;
        for (&points, &weights) in lowest.points.iter().zip(&lowest.weights) {
            sum += weights * inverse_mills(points - Lanes::splat(rating)).at;
        }
        pulls.push(sum.sum());
    }
    pulls
}

//! Entrants that did not finish: each below x with a probability of its own, Φ(x − r).

use super::LOG_ROOT_2_PI;
use super::legendre::{LEGENDRE, NODES, Nodes, polynomials};
use crate::lanes::{LANES, Lanes};
use crate::performance::mills::inverse_mills;

/// Those that did not finish, eight to a chunk, sorted; the last chunk is filled up with none.
pub(super) struct Unfinished {
    ratings: Vec<Lanes>,
    counts: Vec<Lanes>,
}

impl Unfinished {
    pub(super) fn new(ratings: &[f64]) -> Self {
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let alike: Vec<(f64, f64)> = sorted
            .chunk_by(|a, b| a == b)
            .map(|alike| (alike[0], alike.len() as f64))
            .collect();
        let lane = |chunk: &[(f64, f64)], lane: usize| {
            chunk.get(lane).copied().unwrap_or((chunk[0].0, 0.0))
        };
        let (ratings, counts) = alike
            .chunks(LANES)
            .map(|chunk| {
                let of: [(f64, f64); LANES] = std::array::from_fn(|at| lane(chunk, at));
                (Lanes(of.map(|of| of.0)), Lanes(of.map(|of| of.1)))
            })
            .unzip();
        Self { ratings, counts }
    }

    /// The derivative of ln ΠΦ(x − r), and how it falls.
    pub(super) fn slope(&self, x: f64) -> (f64, f64) {
        let (mut slope, mut fall) = (Lanes::ZERO, Lanes::ZERO);
        for (&ratings, &counts) in self.ratings.iter().zip(&self.counts) {
            let z = Lanes::splat(x) - ratings;
            let mills = inverse_mills(z).at;
            slope += counts * mills;
            fall += counts * (mills * (mills + z)).at_least(0.0);
        }
        (slope.sum(), fall.sum())
    }

    /// ln ΠΦ(x − r).
    pub(super) fn log(&self, x: f64) -> f64 {
        let mut sum = 0.0;
        for (ratings, counts) in self.ratings.iter().zip(&self.counts) {
            for lane in 0..LANES {
                sum += counts.0[lane] * log_normal(x - ratings.0[lane]);
            }
        }
        sum
    }

    /// The logarithm as a function between two points.
    pub(super) fn between(&self, low: f64, high: f64) -> LogCurve {
        let legendre = &*LEGENDRE;
        let count = (high - low).ceil().max(1.0) as usize;
        let width = (high - low) / count as f64;
        let mut pieces = Vec::with_capacity(count);
        let mut slopes_at_nodes = Vec::with_capacity(count * NODES / LANES);
        // From the right, where the logarithm is smallest: it adds up to there.
        let mut at_right = self.log(high);
        for piece in (0..count).rev() {
            let left = low + piece as f64 * width;
            let slopes: [f64; NODES] = std::array::from_fn(|j| {
                self.slope(left + 0.5 * width * (legendre.nodes[j] + 1.0)).0
            });
            let values: Nodes = std::array::from_fn(|chunk| {
                Lanes(std::array::from_fn(|lane| slopes[chunk * LANES + lane]))
            });
            let (from, whole) = legendre.integrals_from(&values);
            let at: [f64; NODES] =
                std::array::from_fn(|j| at_right - 0.5 * width * from[j / LANES].0[j % LANES]);
            pieces.push(std::array::from_fn(|n| {
                let terms =
                    (0..NODES).map(|j| legendre.weights[j] * legendre.polynomials[n][j] * at[j]);
                (n as f64 + 0.5) * terms.sum::<f64>()
            }));
            at_right -= 0.5 * width * whole;
            slopes_at_nodes.extend(values.iter().rev().copied());
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
    pieces: Vec<[f64; NODES]>,
    /// The derivative at the nodes of the pieces.
    slopes: Vec<Lanes>,
}

impl LogCurve {
    /// The piece that x is in, and where.
    fn place(&self, x: f64) -> (usize, f64) {
        let at = (x - self.low) / self.width;
        let piece = (at.max(0.0) as usize).min(self.pieces.len() - 1);
        (piece, 2.0 * (at - piece as f64) - 1.0)
    }

    pub(super) fn at(&self, x: f64) -> f64 {
        let (piece, t) = self.place(x);
        let of = polynomials(t);
        (self.pieces[piece].iter().zip(of))
            .map(|(coefficient, polynomial)| coefficient * polynomial)
            .sum()
    }

    /// Where a performance is that has weight `weight` at each of `points`, as far as integrals
    /// of functions as smooth as this one tell.
    pub(super) fn pulls(&self, points: impl Iterator<Item = (f64, f64)>) -> Pulls {
        let mut moments = vec![[0.0; NODES]; self.pieces.len()];
        let mut total = 0.0;
        for (x, weight) in points {
            let (piece, t) = self.place(x);
            for (moment, polynomial) in moments[piece].iter_mut().zip(polynomials(t)) {
                *moment += weight * polynomial;
            }
            total += weight;
        }
        let legendre = &*LEGENDRE;
        let mut pulls = Pulls::default();
        for (piece, moments) in moments.iter().enumerate() {
            let left = self.low + piece as f64 * self.width;
            for chunk in 0..NODES / LANES {
                let node = |lane: usize| chunk * LANES + lane;
                pulls.points.push(Lanes(std::array::from_fn(|lane| {
                    left + 0.5 * self.width * (legendre.nodes[node(lane)] + 1.0)
                })));
                pulls.weights.push(Lanes(std::array::from_fn(|lane| {
                    let terms = (moments.iter().enumerate()).map(|(n, moment)| {
                        (n as f64 + 0.5) * legendre.polynomials[n][node(lane)] * moment
                    });
                    legendre.weights[node(lane)] * terms.sum::<f64>() / total
                })));
            }
        }
        for (&weights, &slopes) in pulls.weights.iter().zip(&self.slopes) {
            pulls.of_all += (weights * slopes).sum();
        }
        pulls
    }
}

/// The lowest placed performance as a few points and their weights, which add up to 1.
#[derive(Default)]
pub(super) struct Pulls {
    points: Vec<Lanes>,
    weights: Vec<Lanes>,
    /// By how much it pulls down all that did not finish, together.
    pub(super) of_all: f64,
}

impl Pulls {
    /// All at one point, where the logarithm has a slope.
    pub(super) fn at(point: f64, slope: f64) -> Self {
        let mut weights = Lanes::ZERO;
        weights.0[0] = 1.0;
        Self {
            of_all: slope,
            points: vec![Lanes::splat(point)],
            weights: vec![weights],
        }
    }

    /// By how much it pulls somebody down who is below it: the mean of φ/Φ.
    pub(super) fn of(&self, rating: f64) -> f64 {
        let mut sum = Lanes::ZERO;
        for (&points, &weights) in self.points.iter().zip(&self.weights) {
            sum += weights * inverse_mills(points - Lanes::splat(rating)).at;
        }
        sum.sum()
    }
}

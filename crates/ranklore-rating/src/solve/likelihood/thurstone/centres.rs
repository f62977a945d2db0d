//! Approximate centres of the performances, given the outcome.
//!
//! Given the outcome, performances have the density Πf·ΠΦ on ordered points. Its maximum is
//! useless, since neighbours touch there. In the lowest point and the logarithms of the gaps
//! between neighbours the density gains a factor gap for each, and its maximum is close to the mean
//! in every component. Newton's method finds it; the matrix is tridiagonal.

use super::unfinished::{LowestPerformance, UnfinishedRatings};
use super::{LOG_ROOT_2_PI, Place, Posterior};

/// The centres of all places, last first, increasing.
pub(super) struct Centres {
    pub(super) at: Vec<f64>,
    /// Approximate deviations of the performances around them.
    pub(super) deviation: Vec<f64>,
    /// The logarithm of the determinant of the matrix.
    log_determinant: f64,
}

/// Sufficient for any start; 10 to 20 are usual.
const MAX_STEPS: usize = 200;
/// Squared Newton decrement at which a step is the last.
const LAST_DECREMENT: f64 = 1e-15;

/// Gradient and negative second derivatives at a point.
struct Slopes {
    gradient: Vec<f64>,
    /// Row sums of the matrix.
    row_sums: Vec<f64>,
    /// 1/gap², the negative of the off-diagonal entries.
    off_diagonal: Vec<f64>,
}

impl Slopes {
    fn new(places: &[Place], unfinished: &UnfinishedRatings, at: &[f64]) -> Self {
        let mut gradient: Vec<f64> = Vec::with_capacity(at.len());
        let mut diagonal: Vec<f64> = Vec::with_capacity(at.len());
        for (place, x) in places.iter().zip(at) {
            gradient.push(place.count * (place.mean - x));
            diagonal.push(place.count);
        }
        let (slope, fall) = unfinished.slope(at[0]);
        gradient[0] += slope;
        diagonal[0] += fall;
        let mut inverse_squares = Vec::with_capacity(at.len());
        for index in 1..at.len() {
            let inverse = 1.0 / (at[index] - at[index - 1]);
            gradient[index - 1] -= inverse;
            gradient[index] += inverse;
            inverse_squares.push(inverse * inverse);
        }
        Self {
            gradient,
            row_sums: diagonal,
            off_diagonal: inverse_squares,
        }
    }

    /// Pivots minus the adjacent off-diagonal entry, from the first on. Computed without
    /// differences, since these entries can exceed the pivots beyond the precision of a double.
    fn sums_upwards(&self) -> Vec<f64> {
        let mut sums = self.row_sums.clone();
        for (index, &entry) in self.off_diagonal.iter().enumerate() {
            sums[index + 1] += entry * (sums[index] / (sums[index] + entry));
        }
        sums
    }

    /// Pivots minus the adjacent off-diagonal entry, from the last on.
    fn sums_downwards(&self) -> Vec<f64> {
        let mut sums = self.row_sums.clone();
        for (index, &entry) in self.off_diagonal.iter().enumerate().rev() {
            sums[index] += entry * (sums[index + 1] / (sums[index + 1] + entry));
        }
        sums
    }

    fn pivots(&self) -> Vec<f64> {
        let mut pivots = self.sums_upwards();
        for (pivot, entry) in pivots.iter_mut().zip(&self.off_diagonal) {
            *pivot += entry;
        }
        pivots
    }

    /// Returns Newton's step.
    fn step(&self) -> Vec<f64> {
        let pivots = self.pivots();
        let mut step = self.gradient.clone();
        for index in 1..step.len() {
            step[index] += self.off_diagonal[index - 1] * step[index - 1] / pivots[index - 1];
        }
        for index in (0..step.len()).rev() {
            let entry = self.off_diagonal.get(index);
            let above = entry.map_or(0.0, |entry| entry * step[index + 1]);
            step[index] = (step[index] + above) / pivots[index];
        }
        step
    }

    fn slope_along(&self, step: &[f64]) -> f64 {
        self.gradient.iter().zip(step).map(|(g, d)| g * d).sum()
    }
}

pub(super) fn centres(places: &[Place], unfinished: &UnfinishedRatings) -> Centres {
    let mut at = initial_points(places);
    let mut slopes = Slopes::new(places, unfinished, &at);
    for _ in 0..MAX_STEPS {
        let step = slopes.step();
        let decrement = slopes.slope_along(&step);
        if decrement <= LAST_DECREMENT * at.len() as f64 {
            break;
        }
        // Keeps all gaps open, and passes the maximum along the step by at most half of the rise.
        let mut length: f64 = 1.0;
        for index in 1..at.len() {
            let closing = step[index - 1] - step[index];
            if closing > 0.0 {
                length = length.min(0.9 * (at[index] - at[index - 1]) / closing);
            }
        }
        loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(x, d)| x + length * d).collect();
            let is_increasing = next.windows(2).all(|pair| pair[1] > pair[0]);
            if is_increasing {
                let next_slopes = Slopes::new(places, unfinished, &next);
                if next_slopes.slope_along(&step) >= -0.5 * decrement {
                    (at, slopes) = (next, next_slopes);
                    break;
                }
            }
            length *= 0.5;
            if length < 1e-12 {
                break;
            }
        }
        if length < 1e-12 {
            break;
        }
    }
    let from_first = slopes.sums_upwards();
    let from_last = slopes.sums_downwards();
    let variances = (0..at.len())
        .map(|index| 1.0 / (from_first[index] + from_last[index] - slopes.row_sums[index]));
    Centres {
        deviation: variances.map(f64::sqrt).collect(),
        log_determinant: slopes.pivots().into_iter().map(libm::log).sum(),
        at,
    }
}

/// The nearest non-decreasing points to the ratings (pooling violators), drawn apart.
fn initial_points(places: &[Place]) -> Vec<f64> {
    // Weight, mean and number of places.
    let mut pools: Vec<(f64, f64, usize)> = Vec::new();
    for place in places {
        let mut pool = (place.count, place.mean, 1);
        while let Some(&(weight, mean, count)) = pools.last() {
            if mean < pool.1 {
                break;
            }
            pools.pop();
            let sum = weight + pool.0;
            pool = (sum, (weight * mean + pool.0 * pool.1) / sum, count + pool.2);
        }
        pools.push(pool);
    }
    let distance = 4.0 / places.len() as f64;
    pools
        .iter()
        .flat_map(|&(_, mean, count)| std::iter::repeat_n(mean, count))
        .enumerate()
        .map(|(index, mean)| mean + distance * (index as f64 - 0.5 * places.len() as f64))
        .collect()
}

impl Centres {
    /// Returns the posterior of the centres alone. As gaps become small against deviations they
    /// become exponential, and this is exact.
    pub(super) fn posterior(&self, places: &[Place], unfinished: &UnfinishedRatings) -> Posterior {
        let mut log = unfinished.log(self.at[0]);
        for (place, x) in places.iter().zip(&self.at) {
            log += place.height - 0.5 * place.count * (x - place.mean) * (x - place.mean);
        }
        // Laplace's method in the lowest point and the logarithms of the gaps; for an exponential
        // gap it gives √(2π)/e instead of 1.
        log += LOG_ROOT_2_PI + (places.len() - 1) as f64 - 0.5 * self.log_determinant;
        Posterior {
            log,
            means: self.at.clone(),
            pulls: LowestPerformance::at_point(self.at[0], unfinished.slope(self.at[0]).0),
        }
    }
}

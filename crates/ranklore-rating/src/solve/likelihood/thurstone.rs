//! Gaussian performances of unit deviation: Thurstone's model for any number of entrants.
//!
//! The probability of an order is an integral over all performances. It is computed place by place,
//! from the last up: with f the density of a place and L(x) the probability that all places so far
//! are in order and below x, the next L is ∫ f·L. From the first place down the same recurrence
//! gives U, and f·L·U is the density of a performance given the outcome. The gradient of the
//! log-likelihood is the difference between its mean and the rating.
//!
//! Given the outcome every performance is confined to a small window, whose width falls with the
//! number of entrants. A uniformly good approximation locates the windows ([`centres`]); they are
//! cut into about eight pieces each, on which f·L·U is smooth ([`grid`]). L and U alone are not
//! smooth: over a window they change by a factor of e^√N or more. Divided by an exponential, one
//! per piece, they are as smooth ([`tilted`]). So they are passed on from place to place as
//! polynomials times exponentials ([`sweep`]), in time linear in the number of places.
//!
//! The edges of the windows show the mass that is cut off. Two identities show whether the pieces
//! are narrow enough: the densities of all places have the same integral, the probability, and the
//! gradient sums to 0, since only differences of ratings count.

mod centres;
mod grid;
mod integrator;
mod lobatto;
mod pieces;
mod scaled;
mod sweep;
mod tilted;
mod unfinished;

use pulp::Arch;

use centres::{Centres, centres};
use grid::PieceGrid;
use unfinished::UnfinishedRatings;

use super::{Likelihood, RankingOutcome};

/// Tolerance of the difference between equal probabilities and of the sum of the gradient.
const TOLERANCE: f64 = 5e-9;
/// Part of that sum that rounding explains, relative to the gradient.
const ROUNDING: f64 = 1e-13;
/// Largest share of a performance beyond its window.
const MAX_CUT_OFF: f64 = 1e-9;
/// Maximum number of attempts, each with finer pieces or wider windows.
const MAX_ATTEMPTS: usize = 6;

/// Entrants tied for a place, as one performance: the product of their densities.
#[derive(Clone, Debug)]
struct Place {
    /// Number of entrants: the inverse of the variance of the product.
    count: f64,
    /// Their mean rating, the mean of the product.
    mean: f64,
    /// The logarithm of the product at its maximum.
    height: f64,
}

impl Place {
    fn from_ratings(ratings: &[f64]) -> Self {
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = sorted.len() as f64;
        // Relative to the lowest, so that equal ratings have exactly that mean.
        let lowest = sorted[0];
        let mean = lowest + sorted.iter().map(|r| r - lowest).sum::<f64>() / count;
        let spread: f64 = sorted.iter().map(|r| (r - mean) * (r - mean)).sum();
        Self {
            count,
            mean,
            height: -count * LOG_ROOT_2_PI - 0.5 * spread,
        }
    }
}

/// ln √(2π).
const LOG_ROOT_2_PI: f64 = 0.918_938_533_204_672_8;

/// Computes the likelihood of an outcome under Gaussian performances of unit deviation.
///
/// Tied entrants performed equally, within a margin that tends to 0. Logarithm and gradient are
/// exact to about 1e-8, or as far as the size of the ratings allows. Linear in the number of
/// entrants, except for sorting. If an outcome needed too many pieces, the result would be that of
/// an approximation; no such outcome is known.
///
/// # Panics
/// If the slices of the outcome are inconsistent.
#[must_use]
pub fn thurstone(outcome: &RankingOutcome<'_>) -> Likelihood {
    outcome.assert_valid();
    let mut gradient = vec![0.0; outcome.ratings.len()];
    let mut groups = outcome.ordered_groups();
    groups.reverse();
    if groups.is_empty() {
        return Likelihood { log: 0.0, gradient };
    }
    let ratings = centred(outcome.ratings);
    let places: Vec<Place> = groups
        .iter()
        .map(|group| Place::from_ratings(&ratings[group.clone()]))
        .collect();
    let unfinished = UnfinishedRatings::new(&ratings[outcome.ordered_end()..]);
    let centres = centres(&places, &unfinished);
    let Posterior { log, means, pulls } = posterior(&places, &unfinished, &centres);
    for (group, mean) in groups.iter().zip(means) {
        for entrant in group.clone() {
            gradient[entrant] = mean - ratings[entrant];
        }
    }
    let ordered = outcome.ordered_end();
    let pulled = pulls.pulls_on(&ratings[ordered..]);
    for (gradient, pull) in gradient[ordered..].iter_mut().zip(pulled) {
        *gradient = -pull;
    }
    Likelihood { log, gradient }
}

/// The ratings minus the middle one: only differences count, and numbers far from 0 have fewer
/// digits.
fn centred(ratings: &[f64]) -> Vec<f64> {
    let mut sorted = ratings.to_vec();
    let middle = sorted.len() / 2;
    let (_, &mut middle, _) = sorted.select_nth_unstable_by(middle, f64::total_cmp);
    ratings.iter().map(|rating| rating - middle).collect()
}

/// The distribution of performances given an outcome.
struct Posterior {
    log: f64,
    /// Mean performances of the places, last first.
    means: Vec<f64>,
    /// The distribution of the lowest placed performance, as seen by unfinished entrants.
    pulls: unfinished::LowestPerformance,
}

impl Posterior {
    /// Returns the absolute sum of the gradient, reduced if rounding of its terms and of the
    /// places' positions exceeds the tolerance.
    fn imbalance(&self, places: &[Place]) -> f64 {
        let mut sum = -self.pulls.total_pull;
        let mut rounding = 0.0;
        for (place, mean) in places.iter().zip(&self.means) {
            let of_place = place.count * (mean - place.mean);
            sum += of_place;
            rounding += ROUNDING * of_place.abs() + f64::EPSILON * place.count * mean.abs();
        }
        sum.abs() / (1.0 + rounding / TOLERANCE)
    }
}

fn posterior(places: &[Place], unfinished: &UnfinishedRatings, centres: &Centres) -> Posterior {
    let mut windows = grid::Windows::new(places, unfinished, centres);
    let mut fineness = 1.0;
    // The smallest error so far and its result.
    let mut best: Option<(f64, Posterior)> = None;
    let mut with_wider_pieces = f64::INFINITY;
    for _ in 0..MAX_ATTEMPTS {
        let Some(grid) = PieceGrid::new(places, centres, &windows, fineness) else {
            break;
        };
        let result = sweep::sweep(Arch::new(), places, unfinished, centres, &grid);
        // NaN if no mass is left: then all of it is at the edge.
        let shares = result.edge_share.iter();
        let cut_off = shares.map(|&share| share > MAX_CUT_OFF || share.is_nan());
        let is_complete = !cut_off.clone().any(|is_cut| is_cut);
        windows.widen(cut_off);
        let error = result.disagreement + result.posterior.imbalance(places);
        if error < best.as_ref().map_or(f64::INFINITY, |best| best.0) {
            best = Some((error, result.posterior));
        }
        // Finer pieces that bring no improvement mean that the limit is reached.
        if is_complete && (error < TOLERANCE || error > 0.25 * with_wider_pieces) {
            break;
        }
        // Cut-off mass is an error of its own, which finer pieces do not reduce.
        if is_complete || !error.is_finite() {
            with_wider_pieces = error;
            fineness *= 2.0;
        }
    }
    match best {
        Some((_, posterior)) => posterior,
        None => centres.posterior(places, unfinished),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entrants with generated ratings, ordered by performance or at random.
    fn places(count: usize, likely: bool) -> Vec<Place> {
        let mut state = count as u64;
        // Knuth's MMIX generator; the sum of twelve uniform numbers is nearly normal.
        let mut bell = || {
            let mut sum = -6.0;
            for _ in 0..12 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                sum += (state >> 33) as f64 / f64::from(1_u32 << 31);
            }
            sum
        };
        let rated = (0..count).map(|_| (bell(), bell()));
        let mut rated: Vec<(f64, f64)> =
            rated.map(|(mu, by_luck)| (1.75 * mu + by_luck, 1.75 * mu)).collect();
        if likely {
            rated.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        rated.iter().map(|&(_, mu)| Place::from_ratings(&[mu])).collect()
    }

    #[test]
    fn pieces_per_place_stay_bounded() {
        for count in [100, 1_000, 10_000] {
            for likely in [true, false] {
                let places = places(count, likely);
                let unfinished = UnfinishedRatings::new(&[0.3, -1.2]);
                let centres = centres(&places, &unfinished);
                let windows = grid::Windows::new(&places, &unfinished, &centres);
                let grid = PieceGrid::new(&places, &centres, &windows, 1.0).expect("so few pieces");
                let pieces: usize = grid.windows.iter().map(ExactSizeIterator::len).sum();
                assert!(pieces < 11 * count, "{count}: {pieces}");
                // These pieces are also sufficient.
                let result = sweep::sweep(Arch::new(), &places, &unfinished, &centres, &grid);
                assert!(result.disagreement < TOLERANCE, "{count}: {:e}", result.disagreement);
                assert!(result.posterior.imbalance(&places) < TOLERANCE);
                assert!(result.edge_share.iter().all(|&share| share < MAX_CUT_OFF));
            }
        }
    }

    #[test]
    fn bits_do_not_depend_on_vector_instructions() {
        let places = places(300, false);
        let unfinished = UnfinishedRatings::new(&[0.3, -1.2]);
        let centres = centres(&places, &unfinished);
        let windows = grid::Windows::new(&places, &unfinished, &centres);
        let grid = PieceGrid::new(&places, &centres, &windows, 1.0).expect("so few pieces");
        let bits = |arch: Arch| {
            let posterior = sweep::sweep(arch, &places, &unfinished, &centres, &grid).posterior;
            let means = posterior.means.iter().map(|mean| mean.to_bits());
            (posterior.log.to_bits(), means.collect::<Vec<u64>>())
        };
        assert_eq!(bits(Arch::Scalar), bits(Arch::new()));
    }
}

//! Gaussian performances of unit deviation: Thurstone's model for any number of entrants.
//!
//! The probability of an order is an integral over all performances. It is taken one place
//! after the other, from the last up: with f the density of a place and L(x) the probability
//! that all places so far are in order and below x, the next L is ∫ f·L. From the first place
//! down the same gives U, and f·L·U is the density of a performance given the outcome: the
//! gradient of the log-likelihood is by how much its mean differs from the rating.
//!
//! Given the outcome every performance is confined to a small window, of a width that falls
//! with the number of entrants. Where the windows are, tells an approximation that is good in
//! all its parts ([`centres`]); they are cut into pieces on which f·L is smooth ([`grid`]), and
//! there integrals are those of polynomials, on a scale of its own for each piece ([`sweep`]).
//! With N equals that is about N·√N pieces. What is cut off is seen at the edges of the windows;
//! whether the pieces are narrow enough, from the gradient: only differences of ratings count,
//! so that it adds up to 0, which no sum over pieces knows.

mod centres;
mod grid;
mod legendre;
mod sweep;
mod unfinished;

use centres::{Centres, centres};
use grid::Grid;
use unfinished::Unfinished;

use super::{Likelihood, Outcome};

/// The gradient adds up to no more than this.
const BALANCE: f64 = 1e-9;
/// The share of a performance's density in the outermost piece of its window.
const CUT_OFF: f64 = 1e-10;
/// Attempts at that, each with finer pieces or wider windows.
const ATTEMPTS: usize = 8;

/// Entrants tied for a place, as one performance: the product of their densities.
#[derive(Clone, Debug)]
struct Place {
    /// How many: the inverse of the variance of the product.
    count: f64,
    /// Their mean rating, around which it is.
    mean: f64,
    /// The logarithm of the product at its highest.
    height: f64,
}

impl Place {
    fn of(ratings: &[f64]) -> Self {
        let mut sorted = ratings.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let count = sorted.len() as f64;
        // About the lowest, so that equal ratings have just that mean.
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

/// The likelihood of an outcome under Gaussian performances of unit deviation.
///
/// Tied entrants performed equally, within a margin that tends to nothing. Logarithm and
/// gradient are exact to about 1e-8 in a time that grows as N·√N for N places; where ratings
/// tens of thousands of deviations apart came out upside down, so that an exact answer would
/// take too long, they are those of an approximation that becomes exact in that limit.
///
/// # Panics
/// When the slices of the outcome do not fit each other.
#[must_use]
pub fn thurstone(outcome: &Outcome<'_>) -> Likelihood {
    outcome.assert_sound();
    let mut groups = outcome.ordered_groups();
    groups.reverse();
    let places: Vec<Place> = groups
        .iter()
        .map(|group| Place::of(&outcome.ratings[group.clone()]))
        .collect();
    let unfinished = Unfinished::new(&outcome.ratings[outcome.ordered()..]);
    let mut gradient = vec![0.0; outcome.ratings.len()];
    if places.is_empty() {
        return Likelihood { log: 0.0, gradient };
    }
    let centres = centres(&places, &unfinished);
    let Posterior { log, means, pulls } = posterior(&places, &unfinished, &centres);
    for (group, mean) in groups.iter().zip(means) {
        for entrant in group.clone() {
            gradient[entrant] = mean - outcome.ratings[entrant];
        }
    }
    for (entrant, gradient) in gradient.iter_mut().enumerate().skip(outcome.ordered()) {
        *gradient = -pulls.of(outcome.ratings[entrant]);
    }
    Likelihood { log, gradient }
}

/// What an outcome says.
struct Posterior {
    log: f64,
    /// Mean performances of the places, last first.
    means: Vec<f64>,
    /// The lowest performance that is placed, as far as those that did not finish care.
    pulls: unfinished::Pulls,
}

fn posterior(places: &[Place], unfinished: &Unfinished, centres: &Centres) -> Posterior {
    let mut windows = grid::Windows::new(places, centres);
    let mut fineness = 1.0;
    let mut best = None;
    for _ in 0..ATTEMPTS {
        let Some(grid) = Grid::new(places, unfinished, centres, &windows, fineness) else {
            break;
        };
        let found = sweep::sweep(places, unfinished, centres, &grid);
        let whole = found.at_edge <= CUT_OFF;
        if !whole {
            windows.widen();
        }
        let posterior = found.posterior;
        let sum: f64 = (places.iter().zip(&posterior.means))
            .map(|(place, mean)| place.count * (mean - place.mean))
            .sum();
        let balanced = (sum - posterior.pulls.of_all).abs() < BALANCE;
        if !balanced {
            fineness *= 2.0;
        }
        best = Some(posterior);
        if balanced && whole {
            break;
        }
    }
    best.unwrap_or_else(|| centres.posterior(places, unfinished))
}

//! How likely an outcome is given everybody's rating, and how that changes with each rating.
//!
//! Pure functions over slices. Ratings are in the models' own unit: natural logarithms of odds
//! for exponential performances, standard deviations of one performance for Gaussian ones.

mod plackett_luce;
mod thurstone;
mod unordered;

pub use plackett_luce::plackett_luce;
pub use thurstone::thurstone;

use serde::{Deserialize, Serialize};

use crate::system::ranges;

/// Who came where, best place first, and how they were rated before.
#[derive(Clone, Copy, Debug)]
pub struct Outcome<'a> {
    /// Ratings, in the model's unit, best place first. Finite, within ±1e6.
    pub ratings: &'a [f64],
    /// Ends (exclusive) of the groups of tied entrants, increasing; the last is the number of
    /// entrants. Those that did not finish are one group, the last.
    pub groups: &'a [u32],
    /// How many finished. The others are below them, and unordered among themselves.
    pub finishers: u32,
}

/// How likely an outcome is.
#[derive(Clone, Debug, PartialEq)]
pub struct Likelihood {
    /// The natural logarithm of the probability; of a density, but for a constant, where
    /// entrants tied.
    pub log: f64,
    /// Its derivative by each rating, in the order of the ratings.
    pub gradient: Vec<f64>,
}

/// What the exponential model's clocks stand for; with more than two entrants that matters
/// (multiplayer note, section 3.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The time until an entrant is out, e^rating in the mean: the first to go is last.
    #[default]
    Elimination,
    /// The time until an entrant is done, e^−rating in the mean: the first to arrive has won.
    /// This is the model of Plackett and Luce proper.
    Race,
}

/// What is made of entrants that did not finish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// The probability that all of them are below all finishers, whatever their order.
    #[default]
    Exact,
    /// The product of the probabilities that each of them is below all finishers.
    Independent,
}

impl Outcome<'_> {
    /// The slices against each other; what fails here is a caller's mistake.
    fn assert_sound(&self) {
        let last = self.groups.last().map_or(0, |&end| end as usize);
        assert_eq!(last, self.ratings.len(), "groups end with the last entrant");
        assert!(
            self.ratings.iter().all(|rating| rating.is_finite()),
            "ratings are finite"
        );
    }

    /// Where the finishers end: those after are unordered, and two at least.
    fn ordered(&self) -> usize {
        let finishers = self.finishers as usize;
        if self.ratings.len() - finishers < 2 {
            self.ratings.len()
        } else {
            finishers
        }
    }

    /// The groups that are ordered, as ranges, best first.
    fn ordered_groups(&self) -> Vec<std::ops::Range<usize>> {
        let ordered = self.ordered();
        ranges(self.groups)
            .take_while(|group| group.end <= ordered)
            .collect()
    }
}

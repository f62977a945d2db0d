//! Likelihood of an outcome given all ratings, and its gradient.
//!
//! Pure functions over slices. Ratings are in the models' own unit: natural logarithms of odds for
//! exponential performances, standard deviations of one performance for Gaussian ones.

mod plackett_luce;
mod thurstone;
mod unfinished_block;

pub use plackett_luce::plackett_luce;
pub use thurstone::thurstone;

use serde::{Deserialize, Serialize};

use crate::system::group_ranges;

/// The result of a contest and the ratings before it, best place first.
#[derive(Clone, Copy, Debug)]
pub struct RankingOutcome<'a> {
    /// Ratings, in the model's unit, best place first. Finite, within ±1e6.
    pub ratings: &'a [f64],
    /// Ends (exclusive) of the groups of tied entrants, increasing; the last is the number of
    /// entrants. Entrants that did not finish are one group, the last.
    pub groups: &'a [u32],
    /// Number of finishers. The others are below them, and unordered among themselves.
    pub finishers: u32,
}

/// The log-likelihood of an outcome and its gradient.
#[derive(Clone, Debug, PartialEq)]
pub struct Likelihood {
    /// The natural logarithm of the probability; of a density, up to a constant, if entrants tied.
    pub log: f64,
    /// The derivative of the logarithm by each rating, in the order of the ratings.
    pub gradient: Vec<f64>,
}

/// Meaning of the clocks of the exponential model; it matters with more than two entrants
/// (multiplayer note, section 3.2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The time until an entrant is eliminated, e^rating on average: the first to go is last.
    #[default]
    Elimination,
    /// The time until an entrant finishes, e^−rating on average: the first to arrive wins. This is
    /// the model of Plackett and Luce proper.
    Race,
}

/// Likelihood of entrants that did not finish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UnfinishedModel {
    /// The probability that all of them are below all finishers, whatever their order.
    #[default]
    Exact,
    /// The product of the probabilities that each of them is below all finishers.
    Independent,
}

impl RankingOutcome<'_> {
    /// Panics if the slices are inconsistent.
    fn assert_valid(&self) {
        let last = self.groups.last().map_or(0, |&end| end as usize);
        assert_eq!(last, self.ratings.len(), "groups end with the last entrant");
        assert!(self.ratings.iter().all(|rating| rating.is_finite()), "ratings are finite");
    }

    /// Returns the end of the ordered entrants: the finishers, and also a single unfinished
    /// entrant.
    fn ordered_end(&self) -> usize {
        let finishers = self.finishers as usize;
        if self.ratings.len() - finishers < 2 {
            self.ratings.len()
        } else {
            finishers
        }
    }

    /// Returns the ordered groups as ranges, best first.
    fn ordered_groups(&self) -> Vec<std::ops::Range<usize>> {
        let ordered = self.ordered_end();
        group_ranges(self.groups).take_while(|group| group.end <= ordered).collect()
    }
}

//! Predictions for the tests, and the tests by part.

mod brute_force;
mod comparisons;
mod evaluations;
mod examples;

use proptest::prelude::*;

use super::slice::EntrantFilter;
use super::{Band, Prediction, Slice};
use crate::{Belief, PerformanceShape, WinModel};

const MODEL: WinModel = WinModel {
    shape: PerformanceShape::Logistic,
    noise: 4.0,
    sigma_weight: 1.0,
    draw_margin: 0.5,
};

/// Returns the standard slices and those by experience.
fn all_slices() -> Vec<Slice> {
    Slice::standard().into_iter().chain(Slice::by_experience()).collect()
}

/// Creates the prediction for entrants of these ratings in order of place, with groups that end at
/// these indices. All have one earlier contest and finished.
fn predict(mu: &[f64], groups: &[u32]) -> Prediction {
    Prediction {
        beliefs: mu.iter().map(|&mu| Belief::new(mu, 1.0)).collect(),
        earlier: vec![1; mu.len()],
        groups: groups.to_vec(),
        finishers: mu.len() as u32,
        ..Prediction::default()
    }
}

/// Returns a slice of these entrants.
fn slice(earlier: u32, last_place: u32) -> Slice {
    let mut slice = Slice::everybody();
    slice.filter = EntrantFilter {
        earlier: Band::from(earlier),
        last_place,
    };
    slice
}

prop_compose! {
    /// Contests with equal ratings, ties, teams of one to three and entrants that did not finish.
    fn any_prediction()(
        rows in prop::collection::vec((0..6u32, 0..4u32, any::<bool>(), 1..4u32), 2..100),
        last_group_finished in any::<bool>(),
        number in 0..1_000_u64,
    ) -> Prediction {
        let count = rows.len();
        let mut groups: Vec<u32> = (1..count)
            .filter(|&i| rows[i].2)
            .map(|i| i as u32)
            .collect();
        let last_group = groups.last().copied().unwrap_or(0);
        groups.push(count as u32);
        Prediction {
            beliefs: rows.iter()
                .map(|row| Belief {
                    mu: 1500.0 + f64::from(row.0),
                    variance: f64::from(row.3),
                    members: row.3,
                })
                .collect(),
            earlier: rows.iter().map(|row| 2 * row.1).collect(),
            groups,
            finishers: if last_group_finished { count as u32 } else { last_group },
            number,
            ..Prediction::default()
        }
    }
}

//! Grid search: all combinations of some values of each dimension.

use crate::search::sampler::Sampler;
use crate::search::space::{SearchPoint, SearchSpace};

/// The points of a grid, after the default point.
///
/// Each dimension of choices has all of them; each of numbers has as many equidistant values, ends
/// included, as fit into the number of trials.
pub(super) struct GridSampler {
    space: SearchSpace,
    /// The number of values of each dimension; the last changes fastest.
    counts: Vec<u64>,
}

impl GridSampler {
    /// Returns the finest grid of at most this many trials, the default among them.
    ///
    /// # Errors
    /// The lowest number of trials of a grid, if it is higher.
    pub(super) fn new(space: SearchSpace, trials: u64) -> Result<Self, u64> {
        let mut counts = count_values(&space, 2);
        let lowest = count_trials(&counts);
        if lowest > trials {
            return Err(lowest);
        }
        for levels in 3.. {
            let finer = count_values(&space, levels);
            if finer == counts || count_trials(&finer) > trials {
                break;
            }
            counts = finer;
        }
        Ok(Self { space, counts })
    }
}

impl Sampler for GridSampler {
    fn trials(&self) -> u64 {
        count_trials(&self.counts)
    }

    fn batch_end(&self, _: u64) -> u64 {
        self.trials()
    }

    fn ask(&mut self, number: u64) -> SearchPoint {
        let Some(mut rest) = number.checked_sub(1) else {
            return self.space.default_point();
        };
        let mut places: Vec<f64> = Vec::with_capacity(self.counts.len());
        for &count in self.counts.iter().rev() {
            let index = rest % count;
            rest /= count;
            places.push(if count == 1 {
                0.5
            } else {
                index as f64 / (count - 1) as f64
            });
        }
        places.reverse();
        self.space.point_at(&places)
    }

    fn tell(&mut self, _: u64, _: &SearchPoint, _: Option<f64>) {}
}

/// Returns the number of values of each dimension, of numbers at most `levels`.
fn count_values(space: &SearchSpace, levels: u64) -> Vec<u64> {
    let dimensions = space.dimensions().iter();
    dimensions.map(|dimension| dimension.domain.grid_len(levels)).collect()
}

fn count_trials(counts: &[u64]) -> u64 {
    counts.iter().copied().fold(1, u64::saturating_mul).saturating_add(1)
}

//! Random search: independent points, each a function of the seed and its number.

use ranklore_rating::metrics::SplitMix64;

use crate::search::sampler::Sampler;
use crate::search::space::{SearchPoint, SearchSpace};

/// Points drawn uniformly, on the scale of each dimension.
pub(super) struct RandomSampler {
    space: SearchSpace,
    trials: u64,
    seed: u64,
}

impl RandomSampler {
    pub(super) const fn new(space: SearchSpace, trials: u64, seed: u64) -> Self {
        Self {
            space,
            trials,
            seed,
        }
    }
}

impl Sampler for RandomSampler {
    fn trials(&self) -> u64 {
        self.trials
    }

    fn batch_end(&self, _: u64) -> u64 {
        self.trials
    }

    fn ask(&mut self, number: u64) -> SearchPoint {
        if number == 0 {
            return self.space.default_point();
        }
        self.space.point_at(&random_places(&self.space, self.seed, number))
    }

    fn tell(&mut self, _: u64, _: &SearchPoint, _: Option<f64>) {}
}

/// Returns the places of a random point.
pub(super) fn random_places(space: &SearchSpace, seed: u64, number: u64) -> Vec<f64> {
    let mut random = SplitMix64::new(&[seed, number]);
    space.dimensions().iter().map(|_| random.unit()).collect()
}

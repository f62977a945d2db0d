//! Evolution by covariance matrix adaptation, by the crate `optimizer`.

use std::collections::HashMap;

use optimizer::distribution::{Distribution, FloatDistribution};
use optimizer::param::ParamValue;
use optimizer::sampler::{CmaEsSampler as CmaEs, CompletedTrial, Sampler as _};

use crate::search::sampler::Sampler;
use crate::search::space::{SearchPoint, SearchSpace};

/// The number of points of a generation.
const POPULATION: u64 = 6;

/// Generations of points around a mean that moves to the better ones. All dimensions are places from
/// 0 to 1, also those of whole numbers and choices.
pub(super) struct CmaEsSampler {
    space: SearchSpace,
    trials: u64,
    strategy: CmaEs,
    /// The losses of the last whole generation.
    generation: Vec<CompletedTrial>,
}

impl CmaEsSampler {
    pub(super) fn new(space: SearchSpace, trials: u64, seed: u64) -> Self {
        let strategy = CmaEs::builder().seed(seed).population_size(POPULATION as usize).build();
        // The strategy learns its dimensions from a first, random point.
        for _ in space.dimensions() {
            strategy.sample(&places(), u64::MAX, &[]);
        }
        Self {
            space,
            trials,
            strategy,
            generation: Vec::new(),
        }
    }
}

impl Sampler for CmaEsSampler {
    fn trials(&self) -> u64 {
        self.trials
    }

    fn batch_end(&self, number: u64) -> u64 {
        batch_end(number, POPULATION).min(self.trials)
    }

    fn ask(&mut self, number: u64) -> SearchPoint {
        if number == 0 {
            return self.space.default_point();
        }
        let places = self.space.dimensions().iter().map(|_| {
            match self.strategy.sample(&places(), number, &self.generation) {
                ParamValue::Float(place) => place,
                ParamValue::Int(_) | ParamValue::Categorical(_) => 0.5,
            }
        });
        let places: Vec<f64> = places.collect();
        self.space.point_at(&places)
    }

    fn tell(&mut self, number: u64, _: &SearchPoint, loss: Option<f64>) {
        // Generations begin at 1, 1 + POPULATION, …
        if number % POPULATION == 1 {
            self.generation.clear();
        }
        let loss = loss.filter(|loss| !loss.is_nan()).unwrap_or(f64::INFINITY);
        let (values, distributions, labels) = (HashMap::new(), HashMap::new(), HashMap::new());
        let trial = CompletedTrial::new(number, values, distributions, labels, loss);
        self.generation.push(trial);
    }
}

/// Returns the end of the batch of a trial: the first batch has the default point besides `size`
/// others.
pub(super) fn batch_end(number: u64, size: u64) -> u64 {
    let batches = number.div_ceil(size).max(1);
    batches.saturating_mul(size).saturating_add(1)
}

fn places() -> Distribution {
    Distribution::Float(FloatDistribution {
        low: 0.0,
        high: 1.0,
        log_scale: false,
        step: None,
    })
}

//! Tree-structured Parzen estimators, by the crate `tpe`.

use std::convert::Infallible;

use rand::TryRng;
use ranklore_rating::metrics::SplitMix64;
use tpe::density_estimation::DefaultEstimatorBuilder;
use tpe::{TpeOptimizer, categorical_range, histogram_estimator, parzen_estimator, range};

use crate::search::cma_es::batch_end;
use crate::search::dimension::SearchDomain;
use crate::search::random::random_places;
use crate::search::sampler::Sampler;
use crate::search::space::{SearchPoint, SearchSpace};

/// The number of trials of a batch. With more, fewer points know the last losses.
const BATCH: u64 = 4;

/// The number of random trials before the first estimate.
const RANDOM_TRIALS: u64 = 3 * BATCH;

/// Points drawn where good trials are denser than others, each dimension by itself.
pub(super) struct TpeSampler {
    space: SearchSpace,
    trials: u64,
    seed: u64,
    dimensions: Vec<Dimension>,
    /// The places and losses that the estimators do not know yet.
    pending: Vec<(Vec<f64>, f64)>,
    /// The end of the batch of the last point.
    batch_end: u64,
}

impl TpeSampler {
    pub(super) fn new(space: SearchSpace, trials: u64, seed: u64) -> Self {
        let dimensions = space.dimensions().iter();
        Self {
            dimensions: dimensions.map(|dimension| Dimension::new(&dimension.domain)).collect(),
            space,
            trials,
            seed,
            pending: Vec::new(),
            batch_end: 0,
        }
    }
}

impl Sampler for TpeSampler {
    fn trials(&self) -> u64 {
        self.trials
    }

    fn batch_end(&self, number: u64) -> u64 {
        batch_end(number, BATCH).min(self.trials)
    }

    fn ask(&mut self, number: u64) -> SearchPoint {
        if number >= self.batch_end {
            self.batch_end = batch_end(number, BATCH);
            for (places, loss) in self.pending.drain(..) {
                for (dimension, place) in self.dimensions.iter_mut().zip(places) {
                    dimension.tell(place, loss);
                }
            }
        }
        if number == 0 {
            return self.space.default_point();
        }
        if number <= RANDOM_TRIALS {
            return self.space.point_at(&random_places(&self.space, self.seed, number));
        }
        let mut random = Random(SplitMix64::new(&[self.seed, number]));
        let dimensions = self.dimensions.iter_mut();
        let places: Vec<f64> = dimensions.map(|dimension| dimension.ask(&mut random)).collect();
        self.space.point_at(&places)
    }

    fn tell(&mut self, _: u64, point: &SearchPoint, loss: Option<f64>) {
        let loss = loss.filter(|loss| !loss.is_nan()).unwrap_or(f64::INFINITY);
        self.pending.push((self.space.places_of(point), loss));
    }
}

/// The estimator of a dimension.
struct Dimension {
    optimizer: TpeOptimizer<DefaultEstimatorBuilder>,
    /// The number of choices; `None` for numbers.
    choices: Option<usize>,
}

impl Dimension {
    #[expect(
        clippy::expect_used,
        reason = "the ranges 0..1 and 0..n are finite and not empty"
    )]
    fn new(domain: &SearchDomain) -> Self {
        let choices = match domain {
            SearchDomain::Choice(values) => Some(values.len()),
            SearchDomain::Real { .. } | SearchDomain::Integer { .. } => None,
        };
        let (estimator, range) = match choices {
            Some(count) => (histogram_estimator(), categorical_range(count)),
            None => (parzen_estimator(), range(0.0, 1.0)),
        };
        Self {
            optimizer: TpeOptimizer::new(estimator, range.expect("a valid range")),
            choices,
        }
    }

    fn ask(&mut self, random: &mut Random) -> f64 {
        let Ok(value) = self.optimizer.ask(random);
        self.choices.map_or(value, |count| (value + 0.5) / count as f64)
    }

    fn tell(&mut self, place: f64, loss: f64) {
        let value = match self.choices {
            Some(count) => (place * count as f64).floor(),
            // The range of the crate excludes its end.
            None => place.min(1.0 - f64::EPSILON),
        };
        // The value is inside and the loss a number: no error.
        let _ = self.optimizer.tell(value, loss);
    }
}

/// The generator of this crate for the samplers of another.
struct Random(SplitMix64);

impl TryRng for Random {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.0.next() >> 32) as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

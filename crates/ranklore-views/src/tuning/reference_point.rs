//! Points of a space beside another one, in the contests that tune.

use ranklore_rating::metrics::ComparedValue;
use ranklore_replay::{Error, Progress, SearchPoint, SearchSpace, SystemSpec};

use crate::predictions::comparison::replays::Replayed;
use crate::tuning::part::{Part, loss};

/// A point with which others are compared.
pub(super) struct ReferencePoint<'r> {
    part: &'r Part<'r>,
    space: &'r SearchSpace,
    replayed: Replayed,
    watch: &'r dyn Progress,
}

/// A point beside the reference.
pub(super) struct ComparedPoint {
    pub(super) point: SearchPoint,
    /// The objective.
    pub(super) value: f64,
    /// The objective as a loss: lower is better.
    pub(super) loss: f64,
    /// True unless it is worse than the reference beyond the paired interval.
    pub(super) is_within_interval: bool,
    /// True unless it is worse by more than one standard error.
    pub(super) is_within_standard_error: bool,
}

/// The width of an interval of 95 % of a normal distribution, in standard errors.
const INTERVAL_WIDTH: f64 = 3.92;

impl<'r> ReferencePoint<'r> {
    /// # Errors
    /// [`Error::InvalidParameters`], [`Error::Interrupted`].
    pub(super) fn new(
        part: &'r Part<'r>,
        space: &'r SearchSpace,
        point: &SearchPoint,
        watch: &'r dyn Progress,
    ) -> Result<Self, Error> {
        let spec = space.spec(point);
        let replayed = part.replay_all(&[&spec], "comparing", watch)?.pop();
        let replayed = replayed.ok_or(Error::NoTrial {
            system: spec.to_string(),
        })?;
        Ok(Self {
            part,
            space,
            replayed,
            watch,
        })
    }

    /// Compares points with this one. Those with parameters that the system does not accept, or
    /// ratings that diverge, are left out.
    ///
    /// # Errors
    /// [`Error::Interrupted`].
    pub(super) fn compare(
        &self,
        mut points: Vec<SearchPoint>,
    ) -> Result<Vec<ComparedPoint>, Error> {
        // A combination of values can be invalid although each is inside its range.
        points.retain(|point| self.space.spec(point).build().is_ok());
        let specs: Vec<SystemSpec> = points.iter().map(|point| self.space.spec(point)).collect();
        let replayed = self.part.replay_all(&specs, "comparing", self.watch)?;
        let values = self.part.compare([&self.replayed].into_iter().chain(&replayed));
        let Some(Some(reference)) = values.first().copied() else {
            return Ok(Vec::new());
        };
        let compared = points.into_iter().zip(&replayed).zip(values.into_iter().skip(1));
        let compared = compared.filter_map(|((point, replayed), value)| {
            let value = value.filter(|_| replayed.diverged.is_none())?;
            let loss = self.loss(value);
            let is_better = loss <= self.loss(reference);
            let interval = value.difference_interval;
            // A single event has no interval: it tells nothing.
            Some(ComparedPoint {
                point,
                value: value.value,
                loss,
                is_within_interval: is_better
                    || interval.is_none_or(|i| i.low <= 0.0 && i.high >= 0.0),
                is_within_standard_error: is_better
                    || interval.is_none_or(|interval| {
                        let width = interval.high - interval.low;
                        value.difference.abs() <= width / INTERVAL_WIDTH
                    }),
            })
        });
        Ok(compared.collect())
    }

    fn loss(&self, value: ComparedValue) -> f64 {
        loss(self.part.objective, value.value)
    }
}

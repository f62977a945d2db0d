//! A trial: the replay of the contests that tune with one point of the space.

use std::time::{Duration, Instant};

use ranklore_rating::metrics::Evaluator;
use ranklore_replay::{Error, Progress, SearchPoint, System, SystemSpec};
use ranklore_store::{Study, TrialRow, TrialState};
use serde_json::Value;

use crate::predictions::system_replay::SystemReplay;
use crate::tuning::part::{TuningPart, loss};

/// A trial of a batch.
pub(super) struct Trial<'t> {
    pub(super) number: u64,
    pub(super) point: SearchPoint,
    pub(super) spec: SystemSpec,
    /// All parameters as canonical JSON.
    pub(super) parameters: String,
    pub(super) state: TrialState,
    part: &'t TuningPart<'t>,
    replay: Option<TrialReplay>,
    pruned_at: usize,
    /// The objective after each part of the contests so far.
    rungs: Vec<Option<f64>>,
    /// All metrics after the last part, as JSON.
    metrics: Option<String>,
    duration: Duration,
    stored: StoredTrial,
}

/// The progress of a trial in an earlier process.
#[derive(Clone, Copy, Default)]
struct StoredTrial {
    has_ended: bool,
    has_failed: bool,
    rungs: usize,
}

/// The replay of a trial between two contests.
struct TrialReplay {
    system: SystemReplay,
    evaluator: Evaluator,
    contests: usize,
}

impl<'t> Trial<'t> {
    /// Creates a trial, which has failed if the system does not accept its parameters. The row of an
    /// earlier process counts if it has the same parameters.
    ///
    /// # Errors
    /// Errors of systems.
    pub(super) fn new(
        part: &'t TuningPart<'t>,
        number: u64,
        (point, spec): (SearchPoint, SystemSpec),
        stored: Option<TrialRow>,
    ) -> Result<Self, Error> {
        // A combination of values can be invalid although each is inside its range.
        let (parameters, state) = match spec.build() {
            Ok(system) => (system.parameters, TrialState::Running),
            Err(Error::InvalidParameters { .. }) => {
                (Value::Object(spec.settings.clone()).to_string(), TrialState::Failed)
            }
            Err(error) => return Err(error),
        };
        let ended =
            stored.filter(|row| row.parameters == parameters && row.state != TrialState::Running);
        let rungs = ended.as_ref().and_then(|row| serde_json::from_str(&row.rungs).ok());
        let rungs: Vec<Option<f64>> = rungs.unwrap_or_default();
        Ok(Self {
            number,
            point,
            spec,
            parameters,
            state,
            part,
            replay: None,
            pruned_at: 0,
            stored: StoredTrial {
                has_ended: ended.is_some(),
                has_failed: ended.as_ref().is_some_and(|row| row.state == TrialState::Failed),
                rungs: rungs.len(),
            },
            rungs,
            metrics: ended.and_then(|row| row.metrics),
            duration: Duration::ZERO,
        })
    }

    /// Replays the contests up to the end of a part, unless an earlier process did.
    ///
    /// # Errors
    /// [`Error::Interrupted`], [`Error::InvalidParameters`].
    pub(super) fn advance(&mut self, rung: usize, watch: &dyn Progress) -> Result<(), Error> {
        if self.rungs.len() <= rung && self.stored.has_failed {
            self.end(TrialState::Failed);
        }
        let start = Instant::now();
        while self.state == TrialState::Running && self.rungs.len() <= rung {
            self.replay_part(watch)?;
        }
        self.duration += start.elapsed();
        if self.state == TrialState::Running && rung + 1 == self.part.rungs.len() {
            self.end(TrialState::Completed);
        }
        Ok(())
    }

    /// Replays the contests of the next part.
    fn replay_part(&mut self, watch: &dyn Progress) -> Result<(), Error> {
        let mut replay = if let Some(replay) = self.replay.take() {
            replay
        } else {
            // An earlier process kept no ratings.
            self.rungs.clear();
            TrialReplay::new(self.spec.build()?, self.part)
        };
        let end = self.part.rungs[self.rungs.len()];
        replay.advance(self.part, end, watch)?;
        let accuracies = replay.evaluator.accuracies();
        let slices = self.part.contests.field.describe(accuracies, None);
        let metrics = slices.first().map(|slice| slice.metrics).unwrap_or_default();
        let value = metrics.get(self.part.contests.objective);
        if replay.system.diverged().is_some() || value.is_some_and(|value| !value.is_finite()) {
            self.end(TrialState::Failed);
            return Ok(());
        }
        self.metrics = serde_json::to_string(&metrics).ok();
        self.rungs.push(value);
        self.replay = Some(replay);
        Ok(())
    }

    /// Ends the trial, and frees its ratings.
    fn end(&mut self, state: TrialState) {
        self.state = state;
        self.replay = None;
    }

    /// Returns the loss after a part of the contests; `None` without predictions.
    pub(super) fn loss(&self, rung: usize) -> Option<f64> {
        let value = self.rungs.get(rung).copied().flatten()?;
        Some(loss(self.part.contests.objective, value))
    }

    /// Ends the trial after a part of the contests, also if an earlier process went on.
    pub(super) fn prune(&mut self, rung: usize) {
        self.end(TrialState::Pruned);
        self.pruned_at = rung;
    }

    /// Returns the part of the contests after which the trial was pruned, and the loss after it.
    pub(super) fn pruned(&self) -> (usize, f64) {
        (self.pruned_at, self.loss(self.pruned_at).unwrap_or(f64::INFINITY))
    }

    /// Returns the objective in all contests that tune; `None` unless the trial is completed.
    pub(super) fn objective(&self) -> Option<f64> {
        let is_completed = self.state == TrialState::Completed;
        self.rungs.last().copied().flatten().filter(|_| is_completed)
    }

    /// True if no earlier process ended the trial.
    pub(super) const fn is_new(&self) -> bool {
        !self.stored.has_ended
    }

    /// Returns the row to store; `None` if an earlier process stored as much.
    pub(super) fn row(&self, study: &Study, tried_at: i64) -> Option<TrialRow> {
        let has_ended = self.state != TrialState::Running;
        if self.stored.has_ended && self.stored.rungs >= self.rungs.len() {
            return None;
        }
        Some(TrialRow {
            study: study.clone(),
            number: self.number,
            parameters: self.parameters.clone(),
            state: self.state,
            rungs: serde_json::to_string(&self.rungs).unwrap_or_default(),
            metrics: self.metrics.clone().filter(|_| has_ended),
            tried_at,
            seconds: has_ended.then_some(self.duration.as_secs_f64()),
        })
    }
}

impl TrialReplay {
    fn new(system: System, part: &TuningPart<'_>) -> Self {
        let system = SystemReplay::new(system, part.contests.replay, part.contests.identities);
        Self {
            evaluator: part.contests.field.evaluator(Some(system.win_model()), None),
            system,
            contests: 0,
        }
    }

    /// Predicts and rates the contests before a number.
    fn advance(
        &mut self,
        part: &TuningPart<'_>,
        end: usize,
        watch: &dyn Progress,
    ) -> Result<(), Error> {
        let contests = part.contests.field.contests().take(end).skip(self.contests);
        for (contest, number) in contests {
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let prediction = self.system.predict(&contest, 0.0);
            part.contests.field.add(&mut self.evaluator, &contest, number, prediction);
            self.system.rate(&contest, |_, _| {});
        }
        self.contests = end;
        Ok(())
    }
}

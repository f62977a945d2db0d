//! Replays of a comparison: each system in memory over the same contests, several at a time.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ranklore_rating::{Belief, WinModel};
use ranklore_store::{CompetitorId, ContestId};

use super::{COIN_TOSS_BASELINE, PREVIOUS_PLACE_BASELINE};
use crate::predictions::accuracy::SliceAccuracy;
use crate::predictions::agreement::{Agreement, OfficialRatings};
use crate::predictions::evaluate::{Compared, EvaluatedContests};
use crate::predictions::states::{CompetitorState, States};
use crate::predictions::system_replay::SystemReplay;
use ranklore_replay::{Error, Identities, Progress, Replay, System};

/// A system that was replayed.
pub(crate) struct Replayed {
    pub(crate) system: String,
    pub(crate) parameters: Option<String>,
    pub(crate) slices: Vec<SliceAccuracy>,
    /// The sums of each slice.
    pub(crate) compared: Vec<Compared>,
    pub(crate) official: Option<Agreement>,
    pub(crate) seconds: Option<f64>,
    pub(crate) bytes: Option<u64>,
    /// The first contest in which a rating reaches the bound of ratings.
    pub(crate) diverged: Option<ContestId>,
}

/// A prediction without a rating system.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// By the place in the previous contest.
    PreviousPlace,
    /// All entrants are equal.
    CoinToss,
}

/// Predicts all contests by a baseline.
pub(crate) fn replay_baseline(
    field: &EvaluatedContests<'_>,
    replay: &Replay<'_>,
    baseline: Baseline,
    slice: Option<usize>,
) -> Replayed {
    let mut states = States::new(replay.competitors.iter().map(|_| Belief::default()));
    let (name, model) = match baseline {
        Baseline::PreviousPlace => (PREVIOUS_PLACE_BASELINE, None),
        // The scale does not matter: all ratings are 0.
        Baseline::CoinToss => (COIN_TOSS_BASELINE, Some(WinModel::logistic(1.0))),
    };
    let mut evaluator = field.evaluator(model, slice);
    for (contest, number) in field.contests() {
        let prediction = match baseline {
            Baseline::PreviousPlace => states.predict_by_previous_place(&contest),
            Baseline::CoinToss => states.predict_by_rating(&contest, 0.0),
        };
        field.add(&mut evaluator, &contest, number, prediction);
        states.end_contest(&contest, true);
    }
    let (accuracies, compared) = evaluator.finish();
    let mut slices = field.describe(&accuracies, None);
    if baseline == Baseline::CoinToss {
        for slice in &mut slices {
            slice.metrics.clear_uninformative();
        }
    }
    Replayed {
        system: name.to_owned(),
        parameters: None,
        slices,
        compared,
        official: None,
        seconds: None,
        bytes: None,
        diverged: None,
    }
}

/// The replays of a comparison.
pub(crate) struct Task<'t> {
    pub(crate) field: &'t EvaluatedContests<'t>,
    pub(crate) replay: &'t Replay<'t>,
    pub(crate) identities: &'t Identities,
    pub(crate) k: f64,
    /// The index of the slice in which systems are compared.
    pub(crate) slice: usize,
    pub(crate) official: Option<&'t OfficialRatings>,
    pub(crate) watch: &'t dyn Progress,
    /// Number of results that all systems have rated.
    pub(crate) done: AtomicU64,
}

impl Task<'_> {
    /// Replays systems, several at a time, and returns them in their order.
    pub(crate) fn replay_all(
        &self,
        systems: Vec<(String, System)>,
    ) -> Result<Vec<Replayed>, Error> {
        let count = systems.len();
        let systems: Vec<_> = systems.into_iter().map(|s| Mutex::new(Some(s))).collect();
        let results: Vec<_> = (0..count).map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        // Once in each thread of the pool. Tasks that threads steal from each other could begin a
        // replay within another one, whose time it would be counted in.
        rayon::broadcast(|_| {
            loop {
                // Systems differ in speed: a thread that is done takes the next one.
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(system) = systems.get(index) else {
                    return;
                };
                let system = lock(system).take();
                *lock(&results[index]) =
                    system.map(|(name, system)| self.replay_system(name, system));
            }
        });
        results.into_iter().filter_map(|result| lock(&result).take()).collect()
    }

    fn replay_system(&self, name: String, system: System) -> Result<Replayed, Error> {
        let parameters = system.parameters.clone();
        let mut replay = SystemReplay::new(system, self.replay, self.identities);
        let mut evaluator = self.field.evaluator(Some(replay.win_model()), Some(self.slice));
        let mut agreement = Agreement::default();
        for (contest, number) in self.field.contests() {
            if self.watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            let prediction = replay.predict(&contest, self.k);
            self.field.add(&mut evaluator, &contest, number, prediction);
            let mut states_after: Vec<(CompetitorId, CompetitorState)> = Vec::new();
            replay.rate(&contest, |entrant, state| {
                if self.official.is_some() {
                    states_after.push((self.replay.competitors[entrant as usize], state));
                }
            });
            if let Some(official) = self.official {
                official.compare(contest.row, replay.display(), &states_after, &mut agreement);
            }
            self.report_progress(contest.entrants.len() as u64);
        }
        let (accuracies, compared) = evaluator.finish();
        Ok(Replayed {
            system: name,
            parameters: Some(parameters),
            slices: self.field.describe(&accuracies, None),
            compared,
            official: self.official.map(|_| agreement),
            seconds: Some(replay.duration().as_secs_f64()),
            bytes: Some(replay.bytes()),
            diverged: replay.diverged(),
        })
    }

    fn report_progress(&self, results: u64) {
        let done = self.done.fetch_add(results, Ordering::Relaxed) + results;
        self.watch.advance(done, 0, done);
    }
}

/// Returns the value behind a lock. A thread that panics ends the whole comparison.
fn lock<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

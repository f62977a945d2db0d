//! The judgement of a system: its best parameters in the contests that did not tune.

use std::sync::atomic::AtomicU64;

use ranklore_rating::metrics::{Metric, paired_bootstrap};
use ranklore_replay::{Error, Identities, Progress, Replay, SystemSpec, check_divergence};
use ranklore_store::Store;

use crate::predictions::comparison::RESAMPLES;
use crate::predictions::comparison::replays::{Replayed, Task};
use crate::predictions::evaluate::EvaluatedContests;
use crate::tuning::request::JudgedSystem;

/// The contests that judge, after those that tune.
pub(super) struct JudgedPart<'p> {
    /// The key of the slice.
    pub(super) slice: String,
    /// The contests, in one slice.
    pub(super) field: EvaluatedContests<'p>,
    pub(super) replay: &'p Replay<'p>,
    pub(super) identities: &'p Identities,
    pub(super) objective: Metric,
    pub(super) seed: u64,
}

impl JudgedPart<'_> {
    /// Compares the best parameters of a system with the default ones.
    ///
    /// # Errors
    /// [`Error::Diverged`], [`Error::EmptySlice`], [`Error::Interrupted`], [`Error::Store`].
    pub(super) fn judge(
        &self,
        store: &Store,
        default: &SystemSpec,
        best: &SystemSpec,
        watch: &dyn Progress,
    ) -> Result<JudgedSystem, Error> {
        let is_default = default.build()?.parameters == best.build()?.parameters;
        let specs = if is_default {
            vec![default]
        } else {
            vec![default, best]
        };
        let systems = specs.iter().map(|spec| Ok((spec.to_string(), spec.build()?)));
        let systems = systems.collect::<Result<Vec<_>, Error>>()?;
        watch.begin_task("judging", self.replay.results * systems.len() as u64);
        let task = Task {
            field: &self.field,
            replay: self.replay,
            identities: self.identities,
            k: 0.0,
            slice: 0,
            official: None,
            watch,
            done: AtomicU64::new(0),
        };
        let replayed = task.replay_all(systems)?;
        for system in &replayed {
            check_divergence(store, &system.system, system.diverged)?;
        }
        self.compare(&replayed).ok_or_else(|| Error::EmptySlice {
            slice: self.slice.clone(),
        })
    }

    /// Compares the last replay with the first one.
    fn compare(&self, replayed: &[Replayed]) -> Option<JudgedSystem> {
        let sums: Vec<_> = replayed.iter().map(|system| &system.compared[0]).collect();
        let values = paired_bootstrap(&sums, 1, self.objective, RESAMPLES, self.seed);
        let default = values.first().copied().flatten()?;
        let best = values.last().copied().flatten()?;
        // The default parameters do not differ from themselves.
        let difference = best.difference_interval.filter(|_| replayed.len() > 1);
        Some(JudgedSystem {
            value: best.value,
            low: best.interval.map(|interval| interval.low),
            high: best.interval.map(|interval| interval.high),
            default: default.value,
            difference: best.difference,
            difference_low: difference.map(|interval| interval.low),
            difference_high: difference.map(|interval| interval.high),
            seconds: replayed.last()?.seconds?,
        })
    }
}

//! The judgement of a system: its best parameters in the contests that did not tune.

use ranklore_replay::{Error, Progress, SystemSpec, check_divergence};
use ranklore_store::Store;

use crate::predictions::comparison::replays::Replayed;
use crate::tuning::part::Part;
use crate::tuning::request::JudgedSystem;

/// The contests that judge, after those that tune.
pub(super) struct JudgedPart<'p> {
    /// The key of the slice.
    pub(super) slice: String,
    pub(super) contests: Part<'p>,
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
        let replayed = self.contests.replay_all(&specs, "judging", watch)?;
        for system in &replayed {
            check_divergence(store, &system.system, system.diverged)?;
        }
        self.compare(&replayed).ok_or_else(|| Error::EmptySlice {
            slice: self.slice.clone(),
        })
    }

    /// Compares the last replay with the first one.
    fn compare(&self, replayed: &[Replayed]) -> Option<JudgedSystem> {
        let values = self.contests.compare(replayed);
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

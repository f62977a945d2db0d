//! The contests that tune: the first ones, without those after them. And those that judge.

use std::borrow::Borrow;
use std::sync::atomic::AtomicU64;

use ranklore_rating::metrics::{ComparedValue, Metric, paired_bootstrap};
use ranklore_replay::{Error, Identities, Progress, Replay, SystemSpec, hash_standings};
use ranklore_store::{RatableContest, Store};

use crate::predictions::comparison::replays::{Replayed, Task};
use crate::predictions::comparison::{RESAMPLES, choose_slice};
use crate::predictions::evaluate::EvaluatedContests;
use crate::predictions::settings::{EvaluationSettings, Train};

/// The parts of the results after which trials are compared: a quarter, a half, all.
pub(super) const RUNG_SHARES: [f64; 3] = [0.25, 0.5, 1.0];

/// The fewest contests that are divided into such parts.
const MIN_DIVIDED_CONTESTS: usize = 8;

/// The settings of the evaluation of both parts, with the contests that tune.
pub(super) fn settings(train: Option<Train>) -> EvaluationSettings {
    EvaluationSettings {
        train,
        ..EvaluationSettings::default()
    }
}

/// Loads the contests that judge, after those that tune.
///
/// # Errors
/// [`Error::NothingTunes`], [`Error::NoPredictions`], [`Error::Store`].
pub(super) fn load_judged<'r>(
    store: &Store,
    replay: &'r Replay<'r>,
    train: Option<Train>,
) -> Result<EvaluatedContests<'r>, Error> {
    let judged = EvaluatedContests::load(store, replay, &settings(train));
    match judged {
        Err(Error::NoTraining { contests }) => Err(Error::NothingTunes { contests }),
        Ok(judged) if judged.training == 0 => Err(Error::NothingTunes {
            contests: replay.rated,
        }),
        judged => judged,
    }
}

/// Returns a hash of the results that tune.
///
/// # Errors
/// [`Error::Store`].
pub(super) fn hash_tuning(
    store: &Store,
    contests: &[RatableContest],
    tuning: &Replay<'_>,
    identities: &Identities,
) -> Result<[u8; 32], Error> {
    hash_standings(store, &contests[..tuning.contests().count()], identities)
}

/// Returns the index of the slice in which trials are compared: the requested one, or the first
/// usual one with predictions in both parts.
///
/// # Errors
/// [`Error::NoSlice`], [`Error::EmptySlice`], [`Error::NoPredictions`].
pub(super) fn choose_common_slice(
    tuning: (&EvaluatedContests<'_>, &Replay<'_>),
    judged: (&EvaluatedContests<'_>, &Replay<'_>),
    requested: Option<&str>,
) -> Result<usize, Error> {
    let chosen = [tuning, judged].map(|(field, replay)| choose_slice(field, replay, requested));
    let [tuning_slice, judged_slice] = chosen;
    let slices = [tuning_slice?, judged_slice?];
    // Each of them includes those before it.
    let usual = ["experienced", "everybody", "all"].map(|key| judged.0.slice_index(key));
    let position = |slice: &usize| usual.iter().position(|usual| *usual == Some(*slice));
    Ok(slices.into_iter().max_by_key(position).unwrap_or(slices[0]))
}

/// Contests in which systems are compared.
pub(super) struct Part<'p> {
    /// The contests, in one slice.
    pub(super) field: EvaluatedContests<'p>,
    pub(super) replay: &'p Replay<'p>,
    pub(super) identities: &'p Identities,
    pub(super) objective: Metric,
}

impl Part<'_> {
    /// Replays systems, several at a time, and returns them in their order.
    ///
    /// # Errors
    /// [`Error::InvalidParameters`], [`Error::Interrupted`].
    pub(super) fn replay_all(
        &self,
        specs: &[impl Borrow<SystemSpec>],
        task: &str,
        watch: &dyn Progress,
    ) -> Result<Vec<Replayed>, Error> {
        let specs = specs.iter().map(Borrow::borrow);
        let systems = specs.map(|spec| Ok((spec.to_string(), spec.build()?)));
        let systems = systems.collect::<Result<Vec<_>, Error>>()?;
        watch.begin_task(task, self.replay.results * systems.len() as u64);
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
        task.replay_all(systems)
    }

    /// Compares replays with the first one.
    pub(super) fn compare<'r>(
        &self,
        replayed: impl IntoIterator<Item = &'r Replayed>,
    ) -> Vec<Option<ComparedValue>> {
        let sums: Vec<_> = replayed.into_iter().map(|system| &system.compared[0]).collect();
        paired_bootstrap(&sums, 1, self.objective, RESAMPLES, settings(None).seed)
    }
}

/// The contests that tune, as trials replay them.
pub(super) struct TuningPart<'p> {
    pub(super) contests: Part<'p>,
    /// The numbers of contests after which trials are compared.
    pub(super) rungs: Vec<usize>,
}

/// Returns the numbers of contests after which trials are compared.
pub(super) fn place_rungs(replay: &Replay<'_>, prunes: bool) -> Vec<usize> {
    let sizes = replay.rated_contests().map(|(contest, _)| contest.entrants.len() as u64);
    let ends: Vec<u64> = sizes
        .scan(0, |end, size| {
            *end += size;
            Some(*end)
        })
        .collect();
    if !prunes || ends.len() < MIN_DIVIDED_CONTESTS {
        return vec![ends.len()];
    }
    let total = replay.results as f64;
    let rungs = RUNG_SHARES.map(|share| {
        let before = ends.partition_point(|&end| (end as f64) < share * total);
        (before + 1).min(ends.len())
    });
    let mut rungs = rungs.to_vec();
    rungs.dedup();
    rungs
}

/// Returns the value of a metric as a loss: lower is better.
pub(super) fn loss(metric: Metric, value: f64) -> f64 {
    use ranklore_rating::metrics::Better;
    match metric.info().better {
        Better::Higher => -value,
        Better::Lower => value,
        Better::CloserToOne => value.max(1.0 / value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_values_have_lower_losses() {
        for (metric, better, worse) in [
            (Metric::Concordance, 75.0, 74.0),
            (Metric::LogLoss, 0.5, 0.6),
            (Metric::Surprise, 1.1, 1.3),
            (Metric::Surprise, 0.9, 0.7),
            (Metric::Surprise, 0.9, 1.3),
        ] {
            assert!(metric.is_better(better, worse));
            assert!(loss(metric, better) < loss(metric, worse), "{better} {worse}");
        }
    }
}

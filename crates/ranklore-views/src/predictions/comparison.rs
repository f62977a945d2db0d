//! Comparison of rating systems: each is replayed in memory over the same contests.

pub(crate) mod replays;

use std::sync::atomic::AtomicU64;

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::{Metric, paired_bootstrap, share_of_contests_won};
use ranklore_store::{ContestId, MetricRow, RatableContest, Store, StoredEvaluation, Writer};
use serde::Serialize;

use replays::{Baseline, Replayed, Task, replay_baseline};

use crate::predictions::accuracy::{ComparedMetric, SliceAccuracy, metric_row};
use crate::predictions::agreement::{Agreement, OfficialRatings};
use crate::predictions::evaluate::{Compared, EvaluatedContests};
use crate::predictions::settings::EvaluationSettings;
use ranklore_replay::{
    Error, Identities, Progress, Replay, RunSelection, System, SystemSpec, check_divergence,
    find_oversized_contests, serialize_json_text,
};

/// The number of resamples of an interval.
pub(crate) const RESAMPLES: usize = 1_000;

/// The name of the baseline that predicts by the place in the previous contest.
pub const PREVIOUS_PLACE_BASELINE: &str = "previous place";

/// The name of the baseline that predicts nothing.
pub const COIN_TOSS_BASELINE: &str = "coin toss";

/// Systems to compare.
#[derive(Clone, Debug)]
pub struct ComparisonRequest {
    /// The contests.
    pub selection: RunSelection,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
    /// The choices of the evaluation.
    pub settings: EvaluationSettings,
    /// The metric that orders the systems.
    pub metric: Metric,
    /// The slice that orders them; by default the first with predictions of experienced,
    /// everybody, all.
    pub slice: Option<String>,
    /// True to compare displayed ratings with those of the site.
    pub against_official: bool,
    /// The time now.
    pub now: UnixSeconds,
}

/// Systems compared over the same contests.
#[derive(Clone, Debug, Serialize)]
pub struct Comparison {
    /// The selected contests, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub selection: String,
    /// How they were evaluated, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub settings: String,
    /// Number of contests that train.
    pub trained: u64,
    /// Number of contests that are predicted.
    pub predicted: u64,
    /// The metric that orders the systems.
    pub metric: Metric,
    /// The slice that orders the systems.
    pub slice: String,
    /// The systems and the baselines, best first.
    pub systems: Vec<ComparedSystem>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
}

/// A system, or a baseline, in a comparison.
#[derive(Clone, Debug, Serialize)]
pub struct ComparedSystem {
    /// The system with its settings, or the name of the baseline.
    pub system: String,
    /// All parameters, as canonical JSON; `None` for baselines.
    #[serde(serialize_with = "serialize_optional_json")]
    pub parameters: Option<String>,
    /// The difference of each metric to the best system, in the slice that orders.
    pub compared: Vec<ComparedMetric>,
    /// The percentage of contests in which it is better than the best system; equal values count
    /// one half. `None` for the best one and for baselines without order.
    pub contests_won: Option<f64>,
    /// The accuracy by slice.
    pub slices: Vec<SliceAccuracy>,
    /// Comparison with the ratings of the site, if it was asked for.
    pub official: Option<Agreement>,
    /// Duration of the replay, in seconds, beside the replays of other systems; `None` for
    /// baselines.
    pub seconds: Option<f64>,
    /// Memory of the ratings of all competitors; `None` for baselines.
    pub bytes: Option<u64>,
}

impl ComparedSystem {
    /// Returns a metric in the slice that orders; `None` without predictions.
    #[must_use]
    pub fn metric(&self, metric: Metric) -> Option<&ComparedMetric> {
        self.compared.iter().find(|row| row.metric == metric)
    }

    /// Returns the accuracy in a slice.
    #[must_use]
    pub fn slice(&self, slice: &str) -> Option<&SliceAccuracy> {
        self.slices.iter().find(|row| row.slice == slice)
    }
}

/// A system that was not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// The system with its settings.
    pub system: String,
    /// The reason.
    pub reason: String,
}

fn serialize_optional_json<'a, S: serde::Serializer>(
    json: impl Into<Option<&'a String>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match json.into() {
        Some(json) => serialize_json_text(json, serializer),
        None => serializer.serialize_none(),
    }
}

/// Replays systems over the same contests, evaluates their predictions, and stores the result as a
/// comparison of the selection. Writes no run.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::NoPredictions`], [`Error::NoSlice`],
/// [`Error::MixedTeamModes`], [`Error::MixedAllTied`],
/// [`Error::OverlappingEvents`], [`Error::NoOfficialRatings`], [`Error::NothingCompared`],
/// [`Error::Store`]; [`Error::Interrupted`] if `watch` interrupts, and nothing is written then.
pub fn compare_systems(
    store: &mut Writer,
    request: &ComparisonRequest,
    watch: &dyn Progress,
) -> Result<Comparison, Error> {
    // Another connection, since the cache of a writer is many times that of a reader.
    let reader = Store::open_reader(store.path())?;
    let comparison = compare(&reader, request, watch)?;
    let stored: Vec<StoredEvaluation> = comparison
        .systems
        .iter()
        .map(|system| to_store(system, &comparison, request))
        .collect();
    let mut batch = store.batch()?;
    batch.replace_comparison(&comparison.selection, &stored)?;
    batch.commit()?;
    Ok(comparison)
}

fn compare(
    store: &Store,
    request: &ComparisonRequest,
    watch: &dyn Progress,
) -> Result<Comparison, Error> {
    let contests = request.selection.contests(store)?;
    let (systems, mut left_out) = build_systems(store, &request.systems, &contests)?;
    let Some((_, first)) = systems.first() else {
        return Err(nothing_compared(left_out));
    };
    let teams = first.teams;
    let all_tied = first.all_tied;
    // All systems share one replay, so they must rate the same competitors and contests.
    check_systems(store, &systems, &contests)?;
    let sources = contests.iter().map(|contest| contest.source_id);
    let identities = Identities::load(store, sources, teams)?;
    let replay = Replay::load(store, &contests, 0, &identities, all_tied)?;
    let field = EvaluatedContests::load(store, &replay, &request.settings)?;
    let official = request
        .against_official
        .then(|| OfficialRatings::load(store, &request.selection, &contests))
        .transpose()?;
    let slice = choose_slice(&field, &replay, request.slice.as_deref())?;
    let task = Task {
        field: &field,
        replay: &replay,
        identities: &identities,
        k: request.settings.k,
        slice,
        official: official.as_ref(),
        watch,
        done: AtomicU64::new(0),
    };
    watch.begin_task("evaluating", replay.results * systems.len() as u64);
    let mut replayed = leave_out_diverged(store, task.replay_all(systems)?, &mut left_out)?;
    for baseline in [Baseline::PreviousPlace, Baseline::CoinToss] {
        replayed.push(replay_baseline(&field, &replay, baseline, Some(slice)));
    }
    Ok(Comparison {
        selection: request.selection.canonical_json(),
        settings: request.settings.canonical_json(),
        trained: field.training,
        predicted: field.predicted(),
        metric: request.metric,
        slice: field.slice_keys()[slice].to_owned(),
        systems: compare_replayed(replayed, request.metric, slice, request.settings.seed),
        left_out,
    })
}

/// A system with its text.
pub(crate) type NamedSystem = (String, System);

/// Builds the systems that rate all contests, and lists the others with reasons.
pub(crate) fn build_systems(
    store: &Store,
    specs: &[SystemSpec],
    contests: &[RatableContest],
) -> Result<(Vec<NamedSystem>, Vec<LeftOut>), Error> {
    let mut systems = Vec::new();
    let mut left_out = Vec::new();
    for spec in specs {
        let system = spec.build()?;
        let oversized = find_oversized_contests(store, system.about, system.weights, contests)?;
        let weights = system.weights;
        let excluded = contests.iter().filter(|c| weights.excludes(c.site_weight));
        let reason = match (oversized, excluded.count()) {
            (Some(oversized), _) => oversized.to_string(),
            _ if weights.lack_durations(contests) => Error::NoDurations.to_string(),
            (None, 0) => {
                systems.push((spec.to_string(), system));
                continue;
            }
            (None, excluded) => format!("its site gives {excluded} contests no weight"),
        };
        left_out.push(LeftOut {
            system: spec.to_string(),
            reason,
        });
    }
    Ok((systems, left_out))
}

/// Returns the error that all systems are left out.
pub(crate) fn nothing_compared(left_out: Vec<LeftOut>) -> Error {
    let reasons = left_out.into_iter().map(|system| system.reason);
    Error::NothingCompared {
        reasons: reasons.collect(),
    }
}

/// Returns the systems whose ratings do not diverge, and lists the others with reasons.
fn leave_out_diverged(
    store: &Store,
    systems: Vec<Replayed>,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Replayed>, Error> {
    let mut replayed = Vec::new();
    for system in systems {
        if !leave_out_if_diverged(store, &system.system, system.diverged, left_out)? {
            replayed.push(system);
        }
    }
    if replayed.is_empty() {
        return Err(nothing_compared(std::mem::take(left_out)));
    }
    Ok(replayed)
}

/// Lists a system whose ratings diverge in a contest among those left out, and returns true.
///
/// # Errors
/// [`Error::Store`].
pub(crate) fn leave_out_if_diverged(
    store: &Store,
    system: &str,
    diverged: Option<ContestId>,
    left_out: &mut Vec<LeftOut>,
) -> Result<bool, Error> {
    match check_divergence(store, system, diverged) {
        Ok(()) => Ok(false),
        Err(Error::Store(error)) => Err(error.into()),
        Err(error) => {
            // Once, though it may be replayed several times.
            if !left_out.iter().any(|row| row.system == system) {
                left_out.push(LeftOut {
                    system: system.to_owned(),
                    reason: error.to_string(),
                });
            }
            Ok(true)
        }
    }
}

/// Errors if the systems rate different competitors or contests, or if events that are rating periods
/// overlap.
pub(crate) fn check_systems(
    store: &Store,
    systems: &[NamedSystem],
    contests: &[RatableContest],
) -> Result<(), Error> {
    let [(first_name, first), ..] = systems else {
        return Ok(());
    };
    if let Some((name, _)) = systems.iter().find(|(_, s)| s.teams != first.teams) {
        return Err(Error::MixedTeamModes {
            first: first_name.clone(),
            second: name.clone(),
        });
    }
    for (_, system) in systems {
        if let Some(period) = system.period {
            period.check_order(store, contests)?;
        }
    }
    if let Some((name, _)) = systems.iter().find(|(_, s)| s.all_tied != first.all_tied) {
        return Err(Error::MixedAllTied {
            first: first_name.clone(),
            second: name.clone(),
        });
    }
    Ok(())
}

/// Returns the index of the slice that orders systems: the requested one, else the first of
/// experienced, everybody and all that has a prediction. Errors if there is none.
pub(crate) fn choose_slice(
    field: &EvaluatedContests<'_>,
    replay: &Replay<'_>,
    requested: Option<&str>,
) -> Result<usize, Error> {
    let keys = field.slice_keys();
    let candidates = match requested {
        None => vec!["experienced", "everybody", "all"],
        Some(key) => vec![key],
    };
    // Shows before any replay of a system whether a slice has predictions.
    let baseline = replay_baseline(field, replay, Baseline::PreviousPlace, None);
    for key in candidates {
        let Some(index) = field.slice_index(key) else {
            return Err(Error::NoSlice {
                slice: key.to_owned(),
                known: keys.into_iter().map(str::to_owned).collect(),
            });
        };
        let accuracy = baseline.slices.iter().find(|row| row.slice == key);
        if accuracy.is_some_and(|accuracy| accuracy.contests > 0) {
            return Ok(index);
        }
    }
    Err(match requested {
        Some(slice) => Error::EmptySlice {
            slice: slice.to_owned(),
        },
        None => Error::NoPredictions {
            contests: replay.rated,
        },
    })
}

/// Orders replayed systems by a metric in a slice, best first, and adds intervals and differences in
/// all slices.
fn compare_replayed(
    mut replayed: Vec<Replayed>,
    metric: Metric,
    ordering_slice: usize,
    seed: u64,
) -> Vec<ComparedSystem> {
    let slices = replayed.first().map_or(0, |system| system.compared.len());
    let mut ordering = Vec::new();
    for slice in 0..slices {
        let compared = compare_metrics(&replayed, slice, seed);
        for (system, compared) in replayed.iter_mut().zip(&compared) {
            let mut rows = system.slices.iter_mut();
            if let Some(row) = rows.find(|row| row.index == slice) {
                row.compared.clone_from(compared);
            }
        }
        if slice == ordering_slice {
            ordering = compared;
        }
    }
    let of_metric = |compared: &[ComparedMetric]| -> Option<ComparedMetric> {
        compared.iter().find(|row| row.metric == metric).copied()
    };
    let values: Vec<Option<f64>> =
        ordering.iter().map(|compared| Some(of_metric(compared)?.value)).collect();
    let order = order_best_first(&values, metric);
    let mut systems: Vec<Option<ComparedSystem>> = replayed
        .into_iter()
        .zip(ordering)
        .map(|(system, compared)| {
            Some(ComparedSystem {
                system: system.system,
                parameters: system.parameters,
                contests_won: of_metric(&compared).and_then(|row| row.contests_won),
                compared,
                slices: system.slices,
                official: system.official,
                seconds: system.seconds,
                bytes: system.bytes,
            })
        })
        .collect();
    order.into_iter().filter_map(|index| systems[index].take()).collect()
}

/// Compares each metric of replayed systems and baselines in a slice with the best system.
fn compare_metrics(replayed: &[Replayed], slice: usize, seed: u64) -> Vec<Vec<ComparedMetric>> {
    // The baselines are at the end.
    let systems = replayed.iter().filter(|system| system.parameters.is_some()).count();
    let sums: Vec<&Compared> = replayed.iter().map(|system| &system.compared[slice]).collect();
    let mut compared = vec![Vec::new(); replayed.len()];
    for metric in Metric::ALL {
        let values = paired_bootstrap(&sums, systems, metric, RESAMPLES, seed);
        // Exactly 0 for the best system alone, or for one with the same value.
        let best = values.iter().position(|value| value.is_some_and(|v| v.difference == 0.0));
        for (index, (metrics, value)) in compared.iter_mut().zip(values).enumerate() {
            // A prediction without information has such a metric at its best.
            if replayed[index].system == COIN_TOSS_BASELINE && metric.favours_equal_ratings() {
                continue;
            }
            let contests_won = best
                .filter(|&best| best != index)
                .and_then(|best| share_of_contests_won(sums[index], sums[best], metric));
            metrics.extend(value.map(|estimate| ComparedMetric {
                metric,
                value: estimate.value,
                low: estimate.interval.map(|interval| interval.low),
                high: estimate.interval.map(|interval| interval.high),
                difference: estimate.difference,
                difference_low: estimate.difference_interval.map(|interval| interval.low),
                difference_high: estimate.difference_interval.map(|interval| interval.high),
                contests_won,
            }));
        }
    }
    compared
}

/// Returns the indices of values of a metric, best first; those without a value are last.
pub(crate) fn order_best_first(values: &[Option<f64>], metric: Metric) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| match (values[a], values[b]) {
        (Some(a), Some(b)) if metric.is_better(a, b) => std::cmp::Ordering::Less,
        (Some(a), Some(b)) if metric.is_better(b, a) => std::cmp::Ordering::Greater,
        (Some(_), None) => std::cmp::Ordering::Less,
        (None, Some(_)) => std::cmp::Ordering::Greater,
        _ => a.cmp(&b),
    });
    order
}

fn to_store(
    system: &ComparedSystem,
    comparison: &Comparison,
    request: &ComparisonRequest,
) -> StoredEvaluation {
    let rows = system.slices.iter().flat_map(SliceAccuracy::rows);
    let mut metrics: Vec<MetricRow> = rows.collect();
    for accuracy in &system.slices {
        let slice = &accuracy.slice;
        for compared in &accuracy.compared {
            let mut rows = metrics.iter_mut();
            let row =
                rows.find(|row| row.slice == *slice && row.metric == compared.metric.as_str());
            if let Some(row) = row {
                row.low = compared.low;
                row.high = compared.high;
            }
        }
        let of_metric = accuracy.compared.iter().find(|row| row.metric == comparison.metric);
        let share = of_metric.and_then(|row| row.contests_won);
        metrics.extend(share.map(|share| metric_row(slice, "contests_won".to_owned(), share)));
        metrics.extend(accuracy.compared.iter().map(|compared| {
            let metric = format!("{}_difference", compared.metric.as_str());
            MetricRow {
                low: compared.difference_low,
                high: compared.difference_high,
                ..metric_row(slice, metric, compared.difference)
            }
        }));
    }
    StoredEvaluation {
        run_id: None,
        system: system.system.clone(),
        parameters: system.parameters.clone().unwrap_or_else(|| "{}".to_owned()),
        selection: comparison.selection.clone(),
        settings: comparison.settings.clone(),
        evaluated_at: request.now.get(),
        seconds: system.seconds,
        bytes: system.bytes.map(|bytes| bytes as i64),
        metrics,
    }
}

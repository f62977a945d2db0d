//! Evaluation of a run: accuracy of predictions by its ratings before each contest.

use std::collections::HashMap;
use std::time::Instant;

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::{
    Accuracy, ComparedRun, ComparisonScope, EvaluationOptions, Evaluator, Metric, Prediction, Slice,
};
use ranklore_rating::{AllTied, Display, WinModel};
use ranklore_store::{OFFICIAL, RunRow, Store, StoredEvaluation, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::predictions::accuracy::SliceAccuracy;
use crate::predictions::agreement::{Agreement, OfficialRatings};
use crate::predictions::settings::{EvaluationSettings, Train};
use crate::predictions::slices::ContestSlices;
use crate::predictions::states::{Plausibility, States, initial_states};
use crate::runs::contest_size::exclude_oversized_contests;
use crate::runs::fingerprint::{Staleness, is_current};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lineup::{Replay, ReplayContest};
use crate::runs::selection::RunSelection;
use crate::runs::systems::{System, SystemName, conservative_k};
use crate::runs::weights::Weights;

/// The evaluation of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// The accuracy by slice, in the order of reports.
    pub slices: Vec<SliceAccuracy>,
    /// Figures that expose ratings that cannot be right.
    #[serde(flatten)]
    pub plausibility: Plausibility,
    /// Comparison with the ratings of the site, if it was asked for.
    pub official: Option<Agreement>,
}

impl Evaluation {
    /// Returns the accuracy in a slice.
    #[must_use]
    pub fn slice(&self, slice: &str) -> Option<&SliceAccuracy> {
        self.slices.iter().find(|of| of.slice == slice)
    }

    /// Returns the concordance in a slice, in percent; `None` without predictions.
    #[must_use]
    pub fn concordance(&self, slice: &str) -> Option<f64> {
        self.slice(slice)?.metrics.get(Metric::Concordance)
    }
}

/// Evaluates a run from its rows, and stores the result with it.
///
/// # Errors
/// [`Error::StaleRun`] if results changed since the run; [`Error::NoPredictions`];
/// [`Error::NoOfficialRatings`]; [`Error::Store`].
pub fn evaluate(
    store: &mut Writer,
    run: RunRow,
    settings: &EvaluationSettings,
    against_official: bool,
    now: UnixSeconds,
) -> Result<Evaluation, Error> {
    let began = Instant::now();
    // Another connection, since the cache of a writer is many times that of a reader.
    let reader = Store::open_reader(store.path())?;
    let evaluation = evaluate_rows(&reader, run, settings, against_official)?;
    let run = &evaluation.run;
    let metrics = evaluation.slices.iter().flat_map(SliceAccuracy::rows);
    let mut batch = store.batch()?;
    batch.replace_evaluation(&StoredEvaluation {
        run_id: Some(run.run_id),
        system: run.system.clone(),
        parameters: run.parameters.clone(),
        selection: run.selection.clone(),
        settings: settings.canonical_json(),
        evaluated_at: now.get(),
        seconds: None,
        bytes: None,
        metrics: metrics.collect(),
    })?;
    batch.commit()?;
    let (run_id, system) = (run.run_id.get(), &run.system);
    tracing::info!(
        target: "ranklore::evaluation",
        run_id,
        system,
        contests = run.contests,
        duration_ms = began.elapsed().as_micros() as f64 / 1e3,
        "run {run_id}: evaluated {system}"
    );
    Ok(evaluation)
}

/// Evaluates a run from its rows.
fn evaluate_rows(
    store: &Store,
    run: RunRow,
    settings: &EvaluationSettings,
    against_official: bool,
) -> Result<Evaluation, Error> {
    let selection = RunSelection::from_canonical_json(&run.selection);
    let mut contests = selection.contests(store)?;
    // Official ratings arrive with the results.
    if run.system != OFFICIAL && !is_current(store, &run)? {
        return Err(Error::StaleRun {
            why: Staleness::find(store, &run)?,
            run: Box::new(run),
        });
    }
    Weights::from_run_parameters(&run.parameters).apply(&mut contests);
    if let Ok(system) = SystemName::find(&run.system) {
        exclude_oversized_contests(system.about(), &mut contests);
    }
    let identities = Identities::load_for_run(store, &contests, &run)?;
    // None for official ratings.
    let mut system = System::from_run(&run).ok();
    let all_tied = (system.as_ref()).map_or(AllTied::default(), |of| of.all_tied);
    let replay = Replay::load(store, &contests, 0, &identities, all_tied)?;
    let field = EvaluatedContests::load(store, &replay, settings)?;
    let official = against_official
        .then(|| OfficialRatings::load(store, &selection, &contests))
        .transpose()?;
    let mut agreement = Agreement::default();
    let mut states = match &mut system {
        Some(system) => {
            replay.set_initial_ratings(&mut *system.rating, &identities);
            initial_states(&*system.rating, &replay)
        }
        None => States::without_initial_ratings(replay.competitors.len()),
    };
    let display = (system.as_ref()).map_or(Display::MU, |of| of.rating.display());
    let mut by_rating = field.evaluator(system.as_ref().map(|of| of.rating.win_model()), None);
    let mut by_previous_place = field.evaluator(None, None);
    let mut contests = field.contests();
    let ids = field.contests().map(|(contest, _)| contest.row.contest_id);
    store.for_each_rating(run.run_id, ids, |_, rows| {
        let Some((contest, number)) = contests.next() else {
            return;
        };
        field.add(
            &mut by_rating,
            &contest,
            number,
            states.predict_by_rating(&contest, settings.k),
        );
        field.add(
            &mut by_previous_place,
            &contest,
            number,
            states.predict_by_previous_place(&contest),
        );
        let mut rated = Vec::with_capacity(if official.is_some() { rows.len() } else { 0 });
        for row in rows {
            if let Some(index) = replay.index_of(row.competitor_id) {
                let state = *states.set_rating(index, row.mu, row.sigma);
                if official.is_some() {
                    rated.push((row.competitor_id, state));
                }
            }
        }
        states.end_contest(&contest);
        if let Some(official) = &official {
            official.compare(contest.row, display, &rated, &mut agreement);
        }
    })?;
    let (accuracies, _) = by_rating.finish();
    let (baselines, _) = by_previous_place.finish();
    Ok(Evaluation {
        slices: field.describe(&accuracies, Some(&baselines)),
        plausibility: states.plausibility(conservative_k(&run.system)),
        official: official.map(|_| agreement),
        run,
    })
}

/// The contests of an evaluation, the same for every system that is evaluated.
pub(crate) struct EvaluatedContests<'r> {
    replay: &'r Replay<'r>,
    slices: ContestSlices,
    /// The contests at the start that train.
    pub(crate) training: u64,
    seed: u64,
    /// The number of the event and day of each contest: contests with the same number are resampled
    /// together. The games of a season have one event, and would all be.
    event_days: Vec<u32>,
}

impl<'r> EvaluatedContests<'r> {
    /// # Errors
    /// [`Error::NoTraining`], [`Error::NoPredictions`], [`Error::Store`].
    pub(crate) fn load(
        store: &Store,
        replay: &'r Replay<'r>,
        settings: &EvaluationSettings,
    ) -> Result<Self, Error> {
        let training = Train::count_chosen(settings.train, replay)?;
        Ok(Self {
            slices: ContestSlices::load(store, replay, settings, training)?,
            replay,
            training,
            seed: settings.seed,
            event_days: number_event_days(replay),
        })
    }

    /// Returns the contests that are rated, each with its number.
    pub(crate) fn contests(&self) -> impl Iterator<Item = (ReplayContest<'r>, u64)> {
        self.replay.rated_contests()
    }

    /// Returns the number of contests that are predicted.
    pub(crate) fn predicted(&self) -> u64 {
        self.replay.rated - self.training
    }

    /// Returns an evaluator of these contests. `compared` is the slice in which systems are
    /// compared.
    pub(crate) fn evaluator(&self, model: Option<WinModel>, compared: Option<usize>) -> Evaluator {
        let last = self.event_days.iter().max();
        Evaluator::new(EvaluationOptions {
            slices: self.slices.slices.clone(),
            win_model: model,
            training_contests: self.training as usize,
            seed: self.seed,
            comparison: compared.map(|slice| ComparisonScope {
                slice,
                contests: self.replay.rated,
                events: last.map_or(0, |last| last + 1),
            }),
        })
    }

    /// Adds the prediction for a contest.
    pub(crate) fn add(
        &self,
        evaluator: &mut Evaluator,
        contest: &ReplayContest<'_>,
        number: u64,
        prediction: Prediction,
    ) {
        evaluator.add(Prediction {
            number,
            slices: self.slices.of_contest(contest, number),
            event: self
                .event_days
                .get(number as usize)
                .copied()
                .unwrap_or_default(),
            ..prediction
        });
    }

    /// Returns the index of a slice.
    pub(crate) fn slice_index(&self, key: &str) -> Option<usize> {
        self.slices.slices.iter().position(|of| of.key() == key)
    }

    /// Returns the keys of the slices.
    pub(crate) fn slice_keys(&self) -> Vec<&str> {
        self.slices.slices.iter().map(Slice::key).collect()
    }

    /// Returns the accuracy in each slice that has a prediction, and in the standard ones.
    pub(crate) fn describe(
        &self,
        accuracies: &[Accuracy],
        baselines: Option<&[Accuracy]>,
    ) -> Vec<SliceAccuracy> {
        let slices = self.slices.slices.iter().zip(accuracies).enumerate();
        let described = slices.map(|(index, (slice, accuracy))| {
            let baseline = baselines.and_then(|of| of.get(index));
            (index, SliceAccuracy::new(slice.key(), accuracy, baseline))
        });
        described
            .filter(|(index, of)| *index < STANDARD_SLICES || of.contests > 0)
            .map(|(_, of)| of)
            .collect()
    }
}

/// Returns the number of the event and day of each rated contest.
fn number_event_days(replay: &Replay<'_>) -> Vec<u32> {
    let mut known = HashMap::new();
    let rows = replay.rated_contests().map(|(contest, _)| contest.row);
    let keys = rows.map(|row| (row.event, row.ends_at.div_euclid(86_400)));
    keys.map(|key| {
        let next = known.len() as u32;
        *known.entry(key).or_insert(next)
    })
    .collect()
}

/// The slices of every evaluation: everybody, experienced, top100.
const STANDARD_SLICES: usize = 3;

/// The sums of a system, for comparisons with others.
pub(crate) type Compared = ComparedRun;

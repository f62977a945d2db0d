//! Evaluation of a run: accuracy of predictions by its ratings before each contest.

use std::collections::HashMap;
use std::time::Instant;

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::{
    Accuracy, ComparedRun, ComparisonScope, EvaluationOptions, Evaluator, Metric, Prediction, Slice,
};
use ranklore_rating::{AllTied, Display, RatingSystem, WinModel};
use ranklore_store::{
    OFFICIAL, RatableContest, RatingRow, RunRow, Store, StoredEvaluation, Writer,
};
use serde::Serialize;

use crate::predictions::accuracy::SliceAccuracy;
use crate::predictions::agreement::{Agreement, OfficialRatings};
use crate::predictions::settings::{EvaluationSettings, Train, count_earlier};
use crate::predictions::slices::ContestSlices;
use crate::predictions::states::{Plausibility, States, initial_states};
use ranklore_replay::{
    Error, Identities, RatingPeriod, Replay, ReplayContest, RunSelection, Staleness, System,
    SystemName, Weights, conservative_k, exclude_oversized_contests, is_current, serialize_run,
};

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
        self.slices.iter().find(|row| row.slice == slice)
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
/// [`Error::NoOfficialRatings`]; [`Error::DamagedParameters`]; [`Error::Store`].
pub fn evaluate(
    store: &mut Writer,
    run: RunRow,
    settings: &EvaluationSettings,
    against_official: bool,
    now: UnixSeconds,
) -> Result<Evaluation, Error> {
    let start = Instant::now();
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
    let run_id = run.run_id.get();
    let system = &run.system;
    tracing::info!(
        target: "ranklore::evaluation",
        run_id,
        system,
        contests = run.contests,
        duration_ms = start.elapsed().as_micros() as f64 / 1e3,
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
    // None for official ratings.
    let mut system = System::from_run_if_known(&run)?;
    let selection = RunSelection::from_canonical_json(&run.selection);
    let contests = load_current_contests(store, &run, &selection)?;
    let identities = Identities::load_for_run(store, &contests, &run)?;
    let all_tied = system.as_ref().map_or(AllTied::default(), |s| s.all_tied);
    let replay = Replay::load(store, &contests, 0, &identities, all_tied)?;
    let field = EvaluatedContests::load(store, &replay, settings)?;
    let official = against_official
        .then(|| OfficialRatings::load(store, &selection, &contests))
        .transpose()?;
    let states = match &mut system {
        Some(system) => {
            replay.set_initial_ratings(&mut *system.rating, &identities);
            initial_states(&*system.rating, &replay, &identities)
        }
        None => States::without_initial_ratings(replay.competitors.len()),
    };
    let rating = system.as_ref().map(|system| &*system.rating);
    let mut run_evaluation = RunEvaluation {
        field: &field,
        k: settings.k,
        period: system.as_ref().and_then(|system| system.period),
        display: rating.map_or(Display::MU, RatingSystem::display),
        official: official.as_ref(),
        states,
        by_rating: field.evaluator(rating.map(RatingSystem::win_model), None),
        by_previous_place: field.evaluator(None, None),
        agreement: Agreement::default(),
    };
    let mut contests = field.contests();
    let ids = field.contests().map(|(contest, _)| contest.row.contest_id);
    store.for_each_rating(run.run_id, ids, |_, rows| {
        if let Some((contest, number)) = contests.next() {
            run_evaluation.add_contest(&contest, number, rows);
        }
    })?;
    let (accuracies, _) = run_evaluation.by_rating.finish();
    let (baselines, _) = run_evaluation.by_previous_place.finish();
    Ok(Evaluation {
        slices: field.describe(&accuracies, Some(&baselines)),
        plausibility: run_evaluation.states.plausibility(conservative_k(&run.system)),
        official: run_evaluation.official.map(|_| run_evaluation.agreement),
        run,
    })
}

/// Loads the contests of a run with its weights; errors if results changed since the run.
fn load_current_contests(
    store: &Store,
    run: &RunRow,
    selection: &RunSelection,
) -> Result<Vec<RatableContest>, Error> {
    let mut contests = selection.contests(store)?;
    // Official ratings arrive with the results.
    if run.system != OFFICIAL && !is_current(store, run)? {
        return Err(Error::StaleRun {
            reason: Staleness::find(store, run)?.to_string(),
            run: Box::new(run.clone()),
        });
    }
    Weights::from_run_parameters(&run.parameters).apply(&mut contests);
    if let Ok(system) = SystemName::find(&run.system) {
        exclude_oversized_contests(system.about(), &mut contests);
    }
    Ok(contests)
}

/// The evaluation of a run, contest by contest.
struct RunEvaluation<'e> {
    field: &'e EvaluatedContests<'e>,
    k: f64,
    period: Option<RatingPeriod>,
    display: Display,
    official: Option<&'e OfficialRatings>,
    states: States,
    by_rating: Evaluator,
    by_previous_place: Evaluator,
    agreement: Agreement,
}

impl RunEvaluation<'_> {
    /// Predicts the next contest, and then takes its ratings into account.
    fn add_contest(&mut self, contest: &ReplayContest<'_>, number: u64, rows: &[RatingRow]) {
        self.states.begin_contest(contest.round_in(self.period).period);
        let prediction = self.states.predict_by_rating(contest, self.k);
        self.field.add(&mut self.by_rating, contest, number, prediction);
        let prediction = self.states.predict_by_previous_place(contest);
        self.field.add(&mut self.by_previous_place, contest, number, prediction);
        let replay = self.field.replay;
        let indexed = rows.iter().filter_map(|row| {
            Some((row.competitor_id, replay.index_of(row.competitor_id)?, row.mu, row.sigma))
        });
        let indexed: Vec<_> = indexed.collect();
        let after: Vec<_> =
            indexed.iter().map(|&(_, index, mu, sigma)| (index, mu, sigma)).collect();
        self.states.count_last_places(contest, &after, self.k);
        let mut rated = Vec::new();
        for (competitor, index, mu, sigma) in indexed {
            let state = self.states.add_rating(index, mu, sigma);
            if self.official.is_some() {
                rated.push((competitor, state));
            }
        }
        self.states.end_contest(contest, !rows.is_empty());
        if let Some(official) = self.official {
            official.compare(contest.row, self.display, &rated, &mut self.agreement);
        }
    }
}

/// The contests of an evaluation, the same for every system that is evaluated.
pub(crate) struct EvaluatedContests<'r> {
    replay: &'r Replay<'r>,
    slices: ContestSlices,
    /// The number of contests, the first ones of the replay.
    contests: u64,
    /// The contests at the start that train.
    pub(crate) training: u64,
    seed: u64,
    /// The number of the event and day of each contest: contests with the same number are resampled
    /// together. The games of a season have one event, and would all be.
    event_days: Vec<u32>,
}

impl<'r> EvaluatedContests<'r> {
    /// # Errors
    /// [`Error::NoContestsUntil`], [`Error::NoTraining`], [`Error::NoPredictions`],
    /// [`Error::Store`].
    pub(crate) fn load(
        store: &Store,
        replay: &'r Replay<'r>,
        settings: &EvaluationSettings,
    ) -> Result<Self, Error> {
        let contests = settings.until.map_or(replay.rated, |until| count_earlier(replay, until));
        let training = Train::count_chosen(settings.train, replay, contests)?;
        Ok(Self {
            slices: ContestSlices::load(store, replay, settings, training..contests)?,
            replay,
            contests,
            training,
            seed: settings.seed,
            event_days: number_event_days(replay),
        })
    }

    /// Returns the same contests with one of the standard slices.
    pub(crate) fn only_slice(mut self, index: usize) -> Self {
        self.slices.slices = self.slices.slices.drain(index..=index).collect();
        self
    }

    /// Returns the contests that are evaluated or train, each with its number.
    pub(crate) fn contests(&self) -> impl Iterator<Item = (ReplayContest<'r>, u64)> {
        self.replay.rated_contests().take(self.contests as usize)
    }

    /// Returns the number of contests that are predicted.
    pub(crate) fn predicted(&self) -> u64 {
        self.contests - self.training
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
                contests: self.contests,
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
        let event = self.event_days.get(number as usize);
        evaluator.add(Prediction {
            number,
            slices: self.slices.of_contest(contest, number),
            event: event.copied().unwrap_or_default(),
            ..prediction
        });
    }

    /// Returns the index of a slice.
    pub(crate) fn slice_index(&self, key: &str) -> Option<usize> {
        self.slices.slices.iter().position(|s| s.key() == key)
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
            let baseline = baselines.and_then(|baselines| baselines.get(index));
            SliceAccuracy::new((index, slice.key()), accuracy, baseline)
        });
        described
            .filter(|row| row.index < STANDARD_SLICES || row.contests > 0)
            .collect()
    }
}

/// Returns the number of the event and day of each rated contest.
fn number_event_days(replay: &Replay<'_>) -> Vec<u32> {
    let mut numbers = HashMap::new();
    let contests = replay.rated_contests();
    contests
        .map(|(contest, _)| {
            let day = contest.row.ends_at.div_euclid(86_400);
            let next = numbers.len() as u32;
            *numbers.entry((contest.row.event, day)).or_insert(next)
        })
        .collect()
}

/// The slices of every evaluation: everybody, experienced, top100, all.
const STANDARD_SLICES: usize = 4;

/// The sums of a system, for comparisons with others.
pub(crate) type Compared = ComparedRun;

//! Evaluation: accuracy of predictions by the ratings before each contest.

use std::time::Instant;

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::{self, Prediction, Slice};
use ranklore_store::{EvaluationRow, OFFICIAL, RunRow, Store, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::runs::fingerprint::is_current;
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lineup::Replay;
use crate::runs::selection::RunSelection;
use crate::runs::teams::sum_ratings;
use crate::runs::weights::Weights;

/// The evaluation of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    /// The run.
    #[serde(flatten, serialize_with = "serialize_run")]
    pub run: RunRow,
    /// The accuracy by slice, in the order of reports.
    pub slices: Vec<EvaluationRow>,
}

/// Evaluates a run from its rows, and stores the result with it.
///
/// # Errors
/// [`Error::StaleRun`] if results changed since the run; [`Error::Store`].
pub fn evaluate(store: &mut Writer, run: RunRow, now: UnixSeconds) -> Result<Evaluation, Error> {
    let began = Instant::now();
    let predictions = load_predictions(store, &run)?;
    let finite = |value: f64| value.is_finite().then_some(value);
    let slices = Slice::ALL.into_iter().zip(metrics::evaluate(&predictions));
    let slices = slices.map(|(slice, accuracy)| EvaluationRow {
        slice: slice.as_str().to_owned(),
        evaluated_at: now.get(),
        contests: accuracy.contests,
        results: accuracy.results,
        pair_inversion: finite(accuracy.pair_inversion()),
        rank_deviation: finite(accuracy.rank_deviation()),
    });
    let slices: Vec<EvaluationRow> = slices.collect();
    let mut batch = store.batch()?;
    for row in &slices {
        batch.upsert_evaluation(run.run_id, row)?;
    }
    batch.commit()?;
    let (run_id, system) = (run.run_id.get(), &run.system);
    tracing::info!(
        target: "ranklore::evaluation",
        run_id,
        system,
        contests = predictions.len(),
        duration_ms = began.elapsed().as_micros() as f64 / 1e3,
        "run {run_id}: evaluated {system}"
    );
    Ok(Evaluation { run, slices })
}

/// Returns the predictions of a run for each contest, from its rows before the contest.
fn load_predictions(store: &Store, run: &RunRow) -> Result<Vec<Prediction>, Error> {
    let selection = RunSelection::from_canonical_json(&run.selection);
    let mut contests = selection.contests(store)?;
    // Official ratings arrive with the results.
    if run.system != OFFICIAL && !is_current(store, run, &contests)? {
        return Err(Error::StaleRun {
            run: Box::new(run.clone()),
        });
    }
    Weights::from_run_parameters(&run.parameters).apply(&mut contests);
    let identities = Identities::load_for_run(store, &contests, run)?;
    let replay = Replay::load(store, &contests, 0, &identities)?;
    // Rating and number of earlier contests. Competitors are predicted from their second contest
    // on, so initial ratings do not matter.
    let mut state: Vec<(f64, u32)> = vec![(0.0, 0); replay.competitors.len()];
    let mut predictions = Vec::with_capacity(replay.contests.len());
    let ordered = || (replay.contests.iter()).filter(|contest| contest.round().has_order());
    let mut contests = ordered();
    let ids = ordered().map(|contest| contest.row.contest_id);
    store.for_each_rating(run.run_id, ids, |_, rows| {
        let Some(contest) = contests.next() else {
            return;
        };
        // The rating of a team is the sum of its members' ratings, once all have one.
        let before = |entrant: &u32| state[*entrant as usize];
        let crews = || {
            contest
                .team_ranges()
                .map(|crew| contest.entrants[crew].iter())
        };
        predictions.push(Prediction {
            mu: crews()
                .map(|crew| sum_ratings(crew.map(|e| before(e).0)))
                .collect(),
            earlier: crews()
                .map(|crew| crew.map(|e| before(e).1).min().unwrap_or(0))
                .collect(),
            groups: contest.groups.clone(),
        });
        for row in rows {
            if let Some(index) = replay.index_of(row.competitor_id) {
                let state = &mut state[index as usize];
                *state = (row.mu, state.1 + 1);
            }
        }
    })?;
    Ok(predictions)
}

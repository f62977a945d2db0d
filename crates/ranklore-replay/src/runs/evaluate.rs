//! Evaluation: accuracy of predictions by the ratings before each contest.

use std::ops::Range;
use std::time::Instant;

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::{Evaluator, Prediction, Slice};
use ranklore_store::{CompetitorId, EvaluationRow, OFFICIAL, RatingRow, RunRow, Store, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::runs::contest_size::exclude_oversized_contests;
use crate::runs::fingerprint::{Staleness, is_current};
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_run;
use crate::runs::lineup::{Replay, ReplayContest};
use crate::runs::selection::RunSelection;
use crate::runs::systems::{SystemName, conservative_k};
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
    /// Figures that expose ratings that cannot be right.
    #[serde(flatten)]
    pub plausibility: Plausibility,
}

impl Evaluation {
    /// Returns the concordance in a slice, in percent; `None` without predictions.
    #[must_use]
    pub fn concordance(&self, slice: &str) -> Option<f64> {
        let slice = self.slices.iter().find(|of| of.slice == slice)?;
        slice.concordance
    }
}

/// Figures that expose ratings that cannot be right, however well they predict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Plausibility {
    /// The lowest rating of a competitor after any contest; `None` without ratings.
    pub lowest_mu: Option<f64>,
    /// The highest.
    pub highest_mu: Option<f64>,
    /// Number of competitors with a single contest among the first 100 by conservative rating
    /// after the last contest.
    pub one_contest_in_top_100: u64,
}

/// A run, replayed from its rows.
struct ReplayedRun {
    /// Predictions by the ratings before each contest.
    by_rating: Evaluator,
    /// Predictions by the places of entrants in their previous contests.
    by_previous_place: Evaluator,
    /// The state of each competitor after the last contest.
    states: Vec<CompetitorState>,
    /// The lowest and the highest rating after any contest; infinite without ratings.
    mu_range: (f64, f64),
}

/// A competitor between two contests.
#[derive(Clone, Copy, Default)]
struct CompetitorState {
    mu: f64,
    sigma: f64,
    /// Number of rated contests.
    contests: u32,
    /// Number of entrants above in the last contest; of teams, of teams above.
    last_place: u32,
}

impl ReplayedRun {
    /// `k` is that of the conservative rating.
    fn plausibility(&self, k: f64) -> Plausibility {
        let conservative = |state: &CompetitorState| state.mu - k * state.sigma;
        let mut ranked: Vec<&CompetitorState> = self
            .states
            .iter()
            .filter(|state| state.contests > 0)
            .collect();
        ranked.sort_by(|a, b| conservative(b).total_cmp(&conservative(a)));
        let top = ranked.iter().take(100);
        let (lowest, highest) = self.mu_range;
        Plausibility {
            lowest_mu: lowest.is_finite().then_some(lowest),
            highest_mu: highest.is_finite().then_some(highest),
            one_contest_in_top_100: top.filter(|state| state.contests == 1).count() as u64,
        }
    }
}

/// Evaluates a run from its rows, and stores the result with it.
///
/// # Errors
/// [`Error::StaleRun`] if results changed since the run; [`Error::Store`].
pub fn evaluate(store: &mut Writer, run: RunRow, now: UnixSeconds) -> Result<Evaluation, Error> {
    let began = Instant::now();
    // Another connection, since the cache of a writer is many times that of a reader.
    let replayed = replay_run(&Store::open_reader(store.path())?, &run)?;
    let finite = |value: f64| value.is_finite().then_some(value);
    let plausibility = replayed.plausibility(conservative_k(&run.system));
    let accuracies = replayed.by_rating.finish();
    let baselines = replayed.by_previous_place.finish();
    let accuracies = Slice::ALL.into_iter().zip(accuracies).zip(baselines);
    let slices = accuracies.map(|((slice, accuracy), baseline)| EvaluationRow {
        slice: slice.as_str().to_owned(),
        evaluated_at: now.get(),
        contests: accuracy.contests,
        results: accuracy.results,
        concordance: finite(accuracy.concordance()),
        previous_place_concordance: finite(baseline.concordance()),
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
        contests = run.contests,
        duration_ms = began.elapsed().as_micros() as f64 / 1e3,
        "run {run_id}: evaluated {system}"
    );
    Ok(Evaluation {
        run,
        slices,
        plausibility,
    })
}

/// Replays a run from its rows.
fn replay_run(store: &Store, run: &RunRow) -> Result<ReplayedRun, Error> {
    let selection = RunSelection::from_canonical_json(&run.selection);
    let mut contests = selection.contests(store)?;
    // Official ratings arrive with the results.
    if run.system != OFFICIAL && !is_current(store, run)? {
        return Err(Error::StaleRun {
            run: Box::new(run.clone()),
            why: Staleness::find(store, run)?,
        });
    }
    Weights::from_run_parameters(&run.parameters).apply(&mut contests);
    if let Ok(system) = SystemName::find(&run.system) {
        exclude_oversized_contests(system.about(), &mut contests);
    }
    let identities = Identities::load_for_run(store, &contests, run)?;
    let replay = Replay::load(store, &contests, 0, &identities)?;
    let mut replayed = ReplayedRun {
        by_rating: Evaluator::new(replay.rated as usize),
        by_previous_place: Evaluator::new(replay.rated as usize),
        // Competitors are predicted from their second contest on, so initial ratings do not
        // matter.
        states: vec![CompetitorState::default(); replay.competitors.len()],
        mu_range: (f64::INFINITY, f64::NEG_INFINITY),
    };
    let ordered = || (replay.contests()).filter(|contest| contest.round().has_order());
    let mut contests = ordered();
    let ids = ordered().map(|contest| contest.row.contest_id);
    store.for_each_rating(run.run_id, ids, |_, rows| {
        if let Some(contest) = contests.next() {
            replayed.add_contest(&contest, rows, |of| replay.index_of(of));
        }
    })?;
    Ok(replayed)
}

impl ReplayedRun {
    /// Adds the predictions of a contest, and applies its rows.
    fn add_contest(
        &mut self,
        contest: &ReplayContest<'_>,
        rows: &[RatingRow],
        index_of: impl Fn(CompetitorId) -> Option<u32>,
    ) {
        let crews: Vec<Range<usize>> = contest.team_ranges().collect();
        let states = |crew: &Range<usize>| {
            let members = contest.entrants[crew.clone()].iter();
            members.map(|&member| self.states[member as usize])
        };
        let earlier = crews.iter().map(|crew| {
            let contests = states(crew).map(|state| state.contests);
            contests.min().unwrap_or(0)
        });
        let by_rating = Prediction {
            // The rating of a team is the sum of its members' ratings, once all have one.
            mu: (crews.iter())
                .map(|crew| sum_ratings(states(crew).map(|state| state.mu)))
                .collect(),
            earlier: earlier.collect(),
            groups: contest.groups.to_vec(),
        };
        let previous_place = |crew: &Range<usize>| {
            let places = states(crew).map(|state| f64::from(state.last_place));
            sum_ratings(places) / crew.len() as f64
        };
        let by_previous_place = Prediction {
            // The lower the place, the better.
            mu: crews.iter().map(|crew| -previous_place(crew)).collect(),
            ..by_rating.clone()
        };
        self.by_rating.add(by_rating);
        self.by_previous_place.add(by_previous_place);
        for row in rows {
            if let Some(index) = index_of(row.competitor_id) {
                let state = &mut self.states[index as usize];
                (state.mu, state.sigma) = (row.mu, row.sigma);
                state.contests += 1;
                let (lowest, highest) = self.mu_range;
                self.mu_range = (lowest.min(row.mu), highest.max(row.mu));
            }
        }
        let mut start = 0;
        for &end in contest.groups {
            for crew in &crews[start as usize..end as usize] {
                for &member in &contest.entrants[crew.clone()] {
                    self.states[member as usize].last_place = start;
                }
            }
            start = end;
        }
    }
}

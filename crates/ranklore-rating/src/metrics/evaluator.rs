//! The evaluation of a run, contest by contest.

use rayon::prelude::*;

use super::accuracy::Accuracy;
use super::bootstrap::{ComparedRun, Detail};
use super::competitors::EntrantPairs;
use super::contest::{Prediction, SelectedContest};
use super::pairs::PairPrediction;
use super::random::SplitMix64;
use super::slice::{EntrantFilter, Slice};
use crate::WinModel;

/// The choices of an evaluation.
#[derive(Clone, Debug, Default)]
pub struct EvaluationOptions {
    /// The slices, in the order of the accuracies.
    pub slices: Vec<Slice>,
    /// The model of win probabilities; without it there are no log loss, Brier score and
    /// calibration.
    pub win_model: Option<WinModel>,
    /// The number of contests at the start that train the system and are not evaluated.
    pub training_contests: usize,
    /// The seed of the samples of pairs and of the groups of events.
    pub seed: u64,
    /// Set if sums are kept for comparisons with other runs.
    pub comparison: Option<ComparisonScope>,
}

/// The contests in which runs are compared, in all slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ComparisonScope {
    /// The index of the slice that orders runs: its sums are kept in most detail.
    pub slice: usize,
    /// The number of contests that will be added, training included.
    pub contests: u64,
    /// The number of events: one more than the highest [`Prediction::event`].
    pub events: u32,
}

/// Pairs of entrants of a chunk of predictions, at 32 bytes and more each; in a comparison also those
/// of the pairs of each filter.
const CHUNK_ENTRANTS: usize = 250_000;

/// The cost of a contest in entrants: the accuracies in nine slices, at 500 bytes each.
const CONTEST_ENTRANTS: usize = 100;

/// An evaluation that holds only some predictions at a time. Neither that nor the number of threads
/// changes a bit of its result.
#[derive(Debug)]
pub struct Evaluator {
    options: EvaluationOptions,
    /// The different filters of the slices.
    filters: Vec<EntrantFilter>,
    /// Contests added, training included.
    added: usize,
    pub(super) chunk: Vec<Prediction>,
    chunk_cost: usize,
    accuracies: Vec<Accuracy>,
    /// The sums of each slice; none without a comparison.
    compared: Vec<ComparedRun>,
}

impl Evaluator {
    /// Creates an evaluation.
    #[must_use]
    pub fn new(options: EvaluationOptions) -> Self {
        let mut filters = Vec::new();
        for slice in &options.slices {
            if !filters.contains(&slice.filter) {
                filters.push(slice.filter);
            }
        }
        Self {
            filters,
            added: 0,
            chunk: Vec::new(),
            chunk_cost: 0,
            accuracies: vec![Accuracy::default(); options.slices.len()],
            compared: compare_slices(&options),
            options,
        }
    }

    /// Adds the prediction for the next contest.
    pub fn add(&mut self, prediction: Prediction) {
        self.added += 1;
        if self.added <= self.options.training_contests {
            return;
        }
        let copies = 1 + self.filters.len() * usize::from(!self.compared.is_empty());
        self.chunk_cost += copies * prediction.beliefs.len() / 2 + CONTEST_ENTRANTS;
        self.chunk.push(prediction);
        if self.chunk_cost >= CHUNK_ENTRANTS {
            self.add_chunk();
        }
    }

    /// Returns the accuracies over the contests added so far, in the order of the slices.
    pub fn accuracies(&mut self) -> &[Accuracy] {
        self.add_chunk();
        &self.accuracies
    }

    /// Returns the accuracies and the sums for comparisons in the order of the slices; no sums without
    /// [`EvaluationOptions::comparison`].
    #[must_use]
    pub fn finish(mut self) -> (Vec<Accuracy>, Vec<ComparedRun>) {
        self.add_chunk();
        for compared in &mut self.compared {
            compared.finish();
        }
        (self.accuracies, self.compared)
    }

    fn add_chunk(&mut self) {
        let filters = &self.filters;
        let options = &self.options;
        let model = options.win_model.as_ref();
        let is_compared = !self.compared.is_empty();
        let contests: Vec<Vec<(Accuracy, Vec<EntrantPairs>)>> = self
            .chunk
            .par_iter()
            .map(|prediction| {
                let by_filter = filters.iter().map(|&filter| {
                    let entrants = if is_compared {
                        prediction.beliefs.len()
                    } else {
                        0
                    };
                    let mut pairs = vec![EntrantPairs::default(); entrants];
                    let entrant_pairs = is_compared.then_some(&mut *pairs);
                    let accuracy =
                        evaluate_filter(prediction, filter, model, options.seed, entrant_pairs);
                    (accuracy, pairs)
                });
                by_filter.collect()
            })
            .collect();
        // Summed in the order of contests, so that neither threads nor chunks change the result.
        for (prediction, by_filter) in self.chunk.iter().zip(&contests) {
            for (index, slice) in options.slices.iter().enumerate() {
                if slice.of_contests && !prediction.slices.contains(&index) {
                    continue;
                }
                let filter = filters.iter().position(|&filter| filter == slice.filter);
                let Some((accuracy, pairs)) = filter.map(|filter| &by_filter[filter]) else {
                    continue;
                };
                if accuracy.contests == 0 {
                    continue;
                }
                self.accuracies[index].add(accuracy);
                if let Some(compared) = self.compared.get_mut(index) {
                    let Prediction { number, event, .. } = *prediction;
                    compared.add(number, event, &accuracy.sums);
                    compared.add_pairs(event, &prediction.competitors, pairs);
                }
            }
        }
        self.chunk.clear();
        self.chunk_cost = 0;
    }
}

/// Returns empty sums for each slice; none without a comparison.
fn compare_slices(options: &EvaluationOptions) -> Vec<ComparedRun> {
    let Some(scope) = options.comparison else {
        return Vec::new();
    };
    let slices = 0..options.slices.len();
    let compared = slices.map(|slice| {
        let detail = if slice == scope.slice {
            Detail::Full
        } else {
            Detail::Coarse
        };
        ComparedRun::new(scope.contests, scope.events, options.seed, detail)
    });
    compared.collect()
}

/// Evaluates the prediction for one contest in a slice. The model adds log loss, Brier score and
/// calibration.
#[must_use]
pub fn evaluate_contest(
    prediction: &Prediction,
    slice: &Slice,
    model: Option<&WinModel>,
    seed: u64,
) -> Accuracy {
    evaluate_filter(prediction, slice.filter, model, seed, None)
}

/// Returns the pairs of a contest whose mean losses are its log loss and Brier score.
#[must_use]
pub fn predict_pairs(
    prediction: &Prediction,
    slice: &Slice,
    model: &WinModel,
    seed: u64,
) -> Vec<PairPrediction> {
    let mut pairs = Vec::new();
    if let Some(contest) = SelectedContest::new(prediction, slice.filter) {
        let mut random = pair_generator(prediction, slice.filter, seed);
        contest.for_each_pair(model, &mut random, |pair| pairs.push(pair));
    }
    pairs
}

fn evaluate_filter(
    prediction: &Prediction,
    filter: EntrantFilter,
    model: Option<&WinModel>,
    seed: u64,
    mut entrant_pairs: Option<&mut [EntrantPairs]>,
) -> Accuracy {
    let mut accuracy = Accuracy::default();
    let Some(contest) = SelectedContest::new(prediction, filter) else {
        return accuracy;
    };
    accuracy.contests = 1;
    accuracy.results = contest.ties.len() as u64;
    if !contest.is_all_tied() {
        contest.add_order_metrics(&mut accuracy.sums, entrant_pairs.as_deref_mut());
    }
    if let Some(model) = model {
        let mut random = pair_generator(prediction, filter, seed);
        contest.add_pair_metrics(model, &mut random, &mut accuracy, entrant_pairs);
        contest.add_surprise(model, &mut random, &mut accuracy.sums);
    }
    accuracy
}

/// Returns the generator of the pairs of a contest, which are the same for every system.
fn pair_generator(prediction: &Prediction, filter: EntrantFilter, seed: u64) -> SplitMix64 {
    let EntrantFilter {
        earlier,
        last_place,
    } = filter;
    let rule = [earlier.low, earlier.high, last_place].map(u64::from);
    SplitMix64::new(&[seed, prediction.number, rule[0], rule[1], rule[2]])
}

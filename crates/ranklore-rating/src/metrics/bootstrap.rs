//! Comparisons of runs: paired bootstrap intervals (Efron, Bootstrap Methods: Another Look at the
//! Jackknife, 1979) and shares of contests won.

use std::collections::HashMap;

use rayon::prelude::*;

use super::competitors::{CompetitorSums, EntrantPairs, Widening};
use super::metric::{Metric, MetricSums};
use super::random::SplitMix64;

/// The detail of the sums of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Detail {
    /// 20,000 groups of events, and 20,000 contests: 7 MB.
    Full,
    /// 2,000 of both, for slices that do not order runs.
    Coarse,
}

impl Detail {
    /// Returns the highest number of groups of events, and of contests whose values are kept.
    const fn max_kept(self) -> u64 {
        match self {
            Self::Full => 20_000,
            Self::Coarse => 2_000,
        }
    }
}

/// The sums of a run over events and its values in contests, for comparisons with other runs of the
/// same contests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ComparedRun {
    /// The highest number of groups of events, and of contests whose values are kept.
    max_kept: u64,
    /// The sums of each event; of too many events, those of groups of them.
    events: Vec<MetricSums>,
    event_count: u64,
    /// The number and the values of each contest; of too many, a sample of about so many.
    contests: Vec<(u64, MetricSums)>,
    contest_count: u64,
    seed: u64,
    competitors: CompetitorSums,
    widening: Widening,
}

impl ComparedRun {
    pub(super) fn new(contests: u64, events: u32, seed: u64, detail: Detail) -> Self {
        let max_kept = detail.max_kept();
        let event_count = u64::from(events);
        Self {
            max_kept,
            events: vec![MetricSums::default(); event_count.min(max_kept) as usize],
            event_count,
            contests: Vec::new(),
            contest_count: contests,
            seed,
            competitors: CompetitorSums::default(),
            widening: Widening::default(),
        }
    }

    /// Adds a contest. An event beyond the announced number is added to the last one.
    pub(super) fn add(&mut self, contest: u64, event: u32, sums: &MetricSums) {
        let draw = |kind, number, bound| SplitMix64::new(&[self.seed, kind, number]).below(bound);
        let event = if self.event_count > self.max_kept {
            draw(0, u64::from(event), self.events.len())
        } else {
            (event as usize).min(self.events.len().saturating_sub(1))
        };
        let is_sampled = self.contest_count <= self.max_kept
            || (draw(1, contest, self.contest_count as usize) as u64) < self.max_kept;
        if let Some(total) = self.events.get_mut(event) {
            total.add(sums);
        }
        if is_sampled {
            self.contests.push((contest, *sums));
        }
    }

    /// Adds the pairs of the entrants of a contest, of which these are the competitors.
    pub(super) fn add_pairs(&mut self, event: u32, competitors: &[u32], pairs: &[EntrantPairs]) {
        for (&competitor, pairs) in competitors.iter().zip(pairs) {
            self.competitors.add(competitor, event, pairs);
        }
    }

    /// Ends the run.
    pub(super) fn finish(&mut self) {
        self.widening = std::mem::take(&mut self.competitors).finish(&self.events);
    }

    /// Returns the value of a metric over all events.
    fn value(&self, metric: Metric) -> Option<f64> {
        let mut total = MetricSums::default();
        for sums in &self.events {
            total.add(sums);
        }
        total.value(metric)
    }
}

/// A range of 95 %.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The 2.5th percentile.
    pub low: f64,
    /// The 97.5th percentile.
    pub high: f64,
}

impl Interval {
    /// Widens the interval around the value, within the range of the metric.
    fn widen(self, factor: f64, value: f64, metric: Metric) -> Self {
        let (lowest, highest) = metric.range();
        let bound = |end: f64| (value + factor * (end - value)).clamp(lowest, highest);
        Self {
            low: bound(self.low),
            high: bound(self.high),
        }
    }
}

/// The value of a run in a comparison.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparedValue {
    /// The value of the metric.
    pub value: f64,
    /// The interval of the value over other events and competitors; `None` if all predictions are
    /// of one event.
    pub interval: Option<Interval>,
    /// The value less that of the best run.
    pub difference: f64,
    /// The interval of the difference: the runs are resampled together. Competitors add little to
    /// it, since the runs share them.
    pub difference_interval: Option<Interval>,
}

/// Resamples that are computed in one pass over the sums.
const BLOCK: usize = 4;

/// Returns for each run its value and its difference to the best of the first `candidates`, with
/// intervals; `None` for a run without predictions. The first of equally good runs is the best.
///
/// A resample draws as many events as there are, with replacement, the same ones for all runs.
/// Contests of one event stay together, because they share entrants and conditions. The interval of
/// a value is then widened by what the events have in common: their competitors. The result has the
/// same bits with any number of threads.
#[must_use]
pub fn paired_bootstrap(
    runs: &[&ComparedRun],
    candidates: usize,
    metric: Metric,
    resamples: usize,
    seed: u64,
) -> Vec<Option<ComparedValue>> {
    let values: Vec<Option<f64>> = runs.iter().map(|run| run.value(metric)).collect();
    let mut best: Option<(usize, f64)> = None;
    for (index, value) in values.iter().take(candidates).enumerate() {
        if let Some(value) = *value
            && best.is_none_or(|(_, best)| metric.is_better(value, best))
        {
            best = Some((index, value));
        }
    }
    let Some((best, best_value)) = best else {
        return vec![None; runs.len()];
    };
    let sums = load_sums(runs, metric);
    // All resamples of one event are equal: that would look like certainty.
    let resamples = if sums[best].len() < 2 { 0 } else { resamples };
    let resampled = resample(&sums, metric, resamples, seed);
    let indexed_values = values.iter().enumerate();
    let compared = indexed_values.map(|(run, &value)| {
        let value = value?;
        let resampled_values = resampled.iter().filter_map(|sample| sample[run]);
        let differences = resampled.iter().filter_map(|sample| Some(sample[run]? - sample[best]?));
        let interval = percentile_interval(resampled_values.collect());
        Some(ComparedValue {
            value,
            interval: interval.map(|events| {
                let factor = runs[run].widening.factor(metric);
                events.widen(factor, value, metric)
            }),
            difference: value - best_value,
            difference_interval: percentile_interval(differences.collect()),
        })
    });
    compared.collect()
}

/// Returns for each run the sum and the weight of the metric in each event that has a prediction of
/// any run.
fn load_sums(runs: &[&ComparedRun], metric: Metric) -> Vec<Vec<(f64, f64)>> {
    let sum = |run: &ComparedRun, event: usize| {
        let sums = run.events.get(event);
        sums.map_or((0.0, 0.0), |sums| sums.sum_and_weight(metric))
    };
    let count = runs.iter().map(|run| run.events.len()).max().unwrap_or(0);
    let events: Vec<usize> = (0..count)
        .filter(|&event| runs.iter().any(|run| sum(run, event).1 > 0.0))
        .collect();
    runs.iter()
        .map(|run| events.iter().map(|&event| sum(run, event)).collect())
        .collect()
}

/// Returns for each resample the value of each run.
fn resample(
    runs: &[Vec<(f64, f64)>],
    metric: Metric,
    resamples: usize,
    seed: u64,
) -> Vec<Vec<Option<f64>>> {
    let events = runs.first().map_or(0, Vec::len);
    let blocks = (0..resamples.div_ceil(BLOCK)).into_par_iter();
    let values = blocks.flat_map_iter(|block| {
        // How often each resample of the block draws each event.
        let mut counts = vec![[0.0; BLOCK]; events];
        let mut generators: [SplitMix64; BLOCK] =
            std::array::from_fn(|sample| SplitMix64::new(&[seed, (block * BLOCK + sample) as u64]));
        for _ in 0..events {
            for (sample, random) in generators.iter_mut().enumerate() {
                counts[random.below(events)][sample] += 1.0;
            }
        }
        // All runs share the draws, so that the difference of two is between the same events.
        let mut values = vec![Vec::new(); BLOCK];
        for run in runs {
            let mut totals = [(0.0, 0.0); BLOCK];
            for (&(sum, weight), counts) in run.iter().zip(&counts) {
                for (total, count) in totals.iter_mut().zip(counts) {
                    total.0 += count * sum;
                    total.1 += count * weight;
                }
            }
            for (values, (sum, weight)) in values.iter_mut().zip(totals) {
                values.push(metric.mean(sum, weight));
            }
        }
        values
    });
    let mut values: Vec<Vec<Option<f64>>> = values.collect();
    values.truncate(resamples);
    values
}

/// Returns the range without the lowest and the highest 2.5 % of the values; `None` without values.
fn percentile_interval(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    let cut = values.len() / 40;
    Some(Interval {
        low: *values.get(cut)?,
        high: *values.get(values.len() - 1 - cut)?,
    })
}

/// Returns the percentage of contests in which the first run has a better value than the second;
/// equal values count one half. `None` if no contest has values of both.
#[must_use]
pub fn share_of_contests_won(
    first: &ComparedRun,
    second: &ComparedRun,
    metric: Metric,
) -> Option<f64> {
    let pairs = second.contests.iter().map(|(number, sums)| (*number, sums));
    let opponents: HashMap<u64, &MetricSums> = pairs.collect();
    let mut contests = 0;
    let mut half_wins = 0;
    for (number, sums) in &first.contests {
        let opponent = opponents.get(number).and_then(|sums| sums.value(metric));
        if let (Some(value), Some(opponent)) = (sums.value(metric), opponent) {
            contests += 1;
            half_wins += 1 + i32::from(metric.is_better(value, opponent))
                - i32::from(metric.is_better(opponent, value));
        }
    }
    (contests > 0).then(|| 50.0 * f64::from(half_wins) / f64::from(contests))
}

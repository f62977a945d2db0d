//! Stored evaluations of a source, slice by slice: the newest comparison, and those of runs.

use std::collections::BTreeSet;

use ranklore_contest::SourceName;
use ranklore_rating::metrics::{CalibrationBin, Metric};
use ranklore_store::{MetricRow, RunId, Store, StoredEvaluation};
use serde::Serialize;

use crate::predictions::accuracy::CalibrationRow;
use crate::predictions::comparison::{COIN_TOSS_BASELINE, PREVIOUS_PLACE_BASELINE};
use crate::rows::columns::{Columns, List};
use ranklore_replay::{Error, find_source, format_system, serialize_json_text};

/// The slice that is shown by default, if it has contests.
const USUAL_SLICE: &str = "experienced";

/// The slice that every evaluation has.
const FALLBACK_SLICE: &str = "everybody";

/// The evaluations of a source in one slice.
#[derive(Clone, Debug, Serialize)]
pub struct ComparisonList {
    /// The slices that have contests.
    pub slices: Vec<String>,
    /// The shown slice.
    pub slice: String,
    /// The systems of the newest comparison, best first, then the runs, the newest evaluation
    /// first.
    pub rows: Vec<EvaluatedSystem>,
}

/// The accuracy of a system, a baseline or a run.
#[derive(Clone, Debug, Serialize)]
pub struct EvaluatedSystem {
    /// The run; `None` in a comparison, which makes no run.
    pub run_id: Option<RunId>,
    /// The system with its settings, or the name of the baseline.
    pub system: String,
    /// True if it is no rating system.
    pub is_baseline: bool,
    /// The contests, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub selection: String,
    /// How it was evaluated, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub settings: String,
    /// Time of the evaluation, in Unix seconds.
    pub evaluated_at: i64,
    /// Number of contests in which two entrants have a result.
    pub contests: u64,
    /// Number of entrants predicted, over all contests.
    pub results: u64,
    /// The percentage of contests in which it is better than the best system of the comparison.
    pub contests_won: Option<f64>,
    /// The metrics that have a value.
    pub metrics: Vec<EvaluatedMetric>,
    /// Expected and actual scores of favourites, by expected score.
    pub calibration: Vec<CalibrationRow>,
}

/// The value of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EvaluatedMetric {
    /// The metric.
    pub metric: Metric,
    /// The value.
    pub value: f64,
    /// The lower bound of the 95 % interval, if it was computed.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// True if no system or run that was evaluated over the same contests in the same way is better.
    pub is_best: bool,
}

/// A metric of a system, as a row of a table.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MetricOfSystem<'c> {
    /// The run; `None` in a comparison.
    pub run_id: Option<RunId>,
    /// The system with its settings, or the name of the baseline.
    pub system: &'c str,
    /// The slice.
    pub slice: &'c str,
    /// The metric and its value.
    #[serde(flatten)]
    pub metric: EvaluatedMetric,
}

impl ComparisonList {
    /// Returns a row for each metric of each system.
    #[must_use]
    pub fn metric_rows(&self) -> Vec<MetricOfSystem<'_>> {
        let rows = self.rows.iter().flat_map(|row| {
            row.metrics.iter().map(|&metric| MetricOfSystem {
                run_id: row.run_id,
                system: &row.system,
                slice: &self.slice,
                metric,
            })
        });
        rows.collect()
    }
}

impl<'c> List for Vec<MetricOfSystem<'c>> {
    type Row = MetricOfSystem<'c>;

    fn columns(&self) -> Columns<'_, MetricOfSystem<'c>> {
        Columns::new().data(&[
            "run_id", "system", "slice", "metric", "value", "low", "high", "is_best",
        ])
    }
}

impl EvaluatedSystem {
    /// Returns a metric, if it has a value.
    #[must_use]
    pub fn metric(&self, metric: Metric) -> Option<&EvaluatedMetric> {
        self.metrics.iter().find(|row| row.metric == metric)
    }

    fn new(evaluation: &StoredEvaluation, slice: &str) -> Self {
        let values = SliceValues { evaluation, slice };
        let metrics = Metric::ALL.into_iter().filter_map(|metric| {
            let row = values.row(metric.as_str())?;
            Some(EvaluatedMetric {
                metric,
                value: row.value,
                low: row.low,
                high: row.high,
                is_best: false,
            })
        });
        let is_baseline = evaluation.run_id.is_none()
            && [PREVIOUS_PLACE_BASELINE, COIN_TOSS_BASELINE].contains(&&*evaluation.system);
        Self {
            run_id: evaluation.run_id,
            system: match evaluation.run_id {
                Some(_) => format_system(&evaluation.system, &evaluation.parameters),
                // A comparison stores the settings with the name.
                None => evaluation.system.clone(),
            },
            is_baseline,
            selection: evaluation.selection.clone(),
            settings: evaluation.settings.clone(),
            evaluated_at: evaluation.evaluated_at,
            contests: values.get("contests").unwrap_or(0.0) as u64,
            results: values.get("results").unwrap_or(0.0) as u64,
            contests_won: values.get("contests_won"),
            metrics: metrics.collect(),
            calibration: (0..10).filter_map(|bin| values.calibration_row(bin)).collect(),
        }
    }

    /// True if both predicted the same contests in the same way, so that values can be compared.
    fn is_comparable(&self, other: &Self) -> bool {
        self.run_id.is_some() == other.run_id.is_some()
            && self.selection == other.selection
            && self.settings == other.settings
    }
}

/// The stored values of an evaluation in a slice.
struct SliceValues<'e> {
    evaluation: &'e StoredEvaluation,
    slice: &'e str,
}

impl<'e> SliceValues<'e> {
    fn row(&self, metric: &str) -> Option<&'e MetricRow> {
        let mut rows = self.evaluation.metrics.iter();
        rows.find(|row| row.slice == self.slice && row.metric == metric)
    }

    fn get(&self, metric: &str) -> Option<f64> {
        self.row(metric).map(|row| row.value)
    }

    /// Returns the bin of calibration with this number, if it has pairs.
    fn calibration_row(&self, bin: u8) -> Option<CalibrationRow> {
        let from = 0.5 + CalibrationBin::WIDTH * f64::from(bin);
        let prefix = format!("calibration_{:.0}", 100.0 * from);
        Some(CalibrationRow {
            from,
            pairs: self.get(&format!("{prefix}_pairs"))? as u64,
            expected: self.get(&format!("{prefix}_expected"))?,
            actual: self.get(&format!("{prefix}_actual"))?,
        })
    }
}

/// Loads the stored evaluations over a source in a slice; by default that of experienced
/// competitors, or of everybody if nobody is. Without evaluations there are no rows.
///
/// # Errors
/// [`Error::NoSource`]; [`Error::NoSlice`]; [`Error::Store`].
pub fn load_comparisons(
    store: &Store,
    source: &SourceName,
    slice: Option<&str>,
) -> Result<ComparisonList, Error> {
    find_source(store, source)?;
    let stored = store.evaluations_over(source.as_str())?;
    let newest = stored.iter().find(|evaluation| evaluation.run_id.is_none());
    let newest_selection = newest.map(|evaluation| &evaluation.selection);
    let compared = stored.iter().filter(|evaluation| {
        evaluation.run_id.is_none() && Some(&evaluation.selection) == newest_selection
    });
    let runs = stored.iter().filter(|evaluation| evaluation.run_id.is_some());
    let evaluations: Vec<&StoredEvaluation> = compared.chain(runs).collect();
    let slices = find_slices(&evaluations);
    let slice = match slice {
        Some(name) if slices.iter().all(|slice| slice != name) => {
            return Err(Error::NoSlice {
                slice: name.to_owned(),
                known: slices,
            });
        }
        Some(name) => name,
        None if slices.iter().any(|slice| slice == USUAL_SLICE) => USUAL_SLICE,
        None => FALLBACK_SLICE,
    };
    let mut rows: Vec<EvaluatedSystem> = evaluations
        .into_iter()
        .map(|evaluation| EvaluatedSystem::new(evaluation, slice))
        .collect();
    mark_best(&mut rows);
    Ok(ComparisonList {
        slice: slice.to_owned(),
        slices,
        rows,
    })
}

/// Returns the slices that have contests, in the order of the alphabet.
fn find_slices(evaluations: &[&StoredEvaluation]) -> Vec<String> {
    let slices: BTreeSet<&String> = evaluations
        .iter()
        .flat_map(|evaluation| &evaluation.metrics)
        .filter(|row| row.metric == "contests" && row.value > 0.0)
        .map(|row| &row.slice)
        .collect();
    slices.into_iter().cloned().collect()
}

/// Marks the best value of each metric among those that can be compared, if there are several.
fn mark_best(rows: &mut [EvaluatedSystem]) {
    for index in 0..rows.len() {
        let row = &rows[index];
        let comparable: Vec<&EvaluatedSystem> = rows
            .iter()
            .enumerate()
            .filter(|(other_index, other)| *other_index != index && row.is_comparable(other))
            .map(|(_, other)| other)
            .collect();
        let marks: Vec<bool> = row
            .metrics
            .iter()
            .map(|metric| {
                let mut values =
                    comparable.iter().filter_map(|other| other.metric(metric.metric)).peekable();
                values.peek().is_some()
                    && values.all(|value| !metric.metric.is_better(value.value, metric.value))
            })
            .collect();
        for (metric, is_best) in rows[index].metrics.iter_mut().zip(marks) {
            metric.is_best = is_best;
        }
    }
}

//! Stored evaluations of a source, slice by slice: the newest comparison, and those of runs.

use ranklore_contest::SourceName;
use ranklore_rating::metrics::{CalibrationBin, Metric};
use ranklore_store::{MetricRow, RunId, Store, StoredEvaluation};
use serde::Serialize;

use crate::error::Error;
use crate::predictions::accuracy::CalibrationRow;
use crate::predictions::comparison::{COIN_TOSS_BASELINE, PREVIOUS_PLACE_BASELINE};
use crate::runs::keys::serialize_json_text;
use crate::runs::selection::find_source;
use crate::system_spec::format_system;

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
    /// Number of contests with something to predict.
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
        let rows = self.rows.iter().flat_map(|of| {
            of.metrics.iter().map(|&metric| MetricOfSystem {
                run_id: of.run_id,
                system: &of.system,
                slice: &self.slice,
                metric,
            })
        });
        rows.collect()
    }
}

impl EvaluatedSystem {
    /// Returns a metric, if it has a value.
    #[must_use]
    pub fn metric(&self, metric: Metric) -> Option<&EvaluatedMetric> {
        self.metrics.iter().find(|of| of.metric == metric)
    }

    fn new(of: &StoredEvaluation, slice: &str) -> Self {
        let rows: Vec<&MetricRow> = of.metrics.iter().filter(|of| of.slice == slice).collect();
        let find = |metric: &str| rows.iter().find(|of| of.metric == metric);
        let value = |metric: &str| find(metric).map(|of| of.value);
        let count = |metric: &str| value(metric).unwrap_or(0.0) as u64;
        let metrics = Metric::ALL.into_iter().filter_map(|metric| {
            let row = find(metric.as_str())?;
            Some(EvaluatedMetric {
                metric,
                value: row.value,
                low: row.low,
                high: row.high,
                is_best: false,
            })
        });
        let is_baseline = of.run_id.is_none()
            && [PREVIOUS_PLACE_BASELINE, COIN_TOSS_BASELINE].contains(&&*of.system);
        Self {
            run_id: of.run_id,
            system: match of.run_id {
                Some(_) => format_system(&of.system, &of.parameters),
                // A comparison stores the settings with the name.
                None => of.system.clone(),
            },
            is_baseline,
            selection: of.selection.clone(),
            settings: of.settings.clone(),
            evaluated_at: of.evaluated_at,
            contests: count("contests"),
            results: count("results"),
            contests_won: value("contests_won"),
            metrics: metrics.collect(),
            calibration: (0..10)
                .filter_map(|bin| calibration_row(bin, &value))
                .collect(),
        }
    }

    /// True if both predicted the same contests in the same way, so that values can be compared.
    fn is_comparable(&self, other: &Self) -> bool {
        self.run_id.is_some() == other.run_id.is_some()
            && self.selection == other.selection
            && self.settings == other.settings
    }
}

/// Returns the bin of calibration with this number, if it has pairs.
fn calibration_row(bin: u8, value: &dyn Fn(&str) -> Option<f64>) -> Option<CalibrationRow> {
    let from = 0.5 + CalibrationBin::WIDTH * f64::from(bin);
    let part = |name: &str| value(&format!("calibration_{:.0}_{name}", 100.0 * from));
    Some(CalibrationRow {
        from,
        pairs: part("pairs")? as u64,
        expected: part("expected")?,
        actual: part("actual")?,
    })
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
    let newest = stored.iter().find(|of| of.run_id.is_none());
    let is_of_newest = |of: &&StoredEvaluation| {
        of.run_id.is_none() && newest.is_some_and(|newest| newest.selection == of.selection)
    };
    let compared = stored.iter().filter(is_of_newest);
    let runs = stored.iter().filter(|of| of.run_id.is_some());
    let shown: Vec<&StoredEvaluation> = compared.chain(runs).collect();
    let slices = find_slices(&shown);
    let slice = match slice {
        Some(wanted) if slices.iter().all(|of| of != wanted) => {
            return Err(Error::NoSlice {
                slice: wanted.to_owned(),
                known: slices,
            });
        }
        Some(wanted) => wanted,
        None if slices.iter().any(|of| of == USUAL_SLICE) => USUAL_SLICE,
        None => FALLBACK_SLICE,
    };
    let mut rows: Vec<EvaluatedSystem> = (shown.iter())
        .map(|of| EvaluatedSystem::new(of, slice))
        .collect();
    mark_best(&mut rows);
    Ok(ComparisonList {
        slice: slice.to_owned(),
        slices,
        rows,
    })
}

/// Returns the slices that have contests, in the order of the alphabet.
fn find_slices(shown: &[&StoredEvaluation]) -> Vec<String> {
    let metrics = shown.iter().flat_map(|of| &of.metrics);
    let counts = metrics.filter(|of| of.metric == "contests" && of.value > 0.0);
    let slices: std::collections::BTreeSet<_> = counts.map(|of| of.slice.clone()).collect();
    slices.into_iter().collect()
}

/// Marks the best value of each metric among those that can be compared, if there are several.
fn mark_best(rows: &mut [EvaluatedSystem]) {
    for index in 0..rows.len() {
        let of = &rows[index];
        let is_best = |metric: &EvaluatedMetric| {
            let others = rows.iter().enumerate();
            let others = others.filter(|(other, row)| *other != index && of.is_comparable(row));
            let mut others = others
                .filter_map(|(_, row)| row.metric(metric.metric))
                .peekable();
            others.peek().is_some()
                && others.all(|other| !metric.metric.is_better(other.value, metric.value))
        };
        let marks: Vec<bool> = of.metrics.iter().map(is_best).collect();
        for (metric, is_best) in rows[index].metrics.iter_mut().zip(marks) {
            metric.is_best = is_best;
        }
    }
}

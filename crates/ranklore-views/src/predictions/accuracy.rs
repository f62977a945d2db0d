//! The accuracy in a slice, as evaluations return and store it.

use ranklore_rating::metrics::{Accuracy, CalibrationBin, Metric};
use ranklore_store::MetricRow;
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

/// The metric of predictions by the place in the previous contest.
const PREVIOUS_PLACE: &str = "previous_place_concordance";

/// The accuracy of predictions in a slice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SliceAccuracy {
    /// The slice.
    pub slice: String,
    /// Number of contests in which two entrants have a result.
    pub contests: u64,
    /// Number of entrants predicted, over all contests.
    pub results: u64,
    /// The metrics; those without predictions are null.
    #[serde(flatten)]
    pub metrics: MetricValues,
    /// Concordance of predictions by the place in the previous contest, in percent.
    pub previous_place_concordance: Option<f64>,
    /// Expected and actual scores of favourites, by expected score; empty without win
    /// probabilities.
    pub calibration: Vec<CalibrationRow>,
    /// The difference of each metric to the best system; only in comparisons.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<ComparedMetric>,
    /// The index of the slice in the evaluation.
    #[serde(skip)]
    pub(crate) index: usize,
}

/// A metric of a system, compared with the system that is best by it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ComparedMetric {
    /// The metric.
    pub metric: Metric,
    /// The value.
    pub value: f64,
    /// The lower bound of its 95 % interval; `None` if all contests are of one event and day.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// The value minus that of the best system.
    pub difference: f64,
    /// The lower bound of its 95 % interval.
    pub difference_low: Option<f64>,
    /// The upper bound.
    pub difference_high: Option<f64>,
    /// The percentage of contests in which it is better than the best system by the metric; equal
    /// values count one half. `None` for the best one and for baselines without order.
    pub contests_won: Option<f64>,
}

/// The value of each metric.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MetricValues([Option<f64>; Metric::ALL.len()]);

impl MetricValues {
    /// Returns the value of a metric; `None` without predictions.
    #[must_use]
    pub const fn get(&self, metric: Metric) -> Option<f64> {
        self.0[metric as usize]
    }

    /// Removes the metrics that a prediction without information has at their best.
    pub(crate) fn clear_uninformative(&mut self) {
        for metric in Metric::ALL {
            if metric.favours_equal_ratings() {
                self.0[metric as usize] = None;
            }
        }
    }
}

impl Serialize for MetricValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut keys = serializer.serialize_map(Some(self.0.len()))?;
        for metric in Metric::ALL {
            keys.serialize_entry(metric.as_str(), &self.get(metric))?;
        }
        keys.end()
    }
}

/// Predictions of pairs with an expected score of the favourite in one range.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CalibrationRow {
    /// The lower bound of the range.
    pub from: f64,
    /// Number of pairs.
    pub pairs: u64,
    /// The mean expected score of the favourite.
    pub expected: f64,
    /// The mean actual score of the favourite: 1 for a win, one half for a tie.
    pub actual: f64,
}

impl SliceAccuracy {
    /// Creates the accuracy in the slice with an index and a name; `previous_place` is that of the
    /// baseline.
    pub(crate) fn new(
        (index, slice): (usize, &str),
        accuracy: &Accuracy,
        previous_place: Option<&Accuracy>,
    ) -> Self {
        let bins = accuracy.calibration.iter().enumerate();
        Self {
            slice: slice.to_owned(),
            contests: accuracy.contests,
            results: accuracy.results,
            metrics: MetricValues(Metric::ALL.map(|metric| accuracy.value(metric))),
            previous_place_concordance: previous_place
                .and_then(|baseline| baseline.value(Metric::Concordance)),
            calibration: bins.filter_map(|(index, bin)| calibration_row(index, bin)).collect(),
            compared: Vec::new(),
            index,
        }
    }

    /// Returns the rows to store.
    pub(crate) fn rows(&self) -> Vec<MetricRow> {
        let mut values = vec![
            ("contests".to_owned(), self.contests as f64),
            ("results".to_owned(), self.results as f64),
        ];
        for metric in Metric::ALL {
            let value = self.metrics.get(metric);
            values.extend(value.map(|value| (metric.as_str().to_owned(), value)));
        }
        let previous_place = self.previous_place_concordance;
        values.extend(previous_place.map(|value| (PREVIOUS_PLACE.to_owned(), value)));
        for row in &self.calibration {
            let prefix = format!("calibration_{:.0}", 100.0 * row.from);
            values.push((format!("{prefix}_pairs"), row.pairs as f64));
            values.push((format!("{prefix}_expected"), row.expected));
            values.push((format!("{prefix}_actual"), row.actual));
        }
        let rows = values.into_iter();
        rows.map(|(metric, value)| metric_row(&self.slice, metric, value)).collect()
    }
}

/// Returns the row of a metric without an interval.
pub(crate) fn metric_row(slice: &str, metric: String, value: f64) -> MetricRow {
    MetricRow {
        slice: slice.to_owned(),
        metric,
        value,
        low: None,
        high: None,
    }
}

fn calibration_row(index: usize, bin: &CalibrationBin) -> Option<CalibrationRow> {
    Some(CalibrationRow {
        from: 0.5 + CalibrationBin::WIDTH * index as f64,
        pairs: bin.pairs,
        expected: bin.mean_expected()?,
        actual: bin.mean_score()?,
    })
}

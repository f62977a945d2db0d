//! The accuracy in a slice.

use super::metric::{Metric, MetricSums};

/// The accuracy in one slice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Contests with a result of two entrants or more; of those in which all tie, only expected
    /// scores are evaluated.
    pub contests: u64,
    /// Entrants predicted, over all contests.
    pub results: u64,
    /// The sums of the metrics.
    pub sums: MetricSums,
    /// Expected and actual scores of favourites, by expected score from ½ to 1. Empty without
    /// [`EvaluationOptions::win_model`](super::EvaluationOptions::win_model).
    pub calibration: [CalibrationBin; CalibrationBin::COUNT],
}

impl Accuracy {
    /// Returns the value of a metric; `None` if nothing was predicted.
    #[must_use]
    pub fn value(&self, metric: Metric) -> Option<f64> {
        self.sums.value(metric)
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.contests += other.contests;
        self.results += other.results;
        self.sums.add(&other.sums);
        for (bin, part) in self.calibration.iter_mut().zip(&other.calibration) {
            bin.add(part);
        }
    }
}

/// The pairs whose favourite has an expected score within a range of [`CalibrationBin::WIDTH`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CalibrationBin {
    /// The number of pairs.
    pub pairs: u64,
    expected: f64,
    scored: f64,
}

impl CalibrationBin {
    /// The number of bins, from an expected score of ½ to 1.
    pub const COUNT: usize = 10;

    /// The width of a bin.
    pub const WIDTH: f64 = 0.05;

    /// Returns the mean expected score of the favourites; `None` without pairs.
    #[must_use]
    pub fn mean_expected(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.expected / self.pairs as f64)
    }

    /// Returns the mean score of the favourites; `None` without pairs.
    #[must_use]
    pub fn mean_score(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.scored / self.pairs as f64)
    }

    /// Adds a pair to its bin.
    pub(super) fn add_pair(bins: &mut [Self; Self::COUNT], expected: f64, score: f64) {
        let bin = &mut bins[Self::index_of(expected)];
        bin.pairs += 1;
        bin.expected += expected;
        bin.scored += score;
    }

    fn index_of(expected: f64) -> usize {
        (((expected - 0.5) / Self::WIDTH) as usize).min(Self::COUNT - 1)
    }

    fn add(&mut self, other: &Self) {
        self.pairs += other.pairs;
        self.expected += other.expected;
        self.scored += other.scored;
    }
}

//! Accuracy of predictions: metrics of rankings and of win probabilities, over slices of the
//! entrants and contests, with intervals for comparisons. `docs/metrics.md` has the formulas.

mod accuracy;
mod bootstrap;
mod competitors;
mod contest;
mod evaluator;
mod metric;
mod order;
mod pairs;
mod random;
mod slice;
mod surprise;

#[cfg(test)]
mod tests;

pub use accuracy::{Accuracy, CalibrationBin};
pub use bootstrap::{
    ComparedRun, ComparedValue, Interval, paired_bootstrap, share_of_contests_won,
};
pub use contest::Prediction;
pub use evaluator::{
    ComparisonScope, EvaluationOptions, Evaluator, evaluate_contest, predict_pairs,
};
pub use metric::{Better, Metric, MetricInfo, MetricSums, Unit};
pub use pairs::PairPrediction;
pub use random::SplitMix64;
pub use slice::{Band, EXPERIENCE_BANDS, SIZE_BANDS, Slice};

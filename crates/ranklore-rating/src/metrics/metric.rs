//! The metrics and their sums over contests.

use serde::Serialize;

use crate::words::words;

/// A measure of how accurately a system predicts results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Metric {
    /// The C-index of Harrell and others (Evaluating the Yield of Medical Tests, 1982).
    Concordance,
    /// The pair inversion of the paper of Elo-MMR (section 6.3).
    PairInversion,
    /// The rank deviation of the paper of Elo-MMR (section 6.3).
    RankDeviation,
    /// The share of pairs in the wrong order, each pair with the same weight.
    DiscordantPairs,
    /// Kendall's `τ_b`.
    KendallTau,
    /// Spearman's ρ.
    SpearmanRho,
    /// The distance of predicted and actual rank in powers of two.
    Log2RankError,
    /// The log loss of win probabilities.
    LogLoss,
    /// The Brier score of win probabilities.
    Brier,
    /// The share of contests whose predicted winner won.
    Top1,
    /// The share of the predicted first ten who placed in the first ten.
    Top10,
    /// The spread of surprises over the spread that mu and sigma predict.
    Surprise,
}

words!(Metric {
    Concordance: "concordance",
    PairInversion: "pair_inversion",
    RankDeviation: "rank_deviation",
    DiscordantPairs: "discordant_pairs",
    KendallTau: "kendall_tau",
    SpearmanRho: "spearman_rho",
    Log2RankError: "log2_rank_error",
    LogLoss: "log_loss",
    Brier: "brier",
    Top1: "top_1",
    Top10: "top_10",
    Surprise: "surprise",
});

/// The values of a metric that are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Higher values.
    Higher,
    /// Lower values.
    Lower,
    /// Values closer to 1.
    CloserToOne,
}

words!(Better {
    Higher: "higher",
    Lower: "lower",
    CloserToOne: "closer to 1",
});

/// The unit of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Percent.
    Percent,
    /// A number without unit.
    Number,
}

words!(Unit {
    Percent: "percent",
    Number: "number",
});

/// The description of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct MetricInfo {
    /// The better values.
    pub better: Better,
    /// The unit.
    pub unit: Unit,
    /// The number of decimals that values are printed with.
    pub decimals: u8,
    /// The description in one line, for listings.
    pub description: &'static str,
}

impl Metric {
    /// Returns the description.
    #[must_use]
    pub const fn info(self) -> MetricInfo {
        let unit = self.unit();
        MetricInfo {
            better: self.better(),
            unit,
            decimals: match unit {
                Unit::Percent => 2,
                Unit::Number => 4,
            },
            description: self.description(),
        }
    }

    const fn better(self) -> Better {
        match self {
            Self::Concordance
            | Self::PairInversion
            | Self::KendallTau
            | Self::SpearmanRho
            | Self::Top1
            | Self::Top10 => Better::Higher,
            Self::RankDeviation
            | Self::DiscordantPairs
            | Self::Log2RankError
            | Self::LogLoss
            | Self::Brier => Better::Lower,
            Self::Surprise => Better::CloserToOne,
        }
    }

    const fn unit(self) -> Unit {
        match self {
            Self::Concordance
            | Self::PairInversion
            | Self::RankDeviation
            | Self::DiscordantPairs
            | Self::Top1
            | Self::Top10 => Unit::Percent,
            Self::KendallTau
            | Self::SpearmanRho
            | Self::Log2RankError
            | Self::LogLoss
            | Self::Brier
            | Self::Surprise => Unit::Number,
        }
    }

    const fn description(self) -> &'static str {
        match self {
            Self::Concordance => {
                "pairs in the right order, equal ratings count one half; 50 is a coin toss"
            }
            Self::PairInversion => {
                "opponents in the right order, ties and equal ratings count as right"
            }
            Self::RankDeviation => {
                "distance of predicted and actual place over the largest possible"
            }
            Self::DiscordantPairs => "pairs in the wrong order, contests weighted by their pairs",
            Self::KendallTau => "Kendall's tau-b of predicted and actual order, mean of contests",
            Self::SpearmanRho => "Spearman's rho of predicted and actual rank, mean of contests",
            Self::Log2RankError => "distance of predicted and actual rank in powers of two",
            Self::LogLoss => {
                "log loss of the win probabilities of pairs; ln 2 = 0.6931 is a coin toss"
            }
            Self::Brier => "squared error of the win probabilities of pairs; 0.25 is a coin toss",
            Self::Surprise => {
                "squared surprises over those that mu and sigma predict; 1 fits, above it sigma is \
                 too small"
            }
            Self::Top1 => "contests whose predicted winner won or tied for first",
            Self::Top10 => "predicted first ten who placed in the first ten",
        }
    }

    /// True if a prediction without information is at its best: equal ratings count as right, or
    /// are calibrated.
    #[must_use]
    pub const fn favours_equal_ratings(self) -> bool {
        matches!(self, Self::PairInversion | Self::RankDeviation | Self::Surprise)
    }

    /// True if the first value is better than the second.
    #[must_use]
    pub fn is_better(self, first: f64, second: f64) -> bool {
        match self.info().better {
            Better::Higher => first > second,
            Better::Lower => first < second,
            Better::CloserToOne => distance_to_one(first) < distance_to_one(second),
        }
    }

    /// Returns the lowest and the highest possible value.
    pub(super) const fn range(self) -> (f64, f64) {
        match self {
            Self::KendallTau | Self::SpearmanRho => (-1.0, 1.0),
            Self::Log2RankError | Self::LogLoss | Self::Surprise => (0.0, f64::INFINITY),
            Self::Brier => (0.0, 1.0),
            _ => (0.0, 100.0),
        }
    }

    /// Returns the value of a sum with this total weight, if the weight is positive.
    pub(super) fn mean(self, sum: f64, weight: f64) -> Option<f64> {
        let scale = match self.info().unit {
            Unit::Percent => 100.0,
            Unit::Number => 1.0,
        };
        (weight > 0.0).then(|| scale * sum / weight)
    }
}

/// Returns the factor between a ratio and 1, whichever is greater.
const fn distance_to_one(ratio: f64) -> f64 {
    ratio.max(1.0 / ratio)
}

/// The weighted sums of all metrics over contests.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MetricSums {
    /// For each metric the sum and the weight, in the order of [`Metric::ALL`].
    sums: [(f64, f64); Metric::ALL.len()],
}

impl MetricSums {
    /// Returns the weighted mean of a metric; `None` if nothing was predicted.
    #[must_use]
    pub fn value(&self, metric: Metric) -> Option<f64> {
        let (sum, weight) = self.sum_and_weight(metric);
        metric.mean(sum, weight)
    }

    /// Returns all metrics with their values.
    pub fn values(&self) -> impl Iterator<Item = (Metric, Option<f64>)> {
        Metric::ALL.map(|metric| (metric, self.value(metric))).into_iter()
    }

    pub(super) const fn sum_and_weight(&self, metric: Metric) -> (f64, f64) {
        self.sums[metric as usize]
    }

    pub(super) fn set(&mut self, metric: Metric, sum: f64, weight: f64) {
        self.sums[metric as usize] = (sum, weight);
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (total, part) in self.sums.iter_mut().zip(&other.sums) {
            total.0 += part.0;
            total.1 += part.1;
        }
    }
}

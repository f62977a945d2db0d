//! What is tuned, and the report.

use ranklore_contest::UnixSeconds;
use ranklore_rating::metrics::Metric;
use ranklore_replay::{
    RangeOverride, RunSelection, SamplerKind, SearchEdge, Setting, SystemSpec, serialize_json_text,
};
use serde::Serialize;

use crate::predictions::comparison::LeftOut;
use crate::predictions::settings::Train;

/// Systems to tune.
#[derive(Clone, Debug)]
pub struct TuneRequest {
    /// The contests.
    pub selection: RunSelection,
    /// The systems. Those that do not rate all contests are left out.
    pub systems: Vec<SystemSpec>,
    /// The contests that tune; by default a tenth.
    pub train: Option<Train>,
    /// The choices of the search.
    pub search: SearchOptions,
    /// The time now.
    pub now: UnixSeconds,
}

/// The choices of a search.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// Ranges in place of those of the systems.
    pub ranges: Vec<RangeOverride>,
    /// Parameters that are set and not searched.
    pub fixed: Vec<Setting>,
    /// The number of trials per system.
    pub trials: u64,
    /// The metric to optimise.
    pub objective: Metric,
    /// The slice in which it is measured; by default the first with predictions in both parts of
    /// experienced, everybody, all.
    pub slice: Option<String>,
    /// The sampler of points.
    pub sampler: SamplerKind,
    /// The seed of the sampler.
    pub seed: u64,
    /// True if trials end early that are worse than others after a part of the contests.
    pub prunes: bool,
    /// The share of the trials to run; all by default.
    pub shard: Option<Shard>,
}

/// One of several equal shares of a search, which other processes run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// The number of the share, from 1.
    index: u64,
    /// The number of shares.
    count: u64,
}

impl Shard {
    /// Parses `INDEX/COUNT`, such as `1/4`; `None` unless the index is from 1 to the count.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (index, count) = text.split_once('/')?;
        let index = index.parse().ok()?;
        let count = count.parse().ok()?;
        (1..=count).contains(&index).then_some(Self { index, count })
    }

    /// True if the batch of trials with a number, from 0, belongs to the share.
    pub(super) const fn has_batch(self, batch: u64) -> bool {
        batch % self.count == self.index - 1
    }
}

/// Systems after tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TuneReport {
    /// The selected contests, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub selection: String,
    /// The contests that tune, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub split: String,
    /// Number of contests that tune.
    pub tuning_contests: u64,
    /// Number of contests that judge.
    pub judged_contests: u64,
    /// The metric that was optimised.
    pub objective: Metric,
    /// The slice in which it was measured.
    pub slice: String,
    /// The sampler of points.
    pub sampler: &'static str,
    /// The seed of the sampler.
    pub seed: u64,
    /// True if the user interrupted the search.
    pub interrupted: bool,
    /// The systems, the best on the judged part first.
    pub systems: Vec<TunedSystem>,
    /// The systems that are left out.
    pub left_out: Vec<LeftOut>,
}

/// A system after tuning.
#[derive(Clone, Debug, Serialize)]
pub struct TunedSystem {
    /// The system, with the settings that it began with.
    pub system: String,
    /// The system with the chosen parameters, for `rate --system`: those of the best trial, without
    /// differences to the defaults that the contests that tune do not tell.
    pub best: String,
    /// All chosen parameters, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub parameters: String,
    /// The number of the best trial; 0 has the default parameters.
    pub trial: u64,
    /// Number of trials that ended.
    pub trials: u64,
    /// Number of those that ended early.
    pub pruned: u64,
    /// Number of those whose ratings diverged.
    pub failed: u64,
    /// The objective of the chosen parameters in the contests that tune.
    pub tuning: f64,
    /// The objective of the best trial there.
    pub tuning_best: f64,
    /// The objective of the default parameters there; `None` if they diverge.
    pub tuning_default: Option<f64>,
    /// The objective in the contests that judge; `None` for a share of the search, and after an
    /// interruption.
    pub judged: Option<JudgedSystem>,
    /// Best values at the end of their range.
    pub edges: Vec<TunedEdge>,
}

/// The best parameters in the contests that judge.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JudgedSystem {
    /// The objective of the best parameters.
    pub value: f64,
    /// The lower bound of its 95 % interval; `None` if all contests are of one event and day.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// The objective of the default parameters.
    pub default: f64,
    /// The value minus that of the default parameters.
    pub difference: f64,
    /// The lower bound of its 95 % interval; `None` also if the default parameters are the best.
    pub difference_low: Option<f64>,
    /// The upper bound.
    pub difference_high: Option<f64>,
    /// Duration of the replay of all contests, in seconds.
    pub seconds: f64,
}

/// A best value at the end of its range.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedEdge {
    /// The parameter.
    pub parameter: String,
    /// The best value.
    pub value: f64,
    /// A wider range, for `--space`.
    pub wider: String,
}

impl From<SearchEdge> for TunedEdge {
    fn from(edge: SearchEdge) -> Self {
        Self {
            parameter: edge.name,
            value: edge.value,
            wider: edge.wider.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_divide_batches() {
        for text in [
            "0/4", "5/4", "1/0", "0/0", "1", "1/", "/4", "a/4", "-1/4", "1/4/2", "",
        ] {
            assert_eq!(Shard::parse(text), None, "{text}");
        }
        for count in 1..6 {
            let shards: Vec<Shard> = (1..=count)
                .map(|index| Shard::parse(&format!("{index}/{count}")).unwrap())
                .collect();
            for batch in 0..20 {
                assert_eq!(shards.iter().filter(|shard| shard.has_batch(batch)).count(), 1);
            }
        }
    }
}

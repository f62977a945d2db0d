//! Contests to rate, put in replay order after they are loaded.

use std::cmp::Ordering;

use crate::ids::{ContestId, SourceId};
use crate::read::event_numbers::EventNumbers;
use crate::results::external_ids::{compare_events, compare_simultaneous_contests};

/// A contest to rate, in 104 bytes: a replay holds a million of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatableContest {
    /// The contest.
    pub contest_id: ContestId,
    /// The source.
    pub source_id: SourceId,
    /// Time at which the result was final, in Unix seconds.
    pub ends_at: i64,
    /// Weight in rating systems.
    pub weight: f64,
    /// Weight given by the source.
    pub site_weight: Option<f64>,
    /// Duration over the median of the loaded contests of its source with a known one; 0 if its
    /// start or its end is unknown.
    pub relative_duration: f64,
    /// Upper limit of performances; infinite without one.
    pub performance_ceiling: f64,
    /// Number of entrants.
    pub entrants: u32,
    /// Number of events before its own among the selected contests.
    pub event: u32,
    /// Hash of the contest; zeros without results.
    pub content_hash: [u8; 32],
}

/// Contests to rate while they are loaded.
#[derive(Default)]
pub(crate) struct RatableContests {
    pub(crate) rows: Vec<RatableContest>,
    pub(crate) keys: SortKeys,
}

impl RatableContests {
    /// Returns the contests in replay order, with their events numbered.
    pub(crate) fn in_replay_order(self) -> Vec<RatableContest> {
        let Self { mut rows, keys } = self;
        rows.sort_unstable_by(|a: &RatableContest, b| {
            let by_end = a.ends_at.cmp(&b.ends_at);
            by_end.then_with(|| keys.compare(a.event, b.event, Some(a.ends_at)))
        });
        let mut events = EventNumbers::default();
        for contest in &mut rows {
            let (event, ..) = keys.get(contest.event);
            contest.event = events.add(contest.source_id, event);
        }
        rows
    }

    /// Divides the durations in seconds of the contests from an index on, all of one source, by
    /// their median. Those without one have 0.
    pub(crate) fn normalise_durations(&mut self, from: usize) {
        let contests = &mut self.rows[from..];
        let durations = contests.iter().map(|contest| contest.relative_duration);
        let mut durations: Vec<f64> = durations.filter(|&duration| duration > 0.0).collect();
        durations.sort_unstable_by(f64::total_cmp);
        let middle = durations.len() / 2;
        let median = match durations.get(middle) {
            Some(&upper) if durations.len().is_multiple_of(2) => {
                f64::midpoint(durations[middle - 1], upper)
            }
            Some(&middle) => middle,
            None => 1.0,
        };
        for contest in contests {
            contest.relative_duration /= median;
        }
    }
}

/// The columns that order simultaneous contests. They are needed for sorting only, and their texts
/// are in one allocation.
#[derive(Default)]
pub(crate) struct SortKeys {
    /// The rank of each contest's source.
    sources: Vec<u32>,
    /// Event and external id of each contest.
    texts: String,
    keys: Vec<SortKey>,
}

/// In 24 bytes.
struct SortKey {
    /// Start of the event in the texts.
    start: usize,
    /// 0 without one.
    ordinal: i64,
    /// Bytes of the event.
    event: u32,
    has_ordinal: bool,
    has_event: bool,
}

impl SortKeys {
    /// Adds the keys of the next contest; `source` is the rank of its source.
    pub(crate) fn push(
        &mut self,
        source: u32,
        event: Option<&str>,
        ordinal: Option<i64>,
        external_id: &str,
    ) {
        self.sources.push(source);
        self.keys.push(SortKey {
            start: self.texts.len(),
            ordinal: ordinal.unwrap_or(0),
            event: event.map_or(0, str::len) as u32,
            has_ordinal: ordinal.is_some(),
            has_event: event.is_some(),
        });
        self.texts.extend(event);
        self.texts.push_str(external_id);
    }

    /// Returns event, ordinal and external id of the contest that was pushed at this index.
    fn get(&self, index: u32) -> (Option<&str>, Option<i64>, &str) {
        let index = index as usize;
        let key = &self.keys[index];
        let end = self.keys.get(index + 1).map(|next| next.start);
        let both = &self.texts[key.start..end.unwrap_or(self.texts.len())];
        let (event, external_id) = both.split_at(key.event as usize);
        let event = key.has_event.then_some(event);
        (event, key.has_ordinal.then_some(key.ordinal), external_id)
    }

    /// Compares two contests that ended at `ends_at`, as [`ContestRow::replay_order`](super::replay::ContestRow::replay_order)
    /// does.
    fn compare(&self, a: u32, b: u32, ends_at: Option<i64>) -> Ordering {
        let by_source = self.sources[a as usize].cmp(&self.sources[b as usize]);
        let (event_a, ordinal_a, id_a) = self.get(a);
        let (event_b, ordinal_b, id_b) = self.get(b);
        by_source
            .then_with(|| compare_events(event_a, event_b))
            .then_with(|| ordinal_a.cmp(&ordinal_b))
            .then_with(|| compare_simultaneous_contests(id_a, id_b, ends_at))
    }
}

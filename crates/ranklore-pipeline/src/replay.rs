//! Standings as a replay needs them: contests as numbers, in order.

use std::collections::{HashMap, HashSet};

use ranklore_contest::Place;
use ranklore_rating::Round;
use ranklore_store::{CompetitorId, ContestRow, SourceId, Store};

use crate::Error;
use crate::identities::Identities;

/// Contests in memory: eight bytes a result.
pub(crate) struct Replay {
    pub(crate) contests: Vec<ReplayContest>,
    /// The competitor of each index.
    pub(crate) competitors: Vec<CompetitorId>,
    indices: HashMap<CompetitorId, u32>,
    /// How many contests can be rated; the others have one entrant, or all tied.
    pub(crate) rated: u64,
    /// How many results those have.
    pub(crate) results: u64,
}

/// A contest as numbers.
pub(crate) struct ReplayContest {
    pub(crate) row: ContestRow,
    /// By place; those who did not finish last.
    pub(crate) entrants: Vec<u32>,
    /// Ends of the tie groups.
    pub(crate) groups: Vec<u32>,
    /// How many entrants finished.
    finishers: u32,
    /// How many events there were before its own.
    event: u32,
}

impl ReplayContest {
    pub(crate) fn round(&self) -> Round<'_> {
        Round {
            ends_at: self.row.ends_at.unwrap_or(0),
            weight: self.row.weight,
            performance_ceiling: self.row.performance_ceiling.unwrap_or(f64::INFINITY),
            event: self.event,
            finishers: self.finishers,
            ..Round::of(&self.entrants, &self.groups)
        }
    }
}

impl Replay {
    /// Reads the standings of `contests`, which are in the order of replay and all of a run, but
    /// for those of the first `kept`. Of several accounts of one competitor in a contest the best
    /// place counts.
    pub(crate) fn load(
        store: &Store,
        contests: &[ContestRow],
        kept: usize,
        identities: &Identities,
    ) -> Result<Self, Error> {
        let mut replay = Self {
            contests: Vec::with_capacity(contests.len() - kept),
            competitors: Vec::new(),
            indices: HashMap::new(),
            rated: 0,
            results: 0,
        };
        let ids: Vec<_> = contests[kept..].iter().map(|row| row.contest_id).collect();
        let mut rows = contests.iter().zip(events(contests)).skip(kept);
        let mut by_place: Vec<(u32, CompetitorId)> = Vec::new();
        let mut twice = HashSet::new();
        store.for_each_standing(ids, |_, standings| {
            let Some((row, event)) = rows.next() else {
                return;
            };
            by_place.clear();
            by_place.extend(standings.iter().map(|standing| {
                let place = standing.place.map_or(u32::MAX, Place::get);
                (place, identities.of(standing.competitor_id))
            }));
            // Within a tie by id, which says nothing: no system depends on it.
            by_place.sort_unstable();
            if identities.any_merged() {
                twice.clear();
                by_place.retain(|&(_, competitor)| twice.insert(competitor));
            }
            let mut groups: Vec<u32> = Vec::new();
            for (index, pair) in by_place.windows(2).enumerate() {
                if pair[0].0 != pair[1].0 {
                    groups.push(index as u32 + 1);
                }
            }
            groups.push(by_place.len() as u32);
            let finishers = by_place.partition_point(|&(place, _)| place < u32::MAX) as u32;
            let entrants = by_place
                .iter()
                .map(|&(_, competitor)| replay.admit(competitor))
                .collect();
            let contest = ReplayContest {
                row: row.clone(),
                entrants,
                groups,
                finishers,
                event,
            };
            if contest.round().has_order() {
                replay.rated += 1;
                replay.results += by_place.len() as u64;
            }
            replay.contests.push(contest);
        })?;
        Ok(replay)
    }

    /// The index of a competitor of these contests.
    pub(crate) fn index_of(&self, competitor: CompetitorId) -> Option<u32> {
        self.indices.get(&competitor).copied()
    }

    fn admit(&mut self, competitor: CompetitorId) -> u32 {
        *self.indices.entry(competitor).or_insert_with(|| {
            self.competitors.push(competitor);
            self.competitors.len() as u32 - 1
        })
    }
}

/// How many events there were before that of each contest. A contest without an event is one of
/// its own.
fn events(contests: &[ContestRow]) -> Vec<u32> {
    let mut known: HashMap<(SourceId, &str), u32> = HashMap::new();
    let mut events = Vec::with_capacity(contests.len());
    let mut next = 0;
    for contest in contests {
        let number = match contest.event.as_deref() {
            Some(event) => *known.entry((contest.source_id, event)).or_insert(next),
            None => next,
        };
        next += u32::from(number == next);
        events.push(number);
    }
    events
}

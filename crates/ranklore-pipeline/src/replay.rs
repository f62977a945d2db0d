//! Standings as a replay needs them: contests as numbers, in order.

use std::collections::{HashMap, HashSet};

use ranklore_contest::Place;
use ranklore_rating::Round;
use ranklore_store::{CompetitorId, ContestRow, Store};

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
}

impl ReplayContest {
    pub(crate) fn round(&self) -> Round<'_> {
        Round {
            ends_at: self.row.ends_at.unwrap_or(0),
            weight: self.row.weight,
            performance_ceiling: self.row.performance_ceiling.unwrap_or(f64::INFINITY),
            entrants: &self.entrants,
            groups: &self.groups,
        }
    }
}

impl Replay {
    /// Reads the standings of `contests`, which are in the order of replay. Of several accounts
    /// of one competitor in a contest the best place counts.
    pub(crate) fn load(
        store: &Store,
        contests: Vec<ContestRow>,
        identities: &Identities,
    ) -> Result<Self, Error> {
        let mut replay = Self {
            contests: Vec::with_capacity(contests.len()),
            competitors: Vec::new(),
            indices: HashMap::new(),
            rated: 0,
            results: 0,
        };
        let mut rows = contests.into_iter();
        let ids: Vec<_> = rows.as_slice().iter().map(|row| row.contest_id).collect();
        let mut by_place: Vec<(u32, CompetitorId)> = Vec::new();
        let mut twice = HashSet::new();
        store.for_each_standing(ids, |_, standings| {
            let Some(row) = rows.next() else { return };
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
            let entrants = by_place
                .iter()
                .map(|&(_, competitor)| replay.admit(competitor))
                .collect();
            let contest = ReplayContest {
                row,
                entrants,
                groups,
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

//! Standings as a replay needs them: contests as numbers, in order.

use std::collections::HashMap;

use ranklore_contest::Place;
use ranklore_rating::Round;
use ranklore_store::{CompetitorId, ContestRow, Store};

use crate::Error;

/// All contests of a run in memory: eight bytes a result.
pub(crate) struct Replay {
    pub(crate) contests: Vec<ReplayContest>,
    /// The competitor of each index.
    pub(crate) competitors: Vec<CompetitorId>,
    /// How many results the contests have that can be rated.
    pub(crate) results: u64,
    /// How many contests cannot be: one entrant, or all tied.
    pub(crate) without_order: u64,
}

/// A contest with an order, as numbers.
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
    /// Reads the standings of `contests`, which are in the order of replay.
    pub(crate) fn load(store: &Store, contests: Vec<ContestRow>) -> Result<Self, Error> {
        let mut replay = Self {
            contests: Vec::with_capacity(contests.len()),
            competitors: Vec::new(),
            results: 0,
            without_order: 0,
        };
        let mut indices: HashMap<CompetitorId, u32> = HashMap::new();
        let mut rows = contests.into_iter();
        let ids: Vec<_> = rows.as_slice().iter().map(|row| row.contest_id).collect();
        let mut by_place: Vec<(u32, CompetitorId)> = Vec::new();
        store.for_each_standing(ids, |_, standings| {
            let Some(row) = rows.next() else { return };
            by_place.clear();
            by_place.extend(standings.iter().map(|standing| {
                let place = standing.place.map_or(u32::MAX, Place::get);
                (place, standing.competitor_id)
            }));
            // Within a tie by id, which says nothing: no system depends on it.
            by_place.sort_unstable();
            let mut groups: Vec<u32> = Vec::new();
            for (index, pair) in by_place.windows(2).enumerate() {
                if pair[0].0 != pair[1].0 {
                    groups.push(index as u32 + 1);
                }
            }
            groups.push(by_place.len() as u32);
            if groups.len() < 2 {
                replay.without_order += 1;
                return;
            }
            let entrants = by_place
                .iter()
                .map(|&(_, competitor)| {
                    *indices.entry(competitor).or_insert_with(|| {
                        replay.competitors.push(competitor);
                        replay.competitors.len() as u32 - 1
                    })
                })
                .collect();
            replay.results += by_place.len() as u64;
            replay.contests.push(ReplayContest {
                row,
                entrants,
                groups,
            });
        })?;
        Ok(replay)
    }
}

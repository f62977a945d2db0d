//! Standings as a replay needs them: contests as numbers, in order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ranklore_contest::Place;
use ranklore_rating::Round;
use ranklore_store::{CompetitorId, ContestRow, SourceId, Standing, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::teams::{Teams, crews_of};

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
    /// By place; those who did not finish last, those of a team one after the other.
    pub(crate) entrants: Vec<u32>,
    /// Ends of the teams among the entrants; none where everybody stands alone.
    teams: Option<Vec<u32>>,
    /// Ends of the tie groups, in teams.
    pub(crate) groups: Vec<u32>,
    /// How many teams finished.
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
            teams: self.teams.as_deref(),
            ..Round::of(&self.entrants, &self.groups)
        }
    }

    /// Where those who stand together are among the entrants, in the order of place.
    pub(crate) fn crews(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let teams = self.teams.as_deref();
        let ends = move |index: usize| teams.map_or(index + 1, |ends| ends[index] as usize);
        let count = teams.map_or(self.entrants.len(), <[u32]>::len);
        let mut start = 0;
        (0..count).map(move |index| {
            let crew = start..ends(index);
            start = crew.end;
            crew
        })
    }
}

impl Replay {
    /// Reads the standings of `contests`, which are in the order of replay and all of a run, but
    /// for those of the first `kept`. Of several accounts of one competitor in a contest the best
    /// place counts, and of several teams of a person, where people in teams are rated. Nobody
    /// stands in a contest of weight 0.
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
        let rows = contests.iter().zip(events(contests)).skip(kept);
        for (row, event) in rows {
            let mut lineup = Lineup::default();
            let counts = row.weight > 0.0;
            let ids = counts.then_some(row.contest_id);
            let mut standings = Vec::new();
            store.for_each_standing(ids, |_, all| match identities.teams {
                Teams::Whole => lineup.everybody(all, identities),
                Teams::Members => standings.extend_from_slice(all),
            })?;
            if counts && identities.teams == Teams::Members {
                let ranks = standings.iter().map(|of| (of.competitor_id, rank(of)));
                for crew in crews_of(store, row.contest_id, ranks, |of| identities.of(of))? {
                    lineup.stand(crew.rank, &crew.people);
                }
            }
            let contest = ReplayContest {
                row: row.clone(),
                groups: lineup.groups(),
                finishers: lineup.ranks.partition_point(|&rank| rank < UNPLACED) as u32,
                entrants: (lineup.entrants.iter())
                    .map(|&of| replay.admit(of))
                    .collect(),
                teams: (lineup.ends.len() < lineup.entrants.len()).then_some(lineup.ends),
                event,
            };
            if contest.round().has_order() {
                replay.rated += 1;
                replay.results += contest.entrants.len() as u64;
            }
            replay.contests.push(contest);
        }
        Ok(replay)
    }

    /// A hash of who stands with whom, ids and all: as long as nobody comes or goes it says
    /// whether that changed. Names have no say in it.
    pub(crate) fn digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut say = |number: u64| {
            hasher.update(&number.to_le_bytes());
        };
        for contest in &self.contests {
            let crews = contest.crews().map(|crew| {
                let ids = contest.entrants[crew].iter();
                ids.map(|&entrant| self.competitors[entrant as usize].get())
                    .collect()
            });
            let mut crews: Vec<Vec<i64>> = crews.collect();
            // Places stay what they are, so that those of a tie may be taken in any order.
            crews.sort_unstable();
            say(crews.len() as u64);
            for crew in crews {
                say(crew.len() as u64);
                for id in crew {
                    say(id as u64);
                }
            }
        }
        *hasher.finalize().as_bytes()
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

/// The place of all who have none: behind all others.
const UNPLACED: u32 = u32::MAX;

fn rank(standing: &Standing) -> u32 {
    standing.place.map_or(UNPLACED, Place::get)
}

/// Who stands where in one contest, best place first.
#[derive(Default)]
struct Lineup {
    entrants: Vec<CompetitorId>,
    /// Ends of those who stand together.
    ends: Vec<u32>,
    /// The place of each of these.
    ranks: Vec<u32>,
}

impl Lineup {
    /// Everybody of the standings for themselves; of several accounts the best place.
    fn everybody(&mut self, standings: &[Standing], identities: &Identities) {
        let by_rank = standings.iter();
        let by_rank = by_rank.map(|of| (rank(of), identities.of(of.competitor_id)));
        let mut by_rank: Vec<(u32, CompetitorId)> = by_rank.collect();
        // Within a tie by id, which says nothing: no system depends on it.
        by_rank.sort_unstable();
        if identities.any_merged() {
            let mut counted = HashSet::new();
            by_rank.retain(|&(_, competitor)| counted.insert(competitor));
        }
        for (rank, competitor) in by_rank {
            self.stand(rank, &[competitor]);
        }
    }

    /// The next ones in the order of place.
    fn stand(&mut self, rank: u32, people: &[CompetitorId]) {
        self.entrants.extend_from_slice(people);
        self.ends.push(self.entrants.len() as u32);
        self.ranks.push(rank);
    }

    /// Ends of the tie groups.
    fn groups(&self) -> Vec<u32> {
        let mut groups: Vec<u32> = Vec::new();
        for (index, pair) in self.ranks.windows(2).enumerate() {
            if pair[0] != pair[1] {
                groups.push(index as u32 + 1);
            }
        }
        groups.push(self.ranks.len() as u32);
        groups
    }
}

/// How many events there were before that of each contest. A contest without an event is one of
/// its own.
pub(crate) fn events<'r>(contests: impl IntoIterator<Item = &'r ContestRow>) -> Vec<u32> {
    let mut known: HashMap<(SourceId, &str), u32> = HashMap::new();
    let mut events = Vec::new();
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

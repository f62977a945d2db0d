//! Standings in memory for a replay: contests as numbers, in order.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ranklore_contest::Place;
use ranklore_rating::RatingRound;
use ranklore_store::{CompetitorId, ContestRow, SourceId, Standing, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::teams::{TeamMode, load_rated_teams};

/// Contests in memory, at eight bytes per result.
pub(crate) struct Replay {
    pub(crate) contests: Vec<ReplayContest>,
    /// The competitor of each index.
    pub(crate) competitors: Vec<CompetitorId>,
    indices: HashMap<CompetitorId, u32>,
    /// Number of contests that can be rated; the others have one entrant, or only ties.
    pub(crate) rated: u64,
    /// Number of results of those contests.
    pub(crate) results: u64,
}

/// A contest as numbers.
pub(crate) struct ReplayContest {
    pub(crate) row: ContestRow,
    /// Entrants ordered by place, those that did not finish last; members of a team are adjacent.
    pub(crate) entrants: Vec<u32>,
    /// Ends of the teams in `entrants`; none if every team has one member.
    teams: Option<Vec<u32>>,
    /// Ends of the tie groups, counted in teams.
    pub(crate) groups: Vec<u32>,
    /// Number of teams that finished.
    finishers: u32,
    /// Number of events before that of the contest.
    event: u32,
}

impl ReplayContest {
    pub(crate) fn round(&self) -> RatingRound<'_> {
        RatingRound {
            ends_at: self.row.ends_at.unwrap_or(0),
            weight: self.row.weight,
            performance_ceiling: self.row.performance_ceiling.unwrap_or(f64::INFINITY),
            event: self.event,
            finishers: self.finishers,
            teams: self.teams.as_deref(),
            ..RatingRound::new(&self.entrants, &self.groups)
        }
    }

    /// Returns the ranges of the teams in `entrants`, in the order of place.
    pub(crate) fn team_ranges(&self) -> impl Iterator<Item = Range<usize>> + '_ {
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
    /// Loads the standings of `contests`, which are all contests of a run in replay order, except
    /// for the first `kept` contests. If several accounts of a competitor, or several teams of a
    /// person in a run that rates members, are in one contest, the best place counts. A contest of
    /// weight 0 has no entrants.
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
        let rows = contests.iter().zip(event_numbers(contests)).skip(kept);
        for (row, event) in rows {
            let mut lineup = Lineup::default();
            let counts = row.weight > 0.0;
            let ids = counts.then_some(row.contest_id);
            let mut standings = Vec::new();
            store.for_each_standing(ids, |_, all| match identities.teams {
                TeamMode::Whole => lineup.add_individuals(all, identities),
                TeamMode::Members => standings.extend_from_slice(all),
            })?;
            if counts && identities.teams == TeamMode::Members {
                let ranks = standings.iter().map(|of| (of.competitor_id, rank(of)));
                for crew in
                    load_rated_teams(store, row.contest_id, ranks, |of| identities.resolve(of))?
                {
                    lineup.push_team(crew.rank, &crew.people);
                }
            }
            let contest = ReplayContest {
                row: row.clone(),
                groups: lineup.tie_groups(),
                finishers: lineup.ranks.partition_point(|&rank| rank < UNPLACED) as u32,
                entrants: (lineup.entrants.iter())
                    .map(|&of| replay.intern(of))
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

    /// Returns a hash of the teams and their members by id. It changes if and only if the
    /// composition of teams changes, as long as no competitor is added or removed; names do not
    /// matter.
    pub(crate) fn team_digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        let mut say = |number: u64| {
            hasher.update(&number.to_le_bytes());
        };
        for contest in &self.contests {
            let id = |&entrant: &u32| self.competitors[entrant as usize].get();
            let mut crews: Vec<Vec<i64>> = (contest.team_ranges())
                .map(|crew| contest.entrants[crew].iter().map(id).collect())
                .collect();
            // Teams tied for a place may be in any order.
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

    /// Returns the index of a competitor.
    pub(crate) fn index_of(&self, competitor: CompetitorId) -> Option<u32> {
        self.indices.get(&competitor).copied()
    }

    fn intern(&mut self, competitor: CompetitorId) -> u32 {
        *self.indices.entry(competitor).or_insert_with(|| {
            self.competitors.push(competitor);
            self.competitors.len() as u32 - 1
        })
    }
}

/// Rank of entrants without a place: below all others.
const UNPLACED: u32 = u32::MAX;

fn rank(standing: &Standing) -> u32 {
    standing.place.map_or(UNPLACED, Place::get)
}

/// The standings of one contest, best place first.
#[derive(Default)]
struct Lineup {
    entrants: Vec<CompetitorId>,
    /// Ends of the teams in `entrants`.
    ends: Vec<u32>,
    /// Rank of each team.
    ranks: Vec<u32>,
}

impl Lineup {
    /// Adds each standing as a team of one; of several accounts the best place counts.
    fn add_individuals(&mut self, standings: &[Standing], identities: &Identities) {
        let mut by_rank: Vec<(u32, CompetitorId)> = (standings.iter())
            .map(|of| (rank(of), identities.resolve(of.competitor_id)))
            .collect();
        // Ties stay in the order of the standings, which no system depends on. By one number: a
        // branchless comparison is several times as fast.
        by_rank.sort_by_key(|&(rank, _)| rank);
        if identities.has_merges() {
            let mut counted = HashSet::new();
            by_rank.retain(|&(_, competitor)| counted.insert(competitor));
        }
        for (rank, competitor) in by_rank {
            self.push_team(rank, &[competitor]);
        }
    }

    /// Appends the next team in the order of place.
    fn push_team(&mut self, rank: u32, people: &[CompetitorId]) {
        self.entrants.extend_from_slice(people);
        self.ends.push(self.entrants.len() as u32);
        self.ranks.push(rank);
    }

    /// Returns the ends of the tie groups.
    fn tie_groups(&self) -> Vec<u32> {
        let changes = self
            .ranks
            .windows(2)
            .zip(1..)
            .filter(|(pair, _)| pair[0] != pair[1]);
        changes
            .map(|(_, end)| end)
            .chain([self.ranks.len() as u32])
            .collect()
    }
}

/// Returns, for each contest, the number of events before its own. A contest without an event is an
/// event of its own.
pub(crate) fn event_numbers<'r>(contests: impl IntoIterator<Item = &'r ContestRow>) -> Vec<u32> {
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

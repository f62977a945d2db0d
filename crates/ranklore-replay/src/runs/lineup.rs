//! Standings in memory for a replay: contests as numbers, in order.

pub(crate) mod given;
pub(crate) mod last_place;
mod split;

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use ranklore_contest::{Place, Side, StartingRating};
use ranklore_rating::{AllTied, InitialRating, RatingRound, RatingSystem};
use ranklore_store::{CompetitorId, RatableContest, Standing, Store};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::rating_period::RatingPeriod;
use crate::runs::teams::{RatedTeam, TeamMode, load_rated_teams};

/// Contests in memory, at 20 bytes per contest and eight per result: a million contests of two have
/// no allocation of their own.
pub struct Replay<'r> {
    rows: Cow<'r, [RatableContest]>,
    ends: Vec<ContestEnds>,
    /// Entrants of all contests, each ordered by place, those that did not finish last; members of
    /// a team are adjacent.
    entrants: Vec<u32>,
    /// Ends of the teams in the entrants of a contest; none if every team has one member.
    teams: Vec<u32>,
    /// Ends of the tie groups of a contest, counted in teams.
    groups: Vec<u32>,
    /// The competitor of each index.
    pub competitors: Vec<CompetitorId>,
    indices: CompetitorIndices,
    all_tied: AllTied,
    /// Number of contests that can be rated; the others have no result, or only ties if these are
    /// skipped.
    pub rated: u64,
    /// Number of results of those contests.
    pub results: u64,
}

/// The end of a contest in each list of a replay; it starts at the end of the contest before. The
/// lists of four billion results would not fit into memory.
#[derive(Clone, Copy, Default)]
struct ContestEnds {
    entrants: u32,
    teams: u32,
    groups: u32,
    /// Number of teams that finished.
    finishers: u32,
    /// Index of the team with an advantage, or [`NO_INDEX`].
    advantaged: u32,
}

/// A contest as numbers.
#[derive(Clone, Copy)]
pub struct ReplayContest<'r> {
    /// The row of the contest in the database.
    pub row: &'r RatableContest,
    /// The indices of its entrants, or of the members of its teams.
    pub entrants: &'r [u32],
    teams: Option<&'r [u32]>,
    /// The ends of its tie groups, counted in teams.
    pub groups: &'r [u32],
    finishers: u32,
    /// Index of the team with the first move or at home, in a game of two.
    pub advantaged: Option<u32>,
}

impl<'r> ReplayContest<'r> {
    /// Returns the contest for a system that groups contests into periods.
    #[must_use]
    pub fn round_in(&self, period: Option<RatingPeriod>) -> RatingRound<'r> {
        RatingRound {
            period: period.map(|period| period.number(self.row)),
            ..self.round()
        }
    }

    /// Returns the contest for a system without periods.
    #[must_use]
    pub fn round(&self) -> RatingRound<'r> {
        RatingRound {
            ends_at: self.row.ends_at,
            weight: self.row.weight,
            performance_ceiling: self.row.performance_ceiling,
            event: self.row.event,
            finishers: self.finishers,
            advantaged: self.advantaged,
            teams: self.teams,
            ..RatingRound::new(self.entrants, self.groups)
        }
    }

    /// Returns the ranges of the teams in `entrants`, in the order of place.
    pub fn team_ranges(&self) -> impl Iterator<Item = Range<usize>> + 'r {
        let teams = self.teams;
        let count = teams.map_or(self.entrants.len(), <[u32]>::len);
        let mut start = 0;
        (0..count).map(move |index| {
            let end = teams.map_or(index + 1, |ends| ends[index] as usize);
            let team = start..end;
            start = end;
            team
        })
    }
}

impl<'r> Replay<'r> {
    /// Loads the standings of `contests`, which are all contests of a run in replay order, except
    /// for the first `skipped` contests. If several accounts of a competitor, or several teams of a
    /// person in a run that rates members, are in one contest, the best place counts. A contest of
    /// weight 0 has no entrants.
    ///
    /// # Errors
    /// Errors if the database cannot be read.
    pub fn load(
        store: &Store,
        contests: &'r [RatableContest],
        skipped: usize,
        identities: &Identities,
        all_tied: AllTied,
    ) -> Result<Self, Error> {
        let mut replay = Self::new(Cow::Borrowed(&contests[skipped..]), all_tied);
        match identities.teams {
            TeamMode::Whole => replay.push_individuals(store, identities)?,
            TeamMode::Members => replay.push_teams(store, identities)?,
        }
        Ok(replay)
    }

    /// Creates the replay of these contests before their standings are appended.
    fn new(rows: Cow<'r, [RatableContest]>, all_tied: AllTied) -> Self {
        Self {
            ends: Vec::with_capacity(rows.len()),
            rows,
            entrants: Vec::new(),
            teams: Vec::new(),
            groups: Vec::new(),
            competitors: Vec::new(),
            indices: CompetitorIndices::default(),
            all_tied,
            rated: 0,
            results: 0,
        }
    }

    /// Appends the standings of all contests, each standing as a team of one.
    fn push_individuals(&mut self, store: &Store, identities: &Identities) -> Result<(), Error> {
        let rows = self.rows.clone();
        let counted = rows.iter().filter(|row| row.weight > 0.0);
        let mut lineup = Lineup::default();
        store.for_each_standing(counted.map(|row| row.contest_id), |contest_id, standings| {
            while rows[self.ends.len()].contest_id != contest_id {
                lineup.clear();
                self.push(&lineup);
            }
            self.push_standings(standings, identities, &mut lineup);
        })?;
        lineup.clear();
        while self.ends.len() < rows.len() {
            self.push(&lineup);
        }
        Ok(())
    }

    /// Appends the standings of all contests, with the members of teams.
    fn push_teams(&mut self, store: &Store, identities: &Identities) -> Result<(), Error> {
        let mut lineup = Lineup::default();
        for row in self.rows.clone().iter() {
            let mut teams = Vec::new();
            let mut ranks = Vec::new();
            let counts = (row.weight > 0.0).then_some(row.contest_id);
            let mut advantaged = None;
            store.for_each_standing(counts, |_, standings| {
                advantaged = find_advantaged(standings);
                ranks.extend(standings.iter().map(|s| (s.competitor_id, rank(s))));
            })?;
            if counts.is_some() {
                let counts_as = |account| identities.resolve(account);
                teams = load_rated_teams(store, row.contest_id, ranks, counts_as)?;
            }
            lineup.set_teams(&teams, advantaged);
            self.push(&lineup);
        }
        Ok(())
    }

    /// Appends the standings of the next contest, each as a team of one.
    fn push_standings(
        &mut self,
        standings: &[Standing],
        identities: &Identities,
        lineup: &mut Lineup,
    ) {
        match standings {
            [first, second] if !identities.has_merges() => self.push_game([first, second]),
            _ => {
                lineup.set_individuals(standings, identities);
                self.push(lineup);
            }
        }
    }

    /// Appends a game of two: what [`Lineup`] does for any standings takes several times as long.
    fn push_game(&mut self, standings: [&Standing; 2]) {
        let ranks = standings.map(rank);
        let order = if ranks[1] < ranks[0] { [1, 0] } else { [0, 1] };
        for index in order {
            let competitor = standings[index].competitor_id;
            let entrant = self.indices.find_or_add(competitor, &mut self.competitors);
            self.entrants.push(entrant);
        }
        if ranks[0] != ranks[1] {
            self.groups.push(1);
        }
        self.groups.push(2);
        let [first, second] = order.map(|index| has_advantage(standings[index]));
        self.push_ends(
            ranks.iter().filter(|&&rank| rank < UNPLACED).count() as u32,
            (first != second).then_some(u32::from(second)),
        );
    }

    /// Appends the standings of the next contest.
    fn push(&mut self, lineup: &Lineup) {
        lineup.push_tie_groups(&mut self.groups);
        let entrants = lineup.entrants.iter();
        self.entrants.extend(
            entrants.map(|&entrant| self.indices.find_or_add(entrant, &mut self.competitors)),
        );
        if lineup.ends.len() < lineup.entrants.len() {
            self.teams.extend_from_slice(&lineup.ends);
        }
        let finishers = lineup.ranks.partition_point(|&rank| rank < UNPLACED);
        self.push_ends(finishers as u32, lineup.advantaged);
    }

    /// Appends the ends of a contest whose entrants and groups are appended, and counts it if it is
    /// rated.
    fn push_ends(&mut self, finishers: u32, advantaged: Option<u32>) {
        self.ends.push(ContestEnds {
            entrants: self.entrants.len() as u32,
            teams: self.teams.len() as u32,
            groups: self.groups.len() as u32,
            finishers,
            advantaged: advantaged.unwrap_or(NO_INDEX),
        });
        let contest = self.contest(self.ends.len() - 1);
        if self.rates(&contest) {
            let results = contest.entrants.len() as u64;
            self.rated += 1;
            self.results += results;
        }
    }

    /// Returns the replay of the first `rated` contests that are rated, with the competitors of these
    /// alone.
    #[must_use]
    pub fn first_rated(&self, rated: u64) -> Self {
        let contests = self.contests().zip(1..).filter(|(contest, _)| self.rates(contest));
        let contests = contests.map(|(_, end)| end).take(rated as usize).last().unwrap_or(0);
        let ends = &self.ends[..contests];
        let last = ends.last().copied().unwrap_or_default();
        let entrants = &self.entrants[..last.entrants as usize];
        // Indices grow in the order of the contests.
        let competitors = entrants.iter().max().map_or(0, |&index| index as usize + 1);
        let rows = match &self.rows {
            Cow::Borrowed(rows) => Cow::Borrowed(&rows[..contests]),
            Cow::Owned(rows) => Cow::Owned(rows[..contests].to_vec()),
        };
        let mut first = Self {
            ends: ends.to_vec(),
            entrants: entrants.to_vec(),
            teams: self.teams[..last.teams as usize].to_vec(),
            groups: self.groups[..last.groups as usize].to_vec(),
            ..Self::new(rows, self.all_tied)
        };
        first.add_competitors(&self.competitors[..competitors]);
        let counts = first.rated_contests().map(|(contest, _)| contest.entrants.len() as u64);
        let counts: Vec<u64> = counts.collect();
        first.rated = counts.len() as u64;
        first.results = counts.iter().sum();
        first
    }

    /// Adds competitors, whose indices follow those of the others.
    fn add_competitors(&mut self, competitors: &[CompetitorId]) {
        for &competitor in competitors {
            self.indices.find_or_add(competitor, &mut self.competitors);
        }
    }

    /// Returns the number of contests.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the contest at an index.
    #[must_use]
    pub fn contest(&self, index: usize) -> ReplayContest<'_> {
        let (start, end) = match index.checked_sub(1) {
            None => (ContestEnds::default(), self.ends[index]),
            Some(before) => (self.ends[before], self.ends[index]),
        };
        let teams = &self.teams[start.teams as usize..end.teams as usize];
        ReplayContest {
            row: &self.rows[index],
            entrants: &self.entrants[start.entrants as usize..end.entrants as usize],
            teams: (!teams.is_empty()).then_some(teams),
            groups: &self.groups[start.groups as usize..end.groups as usize],
            finishers: end.finishers,
            advantaged: Some(end.advantaged).filter(|&index| index != NO_INDEX),
        }
    }

    /// True if a contest is rated, unless it is too large for the system.
    #[must_use]
    pub fn rates(&self, contest: &ReplayContest<'_>) -> bool {
        self.all_tied.rates(&contest.round())
    }

    /// Returns the contests that are rated, each with its number among them.
    pub fn rated_contests(&self) -> impl Iterator<Item = (ReplayContest<'_>, u64)> {
        self.contests().filter(|contest| self.rates(contest)).zip(0..)
    }

    /// Returns all contests.
    pub fn contests(&self) -> impl Iterator<Item = ReplayContest<'_>> {
        (0..self.ends.len()).map(|index| self.contest(index))
    }

    /// Returns a hash of the teams and their members by id. It changes if and only if the
    /// composition of teams changes, as long as no competitor is added or removed; names do not
    /// matter.
    #[must_use]
    pub fn team_digest(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        for contest in self.contests() {
            let ids = contest.entrants.iter();
            let ids: Vec<i64> =
                ids.map(|&entrant| self.competitors[entrant as usize].get()).collect();
            let mut teams: Vec<&[i64]> = contest.team_ranges().map(|team| &ids[team]).collect();
            // Teams tied for a place may be in any order.
            teams.sort_unstable();
            hasher.update(&(teams.len() as u64).to_le_bytes());
            for team in teams {
                hasher.update(&(team.len() as u64).to_le_bytes());
                for id in team {
                    hasher.update(&id.to_le_bytes());
                }
            }
        }
        *hasher.finalize().as_bytes()
    }

    /// Sets the starting ratings of the competitors.
    pub fn set_initial_ratings(&self, rating: &mut dyn RatingSystem, identities: &Identities) {
        for (&competitor, index) in self.competitors.iter().zip(0..) {
            if let Some(StartingRating { mu, sigma }) = identities.starting_rating(competitor) {
                rating.set_initial_rating(index, InitialRating { mu, sigma });
            }
        }
    }

    /// Returns the index of a competitor.
    #[must_use]
    pub fn index_of(&self, competitor: CompetitorId) -> Option<u32> {
        self.indices.get(competitor)
    }
}

/// The index of each competitor. A replay looks up one per result, and ids count up from 1: a list
/// by id is several times as fast as hashing.
#[derive(Debug, Default)]
pub struct CompetitorIndices {
    /// By id, below [`MAX_LISTED_ID`]; [`NO_INDEX`] for ids without an index.
    listed: Vec<u32>,
    /// Larger ids, which only an unusual database has.
    unlisted: HashMap<CompetitorId, u32>,
}

/// The end of the ids in the list, which takes at most 64 MiB.
const MAX_LISTED_ID: usize = 1 << 24;

const NO_INDEX: u32 = u32::MAX;

impl CompetitorIndices {
    /// Returns the index of a competitor, if it has one.
    #[must_use]
    pub fn get(&self, competitor: CompetitorId) -> Option<u32> {
        match listed_id(competitor) {
            Some(id) => {
                let index = self.listed.get(id).copied();
                index.filter(|&index| index != NO_INDEX)
            }
            None => self.unlisted.get(&competitor).copied(),
        }
    }

    /// Returns the index of a competitor; a new one is appended to `competitors`.
    pub fn find_or_add(
        &mut self,
        competitor: CompetitorId,
        competitors: &mut Vec<CompetitorId>,
    ) -> u32 {
        let next = competitors.len() as u32;
        let index = match listed_id(competitor) {
            Some(id) => {
                if id >= self.listed.len() {
                    self.listed.resize(id + 1, NO_INDEX);
                }
                &mut self.listed[id]
            }
            None => self.unlisted.entry(competitor).or_insert(NO_INDEX),
        };
        if *index == NO_INDEX {
            *index = next;
            competitors.push(competitor);
        }
        *index
    }
}

/// Returns the id as an index of the list, if it is small enough.
fn listed_id(competitor: CompetitorId) -> Option<usize> {
    let id = usize::try_from(competitor.get()).ok();
    id.filter(|&id| id < MAX_LISTED_ID)
}

/// Returns the entrant of a game of two that has the first move or plays at home, if one is known.
pub(crate) fn find_advantaged(standings: &[Standing]) -> Option<CompetitorId> {
    match standings {
        [first, second] if has_advantage(first) != has_advantage(second) => {
            let advantaged = if has_advantage(first) { first } else { second };
            Some(advantaged.competitor_id)
        }
        _ => None,
    }
}

fn has_advantage(standing: &Standing) -> bool {
    standing.side.is_some_and(Side::has_advantage)
}

/// Rank of entrants without a place: below all others.
const UNPLACED: u32 = u32::MAX;

fn rank(standing: &Standing) -> u32 {
    standing.place.map_or(UNPLACED, Place::get)
}

/// The standings of one contest, best place first.
#[derive(Default)]
struct Lineup {
    /// The individuals of a contest and their ranks, while they are sorted.
    by_rank: Vec<(u32, CompetitorId)>,
    entrants: Vec<CompetitorId>,
    /// Ends of the teams in `entrants`.
    ends: Vec<u32>,
    /// Rank of each team.
    ranks: Vec<u32>,
    /// Index of the team with an advantage.
    advantaged: Option<u32>,
}

impl Lineup {
    /// Removes all standings, and keeps the memory.
    fn clear(&mut self) {
        self.entrants.clear();
        self.ends.clear();
        self.ranks.clear();
        self.advantaged = None;
    }

    /// Replaces the standings: each is a team of one.
    fn set_individuals(&mut self, standings: &[Standing], identities: &Identities) {
        self.clear();
        self.add_individuals(standings, identities);
        self.advantaged = find_advantaged(standings).and_then(|account| {
            let competitor = identities.resolve(account);
            let index = self.entrants.iter().position(|&entrant| entrant == competitor);
            index.map(|index| index as u32)
        });
    }

    /// Replaces the standings by teams in the order of place; one may have an advantage.
    fn set_teams(&mut self, teams: &[RatedTeam], advantaged: Option<CompetitorId>) {
        self.clear();
        for (team, index) in teams.iter().zip(0..) {
            if advantaged == Some(team.account) {
                self.advantaged = Some(index);
            }
            self.push_team(team.rank, &team.people);
        }
    }

    /// Adds each standing as a team of one; of several accounts the best place counts.
    fn add_individuals(&mut self, standings: &[Standing], identities: &Identities) {
        self.by_rank.clear();
        self.by_rank.extend(standings.iter().map(|standing| {
            let competitor = identities.resolve(standing.competitor_id);
            (rank(standing), competitor)
        }));
        // Ties stay in the order of the standings, which no system depends on. By one number: a
        // branchless comparison is several times as fast.
        self.by_rank.sort_by_key(|&(rank, _)| rank);
        if identities.has_merges() {
            let mut counted = HashSet::new();
            self.by_rank.retain(|&(_, competitor)| counted.insert(competitor));
        }
        let by_rank = self.by_rank.iter();
        self.ranks.extend(by_rank.clone().map(|&(rank, _)| rank));
        self.entrants.extend(by_rank.map(|&(_, competitor)| competitor));
        self.ends.extend(1..=self.by_rank.len() as u32);
    }

    /// Appends the next team in the order of place.
    fn push_team(&mut self, rank: u32, people: &[CompetitorId]) {
        self.entrants.extend_from_slice(people);
        self.ends.push(self.entrants.len() as u32);
        self.ranks.push(rank);
    }

    /// Appends the ends of the tie groups.
    fn push_tie_groups(&self, groups: &mut Vec<u32>) {
        let changes = self.ranks.windows(2).zip(1..).filter(|(pair, _)| pair[0] != pair[1]);
        groups.extend(changes.map(|(_, end)| end));
        groups.push(self.ranks.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use ranklore_store::{ContestId, RatableContest, SourceId};

    /// A contest without facts of its own.
    pub(super) const ROW: RatableContest = RatableContest {
        contest_id: ContestId::new(1),
        source_id: SourceId::new(1),
        ends_at: 0,
        weight: 1.0,
        site_weight: None,
        relative_duration: 1.0,
        performance_ceiling: f64::INFINITY,
        entrants: 0,
        event: 0,
        content_hash: [0; 32],
    };
}

//! Results in memory: contests in replay order and their standings, from a table.

pub(crate) mod contests;
pub(crate) mod games;
pub(crate) mod long;
pub(crate) mod options;

use std::ops::Range;

use ranklore_contest::{Place, Side};
use ranklore_replay::{GivenResult, Replay, System};
use ranklore_store::{CompetitorId, RatableContest, Standing, TeamMember};

use crate::error::Failure;
use crate::table::names::{NO_NAME, Names};
use crate::table::values::UNFINISHED;

/// Separates the source and the kind of a competitor, or the source of a contest, from its name,
/// where names alone identify nobody. No name contains it.
pub(crate) const SEPARATOR: char = '\u{1f}';

/// Contests in replay order, and their standings.
#[derive(Default)]
pub(crate) struct Results {
    /// The competitors; the id of a competitor is its number plus 1.
    pub(crate) competitors: Names,
    /// The names of the contests; the id of a contest is its number plus 1. Games have none.
    pub(crate) contests: Names,
    /// The contests in replay order.
    pub(crate) rows: Vec<RatableContest>,
    /// The events, and the number of the event of each contest in replay order.
    pub(crate) events: (Names, Vec<u32>),
    standings: Vec<Standing>,
    /// The end of each contest in the standings.
    ends: Vec<usize>,
    members: Vec<TeamMember>,
    /// The end of each contest in the members; empty if there are none.
    member_ends: Vec<usize>,
    /// True if the table is that of a dataset, with sources and kinds.
    pub(crate) is_dataset: bool,
    /// True if the contests have no times of their own.
    pub(crate) is_numbered: bool,
    /// The columns that were read, by their meaning.
    pub(crate) columns: Vec<(&'static str, String)>,
    /// Notes about rows and contests that were left out.
    pub(crate) notes: Vec<String>,
}

impl Results {
    /// Returns the standings of the contest at a position.
    pub(crate) fn standings(&self, position: usize) -> &[Standing] {
        &self.standings[range(&self.ends, position)]
    }

    /// Returns the members of the teams in the contest at a position, ordered by team.
    pub(crate) fn members(&self, position: usize) -> &[TeamMember] {
        if self.member_ends.is_empty() {
            return &[];
        }
        &self.members[range(&self.member_ends, position)]
    }

    /// Returns the name of the contest at a position; that of a game is its row.
    pub(crate) fn contest_name(&self, position: usize) -> String {
        let number = (self.rows[position].contest_id.get() - 1) as u32;
        if self.contests.len() == 0 {
            return number.to_string();
        }
        local_name(self.contests.get(number)).to_owned()
    }

    /// True if a column with this meaning was read.
    pub(crate) fn has_column(&self, meaning: &str) -> bool {
        self.columns.iter().any(|(read, _)| *read == meaning)
    }

    /// Returns the event of the contest at a position, if it has one; events of different sources
    /// differ.
    pub(crate) fn event_name(&self, position: usize) -> Option<&str> {
        let (names, of_contests) = &self.events;
        let event = of_contests.get(position).copied().filter(|&event| event != NO_NAME);
        event.map(|event| names.get(event))
    }

    /// Returns the replay of a system over these contests, with the given weights of contests.
    pub(crate) fn replay<'r>(&self, rows: &'r [RatableContest], system: &System) -> Replay<'r> {
        Replay::from_results(rows, system.teams, system.all_tied, |position| GivenResult {
            standings: self.standings(position),
            members: self.members(position),
        })
    }

    /// Errors if there is no contest.
    pub(crate) fn check_not_empty(&self) -> Result<(), Failure> {
        if self.rows.is_empty() {
            return Err(Failure::new("the table has no contest to rate; give at least one result"));
        }
        Ok(())
    }

    /// Makes room for games of two.
    fn reserve_games(&mut self, games: usize) {
        self.rows.reserve(games);
        self.ends.reserve(games);
        self.standings.reserve(2 * games);
    }

    /// Appends a standing to the contest that is being added.
    fn push_standing(&mut self, competitor: u32, rank: u32, side: Option<Side>) {
        self.standings.push(Standing {
            competitor_id: to_id(competitor),
            place: Place::new(rank).filter(|_| rank != UNFINISHED),
            side,
        });
    }
}

fn range(ends: &[usize], position: usize) -> Range<usize> {
    position.checked_sub(1).map_or(0, |before| ends[before])..ends[position]
}

/// Returns the id of the competitor with a number.
pub(crate) fn to_id(number: u32) -> CompetitorId {
    CompetitorId::new(i64::from(number) + 1)
}

/// Returns the number of the competitor with an id.
pub(crate) fn to_number(id: CompetitorId) -> u32 {
    (id.get() - 1) as u32
}

/// Returns a name without its source and kind.
pub(crate) fn local_name(name: &str) -> &str {
    name.rsplit_once(SEPARATOR).map_or(name, |(_, local)| local)
}

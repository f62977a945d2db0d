//! The contests that a system rated, from which its state is computed again: periods and histories
//! of systems are not public, and the same contests give the same bits.

use ranklore_rating::RatingRound;
use serde::{Deserialize, Serialize};

/// All contests so far, in flat lists: a million games have no allocation of their own.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Log {
    /// The initial ratings: competitor, mu, sigma.
    pub(super) starts: Vec<(u32, f64, Option<f64>)>,
    entrants: Vec<u32>,
    teams: Vec<u32>,
    groups: Vec<u32>,
    contests: Vec<LoggedContest>,
}

/// A contest: its end in each list of the log, and its other data.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct LoggedContest {
    pub(super) entrants_end: usize,
    pub(super) teams_end: usize,
    pub(super) groups_end: usize,
    pub(super) finishers: u32,
    pub(super) advantaged: Option<u32>,
    pub(super) ends_at: i64,
    pub(super) weight: f64,
    pub(super) ceiling: f64,
}

impl Log {
    /// Returns the number of contests.
    pub(super) fn len(&self) -> usize {
        self.contests.len()
    }

    /// Returns the time of the last contest.
    pub(super) fn last_time(&self) -> Option<i64> {
        self.contests.last().map(|contest| contest.ends_at)
    }

    /// Appends a contest. Without teams the entrants are individuals.
    pub(super) fn push(
        &mut self,
        contest: LoggedContest,
        entrants: &[u32],
        teams: &[u32],
        groups: &[u32],
    ) {
        self.entrants.extend_from_slice(entrants);
        self.teams.extend_from_slice(teams);
        self.groups.extend_from_slice(groups);
        self.contests.push(LoggedContest {
            entrants_end: self.entrants.len(),
            teams_end: self.teams.len(),
            groups_end: self.groups.len(),
            ..contest
        });
    }

    /// Removes the last contest.
    pub(super) fn pop(&mut self) {
        self.contests.pop();
        let last = self.contests.last().copied().unwrap_or_default();
        self.entrants.truncate(last.entrants_end);
        self.teams.truncate(last.teams_end);
        self.groups.truncate(last.groups_end);
    }

    /// Returns the contest at an index.
    pub(super) fn round(&self, index: usize) -> RatingRound<'_> {
        let before = index.checked_sub(1).map(|before| self.contests[before]).unwrap_or_default();
        let contest = &self.contests[index];
        let teams = &self.teams[before.teams_end..contest.teams_end];
        RatingRound {
            ends_at: contest.ends_at,
            weight: contest.weight,
            performance_ceiling: contest.ceiling,
            teams: (!teams.is_empty()).then_some(teams),
            finishers: contest.finishers,
            advantaged: contest.advantaged,
            ..RatingRound::new(
                &self.entrants[before.entrants_end..contest.entrants_end],
                &self.groups[before.groups_end..contest.groups_end],
            )
        }
    }
}

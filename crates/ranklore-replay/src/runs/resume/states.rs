//! Restoring the states and current ratings of competitors before a contest from their rating rows.

use std::collections::HashMap;
use std::sync::mpsc::sync_channel;

use ranklore_rating::{PastResult, RatedEntrant, RatingSystem};
use ranklore_store::{
    CompetitorId, ContestId, CurrentRatingRow, RatableContest, RatingRow, RatingSummary,
    RatingsQuery, RunId, Store,
};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::lineup::Replay;
use crate::runs::rating_period::RatingPeriod;

/// Rating rows per chunk.
const CHUNK_ROWS: usize = 4096;

/// Chunks that may be queued: 50 MB.
const MAX_QUEUED_CHUNKS: usize = 256;

/// Current ratings that a replay changes.
pub(crate) struct CurrentRatings<'r> {
    pub(crate) replay: &'r Replay<'r>,
    /// Competitors without a contest in the replay who lose rating rows, sorted.
    departed: Vec<CompetitorId>,
    /// Summaries of the entrants of the replay by their index, then of `departed`.
    summaries: Vec<RatingSummary>,
}

impl<'r> CurrentRatings<'r> {
    /// Creates the current ratings of the entrants of a replay, who have no rows yet.
    pub(crate) fn new(replay: &'r Replay<'r>) -> Self {
        Self {
            replay,
            departed: Vec::new(),
            summaries: vec![RatingSummary::default(); replay.competitors.len()],
        }
    }

    /// Adds competitors who lose rows, sorted.
    pub(crate) fn add_competitors(&mut self, competitors: &[CompetitorId]) {
        let is_departed = |of: &CompetitorId| self.replay.index_of(*of).is_none();
        (self.departed).extend(competitors.iter().copied().filter(is_departed));
        let count = self.replay.competitors.len() + self.departed.len();
        self.summaries.resize(count, RatingSummary::default());
    }

    /// Adds the rows after the contest at a position of the run: each with the index of its
    /// competitor in the replay.
    pub(crate) fn add_contest(
        &mut self,
        position: usize,
        entrants: &[u32],
        rated: &[RatedEntrant],
    ) {
        for (&entrant, rated) in entrants.iter().zip(rated) {
            let summary = &mut self.summaries[entrant as usize];
            summary.add(position as u32, rated.mu, rated.sigma, rated.volatility);
        }
    }

    fn add_row(&mut self, position: usize, row: &RatingRow) {
        let index = match self.replay.index_of(row.competitor_id) {
            Some(index) => Some(index as usize),
            None => (self.departed.binary_search(&row.competitor_id).ok())
                .map(|index| self.replay.competitors.len() + index),
        };
        if let Some(index) = index {
            self.summaries[index].add(position as u32, row.mu, row.sigma, row.volatility);
        }
    }

    /// Returns all competitors, in the order of the summaries.
    pub(crate) fn competitors(&self) -> impl Iterator<Item = CompetitorId> + '_ {
        let entrants = self.replay.competitors.iter();
        entrants.chain(&self.departed).copied()
    }

    /// Returns the current ratings of those who have rows; `contests` are all of the run.
    pub(crate) fn rows(&self, contests: &[RatableContest]) -> Vec<CurrentRatingRow> {
        (self.competitors().zip(&self.summaries))
            .filter_map(|(competitor_id, summary)| {
                let last = &contests[summary.last_position()? as usize];
                Some(summary.current_rating(competitor_id, last.ends_at))
            })
            .collect()
    }
}

/// Restores the states of the entrants of a replay, and the current ratings, from the rows of
/// `earlier`, the contests before it in replay order, of which `period` are grouped. The rows are committed: two threads read
/// them, each through its own connection, since lookups dominate the cost.
pub(crate) fn restore_states(
    store: &Store,
    run_id: RunId,
    rating: &mut dyn RatingSystem,
    (earlier, period): (&[RatableContest], Option<RatingPeriod>),
    current: &mut CurrentRatings<'_>,
    identities: &Identities,
) -> Result<(), Error> {
    let wanted = build_queries(store, earlier, current, identities)?;
    let (first, second) = wanted.split_at(half_cost_index(&wanted));
    std::thread::scope(|threads| {
        let mut readers = Vec::new();
        for (part, offset) in [(first, 0), (second, first.len())] {
            let (send, receive) = sync_channel::<Vec<(usize, RatingRow)>>(MAX_QUEUED_CHUNKS);
            let store = store.open_parallel_reader()?;
            let reader = threads.spawn(move || -> Result<(), Error> {
                let mut chunk = Vec::with_capacity(CHUNK_ROWS);
                store.for_each_queried_rating(run_id, part, |index, row| {
                    chunk.push((offset + index, row));
                    if chunk.len() == CHUNK_ROWS {
                        let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK_ROWS));
                        // The receiver is gone only if the other thread failed.
                        let _ = send.send(full);
                    }
                })?;
                let _ = send.send(chunk);
                Ok(())
            });
            readers.push((reader, receive));
        }
        for (reader, receive) in readers {
            for (position, row) in receive.iter().flatten() {
                if let Some(index) = current.replay.index_of(row.competitor_id) {
                    rating.restore(index, &past_result(&earlier[position], period, &row));
                }
                current.add_row(position, &row);
            }
            match reader.join() {
                Ok(read) => read?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })
}

fn past_result(
    contest: &RatableContest,
    period: Option<RatingPeriod>,
    row: &RatingRow,
) -> PastResult {
    PastResult {
        ends_at: contest.ends_at,
        weight: contest.weight,
        period: period.map(|period| period.number(contest)),
        rated: RatedEntrant {
            mu: row.mu,
            sigma: row.sigma,
            performance: row.performance,
            volatility: row.volatility,
        },
    }
}

/// Builds the queries for the rows of each earlier contest: those of the entrants of the replay and
/// of competitors who lose rows, who may have taken part under any of their accounts, or in a team if members are rated.
fn build_queries(
    store: &Store,
    earlier: &[RatableContest],
    current: &CurrentRatings<'_>,
    identities: &Identities,
) -> Result<Vec<RatingsQuery>, Error> {
    let mut wanted: Vec<RatingsQuery> = (earlier.iter())
        .map(|contest| RatingsQuery {
            contest_id: contest.contest_id,
            entrants: contest.entrants as usize,
            competitors: Vec::new(),
        })
        .collect();
    let ids = earlier.iter().map(|contest| contest.contest_id);
    let positions: HashMap<ContestId, usize> = ids.zip(0..).collect();
    let mut accounts: Vec<CompetitorId> = (current.competitors())
        .flat_map(|competitor| identities.accounts(competitor))
        .collect();
    accounts.sort_unstable();
    identities.for_each_contest_of(store, accounts, |account, contest| {
        if let Some(&position) = positions.get(&contest) {
            wanted[position]
                .competitors
                .push(identities.resolve(account));
        }
    })?;
    for contest in &mut wanted {
        // Already sorted, except for merged competitors and members of teams.
        contest.competitors.sort_unstable();
        contest.competitors.dedup();
    }
    Ok(wanted)
}

/// Returns the index at which half of the cost is reached.
fn half_cost_index(wanted: &[RatingsQuery]) -> usize {
    let all: usize = wanted.iter().map(RatingsQuery::cost).sum();
    let mut before = 0;
    let reaches = |contest: &RatingsQuery| {
        before += contest.cost();
        before * 2 >= all
    };
    wanted.iter().position(reaches).unwrap_or(0)
}

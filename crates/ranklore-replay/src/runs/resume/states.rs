//! Restoring the states and current ratings of competitors before a contest from their rating rows.

use std::collections::{HashMap, HashSet};
use std::sync::mpsc::{SyncSender, sync_channel};

use ranklore_rating::{PastResult, RatedEntrant, RatingSystem};
use ranklore_store::{
    CompetitorId, ContestId, CurrentRatingRow, RatableContest, RatingRow, RatingSummary,
    RatingsQuery, RunId, Store,
};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::lineup::Replay;
use crate::runs::rating_period::RatingPeriod;
use crate::runs::resume::rated_events::RatedEvents;

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
    /// The rated events; `None` if all newcomers start alike.
    pub(crate) events: Option<RatedEvents>,
}

impl<'r> CurrentRatings<'r> {
    /// Creates the current ratings of the entrants of a replay by a system, who have no rows yet.
    pub(crate) fn new(replay: &'r Replay<'r>, rating: &dyn RatingSystem) -> Self {
        Self {
            replay,
            departed: Vec::new(),
            summaries: vec![RatingSummary::default(); replay.competitors.len()],
            events: (!rating.has_equal_newcomers()).then(RatedEvents::default),
        }
    }

    /// Adds competitors who lose rows, sorted.
    pub(crate) fn add_competitors(&mut self, competitors: &[CompetitorId]) {
        let replay = self.replay;
        let competitors = competitors.iter().copied();
        self.departed
            .extend(competitors.filter(|&competitor| replay.index_of(competitor).is_none()));
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
        let entrant = self.replay.index_of(row.competitor_id);
        let index = entrant.map(|index| index as usize).or_else(|| {
            let index = self.departed.binary_search(&row.competitor_id).ok();
            index.map(|index| self.replay.competitors.len() + index)
        });
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
        self.competitors()
            .zip(&self.summaries)
            .filter_map(|(competitor_id, summary)| {
                let last = &contests[summary.last_position()? as usize];
                Some(summary.current_rating(competitor_id, last.ends_at))
            })
            .collect()
    }
}

/// The contests of a run before a replay, whose ratings stay.
pub(crate) struct EarlierContests<'e> {
    pub(crate) run_id: RunId,
    /// The contests in replay order.
    pub(crate) contests: &'e [RatableContest],
    pub(crate) period: Option<RatingPeriod>,
    pub(crate) identities: &'e Identities,
}

impl EarlierContests<'_> {
    /// Loads the events of the contests with rows.
    fn load_events(&self, store: &Store) -> Result<RatedEvents, Error> {
        let mut rated = HashSet::new();
        store.for_each_run_contest(self.run_id, |contest| {
            rated.extend((contest.results > 0).then_some(contest.contest_id));
        })?;
        let mut events = RatedEvents::default();
        for contest in self.contests {
            if rated.contains(&contest.contest_id) {
                events.add(contest.event);
            }
        }
        Ok(events)
    }

    /// Restores the states of the entrants of the replay, and the current ratings, from the rows of
    /// the earlier contests. The rows are committed: two threads read them, each through its own
    /// connection, since lookups dominate the cost.
    pub(crate) fn restore_states(
        &self,
        store: &Store,
        rating: &mut dyn RatingSystem,
        current: &mut CurrentRatings<'_>,
    ) -> Result<(), Error> {
        if current.events.is_some() {
            current.events = Some(self.load_events(store)?);
        }
        let queries = self.build_queries(store, current)?;
        let (first, second) = queries.split_at(half_cost_index(&queries));
        std::thread::scope(|threads| {
            let mut readers = Vec::new();
            for (part, offset) in [(first, 0), (second, first.len())] {
                let (send, receive) = sync_channel(MAX_QUEUED_CHUNKS);
                let store = store.open_parallel_reader()?;
                let reader =
                    threads.spawn(move || read_ratings(&store, self.run_id, part, offset, &send));
                readers.push((reader, receive));
            }
            // In the order of the contests: the rows of the second part follow those of the first.
            for (reader, receive) in readers {
                for (position, row) in receive.iter().flatten() {
                    if let Some(index) = current.replay.index_of(row.competitor_id) {
                        rating.restore(index, &self.past_result(position, &row));
                    }
                    current.add_row(position, &row);
                }
                match reader.join() {
                    Ok(result) => result?,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            Ok(())
        })
    }

    fn past_result(&self, position: usize, row: &RatingRow) -> PastResult {
        let contest = &self.contests[position];
        PastResult {
            ends_at: contest.ends_at,
            weight: contest.weight,
            period: self.period.map(|period| period.number(contest)),
            rated: RatedEntrant {
                mu: row.mu,
                sigma: row.sigma,
                performance: row.performance,
                volatility: row.volatility,
            },
        }
    }

    /// Builds the queries for the rows of each contest: those of the entrants of the replay and of
    /// competitors who lose rows, who may have taken part under any of their accounts, or in a team
    /// if members are rated.
    fn build_queries(
        &self,
        store: &Store,
        current: &CurrentRatings<'_>,
    ) -> Result<Vec<RatingsQuery>, Error> {
        let contests = self.contests.iter();
        let mut queries: Vec<RatingsQuery> = contests
            .map(|contest| RatingsQuery {
                contest_id: contest.contest_id,
                entrants: contest.entrants as usize,
                competitors: Vec::new(),
            })
            .collect();
        let ids = self.contests.iter().map(|contest| contest.contest_id);
        let positions: HashMap<ContestId, usize> = ids.zip(0..).collect();
        let mut accounts: Vec<CompetitorId> = current
            .competitors()
            .flat_map(|competitor| self.identities.accounts(competitor))
            .collect();
        accounts.sort_unstable();
        self.identities.for_each_contest_of(store, accounts, |account, contest| {
            if let Some(&position) = positions.get(&contest) {
                let competitor = self.identities.resolve(account);
                queries[position].competitors.push(competitor);
            }
        })?;
        for query in &mut queries {
            // Already sorted, except for merged competitors and members of teams.
            query.competitors.sort_unstable();
            query.competitors.dedup();
        }
        Ok(queries)
    }
}

/// Rating rows, each with the position of its contest.
type Chunk = Vec<(usize, RatingRow)>;

/// Reads the rows of queries and sends them in chunks. `offset` is the position of the first contest.
fn read_ratings(
    store: &Store,
    run_id: RunId,
    queries: &[RatingsQuery],
    offset: usize,
    send: &SyncSender<Chunk>,
) -> Result<(), Error> {
    let mut chunk = Vec::with_capacity(CHUNK_ROWS);
    store.for_each_queried_rating(run_id, queries, |index, row| {
        chunk.push((offset + index, row));
        if chunk.len() == CHUNK_ROWS {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK_ROWS));
            // The receiver is dropped only if the other thread failed.
            let _ = send.send(full);
        }
    })?;
    let _ = send.send(chunk);
    Ok(())
}

/// Returns the index at which half of the cost is reached.
fn half_cost_index(queries: &[RatingsQuery]) -> usize {
    let total: usize = queries.iter().map(RatingsQuery::cost).sum();
    let mut sum = 0;
    let index = queries.iter().position(|query| {
        sum += query.cost();
        sum * 2 >= total
    });
    index.unwrap_or(0)
}

//! Restoring the states of competitors before a contest from their rating rows.

use std::collections::HashMap;
use std::sync::mpsc::sync_channel;

use ranklore_rating::{PastResult, RatedEntrant, RatingSystem};
use ranklore_store::{
    CompetitorId, ContestId, RatableContest, RatingRow, RatingsQuery, RunId, Store,
};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::lineup::Replay;

/// Rating rows per chunk.
const CHUNK_ROWS: usize = 4096;

/// Chunks that may be queued: 50 MB.
const MAX_QUEUED_CHUNKS: usize = 256;

/// Restores the states of the entrants of a replay from the rows of `earlier`, the contests before
/// it in replay order. The rows are committed: two threads read them, each through its own
/// connection, since lookups dominate the cost.
pub(crate) fn restore_states(
    store: &Store,
    run_id: RunId,
    rating: &mut dyn RatingSystem,
    earlier: &[RatableContest],
    replay: &Replay,
    identities: &Identities,
) -> Result<(), Error> {
    let wanted = build_queries(store, earlier, replay, identities)?;
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
                if let Some(index) = replay.index_of(row.competitor_id) {
                    rating.restore(index, &past_result(&earlier[position], &row));
                }
            }
            match reader.join() {
                Ok(read) => read?,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(())
    })
}

fn past_result(contest: &RatableContest, row: &RatingRow) -> PastResult {
    PastResult {
        ends_at: contest.ends_at,
        weight: contest.weight,
        rated: RatedEntrant {
            mu: row.mu,
            sigma: row.sigma,
            performance: row.performance.unwrap_or(row.mu),
            volatility: row.volatility,
        },
    }
}

/// Builds the queries for the rows of each earlier contest: those of the entrants of the replay,
/// who may have taken part under any of their accounts, or in a team if members are rated.
fn build_queries(
    store: &Store,
    earlier: &[RatableContest],
    replay: &Replay,
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
    let mut accounts: Vec<CompetitorId> = (replay.competitors.iter())
        .flat_map(|&competitor| identities.accounts(competitor))
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

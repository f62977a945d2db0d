//! Rating: standings in the order of replay, through a system, into rating rows.

use std::sync::mpsc::sync_channel;

use ranklore_contest::{ContentHash, StartingRating, UnixSeconds};
use ranklore_rating::{ENGINE, Rated, RatingSystem, Start};
use ranklore_store::{
    CompetitorId, ContestId, ContestRow, NewRun, RatingRow, RunId, Store, Writer,
};

use crate::replay::Replay;
use crate::{Error, RunSelection, System, Watch};

/// What to rate, and with what.
pub struct RateRequest {
    /// Over which contests.
    pub selection: RunSelection,
    /// The system with its parameters.
    pub system: System,
    /// The time now.
    pub now: UnixSeconds,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateReport {
    /// The run; the same system, parameters and selection are the same run.
    pub run_id: RunId,
    /// Contests rated.
    pub contests: u64,
    /// Results rated, one row each.
    pub results: u64,
    /// Contests without an order (one entrant, or all tied), which no system rates.
    pub without_order: u64,
    /// Nothing had changed since the run, and nothing was written.
    pub unchanged: bool,
}

/// Rates. The rows of the run become visible at once, at the end; until then readers see
/// those of before.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::Store`]; [`Error::Interrupted`] when
/// the watch says so, and nothing was written then.
pub fn rate(
    store: &mut Writer,
    request: RateRequest,
    watch: &dyn Watch,
) -> Result<RateReport, Error> {
    let RateRequest {
        selection,
        system,
        now,
    } = request;
    let contests = selection.contests(store)?;
    let starts = starting_ratings(store, &contests)?;
    let fingerprint = fingerprint(&contests, &starts, &system.parameters, system.name);
    let selection = selection.canonical_json();
    if let Some((run_id, found)) =
        store.run_fingerprint(system.name, &system.parameters, &selection)?
        && found == fingerprint
    {
        return unchanged(store, run_id, contests.len() as u64);
    }
    let replay = Replay::load(store, contests)?;
    watch.begin("rating", replay.results);
    let mut rating = system.rating;
    start(&mut *rating, &replay, &starts);
    let mut batch = store.batch()?;
    let run_id = batch.begin_run(
        &NewRun {
            system: system.name,
            parameters: &system.parameters,
            selection: &selection,
            engine: ENGINE,
            fingerprint,
        },
        now,
    )?;
    // Rating runs beside writing. One contest waits, one is being written and one rated: more
    // would be faster only if both sides were uneven, and a contest can have a million rows.
    let (send, receive) = sync_channel::<(ContestId, Vec<RatingRow>)>(1);
    let mut written = (0, 0);
    let complete = std::thread::scope(|threads| -> Result<bool, Error> {
        let replay = &replay;
        threads.spawn(move || {
            let mut rated = Vec::new();
            for contest in &replay.contests {
                rating.rate(&contest.round(), &mut rated);
                let rows = rows(&contest.entrants, &rated, &replay.competitors);
                // The other side has gone: it failed or was interrupted.
                if send.send((contest.row.contest_id, rows)).is_err() {
                    return;
                }
            }
        });
        let mut writer = batch.rating_writer();
        for (contest_id, rows) in &receive {
            if watch.interrupted() {
                return Ok(false);
            }
            writer.put(run_id, contest_id, &rows)?;
            written.0 += 1;
            written.1 += rows.len() as u64;
            watch.advanced(written.1, written.0, written.1);
        }
        drop(receive);
        Ok(true)
    })?;
    if !complete {
        return Err(Error::Interrupted);
    }
    batch.finish_run(run_id, written.0, written.1)?;
    batch.commit()?;
    Ok(RateReport {
        run_id,
        contests: written.0,
        results: written.1,
        without_order: replay.without_order,
        unchanged: false,
    })
}

fn rows(entrants: &[u32], rated: &[Rated], competitors: &[CompetitorId]) -> Vec<RatingRow> {
    let row = |(&entrant, rated): (&u32, &Rated)| RatingRow {
        competitor_id: competitors[entrant as usize],
        mu: rated.mu,
        sigma: rated.sigma,
        performance: Some(rated.performance),
        volatility: None,
    };
    entrants.iter().zip(rated).map(row).collect()
}

fn unchanged(store: &Store, run_id: RunId, selected: u64) -> Result<RateReport, Error> {
    let run = store.run(run_id)?;
    let (contests, results) = run.map_or((0, 0), |run| (run.contests, run.results));
    Ok(RateReport {
        run_id,
        contests,
        results,
        without_order: selected.saturating_sub(contests),
        unchanged: true,
    })
}

fn start(
    rating: &mut dyn RatingSystem,
    replay: &Replay,
    starts: &[(CompetitorId, StartingRating)],
) {
    for (index, competitor) in replay.competitors.iter().enumerate() {
        if let Ok(found) = starts.binary_search_by_key(competitor, |start| start.0) {
            let StartingRating { mu, sigma } = starts[found].1;
            rating.start(index as u32, Start { mu, sigma });
        }
    }
}

/// The starting ratings of all sources of these contests, by competitor.
pub(crate) fn starting_ratings(
    store: &Store,
    contests: &[ContestRow],
) -> Result<Vec<(CompetitorId, StartingRating)>, Error> {
    let mut sources: Vec<_> = contests.iter().map(|contest| contest.source_id).collect();
    sources.sort_unstable();
    sources.dedup();
    let mut starts = Vec::new();
    for source in sources {
        starts.extend(store.starting_ratings(source)?);
    }
    starts.sort_unstable_by_key(|start| start.0);
    Ok(starts)
}

/// A hash of everything the rows of a run depend on: a run whose hash is the same need not be
/// made again, and one whose hash differs no longer fits the results.
pub(crate) fn fingerprint(
    contests: &[ContestRow],
    starts: &[(CompetitorId, StartingRating)],
    parameters: &str,
    system: &str,
) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    // Lengths in front, so that no two different lists of texts are the same bytes.
    let text = |hasher: &mut blake3::Hasher, text: &str| {
        hasher.update(&(text.len() as u64).to_le_bytes());
        hasher.update(text.as_bytes());
    };
    for word in [ENGINE, system, parameters] {
        text(&mut hasher, word);
    }
    for contest in contests {
        text(&mut hasher, &contest.source);
        let hash = contest.content_hash.as_ref().map(ContentHash::as_bytes);
        hasher.update(hash.unwrap_or(&[0; 32]));
    }
    for (competitor, start) in starts {
        hasher.update(&competitor.get().to_le_bytes());
        hasher.update(&start.mu.to_bits().to_le_bytes());
        hasher.update(&start.sigma.unwrap_or(0.0).to_bits().to_le_bytes());
    }
    *hasher.finalize().as_bytes()
}

//! Rating: replays standings in order through a system into rating rows.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use ranklore_contest::{SourceName, StartingRating, UnixSeconds};
use ranklore_rating::{ENGINE_VERSION, InitialRating, RatedEntrant, RatingSystem};
use ranklore_store::{
    CompetitorId, ContestId, NewRun, RatingRow, RunId, RunRow, Store, WriteBatch, Writer,
};
use serde::Serialize;

use crate::error::Error;
use crate::progress::Progress;
use crate::runs::contest_size::{exclude_oversized_contests, find_oversized_contests};
use crate::runs::fingerprint::HashChain;
use crate::runs::identities::Identities;
use crate::runs::keys::serialize_json_text;
use crate::runs::lineup::{Replay, ReplayContest};
use crate::runs::resume::restore_states;
use crate::runs::selection::RunSelection;
use crate::runs::systems::System;

/// Contests to rate, and the system that rates them.
pub struct RateRequest {
    /// The contests.
    pub selection: RunSelection,
    /// The system with its parameters.
    pub system: System,
    /// Leaves out contests that are too large for the system; otherwise they are an error.
    pub skip_unsupported: bool,
    /// The time now.
    pub now: UnixSeconds,
}

/// Report of a rating.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RateReport {
    /// The run; the same system, parameters and selection are the same run.
    pub run_id: RunId,
    /// The sources of the selection.
    pub sources: Vec<SourceName>,
    /// The name of the system.
    pub system: &'static str,
    /// All parameters of the system, as canonical JSON.
    #[serde(serialize_with = "serialize_json_text")]
    pub parameters: String,
    /// Number of contests rated so far.
    pub contests: u64,
    /// Number of results rated so far; one rating row each.
    pub results: u64,
    /// Number of contests without an order (one entrant, or only ties), which no system rates, and
    /// of those without a weight if the site's weight counts.
    pub without_order: u64,
    /// Number of contests left out because they are too large for the system.
    pub unsupported: u64,
    /// Number of selected contests left out because much less of them arrived than announced.
    pub incomplete: u64,
    /// Number of contests replayed this time, from the first new or changed one on.
    pub replayed: u64,
    /// End of the first replayed contest, in Unix seconds, if any contest precedes it.
    pub continued_at: Option<i64>,
    /// True if nothing changed since the run, and nothing was written.
    pub unchanged: bool,
}

/// Rates new and changed contests. An existing run with the same selection and system is continued
/// from the first difference between its inputs and the current results. All later contests are
/// replayed, and the ratings are bit-identical to those of a replay from the beginning.
///
/// The rows of the run become visible at once, at the end; until then readers see the previous
/// ones.
///
/// # Errors
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::OversizedContests`], [`Error::Store`];
/// [`Error::Interrupted`] if `watch` interrupts, and nothing is written then.
pub fn rate(
    store: &mut Writer,
    request: RateRequest,
    watch: &dyn Progress,
) -> Result<RateReport, Error> {
    let mut batch = store.batch()?;
    let report = rate_in_batch(&mut batch, request, watch)?;
    if !report.unchanged {
        batch.commit()?;
    }
    Ok(report)
}

/// Rates like [`rate`], within a transaction of the caller.
///
/// # Errors
/// The errors of [`rate`].
pub fn rate_in_batch(
    batch: &mut WriteBatch<'_>,
    request: RateRequest,
    watch: &dyn Progress,
) -> Result<RateReport, Error> {
    let began = Instant::now();
    let system = request.system.name;
    let sources = request.selection.format_sources().replace(' ', ",");
    let report = rate_incrementally(batch, request, watch)?;
    let run_id = report.run_id.get();
    tracing::info!(
        target: "ranklore::run",
        run_id,
        system,
        sources,
        contests = report.contests,
        results = report.results,
        replayed = report.replayed,
        continued_at = report.continued_at,
        unchanged = report.unchanged,
        duration_ms = began.elapsed().as_micros() as f64 / 1e3,
        "run {run_id}: rated {sources} by {system}"
    );
    Ok(report)
}

fn rate_incrementally(
    batch: &mut WriteBatch<'_>,
    request: RateRequest,
    watch: &dyn Progress,
) -> Result<RateReport, Error> {
    let RateRequest {
        selection,
        system,
        skip_unsupported,
        now,
    } = request;
    let mut contests = selection.contests(batch)?;
    let incomplete = selection.count_incomplete(batch)?;
    system.weights.apply(&mut contests);
    let oversized = find_oversized_contests(system.about, &contests);
    let unsupported = oversized.as_ref().map_or(0, |of| of.contests);
    if let Some(oversized) = oversized.filter(|_| !skip_unsupported) {
        return Err(Error::OversizedContests(Box::new(oversized)));
    }
    exclude_oversized_contests(system.about, &mut contests);
    let identities = Identities::load(batch, &contests, system.teams)?;
    let (name, parameters) = (system.name, &system.parameters);
    let chain = HashChain::load(batch, &contests, &identities, name, parameters)?;
    let sources = selection.sources.clone();
    let selection = selection.canonical_json();
    let run = find_run_to_update(batch, name, parameters, &selection)?;
    if let Some(run) = &run
        && run.fingerprint == chain.last_hash()
    {
        return Ok(RateReport {
            run_id: run.run_id,
            sources,
            system: name,
            parameters: parameters.clone(),
            contests: run.contests,
            results: run.results,
            without_order: (contests.len() as u64).saturating_sub(run.contests + unsupported),
            unsupported,
            incomplete,
            replayed: 0,
            continued_at: None,
            unchanged: true,
        });
    }
    let kept = (run.as_ref()).map_or(Ok(0), |run| chain.common_prefix_len(batch, run))?;
    let (earlier, tail) = contests.split_at(kept);
    let replay = Replay::load(batch, &contests, kept, &identities)?;
    watch.begin_task("rating", replay.results);
    let mut rating = system.rating;
    for (index, &competitor) in replay.competitors.iter().enumerate() {
        if let Some(StartingRating { mu, sigma }) = identities.starting_rating(competitor) {
            rating.set_initial_rating(index as u32, InitialRating { mu, sigma });
        }
    }
    if kept > 0
        && let Some(run) = &run
    {
        let rating = &mut *rating;
        restore_states(batch, run.run_id, rating, earlier, &replay, &identities)?;
    }
    if let Some(run) = &run {
        batch.update_run_parameters(run.run_id, parameters)?;
    }
    let run_id = batch.begin_run(
        &NewRun {
            system: name,
            parameters,
            selection: &selection,
            engine: ENGINE_VERSION,
        },
        now,
    )?;
    batch.truncate_run(run_id, kept)?;
    if !write_ratings(batch, run_id, kept, &chain, &replay, rating, watch)? {
        return Err(Error::Interrupted);
    }
    batch.finish_run(run_id, chain.last_hash())?;
    let (contests_rated, results) =
        (batch.run(run_id)?).map_or((0, 0), |run| (run.contests, run.results));
    Ok(RateReport {
        run_id,
        sources,
        system: name,
        parameters: parameters.clone(),
        contests: contests_rated,
        results,
        without_order: contests.len() as u64 - contests_rated - unsupported,
        unsupported,
        incomplete,
        replayed: replay.rated,
        continued_at: (tail.first().filter(|_| kept > 0)).and_then(|contest| contest.ends_at),
        unchanged: false,
    })
}

/// Returns the run that a rating continues: the one with these parameters, or one of an earlier
/// version, which lacks parameters added since and gets their defaults.
fn find_run_to_update(
    store: &Store,
    system: &str,
    parameters: &str,
    selection: &str,
) -> Result<Option<RunRow>, Error> {
    if let Some(run) = store.find_matching_run(system, parameters, selection)? {
        return Ok(Some(run));
    }
    let mut runs = store.runs()?.into_iter();
    Ok(runs.find(|run| {
        (run.system == system && run.selection == selection)
            && System::from_run(run).is_ok_and(|completed| completed.parameters == parameters)
    }))
}

/// Upper bound of contests and results that wait to be written; a result has 40 bytes.
const MAX_WAITING: usize = 2_000_000;

/// Rates contests from position `kept` on, and writes the rows. Returns false if interrupted.
///
/// Rows are written in the order of their primary key as far as the memory for [`MAX_WAITING`]
/// allows: SQLite then appends to its last page instead of searching the page of each row, and
/// fills the pages.
fn write_ratings(
    batch: &mut WriteBatch<'_>,
    run_id: RunId,
    kept: usize,
    chain: &HashChain,
    replay: &Replay,
    mut rating: Box<dyn RatingSystem>,
    watch: &dyn Progress,
) -> Result<bool, Error> {
    // Rating runs in parallel with writing. One contest is queued, one written and one rated: a
    // longer queue helps only if both sides vary in speed, and a contest can have a million rows.
    let (send, receive) = sync_channel::<Vec<RatedEntrant>>(1);
    std::thread::scope(|threads| -> Result<bool, Error> {
        threads.spawn(move || {
            for contest in &replay.contests {
                let mut rated = Vec::new();
                rating.rate(&contest.round(), &mut rated);
                // The receiver is gone: it failed or was interrupted.
                if send.send(rated).is_err() {
                    return;
                }
            }
        });
        let mut writer = batch.rating_writer();
        let to_come = lowest_ids_to_come(&replay.contests);
        let mut waiting = BTreeMap::new();
        let mut waiting_rows = 0;
        let (mut contests, mut results) = (0, 0);
        for (index, rated) in receive.iter().enumerate() {
            if watch.is_interrupted() {
                return Ok(false);
            }
            contests += u64::from(!rated.is_empty());
            results += rated.len() as u64;
            waiting_rows += 1 + rated.len();
            waiting.insert(replay.contests[index].row.contest_id, (index, rated));
            let limit = to_come[index].filter(|_| waiting_rows <= MAX_WAITING);
            while let Some(next) = waiting.first_entry()
                && limit.is_none_or(|limit| *next.key() < limit)
            {
                if watch.is_interrupted() {
                    return Ok(false);
                }
                let (contest_id, (index, rated)) = next.remove_entry();
                waiting_rows -= 1 + rated.len();
                let entrants = &replay.contests[index].entrants;
                let rows = rating_rows(entrants, &rated, &replay.competitors);
                let position = kept + index;
                writer.write_contest(
                    run_id,
                    position,
                    contest_id,
                    chain.hash_at(position),
                    &rows,
                )?;
            }
            watch.advance(results, contests, results);
        }
        drop(receive);
        Ok(true)
    })
}

/// Returns for each contest the lowest id of all contests after it; none for the last.
fn lowest_ids_to_come(contests: &[ReplayContest]) -> Vec<Option<ContestId>> {
    let mut lowest = None;
    let mut ids: Vec<Option<ContestId>> = (contests.iter().rev())
        .map(|contest| {
            let own = contest.row.contest_id;
            lowest.replace(lowest.map_or(own, |lowest: ContestId| lowest.min(own)))
        })
        .collect();
    ids.reverse();
    ids
}

fn rating_rows(
    entrants: &[u32],
    rated: &[RatedEntrant],
    competitors: &[CompetitorId],
) -> Vec<RatingRow> {
    let row = |(&entrant, rated): (&u32, &RatedEntrant)| RatingRow {
        competitor_id: competitors[entrant as usize],
        mu: rated.mu,
        sigma: rated.sigma,
        performance: Some(rated.performance),
        volatility: rated.volatility,
    };
    entrants.iter().zip(rated).map(row).collect()
}

//! Rating: replays standings in order through a system into rating rows.

use std::collections::BTreeMap;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_rating::{ENGINE_VERSION, RatedEntrant, RatingSystem};
use ranklore_store::{
    CompetitorId, ContestId, NewRun, RatingRow, RunId, RunRow, Store, WriteBatch, Writer,
};
use serde::Serialize;

use crate::error::Error;
use crate::progress::Progress;
use crate::runs::keys::serialize_json_text;
use crate::runs::lineup::Replay;
use crate::runs::rating_period::RatingPeriod;
use crate::runs::resume::{CurrentRatings, RunInputs, restore_states};
use crate::runs::selection::RunSelection;
use crate::runs::systems::{System, is_run_of};

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
    /// Number of contests that no system rates: with one entrant, without a finisher, with only ties
    /// if these are skipped, and without a weight if the site's weight counts.
    pub without_order: u64,
    /// Number of contests left out because they are too large for the system.
    pub unsupported: u64,
    /// Number of selected contests left out because much less of them arrived than announced.
    pub incomplete: u64,
    /// Number of contests replayed this time, from the first new or changed one on.
    pub replayed: u64,
    /// End of the first replayed contest, in Unix seconds, if any contest precedes it.
    pub continued_at: Option<i64>,
    /// True if nothing changed since the run, and no rating was written.
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
/// [`Error::NoSource`], [`Error::NoContests`], [`Error::OversizedContests`],
/// [`Error::OverlappingEvents`], [`Error::Store`];
/// [`Error::Interrupted`] if `watch` interrupts, and nothing is written then.
pub fn rate(
    store: &mut Writer,
    request: RateRequest,
    watch: &dyn Progress,
) -> Result<RateReport, Error> {
    let mut batch = store.batch()?;
    let report = rate_in_batch(&mut batch, request, watch)?;
    batch.commit()?;
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
    let selection_json = selection.canonical_json();
    let run = find_run_to_update(batch, &system, &selection_json)?;
    let inputs = RunInputs::load(batch, run.as_ref(), &selection, &system, skip_unsupported)?;
    let incomplete = selection.count_incomplete(batch)?;
    let (name, parameters) = (system.name, system.parameters.clone());
    let chain = inputs.chain(batch, run.as_ref(), &system)?;
    // Of a run in which nothing changed.
    let report = |run_id, rated: u64, results| RateReport {
        run_id,
        sources: selection.sources.clone(),
        system: name,
        parameters: parameters.clone(),
        contests: rated,
        results,
        without_order: inputs.count().saturating_sub(rated + inputs.unsupported),
        unsupported: inputs.unsupported,
        incomplete,
        replayed: 0,
        continued_at: None,
        unchanged: true,
    };
    // A new run has nothing to compare.
    let fingerprint = run.is_some().then(|| chain.last_hash());
    if let Some(run) = &run
        && Some(run.fingerprint) == fingerprint
    {
        if run.competitors.is_none() {
            batch.rebuild_current_ratings(run)?;
        }
        batch.record_source_changes(run.run_id)?;
        return Ok(report(run.run_id, run.contests, run.results));
    }
    let kept = match &run {
        _ if inputs.is_appended => inputs.earlier,
        Some(run) => chain.common_prefix_len(batch, run)?,
        None => 0,
    };
    let kept = (system.period).map_or(kept, |period| period.floor_position(&inputs.contests, kept));
    let continuation = Continuation {
        run: run.as_ref(),
        inputs: &inputs,
        kept,
        fingerprint,
        to_begin: NewRun {
            system: name,
            parameters: &parameters,
            selection: &selection_json,
            engine: ENGINE_VERSION,
        },
        now,
    };
    let hashes = chain
        .hashes()
        .skip(if inputs.is_appended { 0 } else { kept });
    let (run_id, replayed) = continuation.rate(batch, system, hashes, watch)?;
    let (contests_rated, results) =
        (batch.run(run_id)?).map_or((0, 0), |run| (run.contests, run.results));
    let next = inputs.contests.get(kept).filter(|_| kept > 0);
    Ok(RateReport {
        replayed,
        continued_at: next.map(|contest| contest.ends_at),
        unchanged: false,
        ..report(run_id, contests_rated, results)
    })
}

/// A run, or a new one, and where its replay begins.
struct Continuation<'r> {
    run: Option<&'r RunRow>,
    inputs: &'r RunInputs,
    /// The number of the inputs' contests whose ratings stay.
    kept: usize,
    /// The hash of all inputs, if it is known.
    fingerprint: Option<[u8; 32]>,
    to_begin: NewRun<'r>,
    now: UnixSeconds,
}

impl Continuation<'_> {
    /// Rates and stores the contests that are not kept, whose hashes are given. Returns the run and
    /// the number of contests rated.
    fn rate(
        &self,
        batch: &mut WriteBatch<'_>,
        system: System,
        hashes: impl Iterator<Item = [u8; 32]>,
        watch: &dyn Progress,
    ) -> Result<(RunId, u64), Error> {
        let (kept, identities) = (self.kept, &self.inputs.identities);
        let contests = &self.inputs.contests;
        let first = Position {
            kept,
            omitted: self.inputs.omitted,
        };
        let replay = Replay::load(batch, contests, kept, identities, system.all_tied)?;
        watch.begin_task("rating", replay.results);
        let mut rating = system.rating;
        replay.set_initial_ratings(&mut *rating, identities);
        let mut current = CurrentRatings::new(&replay);
        if let Some(run) = self.run.filter(|_| kept > 0) {
            current.add_competitors(&batch.competitors_rated_from(run.run_id, first.in_run())?);
            let earlier = (&contests[..kept], system.period);
            restore_states(
                batch,
                run.run_id,
                &mut *rating,
                earlier,
                &mut current,
                identities,
            )?;
        }
        if let Some(run) = self.run {
            batch.update_run_parameters(run.run_id, self.to_begin.parameters)?;
        }
        let run_id = batch.begin_run(&self.to_begin, self.now)?;
        batch.truncate_run(run_id, first.in_run())?;
        let rated = (rating, system.period);
        let written = write_ratings(batch, run_id, first, hashes, &mut current, rated, watch)?;
        let fingerprint = self.fingerprint.or(written.last_hash).unwrap_or_default();
        if self.inputs.is_appended {
            batch.finish_appended_run(run_id, fingerprint, (written.contests, written.results))?;
        } else {
            batch.finish_run(run_id, fingerprint)?;
        }
        match self.run.filter(|_| kept > 0) {
            // An earlier version wrote the rows that are kept.
            Some(run) if run.competitors.is_none() => batch.rebuild_current_ratings(run)?,
            before => {
                let replaced = current.competitors().filter(|_| before.is_some());
                batch.replace_current_ratings(run_id, replaced, current.rows(contests))?;
            }
        }
        batch.record_source_changes(run_id)?;
        Ok((run_id, replay.rated))
    }
}

/// Where a replay begins.
#[derive(Clone, Copy)]
struct Position {
    /// Number of loaded contests before it.
    kept: usize,
    /// Number of contests of the run that are not loaded.
    omitted: usize,
}

impl Position {
    /// Returns the position within the run.
    const fn in_run(self) -> usize {
        self.omitted + self.kept
    }
}

/// Returns the run that a rating continues: the one with these parameters, or one of an earlier
/// version, which lacks parameters added since and gets their defaults.
fn find_run_to_update(
    store: &Store,
    system: &System,
    selection: &str,
) -> Result<Option<RunRow>, Error> {
    if let Some(run) = store.find_matching_run(system.name, &system.parameters, selection)? {
        return Ok(Some(run));
    }
    let mut runs = store.runs()?.into_iter();
    Ok(runs.find(|run| run.selection == selection && is_run_of(run, system)))
}

/// Upper bound of the memory of contests that wait to be written, in bytes.
const MAX_WAITING: usize = 80_000_000;

/// Memory of a waiting contest besides its rows: its place in the map, and an allocation.
const WAITING_CONTEST: usize = 128;

/// Rows per message from the thread that rates: waking the other thread for each of a million
/// contests of two takes longer than rating them.
const MESSAGE_ROWS: usize = 4096;

/// Consecutive contests after their rating.
#[derive(Default)]
struct RatedContests {
    rows: Vec<RatedEntrant>,
    /// End of each contest in the rows.
    ends: Vec<usize>,
}

/// What was written.
#[derive(Default)]
struct Written {
    /// Number of contests with rows.
    contests: u64,
    /// Number of rows.
    results: u64,
    /// The hash of the last contest.
    last_hash: Option<[u8; 32]>,
}

/// Rates the contests from a position on, whose hashes are given, writes the rows, and adds them to
/// `current`.
///
/// Rows are written in the order of their primary key as far as [`MAX_WAITING`] allows: SQLite then
/// appends to its last page instead of searching the page of each row, and fills the pages.
fn write_ratings(
    batch: &mut WriteBatch<'_>,
    run_id: RunId,
    first: Position,
    hashes: impl Iterator<Item = [u8; 32]>,
    current: &mut CurrentRatings<'_>,
    (mut rating, period): (Box<dyn RatingSystem>, Option<RatingPeriod>),
    watch: &dyn Progress,
) -> Result<Written, Error> {
    let replay = current.replay;
    // Rating runs in parallel with writing. One message is queued, one written and one rated: a
    // longer queue helps only if both sides vary in speed, and a contest can have a million rows.
    let (send, receive) = sync_channel::<RatedContests>(1);
    std::thread::scope(|threads| -> Result<Written, Error> {
        threads.spawn(move || {
            let mut rated = RatedContests::default();
            let mut rows = Vec::new();
            for (position, contest) in (first.kept..).zip(replay.contests()) {
                rating.rate(&contest.round_in(period), &mut rows);
                current.add_contest(position, contest.entrants, &rows);
                if rated.rows.is_empty() {
                    // A large contest is not copied.
                    std::mem::swap(&mut rated.rows, &mut rows);
                } else {
                    rated.rows.extend_from_slice(&rows);
                }
                rated.ends.push(rated.rows.len());
                if rated.rows.len() + rated.ends.len() >= MESSAGE_ROWS
                    // The receiver is gone: it failed or was interrupted.
                    && send.send(std::mem::take(&mut rated)).is_err()
                {
                    return;
                }
            }
            let _ = send.send(rated);
        });
        let last_position = (first.in_run() + replay.len()).saturating_sub(1);
        let mut writer = batch.rating_writer(run_id, last_position);
        let mut rows = Vec::new();
        let mut write = |index: usize, hash: &[u8; 32], rated: &[RatedEntrant]| {
            let contest = replay.contest(index);
            rows.clear();
            rows.extend(rating_rows(contest.entrants, rated, &replay.competitors));
            let (position, contest_id) = (first.in_run() + index, contest.row.contest_id);
            writer.write_contest(position, contest_id, hash, &rows)
        };
        let to_come = lowest_ids_to_come(replay);
        let mut hashes = hashes;
        let mut waiting = BTreeMap::new();
        let mut waiting_bytes = 0;
        let mut written = Written::default();
        let mut index = 0;
        for message in &receive {
            let mut start = 0;
            for (end, hash) in message.ends.into_iter().zip(&mut hashes) {
                if watch.is_interrupted() {
                    return Err(Error::Interrupted);
                }
                let rated = &message.rows[start..end];
                start = end;
                written.contests += u64::from(!rated.is_empty());
                written.results += rated.len() as u64;
                written.last_hash = Some(hash);
                let contest_id = replay.contest(index).row.contest_id;
                let is_next = |limit: ContestId| contest_id < limit;
                if waiting.is_empty() && to_come.get(index).copied().is_none_or(is_next) {
                    write(index, &hash, rated)?;
                } else {
                    waiting_bytes += WAITING_CONTEST + size_of_val(rated);
                    waiting.insert(contest_id, (index, hash, rated.to_vec()));
                }
                let limit = to_come
                    .get(index)
                    .copied()
                    .filter(|_| waiting_bytes <= MAX_WAITING);
                while let Some(next) = waiting.first_entry()
                    && limit.is_none_or(|limit| *next.key() < limit)
                {
                    if watch.is_interrupted() {
                        return Err(Error::Interrupted);
                    }
                    let (index, hash, rated): (_, _, Vec<RatedEntrant>) = next.remove();
                    waiting_bytes -= WAITING_CONTEST + size_of_val(&*rated);
                    write(index, &hash, &rated)?;
                }
                watch.advance(written.results, written.contests, written.results);
                index += 1;
            }
        }
        drop(receive);
        writer.finish()?;
        Ok(written)
    })
}

/// Returns for each contest but the last the lowest id of all contests after it.
fn lowest_ids_to_come(replay: &Replay<'_>) -> Vec<ContestId> {
    let ids = replay.contests().skip(1).map(|of| of.row.contest_id);
    let mut ids: Vec<ContestId> = ids.collect();
    for index in (1..ids.len()).rev() {
        ids[index - 1] = ids[index - 1].min(ids[index]);
    }
    ids
}

fn rating_rows(
    entrants: &[u32],
    rated: &[RatedEntrant],
    competitors: &[CompetitorId],
) -> impl Iterator<Item = RatingRow> {
    let row = |(&entrant, rated): (&u32, &RatedEntrant)| RatingRow {
        competitor_id: competitors[entrant as usize],
        mu: rated.mu,
        sigma: rated.sigma,
        performance: rated.performance,
        volatility: rated.volatility,
    };
    entrants.iter().zip(rated).map(row)
}

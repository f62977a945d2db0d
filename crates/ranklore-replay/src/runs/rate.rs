//! Rating: replays standings in order through a system into rating rows.

mod ordered_writer;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::Instant;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_rating::{ENGINE_VERSION, RatedEntrant};
use ranklore_store::{ContestId, NewRun, RatableContest, RunId, RunRow, Store, WriteBatch, Writer};
use serde::Serialize;

use crate::error::Error;
use crate::progress::Progress;
use crate::runs::fingerprint::HashChain;
use crate::runs::keys::serialize_json_text;
use crate::runs::lineup::Replay;
use crate::runs::rate::ordered_writer::{OrderedWriter, Written};
use crate::runs::resume::{CurrentRatings, EarlierContests, RunInputs};
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
/// [`Error::OverlappingEvents`], [`Error::DamagedParameters`], [`Error::Store`];
/// [`Error::Diverged`], and [`Error::Interrupted`] if `watch` interrupts: nothing is written then.
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
    let start = Instant::now();
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
        duration_ms = start.elapsed().as_micros() as f64 / 1e3,
        "run {run_id}: rated {sources} by {system}"
    );
    Ok(report)
}

/// Errors with the name of the contest, if there is one in which ratings diverge.
///
/// # Errors
/// [`Error::Diverged`], [`Error::Store`].
pub fn check_divergence(
    store: &Store,
    system: &str,
    contest: Option<ContestId>,
) -> Result<(), Error> {
    let rows = store.contests_by_id(contest)?;
    rows.into_iter().next().map_or(Ok(()), |contest| {
        Err(Error::Diverged {
            system: system.to_owned(),
            contest: contest.name,
        })
    })
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
    let system_name = system.name;
    let parameters = system.parameters.clone();
    let selection_json = selection.canonical_json();
    let run = find_run_to_update(batch, &system, &selection_json)?;
    let inputs = RunInputs::load(batch, run.as_ref(), &selection, &system, skip_unsupported)?;
    let incomplete = selection.count_incomplete(batch)?;
    let chain = inputs.chain(batch, run.as_ref(), &system)?;
    // A new run has nothing to compare.
    let fingerprint = run.is_some().then(|| chain.last_hash());
    let is_unchanged = run.as_ref().is_some_and(|run| Some(run.fingerprint) == fingerprint);
    let continuation = Continuation {
        run: run.as_ref(),
        inputs: &inputs,
        unchanged: if is_unchanged {
            inputs.contests.len()
        } else {
            inputs.count_unchanged(batch, run.as_ref(), &chain, system.period)?
        },
        fingerprint,
        selection: &selection_json,
        now,
    };
    let (run_id, replayed) = match &run {
        Some(run) if is_unchanged => keep_ratings(batch, run)?,
        _ => continuation.rate(batch, system, &chain, watch)?,
    };
    let (contests, results) = batch.run(run_id)?.map_or((0, 0), |run| (run.contests, run.results));
    Ok(RateReport {
        run_id,
        sources: selection.sources,
        system: system_name,
        parameters,
        contests,
        results,
        without_order: inputs.count().saturating_sub(contests + inputs.unsupported),
        unsupported: inputs.unsupported,
        incomplete,
        replayed,
        continued_at: continuation.first_replayed().map(|contest| contest.ends_at),
        unchanged: is_unchanged,
    })
}

/// Keeps the ratings of a run in which nothing changed. Returns it, and that no contest was replayed.
fn keep_ratings(batch: &mut WriteBatch<'_>, run: &RunRow) -> Result<(RunId, u64), Error> {
    if run.competitors.is_none() {
        batch.rebuild_current_ratings(run)?;
    }
    batch.record_source_changes(run.run_id)?;
    Ok((run.run_id, 0))
}

/// A run, or a new one, and where its replay begins.
struct Continuation<'r> {
    run: Option<&'r RunRow>,
    inputs: &'r RunInputs,
    /// The number of the inputs' contests whose ratings stay.
    unchanged: usize,
    /// The hash of all inputs, if it is known.
    fingerprint: Option<[u8; 32]>,
    /// The selection of the run as canonical JSON.
    selection: &'r str,
    now: UnixSeconds,
}

impl Continuation<'_> {
    /// Rates and stores the contests that changed. Returns the run and the number of contests rated.
    fn rate(
        &self,
        batch: &mut WriteBatch<'_>,
        mut system: System,
        chain: &HashChain<'_>,
        watch: &dyn Progress,
    ) -> Result<(RunId, u64), Error> {
        let RunInputs {
            contests,
            identities,
            ..
        } = self.inputs;
        let replay = Replay::load(batch, contests, self.unchanged, identities, system.all_tied)?;
        watch.begin_task("rating", replay.results);
        replay.set_initial_ratings(&mut *system.rating, identities);
        let mut current = CurrentRatings::new(&replay, &*system.rating);
        if let Some(run) = self.continued_run() {
            let competitors = batch.competitors_rated_from(run.run_id, self.position())?;
            current.add_competitors(&competitors);
            let earlier = EarlierContests {
                run_id: run.run_id,
                contests: &contests[..self.unchanged],
                period: system.period,
                identities,
            };
            earlier.restore_states(batch, &mut *system.rating, &mut current)?;
        }
        let run_id = self.begin_run(batch, &system)?;
        let last_position = (self.position() + replay.len()).saturating_sub(1);
        let writer = batch.rating_writer(run_id, last_position);
        let writer = OrderedWriter::new(writer, self.position(), &replay, watch);
        // The chain of appended contests begins after the others.
        let is_appended = self.inputs.is_appended;
        let hashes = chain.hashes().skip(if is_appended { 0 } else { self.unchanged });
        let system_name = system.name;
        let bounds_ratings = system.rating.bounds_ratings();
        let written = rate_and_write(self.unchanged, hashes, &mut current, system, writer)?;
        check_divergence(batch, system_name, written.diverged.filter(|_| bounds_ratings))?;
        self.finish_run(batch, run_id, &written, &current)?;
        Ok((run_id, replay.rated))
    }

    /// Returns the first replayed contest, if any contest precedes it.
    fn first_replayed(&self) -> Option<&RatableContest> {
        let contests = &self.inputs.contests;
        contests.get(self.unchanged).filter(|_| self.unchanged > 0)
    }

    /// Returns the run of which ratings stay.
    fn continued_run(&self) -> Option<&RunRow> {
        self.run.filter(|_| self.unchanged > 0)
    }

    /// Returns the position within the run where the replay begins.
    const fn position(&self) -> usize {
        self.inputs.omitted + self.unchanged
    }

    /// Begins or updates the run, and deletes the ratings that are computed again.
    fn begin_run(&self, batch: &mut WriteBatch<'_>, system: &System) -> Result<RunId, Error> {
        if let Some(run) = self.run {
            // A run of an earlier version gets the parameters added since.
            batch.update_run_parameters(run.run_id, &system.parameters)?;
        }
        let run = NewRun {
            system: system.name,
            parameters: &system.parameters,
            selection: self.selection,
            engine: ENGINE_VERSION,
        };
        let run_id = batch.begin_run(&run, self.now)?;
        batch.truncate_run(run_id, self.position())?;
        Ok(run_id)
    }

    /// Stores the totals and the current ratings of the run.
    fn finish_run(
        &self,
        batch: &mut WriteBatch<'_>,
        run_id: RunId,
        written: &Written,
        current: &CurrentRatings<'_>,
    ) -> Result<(), Error> {
        let fingerprint = self.fingerprint.or(written.last_hash).unwrap_or_default();
        if self.inputs.is_appended {
            batch.finish_appended_run(run_id, fingerprint, (written.contests, written.results))?;
        } else {
            batch.finish_run(run_id, fingerprint)?;
        }
        match self.continued_run() {
            // An earlier version wrote the rows that are kept.
            Some(run) if run.competitors.is_none() => batch.rebuild_current_ratings(run)?,
            run => {
                // A run without earlier ratings has no rows to replace.
                let replaced = current.competitors().filter(|_| run.is_some());
                let rows = current.rows(&self.inputs.contests);
                batch.replace_current_ratings(run_id, replaced, rows)?;
            }
        }
        batch.record_source_changes(run_id)?;
        Ok(())
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
    for run in store.runs()? {
        if run.selection == selection && is_run_of(&run, system)? {
            return Ok(Some(run));
        }
    }
    Ok(None)
}

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

/// Rates the contests of a replay, whose hashes are given, writes the rows, and adds them to
/// `current`. `start` is the position of the first contest among those loaded.
fn rate_and_write(
    start: usize,
    hashes: impl Iterator<Item = [u8; 32]>,
    current: &mut CurrentRatings<'_>,
    system: System,
    writer: OrderedWriter<'_>,
) -> Result<Written, Error> {
    // Rating runs in parallel with writing. One message is queued, one written and one rated: a
    // longer queue helps only if both sides vary in speed, and a contest can have a million rows.
    let (send, receive) = sync_channel(1);
    std::thread::scope(|threads| {
        threads.spawn(move || rate_contests(start, current, system, &send));
        write_contests(receive, hashes, writer)
    })
}

/// Rates contests and sends the ratings, until all are sent or the receiver is dropped. Then frees
/// the states of the competitors, before the last rows are written.
fn rate_contests(
    start: usize,
    current: &mut CurrentRatings<'_>,
    mut system: System,
    send: &SyncSender<RatedContests>,
) {
    let replay = current.replay;
    let mut message = RatedContests::default();
    let mut rated = Vec::new();
    for (position, contest) in (start..).zip(replay.contests()) {
        let mut round = contest.round_in(system.period);
        if let Some(events) = &current.events {
            round.event = events.number(contest.row.event);
        }
        system.rating.rate(&round, &mut rated);
        if let Some(events) = &mut current.events
            && !rated.is_empty()
        {
            events.add(contest.row.event);
        }
        current.add_contest(position, contest.entrants, &rated);
        if message.rows.is_empty() {
            // A large contest is not copied.
            std::mem::swap(&mut message.rows, &mut rated);
        } else {
            message.rows.extend_from_slice(&rated);
        }
        message.ends.push(message.rows.len());
        if message.rows.len() + message.ends.len() >= MESSAGE_ROWS
            // The receiver is dropped if writing failed or was interrupted.
            && send.send(std::mem::take(&mut message)).is_err()
        {
            return;
        }
    }
    let _ = send.send(message);
}

/// Writes contests as they arrive, and then those that wait.
fn write_contests(
    receive: Receiver<RatedContests>,
    mut hashes: impl Iterator<Item = [u8; 32]>,
    mut writer: OrderedWriter<'_>,
) -> Result<Written, Error> {
    for message in receive {
        let mut start = 0;
        for (end, hash) in message.ends.into_iter().zip(&mut hashes) {
            writer.add(hash, &message.rows[start..end])?;
            start = end;
        }
    }
    writer.finish()
}

//! A sync under way: what is asked for, archived, read and remembered.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Answered, Blocking, Client, Failed, HostState, Options, Validators};
use ranklore_source::{Document, Listed, Reading, Request, Source, Stage};
use ranklore_store::{
    ContestRow, ContestState, ContestSync, DocumentId, DocumentRow, HostRow, Put, RunId, SyncKind,
    SyncOutcome, SyncRun, Writer,
};

use crate::archive::archive;
use crate::intake::RefusedDocument;
use crate::lack::Lack;
use crate::lists::Descriptions;
use crate::mined::{MineReport, Stopped};
use crate::shared::Shared;
use crate::site::Site;
use crate::{Error, Watch};

/// What came to a question that is not about one contest.
pub(crate) enum Came {
    /// An answer, which says this.
    Read(DocumentId, Reading),
    /// An answer that cannot be read, which the report has.
    Unread,
    /// No answer, for this reason.
    Nothing(Failed),
}

/// What is known of a document that lists contests, or describes them.
pub(crate) struct Seen {
    /// Whether it came in this sync, and not earlier.
    pub(crate) asked: bool,
    /// When it came.
    pub(crate) fetched_at: i64,
}

/// So many documents in a row that the site is too busy to give, and it is left alone.
const BUSY: u32 = 3;

/// One sync under way.
pub(crate) struct Sync<'a, 's> {
    pub(crate) store: &'a mut Writer,
    /// What reads answers.
    pub(crate) site: Site<'s>,
    /// What says which questions to put.
    asks: &'s dyn Source,
    client: Blocking,
    host: String,
    /// Whether the next run has to know when the host was asked: not where nothing is waited for.
    pub(crate) paced: bool,
    pub(crate) watch: &'a dyn Watch,
    pub(crate) report: MineReport,
    pub(crate) official: Option<RunId>,
    /// Whether to ask again for what has come to rest.
    pub(crate) full: bool,
    /// The questions that are no contest's and were answered in this sync.
    asked: HashSet<String>,
    /// The documents that list and describe contests, by their questions.
    pub(crate) lists: HashMap<String, Seen>,
    /// What the contests are listed in.
    pub(crate) list: Option<DocumentId>,
    /// The contests there, each with every question that there may be an answer to.
    pub(crate) listed: HashMap<String, Listed>,
}

impl<'a, 's> Sync<'a, 's> {
    pub(crate) fn begin(
        store: &'a mut Writer,
        site: Site<'s>,
        asks: &'s dyn Source,
        options: Options,
        now: UnixSeconds,
        watch: &'a dyn Watch,
    ) -> Result<Self, Error> {
        let host = Client::host_of(&options)?;
        let known = store.host(&host)?;
        let state = HostState {
            last_request_at: known.last_request_at.and_then(UnixSeconds::new),
            not_before: known.not_before_at.and_then(UnixSeconds::new),
        };
        let paced = !options.interval.is_zero() || known != HostRow::default();
        let time_of_day = SystemTime::UNIX_EPOCH + Duration::from_secs(now.get() as u64);
        Ok(Self {
            client: Blocking::new(options, state, time_of_day)?,
            store,
            site,
            asks,
            host,
            paced,
            watch,
            report: MineReport::default(),
            official: None,
            full: false,
            asked: HashSet::new(),
            lists: HashMap::new(),
            list: None,
            listed: HashMap::new(),
        })
    }

    /// Asks for what every sync begins with, and brings the contests listed there up to date.
    /// Gives them with what is to be asked about each; nothing, if there is no list this time.
    pub(crate) fn lists(&mut self, now: UnixSeconds) -> Result<Option<Vec<Listed>>, Error> {
        let asking = Site {
            source: self.asks,
            name: self.site.name.clone(),
            source_id: self.site.source_id,
            forgotten: self.site.forgotten.clone(),
            shared: Shared::default(),
        };
        let mut queue: VecDeque<Request> = self.asks.start().into();
        queue.retain(|request| request.is_open(now));
        let only = queue.len() == 1;
        self.watch.begin("asking what there is", queue.len() as u64);
        let (mut done, mut due) = (0, queue.len());
        let mut asked = HashSet::new();
        let (mut contests, mut to_ask) = (Vec::new(), Vec::new());
        let mut descriptions = Descriptions::default();
        let (mut all, mut busy) = (true, 0);
        while let Some(request) = queue.pop_front() {
            if !asked.insert(request.key()) {
                continue;
            }
            let key = request.key();
            let (row, reading) = match self.document(&request, now)? {
                Came::Read(document_id, reading) => {
                    busy = 0;
                    let row = self.store.document(document_id)?.row;
                    let seen = Seen {
                        asked: self.asked.contains(&key),
                        fetched_at: row.fetched_at,
                    };
                    self.lists.insert(key, seen);
                    (row, reading)
                }
                // Without the only list there is nothing to go by.
                Came::Unread if only && self.lists.is_empty() => return Ok(None),
                Came::Nothing(failed)
                    if failed.concerns_host()
                        || failed.is_wall()
                        || (only && self.lists.is_empty()) =>
                {
                    self.stop(&failed);
                    return Ok(None);
                }
                came => {
                    all = false;
                    if let Came::Nothing(failed) = came {
                        busy = if failed.is_busy() { busy + 1 } else { 0 };
                        self.refuse(&key, failed.to_string());
                        if busy == BUSY && self.paced {
                            self.stop(&failed);
                            return Ok(None);
                        }
                    }
                    // What it said before still holds, as far as anybody knows.
                    match self.site.newest_readable(self.store, &key)? {
                        Some((row, reading)) => {
                            let fetched_at = row.fetched_at;
                            let asked = false;
                            self.lists.insert(key, Seen { asked, fetched_at });
                            (row, reading)
                        }
                        None => continue,
                    }
                }
            };
            self.list = Some(row.document_id);
            all &= reading.lists_all;
            descriptions.add(reading.described, row.fetched_at);
            queue.extend(reading.follow);
            // Who asks for less has no other question where there is but one.
            if reading.listed.iter().all(|of| of.results.len() < 2) {
                to_ask.extend(reading.listed.iter().cloned());
            } else if let Ok(reading) = asking.read(self.store, &row)? {
                to_ask.extend(reading.listed);
            }
            contests.extend(reading.listed);
            done += 1;
            if done == due && !queue.is_empty() {
                (done, due) = (0, queue.len());
                self.watch.begin("asking what else there is", due as u64);
            }
            self.watch.advanced(done as u64, contests.len() as u64, 0);
        }
        if self.lists.is_empty() {
            return Ok(None);
        }
        for contest in contests.iter_mut().chain(&mut to_ask) {
            descriptions.describe(contest);
        }
        let (contests, to_ask) = (last_of_each(contests), last_of_each(to_ask));
        self.headers(&contests, all)?;
        self.listed = (contests.into_iter())
            .map(|contest| (contest.external_id.clone(), contest))
            .collect();
        Ok(Some(to_ask))
    }

    /// Asks for a document that is no contest's, archives the answer and reads it. What went wrong
    /// is remembered; the report has it where an answer came.
    pub(crate) fn document(&mut self, request: &Request, now: UnixSeconds) -> Result<Came, Error> {
        let key = request.key();
        let row = match self.settled(request, now)? {
            Some(row) => row,
            None => match self.ask(request)? {
                Ok(answered) => {
                    let mut batch = self.store.batch()?;
                    match archive(&mut batch, &self.site, request, &answered)? {
                        Ok(document_id) => {
                            batch.commit()?;
                            self.asked.insert(key.clone());
                            self.store.document(document_id)?.row
                        }
                        Err(withheld) => {
                            drop(batch);
                            let lack = Lack::withheld(request, withheld);
                            self.lacks(&lack, now)?;
                            self.refuse(&key, lack.said);
                            return Ok(Came::Unread);
                        }
                    }
                }
                Err(failed) => {
                    if !matches!(failed, Failed::Interrupted) {
                        self.lacks(&Lack::failed(request, &failed), now)?;
                    }
                    return Ok(Came::Nothing(failed));
                }
            },
        };
        match self.site.read(self.store, &row)? {
            Ok(reading) => {
                // Of one that says what it said before, nobody needs to hear again.
                let news = self.is_news(&row)?;
                for warning in reading.warnings.iter().filter(|_| news) {
                    self.watch.note(warning);
                }
                for refused in &reading.refused {
                    self.refuse(&key, format!("{}: {}", refused.at, refused.expected));
                }
                let refused = reading.refused.first();
                let why = refused.map(|refused| format!("{}: {}", refused.at, refused.expected));
                self.came(&key, why, now)?;
                Ok(Came::Read(row.document_id, reading))
            }
            Err(error) => {
                let why = format!("{}: {}", error.at, error.expected);
                self.lacks(&Lack::unread(request, why.clone()), now)?;
                self.refuse(&key, why);
                Ok(Came::Unread)
            }
        }
    }

    /// Whether a document is the first of its question, or another than the one before it.
    fn is_news(&self, row: &DocumentRow) -> Result<bool, Error> {
        let answers = (self.store).answers(self.site.source_id, &row.request_key)?;
        let mut earlier = answers
            .iter()
            .filter(|of| of.document_id != row.document_id);
        let before = earlier.find(|of| of.fetched_at <= row.fetched_at);
        Ok(
            self.asked.contains(&row.request_key)
                && before.is_none_or(|of| of.blake3 != row.blake3),
        )
    }

    /// What an answer that just came leads to.
    pub(crate) fn follow(
        &self,
        request: &Request,
        answered: &Answered,
    ) -> Result<Vec<Request>, Error> {
        let key = request.key();
        let archived;
        let (body, status, fetched_at) = match answered {
            Answered::Fresh(fresh) => (&fresh.body, fresh.status, fresh.fetched_at),
            Answered::NotModified { fetched_at, .. } => {
                let answers = self.store.answers(self.site.source_id, &key)?;
                let Some(row) = answers.into_iter().next() else {
                    return Ok(Vec::new());
                };
                archived = self.store.document(row.document_id)?;
                (&archived.body, row.status.unwrap_or(200), *fetched_at)
            }
        };
        let reading = self.asks.read(&Document {
            request_key: &key,
            fetched_at,
            status,
            body,
        });
        // Whoever archives it will say that it cannot be read.
        Ok(reading.map_or_else(|_| Vec::new(), |reading| reading.follow))
    }

    /// Remembers that a document that is no contest's could not be had or read.
    fn lacks(&mut self, lack: &Lack<'_>, now: UnixSeconds) -> Result<(), Error> {
        let key = lack.of.key();
        let before = self.sync_of(&key)?.and_then(|sync| sync.read_at);
        self.remember(&lack.sync(&key, now, before))
    }

    /// Remembers that it came, and why not all of it can be taken; of one that always came whole
    /// there is nothing to remember, nor of one that is as it was.
    fn came(&mut self, key: &str, reason: Option<String>, now: UnixSeconds) -> Result<(), Error> {
        let before = self.sync_of(key)?;
        let known = match &before {
            Some(before) => !before.is_refused() && before.reason == reason,
            None => reason.is_none(),
        };
        if known {
            return Ok(());
        }
        self.remember(&ContestSync {
            external_id: key.to_owned(),
            outcome: SyncOutcome::Read,
            tried_at: now.get(),
            read_at: Some(now.get()),
            due_at: None,
            reason,
        })
    }

    fn sync_of(&self, external_id: &str) -> Result<Option<ContestSync>, Error> {
        let source_id = self.site.source_id;
        Ok(self.store.contest_sync(source_id, external_id)?)
    }

    fn remember(&mut self, sync: &ContestSync) -> Result<(), Error> {
        let mut batch = self.store.batch()?;
        batch.put_contest_sync(self.site.source_id, sync)?;
        batch.commit()?;
        Ok(())
    }

    /// The answer to a question that will always be answered so, if there is one.
    fn settled(&self, request: &Request, now: UnixSeconds) -> Result<Option<DocumentRow>, Error> {
        if request.settles_at.is_none() || self.full {
            return Ok(None);
        }
        // What could not be had or read the last time may come better.
        let last = self.sync_of(&request.key())?;
        if last.is_some_and(|last| last.is_refused()) {
            return Ok(None);
        }
        let answers = (self.store).answers(self.site.source_id, &request.key())?;
        let newest = answers.into_iter().next();
        Ok(newest.filter(|row| request.is_settled(row.fetched_at, now)))
    }

    /// Brings what the file says of listed contests up to date, but for new answers about them.
    fn headers(&mut self, listed: &[Listed], all: bool) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let there: HashMap<String, ContestRow> = (self.store.contests_of(source_id)?.into_iter())
            .map(|row| (row.external_id.clone(), row))
            .collect();
        let mut events: HashMap<&str, Vec<&ContestRow>> = HashMap::new();
        for row in there.values() {
            if let Some((event, _)) = row.external_id.split_once('/') {
                events.entry(event).or_default().push(row);
            }
        }
        let mut batch = self.store.batch()?;
        for contest in listed {
            let row = there.get(&contest.external_id);
            // What its own list says of it is learned together with how it came out.
            let first = contest.results.first().map(Request::key);
            let seen = first.and_then(|first| self.lists.get(&first));
            if seen.is_some_and(|seen| seen.asked || row.is_none()) {
                continue;
            }
            let news = if contest.several && contest.rateable {
                event_differs(events.get(contest.external_id.as_str()), contest)
            } else {
                row.is_none_or(|row| differs(row, contest))
            };
            if news {
                let derived = self.site.derive(&batch, contest)?;
                for (listed, derived) in derived.each(contest) {
                    let put = self.site.put(&mut batch, listed, derived, self.list)?;
                    if let Some(Put::Revised { .. }) = put
                        && there.contains_key(&listed.external_id)
                    {
                        self.report.revised += 1;
                    }
                }
            }
        }
        if all {
            // What was imported into the same source was never on the list.
            let mut gone = batch.mined_contests(source_id)?;
            for contest in listed {
                gone.remove(&contest.external_id);
            }
            for row in there.values().filter(|row| gone.contains(&row.external_id)) {
                batch.set_state(row.contest_id, ContestState::Withdrawn)?;
            }
        }
        batch.commit()?;
        Ok(())
    }

    /// Asks for one document; of one that is there only whether it changed.
    pub(crate) fn ask(&mut self, request: &Request) -> Result<Result<Answered, Failed>, Error> {
        let newest = (self.store)
            .answers(self.site.source_id, &request.key())?
            .into_iter()
            .next();
        let known = newest.map(|row| Validators {
            etag: row.etag,
            last_modified: row.last_modified,
        });
        let answered = self.client.fetch(
            self.site.source,
            request,
            known.as_ref(),
            &|| self.watch.interrupted(),
            &mut |state| put_host(self.store, &self.host, self.paced, state),
        )?;
        self.report.answers += u64::from(answered.is_ok());
        Ok(answered)
    }

    /// The site, or the user, wants no more of it.
    pub(crate) fn stop(&mut self, failed: &Failed) {
        match failed {
            Failed::Interrupted => self.report.interrupted = true,
            failed => {
                self.report.stopped = Some(Stopped {
                    why: failed.to_string(),
                    blocked: failed.is_blocked(),
                });
            }
        }
    }

    pub(crate) fn refuse(&mut self, document: &str, what: String) {
        self.watch.note(&format!("{document}: {what}"));
        self.report.refused.push(RefusedDocument {
            document: document.to_owned(),
            what,
        });
    }

    pub(crate) fn finish(
        self,
        started_at: UnixSeconds,
        clock: fn() -> UnixSeconds,
    ) -> Result<MineReport, Error> {
        if self.report.answers > 0 {
            let mut batch = self.store.batch()?;
            let report = &self.report;
            batch.record_sync(&SyncRun {
                source_id: self.site.source_id,
                kind: SyncKind::Mine,
                started_at,
                finished_at: clock().max(started_at),
                added: report.added,
                revised: report.revised,
                unchanged: report.unchanged,
                refused: report.refused.len() as u64,
            })?;
            batch.commit()?;
        }
        Ok(self.report)
    }
}

/// What was listed, each once, as the last list has it: one may stand in two, moved in between.
pub(crate) fn last_of_each(listed: Vec<Listed>) -> Vec<Listed> {
    let listed = listed.into_iter();
    let by_id: BTreeMap<String, Listed> = listed
        .map(|contest| (contest.external_id.clone(), contest))
        .collect();
    by_id.into_values().collect()
}

/// Whether a list says something else of an event than the file does of its contests. Of one that
/// has none there is nothing to say.
fn event_differs(rows: Option<&Vec<&ContestRow>>, event: &Listed) -> bool {
    rows.into_iter().flatten().any(|row| {
        row.event.as_ref() != Some(&event.name)
            || row.url != event.url
            || row.ends_at != event.ends_at.map(UnixSeconds::get)
    })
}

/// Whether a list says something else of a contest than the file.
fn differs(row: &ContestRow, listed: &Listed) -> bool {
    let seconds = |at: Option<UnixSeconds>| at.map(UnixSeconds::get);
    row.name != listed.name
        || row.event != listed.event
        || row.division != listed.division
        || row.ordinal != listed.ordinal
        || row.url != listed.url
        || row.starts_at != seconds(listed.starts_at)
        || row.ends_at != seconds(listed.ends_at)
        || (row.entrants > 0 && row.site_weight != listed.site_weight)
        || stage_of(row.state) != Some(listed.stage)
}

/// The stage that a state is of; none for a contest that was taken back, which is to be looked
/// at if it is listed.
fn stage_of(state: ContestState) -> Option<Stage> {
    match state {
        ContestState::Announced => Some(Stage::Announced),
        ContestState::Running => Some(Stage::Running),
        ContestState::Provisional
        | ContestState::Final
        | ContestState::Unrated
        | ContestState::Refused => Some(Stage::Finished),
        ContestState::Withdrawn => None,
    }
}

/// Remembers when the host is asked, before it is: in a commit of its own, so that a run after
/// one that was killed knows, too.
fn put_host(store: &mut Writer, host: &str, paced: bool, state: HostState) -> Result<(), Error> {
    if !paced && state.not_before.is_none() {
        return Ok(());
    }
    let mut batch = store.batch()?;
    batch.put_host(
        host,
        HostRow {
            // The client was told the time in whole seconds, so that it may be a second later;
            // and the request starts when this is written, which may take another.
            last_request_at: state.last_request_at.map(|at| at.get() + 2),
            not_before_at: state.not_before.map(|at| at.get() + 1),
        },
    )?;
    batch.commit()?;
    Ok(())
}

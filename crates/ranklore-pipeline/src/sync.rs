//! A sync under way: what is asked for, archived, read and remembered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{Answered, Blocking, Client, Failed, HostState, Options, Validators};
use ranklore_source::{Document, Listed, Reading, Request, Source, Stage};
use ranklore_store::{
    Batch, Body, ContestRow, ContestState, ContestSync, DocumentId, DocumentRow, HostRow,
    NewDocument, Put, RunId, SyncKind, SyncOutcome, SyncRun, Writer,
};

use crate::intake::RefusedDocument;
use crate::mine::{MineReport, Stopped};
use crate::note::ReadingNote;
use crate::site::Site;
use crate::{Error, Watch};

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
    paced: bool,
    pub(crate) watch: &'a dyn Watch,
    pub(crate) report: MineReport,
    official: Option<RunId>,
    /// What the contests are listed in.
    list: Option<DocumentId>,
    /// The contests there, each with every question that there may be an answer to.
    listed: HashMap<String, Listed>,
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
            list: None,
            listed: HashMap::new(),
        })
    }

    /// Asks for what every sync begins with, and brings the contests listed there up to date.
    /// Gives them with what is to be asked about each; nothing, if there is no list this time.
    pub(crate) fn lists(&mut self, now: UnixSeconds) -> Result<Option<Vec<Listed>>, Error> {
        self.watch.begin("asking what there is", 1);
        let asking = Site {
            source: self.asks,
            name: self.site.name.clone(),
            source_id: self.site.source_id,
            forgotten: self.site.forgotten.clone(),
        };
        let mut queue: VecDeque<Request> = self.asks.start().into();
        let mut asked = HashSet::new();
        let (mut contests, mut to_ask) = (Vec::new(), Vec::new());
        let mut all = true;
        while let Some(request) = queue.pop_front() {
            if !asked.insert(request.key()) {
                continue;
            }
            let Some((document_id, reading)) = self.document(&request, now)? else {
                return Ok(None);
            };
            self.list = Some(document_id);
            all &= reading.lists_all;
            contests.extend(reading.listed);
            queue.extend(reading.follow);
            let row = self.store.document(document_id)?.row;
            if let Ok(reading) = asking.read(self.store, &row)? {
                to_ask.extend(reading.listed);
            }
        }
        self.headers(&contests, all)?;
        self.listed = (contests.into_iter())
            .map(|contest| (contest.external_id.clone(), contest))
            .collect();
        Ok(Some(to_ask))
    }

    /// Asks for a document that is no contest's, archives the answer and reads it. Nothing, if
    /// there is none or it cannot be read; the report and the file say why.
    pub(crate) fn document(
        &mut self,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<Option<(DocumentId, Reading)>, Error> {
        let key = request.key();
        let row = match self.settled(request, now)? {
            Some(row) => row,
            None => match self.ask(request)? {
                Ok(answered) => {
                    let mut batch = self.store.batch()?;
                    let document_id = archive(&mut batch, &self.site, request, &answered)?;
                    batch.commit()?;
                    self.store.document(document_id)?.row
                }
                Err(failed) => {
                    if !matches!(failed, Failed::Interrupted) {
                        let before = self.sync_of(&key)?.and_then(|sync| sync.read_at);
                        self.remember(&failed_sync(&key, &failed, now, before))?;
                    }
                    self.stop(&failed);
                    return Ok(None);
                }
            },
        };
        let before = self.sync_of(&key)?;
        let mut sync = ContestSync {
            external_id: key.clone(),
            outcome: SyncOutcome::Read,
            tried_at: now.get(),
            read_at: Some(now.get()),
            due_at: None,
            reason: None,
        };
        match self.site.read(self.store, &row)? {
            Ok(reading) => {
                for warning in &reading.warnings {
                    self.watch.note(warning);
                }
                for refused in &reading.refused {
                    self.refuse(&key, format!("{}: {}", refused.at, refused.expected));
                }
                // That all went well is remembered where it did not before.
                if before.is_some_and(|before| before.outcome != SyncOutcome::Read) {
                    self.remember(&sync)?;
                }
                Ok(Some((row.document_id, reading)))
            }
            Err(error) => {
                let why = format!("{}: {}", error.at, error.expected);
                sync.outcome = SyncOutcome::Refused;
                sync.read_at = before.and_then(|before| before.read_at);
                sync.due_at = Some(now.get());
                sync.reason = Some(why.clone());
                self.remember(&sync)?;
                self.refuse(&key, why);
                Ok(None)
            }
        }
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
        let Some(at) = request.settles_at else {
            return Ok(None);
        };
        let answers = (self.store).answers(self.site.source_id, &request.key())?;
        let newest = answers.into_iter().next();
        // What came in the future came by a clock that was wrong.
        Ok(newest.filter(|row| (at.get()..=now.get()).contains(&row.fetched_at)))
    }

    /// Brings what the file says of listed contests up to date, but for new answers about them.
    fn headers(&mut self, listed: &[Listed], all: bool) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let there: HashMap<String, ContestRow> = (self.store.contests_of(source_id)?.into_iter())
            .map(|row| (row.external_id.clone(), row))
            .collect();
        let mut batch = self.store.batch()?;
        for contest in listed {
            let row = there.get(&contest.external_id);
            if row.is_none_or(|row| differs(row, contest)) {
                let derived = self.site.derive(&batch, contest)?;
                let put = self.site.put(&mut batch, contest, &derived, self.list)?;
                if let (Some(Put::Revised { .. }), Some(_)) = (put, row) {
                    self.report.revised += 1;
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

    /// Asks about contests, one after the other; each is committed with what was learned.
    pub(crate) fn contests(
        &mut self,
        due: &[Listed],
        limit: usize,
        clock: fn() -> UnixSeconds,
    ) -> Result<(), Error> {
        let asked = due.len().min(limit);
        self.watch.begin("mining", asked as u64);
        self.report.left = due.len() as u64;
        for (contest, done) in due[..asked].iter().zip(1..) {
            let mut answers = Vec::new();
            let mut failed = None;
            for request in &contest.results {
                match self.ask(request)? {
                    Ok(answered) => answers.push((request, answered)),
                    Err(failure) => {
                        failed = Some((request, failure));
                        break;
                    }
                }
            }
            let ends = failed.as_ref().is_some_and(|(_, of)| of.concerns_host());
            self.learn(contest, &answers, failed.as_ref(), clock())?;
            if let Some((_, failure)) = failed.filter(|_| ends) {
                self.stop(&failure);
                return Ok(());
            }
            self.report.left -= 1;
            let report = &self.report;
            let read = report.added + report.revised + report.unchanged + report.without_results;
            self.watch.advanced(done, read, report.results);
            if self.watch.interrupted() {
                self.report.interrupted = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Archives what came about a contest, reads it and remembers how it went, in one commit.
    /// What came is read also where something else of the contest failed: a rebuild does so.
    fn learn(
        &mut self,
        contest: &Listed,
        answers: &[(&Request, Answered)],
        failed: Option<&(&Request, Failed)>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let site = &self.site;
        let mut batch = self.store.batch()?;
        for (request, answered) in answers {
            archive(&mut batch, site, request, answered)?;
        }
        let contest = (self.listed.get(&contest.external_id)).unwrap_or(contest);
        let derived = site.derive(&batch, contest)?;
        let put = site.put(&mut batch, contest, &derived, self.list)?;
        if let Some(stood) = derived.stood.as_ref().filter(|of| !of.official.is_empty()) {
            let run_id = match self.official {
                Some(run_id) => run_id,
                None => site.official_run(&mut batch, now)?,
            };
            self.official = Some(run_id);
            site.put_official(&mut batch, run_id, stood)?;
        }
        let before = batch.contest_sync(site.source_id, &contest.external_id)?;
        let read_before = before.and_then(|sync| sync.read_at);
        // That the work was to end, or that nobody can be reached, says nothing of a contest.
        let failure = failed.filter(|(_, failure)| !failure.concerns_host());
        let mut sync = None;
        if !answers.is_empty() {
            let learned = site.learned(contest, &derived, now.get(), read_before);
            let reason = failure.map(|(_, failure)| failure.to_string());
            sync = Some(ContestSync {
                reason: reason.or(learned.reason),
                ..learned
            });
        } else if let Some((_, failure)) = failure {
            sync = Some(failed_sync(&contest.external_id, failure, now, read_before));
        }
        if let Some(sync) = sync {
            batch.put_contest_sync(site.source_id, &sync)?;
        }
        batch.commit()?;
        let id = contest.external_id.clone();
        if let Some((request, failure)) = failure {
            self.refuse(&request.key(), failure.to_string());
        }
        if answers.is_empty() {
            return Ok(());
        }
        for warning in &derived.warnings {
            self.watch.note(warning);
        }
        let refused = derived.refused.is_some();
        let mut whys = Vec::from_iter(derived.refused);
        if answers.len() > 1 {
            whys.extend(derived.further.refused);
            whys.extend(derived.further.closed);
        }
        for why in whys {
            self.refuse(&format!("contest {id}"), why);
        }
        match (put, &derived.stood) {
            _ if refused => {}
            (Some(put), Some(stood)) => {
                self.report.results += stood.contest.entrants.len() as u64;
                match put {
                    Put::Added => self.report.added += 1,
                    Put::Revised { .. } => self.report.revised += 1,
                    Put::Described | Put::Unchanged | Put::Superseded => self.report.unchanged += 1,
                }
            }
            _ => self.report.without_results += 1,
        }
        Ok(())
    }

    /// Asks for one document; of one that is there only whether it changed.
    fn ask(&mut self, request: &Request) -> Result<Result<Answered, Failed>, Error> {
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
    fn stop(&mut self, failed: &Failed) {
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

    fn refuse(&mut self, document: &str, what: String) {
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

/// What is known of something after it could not be had.
fn failed_sync(
    external_id: &str,
    failure: &Failed,
    now: UnixSeconds,
    read_before: Option<i64>,
) -> ContestSync {
    ContestSync {
        external_id: external_id.to_owned(),
        outcome: if failure.is_blocked() {
            SyncOutcome::Blocked
        } else {
            SyncOutcome::GaveUp
        },
        tried_at: now.get(),
        read_at: read_before,
        due_at: Some(now.get()),
        reason: Some(failure.to_string()),
    }
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

fn archive(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    request: &Request,
    answered: &Answered,
) -> Result<DocumentId, Error> {
    let key = request.key();
    let reading = ReadingNote::of_answer(site.source.name());
    match answered {
        Answered::Fresh(fresh) => {
            let kept = site.source.kept(&key, &fresh.body);
            let document = NewDocument {
                request_key: &key,
                url: Some(&fresh.url),
                fetched_at: fresh.fetched_at,
                status: Some(fresh.status),
                etag: fresh.validators.etag.as_deref(),
                last_modified: fresh.validators.last_modified.as_deref(),
                media_type: fresh.media_type.as_deref(),
                reading: Some(&reading),
                body: Body::Plain(&kept),
                kept: None,
            };
            archive_redacted(batch, site, &document, &kept)
        }
        // It was asked for with what the newest one said.
        Answered::NotModified { url, fetched_at } => {
            let newest = batch.answers(site.source_id, &key)?.into_iter().next();
            let newest = newest.ok_or_else(|| Error::Unasked { url: url.clone() })?;
            let document = batch.document(newest.document_id)?;
            let (row, body) = (&document.row, &document.body);
            let document = NewDocument {
                request_key: &key,
                url: Some(url),
                fetched_at: *fetched_at,
                status: row.status,
                etag: row.etag.as_deref(),
                last_modified: row.last_modified.as_deref(),
                media_type: row.media_type.as_deref(),
                reading: Some(&reading),
                body: Body::Plain(body),
                kept: None,
            };
            archive_redacted(batch, site, &document, body)
        }
    }
}

/// Archives what a site answered without those who are forgotten: it is as if the site had never
/// named them.
fn archive_redacted(
    batch: &mut Batch<'_>,
    site: &Site<'_>,
    answer: &NewDocument<'_>,
    body: &[u8],
) -> Result<DocumentId, Error> {
    let searched = site.redact(&Document {
        request_key: answer.request_key,
        fetched_at: answer.fetched_at,
        status: answer.status.unwrap_or(200),
        body,
    })?;
    let document_id = match searched.redacted {
        None => batch.archive_answer(site.source_id, answer)?,
        Some(redacted) => batch.archive_answer(
            site.source_id,
            &NewDocument {
                request_key: &redacted.request_key,
                url: redacted.url(answer.request_key, answer.url),
                body: Body::Plain(&redacted.body),
                ..*answer
            },
        )?,
    };
    Ok(document_id)
}

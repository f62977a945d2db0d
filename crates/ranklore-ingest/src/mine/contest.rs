//! Fetches contests and writes what their documents come to.

use std::collections::{HashSet, VecDeque};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{FetchError, FetchOutcome};
use ranklore_source::assemble::{EmptyArchive, MAX_PARTS};
use ranklore_source::{Request, SiteListing};
use ranklore_store::DocumentId;

use crate::derive::sync_state::{FetchFailure, SyncTrigger};
use crate::derive::write::WriteOutcome;
use crate::error::Error;
use crate::mine::archive::archive_answer;
use crate::mine::breaker::Breaker;
use crate::mine::plan::syncs_by_id;
use crate::mine::report::IncompleteContest;
use crate::mine::session::{AnswerSource, Session};

/// A request with its answer.
type AnsweredRequest<'r> = (&'r Request, FetchOutcome);

/// A request that failed, with the error.
pub(crate) type FailedRequest = (Request, FetchError);

impl Session<'_, '_> {
    /// Returns the contests that the answer source can tell something new about: of a site, all; of
    /// saved files, those with an unread file.
    pub(crate) fn retain_answerable(
        &mut self,
        mut listed: Vec<SiteListing>,
    ) -> Result<Vec<SiteListing>, Error> {
        let AnswerSource::Files(saved) = &mut self.answer_source else {
            return Ok(listed);
        };
        let (source, source_id) = (self.site.source, self.site.source_id);
        let known = syncs_by_id(self.store, source_id)?;
        listed.retain_mut(|contest| {
            let sync = known.get(&contest.external_id);
            let read = sync.is_some_and(|sync| sync.read_at.is_some() && !sync.is_failed());
            // If saved files have two forms of results, the form that the list uses must come last,
            // since the last one decides.
            let forms = source.assemble(contest, &EmptyArchive).deciding_requests;
            let mut requests: Vec<Request> = forms.into_iter().skip(1).collect();
            requests.append(&mut contest.results);
            requests.retain(|request| saved.mark_used(&request.key()));
            contest.results = requests;
            let mut answered = contest.results.iter();
            if read {
                answered.any(|of| saved.has_new_answer(of))
            } else {
                answered.len() > 0
            }
        });
        for key in self.catalogue.lists.keys() {
            saved.mark_used(key);
        }
        for name in saved.unused() {
            self.refuse(&name, "answers no request of this sync".to_owned());
        }
        Ok(listed)
    }

    /// Requests the due contests one after the other, up to `limit`. Each contest is committed
    /// separately.
    pub(crate) fn sync_contests(
        &mut self,
        due: &[SiteListing],
        limit: usize,
        clock: fn() -> UnixSeconds,
    ) -> Result<(), Error> {
        let asked = due.len().min(limit);
        self.watch.begin_task("mining", asked as u64);
        self.report.left = due.len() as u64;
        let mut busy = Breaker::default();
        for (contest, done) in due[..asked].iter().zip(1..) {
            let (answers, failed) = self.fetch_contest(contest, clock())?;
            // A request that failed before in this sync says nothing new about the site.
            let again =
                (failed.as_ref()).is_some_and(|(of, _)| self.sent.failed.contains_key(&of.key()));
            // An interruption or an unreachable host says nothing about the contest.
            let lack = (failed.as_ref())
                .filter(|(_, failure)| !failure.concerns_host())
                .map(|(request, failure)| FetchFailure::from_fetch_error(request, failure));
            let failed = (self.update_contest(contest, &answers, lack, clock)?).or(failed);
            let failure = failed.as_ref().map(|(_, failure)| failure);
            let enough = !again && busy.record(failure);
            if let Some((request, failure)) = failed {
                if failure.concerns_host() {
                    self.stop(&failure);
                    return Ok(());
                }
                self.sent.failed.insert(request.key(), failure);
            }
            self.report.left -= 1;
            if enough && self.is_paced() {
                self.report.stopped = Some(Breaker::stop_reason("contests"));
                return Ok(());
            }
            let report = &self.report;
            let read = report.contests.with_results.total() + report.contests.without_results;
            self.watch.advance(done, read, report.results);
            if self.watch.is_interrupted() {
                self.report.interrupted = true;
                return Ok(());
            }
        }
        Ok(())
    }

    /// Fetches the documents about a contest, up to the first failed request. Skips requests that
    /// were answered for another contest in this sync or in a killed one.
    fn fetch_contest<'r>(
        &mut self,
        contest: &'r SiteListing,
        now: UnixSeconds,
    ) -> Result<(Vec<AnsweredRequest<'r>>, Option<FailedRequest>), Error> {
        let mut answers = Vec::new();
        for request in &contest.results {
            let key = request.key();
            // The list itself has the results, or the answer came for another contest.
            if self.catalogue.lists.contains_key(&key) || self.sent.about_contests.contains(&key) {
                continue;
            }
            if self.is_archived(contest, request, now)? {
                self.sent.about_contests.insert(key);
                continue;
            }
            if let Some(failure) = self.sent.failed.get(&key) {
                return Ok((answers, Some((request.clone(), failure.clone()))));
            }
            match self.fetch(request)? {
                Ok(answered) => answers.push((request, answered)),
                Err(failure) => return Ok((answers, Some((request.clone(), failure)))),
            }
        }
        Ok((answers, None))
    }

    /// True if the archive has a settled answer for a contest that was never requested itself: the
    /// answer came for another contest, and the sync ended before this one.
    fn is_archived(
        &self,
        contest: &SiteListing,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<bool, Error> {
        let site = &self.site;
        let from_files = matches!(self.answer_source, AnswerSource::Files(_));
        if self.full || from_files || site.is_event(contest) {
            return Ok(false);
        }
        let tried = (self.store).contest_sync(site.source_id, &contest.external_id)?;
        let newest = self.store.newest_document(site.source_id, &request.key())?;
        let (None, Some(newest)) = (tried, newest) else {
            return Ok(false);
        };
        let at_rest = Request {
            settles_at: UnixSeconds::new(site.settled_at(contest)),
            ..request.clone()
        };
        Ok(at_rest.is_settled(newest.fetched_at, now)
            && site.read_cached(self.store, newest.document_id)?.is_ok())
    }

    /// Archives the answers about a contest, fetches the parts they lead to, and writes what all
    /// documents about the contest come to, in one transaction. Answers are used even if another
    /// one is missing, as in a rebuild. Returns the request that failed, if any.
    fn update_contest(
        &mut self,
        contest: &SiteListing,
        answers: &[AnsweredRequest<'_>],
        mut lack: Option<FetchFailure>,
        clock: fn() -> UnixSeconds,
    ) -> Result<Option<FailedRequest>, Error> {
        let sighting = self.catalogue.contests.get(&contest.external_id);
        let contest = sighting.map_or(contest, |of| &of.listed).clone();
        let list = sighting.map(|of| of.document_id);
        let shape = self.site.source.assemble(&contest, &EmptyArchive);
        let deciding: HashSet<String> = shape.deciding_requests.iter().map(Request::key).collect();
        let mut came: HashSet<String> = (contest.results.iter())
            .map(Request::key)
            .filter(|key| {
                self.catalogue.lists.contains_key(key) || self.sent.about_contests.contains(key)
            })
            .collect();
        let mut archived = Vec::new();
        let mut missed = None;
        let mut batch = self.store.batch()?;
        for (request, answered) in answers.iter().filter(|(of, _)| !came.contains(&of.key())) {
            let document_id = archive_answer(&mut batch, &self.site, request, answered)?;
            archived.push((request.key(), document_id));
        }
        let mut derived = self.site.derive(&batch, &contest)?;
        let missing = std::mem::take(&mut derived.assembly.missing);
        if lack.is_none() && !missing.is_empty() {
            // Commit the answers first and each part separately, so that no part is older than the
            // answer that leads to it.
            batch.commit()?;
            missed = self.fetch_parts(missing, &mut archived)?;
            if let Some((part, failed)) = &missed {
                if failed.concerns_host() {
                    // The contest stays unchanged and due.
                    return Ok(missed);
                }
                lack = Some(FetchFailure::from_fetch_error(part, failed));
            }
            batch = self.store.batch()?;
            derived = self.site.derive(&batch, &contest)?;
        }
        came.extend(archived.iter().map(|(key, _)| key.clone()));
        let mut deletable = HashSet::new();
        if self.site.honours_deletions() {
            let known = self.superseded.keys.remove(&contest.external_id);
            deletable.extend(known.unwrap_or_default());
            deletable.extend(archived.iter().map(|(key, _)| key.clone()));
        }
        let now = clock();
        let occasion = SyncTrigger::Requested {
            at: now,
            answered: &came,
            failure: lack.as_ref(),
            deletable: &deletable,
        };
        let lacks_part = !derived.assembly.missing.is_empty();
        let mut outcome = (self.site).write(&mut batch, &contest, list, derived, &occasion, now)?;
        batch.commit()?;
        self.superseded.deleted_last_copy |= outcome.deleted_last_copy;
        // Warnings of a document with many contests are reported with the first one.
        for (_, document_id) in &archived {
            if let Some(Ok(reading)) = self.site.cache.get(*document_id) {
                reading
                    .warnings
                    .iter()
                    .for_each(|said| self.watch.note(said));
            }
        }
        self.sent
            .about_contests
            .extend(archived.into_iter().map(|(key, _)| key));
        let is_refused = outcome.assembly.refused.is_some();
        if lack.is_some() && lacks_part {
            // The contest is refused for this missing part only, which is reported already.
            outcome.assembly.refused = None;
        }
        if let Some(lack) = lack.filter(|lack| !self.sent.failed.contains_key(&lack.request.key()))
        {
            self.refuse(&lack.request.key(), lack.message);
        }
        if !came.is_empty() {
            // An event is reported with its first document, a contest with each of its own.
            let all = shape.is_event || !came.is_subset(&deciding);
            self.report_contest(&contest.external_id, outcome, is_refused, all);
        }
        Ok(missed)
    }

    /// Fetches and archives parts of a contest and the parts they lead to, each in its own
    /// transaction, until one fails. Returns the failed request.
    fn fetch_parts(
        &mut self,
        parts: Vec<Request>,
        archived: &mut Vec<(String, DocumentId)>,
    ) -> Result<Option<FailedRequest>, Error> {
        let mut queue: VecDeque<Request> = parts.into();
        let mut asked = HashSet::new();
        while let Some(part) = queue.pop_front() {
            if !asked.insert(part.key()) {
                continue;
            }
            // The reader reports that there are too many parts.
            if asked.len() + queue.len() > MAX_PARTS {
                break;
            }
            let answered = match self.fetch(&part)? {
                Ok(answered) => answered,
                Err(failed) => return Ok(Some((part, failed))),
            };
            let mut batch = self.store.batch()?;
            let document_id = archive_answer(&mut batch, &self.site, &part, &answered)?;
            archived.push((part.key(), document_id));
            batch.commit()?;
            let reading = self.site.read(self.store, document_id)?;
            queue.extend(reading.into_iter().flat_map(|reading| reading.parts));
        }
        Ok(None)
    }

    /// Reports the outcome of a contest, or of all contests of an event. `all` includes the further
    /// requests about it.
    fn report_contest(
        &mut self,
        external_id: &str,
        outcome: WriteOutcome,
        is_refused: bool,
        all: bool,
    ) {
        let assembly = outcome.assembly;
        for warning in &assembly.warnings {
            self.watch.note(warning);
        }
        for (what, number) in &assembly.left_out {
            *self.report.left_out.entry(what.clone()).or_default() += number;
        }
        let further = assembly.further_refused.into_iter().chain(assembly.closed);
        for refusal in (assembly.refused.into_iter()).chain(further.filter(|_| all)) {
            // A document with many contests is reported once.
            if !self.report.refused.contains(&refusal) {
                self.refuse(&refusal.document, refusal.what);
            }
        }
        if let Some(held_back) = outcome.incomplete {
            self.report.incomplete.push(IncompleteContest {
                contest: external_id.to_owned(),
                completeness: held_back,
            });
        }
        if is_refused {
            return;
        }
        for (put, entrants) in &outcome.written {
            self.report.results += *entrants as u64;
            self.report.contests.with_results.count(*put);
        }
        self.report.contests.without_results += u64::from(outcome.written.is_empty());
    }
}

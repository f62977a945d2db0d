//! Fetches contests and writes what their documents come to.

use std::collections::{HashSet, VecDeque};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{FetchError, FetchOutcome};
use ranklore_source::assemble::{EmptyArchive, MAX_PARTS};
use ranklore_source::{Request, SiteListing};
use ranklore_store::{DocumentId, UpsertOutcome, WriteBatch};

use crate::derive::site::Site;
use crate::derive::sync_state::{FetchFailure, RequestedAnswers, SyncOccasion, SyncTrigger};
use crate::derive::write::WriteOutcome;
use crate::error::Error;
use crate::mine::answers::archive::archive_answer;
use crate::mine::answers::breaker::Breaker;
use crate::mine::due::syncs_by_id;
use crate::mine::report::IncompleteContest;
use crate::mine::session::{AnswerSource, Session};

/// A request with its answer.
type AnsweredRequest<'r> = (&'r Request, FetchOutcome);

/// A request that failed, with the error.
pub(crate) type FailedRequest = (Request, FetchError);

/// The answers of one update of a contest.
struct ContestAnswers {
    /// The keys of the requests that have an answer now.
    answered: HashSet<String>,
    /// The answers archived by this update, by request key.
    archived: Vec<(String, DocumentId)>,
    /// The request without a usable answer.
    failure: Option<FetchFailure>,
}

impl Session<'_, '_> {
    /// Returns the contests that the answer source can tell something new about: of a site, all; of
    /// saved files, those with an unread file.
    pub(crate) fn retain_answerable(
        &mut self,
        mut contests: Vec<SiteListing>,
    ) -> Result<Vec<SiteListing>, Error> {
        let AnswerSource::Files(saved) = &mut self.answer_source else {
            return Ok(contests);
        };
        let source = self.site.source;
        let syncs = syncs_by_id(self.store, self.site.source_id)?;
        contests.retain_mut(|contest| {
            let sync = syncs.get(&contest.external_id);
            let is_read = sync.is_some_and(|sync| sync.read_at.is_some() && !sync.is_failed());
            // If saved files have two forms of results, the form that the list uses must come last,
            // since the last one decides.
            let forms = source.assemble(contest, &EmptyArchive).deciding_requests;
            let mut requests: Vec<Request> = forms.into_iter().skip(1).collect();
            requests.append(&mut contest.results);
            requests.retain(|request| saved.mark_used(&request.key()));
            contest.results = requests;
            let mut answered = contest.results.iter();
            if is_read {
                answered.any(|request| saved.has_new_answer(request))
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
        Ok(contests)
    }

    /// Requests the due contests one after the other, up to `limit`. Each contest is committed
    /// separately.
    pub(crate) fn sync_contests(
        &mut self,
        due: &[SiteListing],
        limit: usize,
        clock: fn() -> UnixSeconds,
    ) -> Result<(), Error> {
        let requested = &due[..due.len().min(limit)];
        self.watch.begin_task("mining", requested.len() as u64);
        self.report.left = due.len() as u64;
        let mut breaker = Breaker::default();
        for (contest, done) in requested.iter().zip(1..) {
            let (answers, failed_request) = self.fetch_contest(contest, clock())?;
            // A request that failed before in this sync says nothing new about the site.
            let is_repeat = failed_request
                .as_ref()
                .is_some_and(|(request, _)| self.sent.failed.contains_key(&request.key()));
            // An interruption or an unreachable host says nothing about the contest.
            let failure = failed_request
                .as_ref()
                .filter(|(_, error)| !error.concerns_host())
                .map(|(request, error)| FetchFailure::from_fetch_error(request, error));
            let failed_part = self.update_contest(contest, &answers, failure, clock)?;
            let failed_request = failed_part.or(failed_request);
            let error = failed_request.as_ref().map(|(_, error)| error);
            let must_stop = !is_repeat && breaker.record(error);
            if let Some((request, error)) = failed_request {
                if error.concerns_host() {
                    self.report.stop(&error);
                    return Ok(());
                }
                self.sent.failed.insert(request.key(), error);
            }
            self.report.left -= 1;
            if must_stop && self.is_paced() {
                self.report.stopped = Some(Breaker::stop_reason("contests"));
                return Ok(());
            }
            let report = &self.report;
            let read = report.contests.total() + report.contests.without_results;
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
            if let Some(error) = self.sent.failed.get(&key) {
                return Ok((answers, Some((request.clone(), error.clone()))));
            }
            match self.fetch(request)? {
                Ok(response) => answers.push((request, response)),
                Err(error) => return Ok((answers, Some((request.clone(), error)))),
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
        let sync = self.store.contest_sync(site.source_id, &contest.external_id)?;
        let newest = self.store.newest_document(site.source_id, &request.key())?;
        let Some(newest) = newest.filter(|_| sync.is_none()) else {
            return Ok(false);
        };
        let settling_request = Request {
            settles_at: UnixSeconds::new(site.settled_at(contest)),
            ..request.clone()
        };
        Ok(settling_request.is_settled(newest.fetched_at, now)
            && site.read_cached(self.store, newest.document_id)?.is_ok())
    }

    /// Archives the answers about a contest, fetches the parts they lead to, and writes what all
    /// documents about the contest come to, in one transaction. Answers are used even if another
    /// one is missing, as in a rebuild. Returns the request that failed, if any.
    fn update_contest(
        &mut self,
        contest: &SiteListing,
        answers: &[AnsweredRequest<'_>],
        mut failure: Option<FetchFailure>,
        clock: fn() -> UnixSeconds,
    ) -> Result<Option<FailedRequest>, Error> {
        let entry = self.catalogue.contests.get(&contest.external_id);
        let list = entry.map(|entry| entry.document_id);
        let contest = entry.map_or(contest, |entry| &entry.contest).clone();
        let mut answered = self.shared_answers(&contest);
        let mut failed_part = None;
        let mut batch = self.store.batch()?;
        let before = self.site.derive_before_answers(&batch, &contest, list)?;
        let new_answers = answers.iter().filter(|(request, _)| !answered.contains(&request.key()));
        let mut archived = archive_answers(&mut batch, &self.site, new_answers)?;
        let mut derived = self.site.derive(&batch, &contest, list)?;
        let missing = std::mem::take(&mut derived.assembly.missing);
        if failure.is_none() && !missing.is_empty() {
            // Commit the answers first and each part separately, so that no part is older than the
            // answer that leads to it.
            batch.commit()?;
            failed_part = self.fetch_parts(missing, &mut archived)?;
            if let Some((part, error)) = &failed_part {
                if error.concerns_host() {
                    // The contest stays unchanged and due.
                    return Ok(failed_part);
                }
                failure = Some(FetchFailure::from_fetch_error(part, error));
            }
            batch = self.store.batch()?;
            derived = self.site.derive(&batch, &contest, list)?;
        }
        if let Some(before) = before {
            derived = self.site.drop_noise(&mut batch, before, derived, &archived)?;
        }
        let deletable = self.superseded.take_keys(&contest.external_id, &archived);
        answered.extend(archived.iter().map(|(key, _)| key.clone()));
        let occasion = SyncOccasion {
            now: clock(),
            trigger: SyncTrigger::Requested(RequestedAnswers {
                answered: &answered,
                failure: failure.as_ref(),
                deletable: &deletable,
            }),
        };
        let lacks_part = !derived.assembly.missing.is_empty();
        let outcome = self.site.write(&mut batch, &contest, derived, &occasion)?;
        batch.commit()?;
        self.superseded.deleted_last_copy |= outcome.deleted_last_copy;
        let answers = ContestAnswers {
            answered,
            archived,
            failure,
        };
        self.report_update(&contest, answers, outcome, lacks_part);
        Ok(failed_part)
    }

    /// Returns the keys of the requests about a contest that a list or the answer about another
    /// contest answers.
    fn shared_answers(&self, contest: &SiteListing) -> HashSet<String> {
        let mut keys: HashSet<String> = contest.results.iter().map(Request::key).collect();
        keys.retain(|key| {
            self.catalogue.lists.contains_key(key) || self.sent.about_contests.contains(key)
        });
        keys
    }

    /// Reports an update of a contest: the warnings of the answers, the failure and the outcome.
    /// `lacks_part` is true if a part of the contest is missing.
    fn report_update(
        &mut self,
        contest: &SiteListing,
        answers: ContestAnswers,
        mut outcome: WriteOutcome,
        lacks_part: bool,
    ) {
        // Warnings of a document with many contests are reported with the first one.
        for (_, document_id) in &answers.archived {
            if let Some(Ok(reading)) = self.site.cache.get(document_id) {
                for warning in &reading.warnings {
                    self.watch.note(warning);
                }
            }
        }
        let archived_keys = answers.archived.into_iter().map(|(key, _)| key);
        self.sent.about_contests.extend(archived_keys);
        let is_refused = outcome.assembly.refused.is_some();
        if answers.failure.is_some() && lacks_part {
            // The contest is refused for this missing part only, which is reported already.
            outcome.assembly.refused = None;
        }
        if let Some(failure) = answers.failure {
            let key = failure.request.key();
            if !self.sent.failed.contains_key(&key) {
                self.refuse(&key, failure.message);
            }
        }
        if !answers.answered.is_empty() {
            // An event is reported with its first document, a contest with each of its own.
            let shape = self.site.source.assemble(contest, &EmptyArchive);
            let deciding: HashSet<String> =
                shape.deciding_requests.iter().map(Request::key).collect();
            let all = shape.is_event || !answers.answered.is_subset(&deciding);
            self.report_contest(&contest.external_id, outcome, is_refused, all);
        }
    }

    /// Fetches and archives parts of a contest and the parts they lead to, each in its own
    /// transaction, until one fails. Returns the failed request.
    fn fetch_parts(
        &mut self,
        parts: Vec<Request>,
        archived: &mut Vec<(String, DocumentId)>,
    ) -> Result<Option<FailedRequest>, Error> {
        let mut queue: VecDeque<Request> = parts.into();
        let mut requested = HashSet::new();
        while let Some(part) = queue.pop_front() {
            if !requested.insert(part.key()) {
                continue;
            }
            // The reader reports that there are too many parts.
            if requested.len() + queue.len() > MAX_PARTS {
                break;
            }
            let response = match self.fetch(&part)? {
                Ok(response) => response,
                Err(error) => return Ok(Some((part, error))),
            };
            let mut batch = self.store.batch()?;
            let document_id = archive_answer(&mut batch, &self.site, &part, &response)?;
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
        for (kind, number) in &assembly.left_out {
            *self.report.left_out.entry(kind.clone()).or_default() += number;
        }
        let further = assembly.further_refused.into_iter().chain(assembly.closed);
        let refused = assembly.refused.into_iter();
        for refusal in refused.chain(further.filter(|_| all)) {
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
        for (change, entrants) in &outcome.written {
            if *change == UpsertOutcome::Added || change.alters_results() {
                self.altered_contests.insert(external_id.to_owned());
            }
            self.report.results += *entrants as u64;
            self.report.contests.count(*change);
        }
        self.report.contests.without_results += u64::from(outcome.written.is_empty());
    }
}

/// Archives answers. Returns their documents by request key.
fn archive_answers<'a>(
    batch: &mut WriteBatch<'_>,
    site: &Site<'_>,
    answers: impl Iterator<Item = &'a AnsweredRequest<'a>>,
) -> Result<Vec<(String, DocumentId)>, Error> {
    answers
        .map(|(request, response)| {
            let document_id = archive_answer(batch, site, request, response)?;
            Ok((request.key(), document_id))
        })
        .collect()
}

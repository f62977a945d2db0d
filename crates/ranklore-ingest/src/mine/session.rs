//! A running sync: fetches, archives and reads documents and stores the sync state.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use ranklore_fetch::{
    BlockingClient, Client, FetchError, FetchOptions, FetchOutcome, HostState, Validators,
};
use ranklore_replay::Progress;
use ranklore_source::assemble::RefusedInput;
use ranklore_source::{Request, SiteReading, Source};
use ranklore_store::{
    ContestSync, DocumentId, DocumentRow, HostRow, SourceId, Store, SyncKind, SyncOutcome, SyncRun,
    Writer,
};

use crate::derive::listing::{ListEntry, NewestList};
use crate::derive::site::Site;
use crate::derive::sync_state::FetchFailure;
use crate::error::Error;
use crate::jobs::status::stale_runs;
use crate::mine::answers::archive::archive_answer;
use crate::mine::answers::fetch_failure::describe_read_error;
use crate::mine::answers::saved_files::SavedAnswers;
use crate::mine::answers::waits::WaitLog;
use crate::mine::due::settled_answer;
use crate::mine::report::MineReport;

/// The outcome of fetching a document that is not about a single contest.
pub(crate) enum Fetched {
    /// The document id and the contents.
    Read(DocumentId, Arc<SiteReading>),
    /// The answer is unreadable; the report has the reason.
    Unreadable,
    /// The request has no answer.
    Failed(FetchError),
}

/// The origin of answers.
pub(crate) enum AnswerSource {
    /// The site itself, or a mirror of it.
    Site {
        client: Box<BlockingClient>,
        waits: WaitLog,
        /// The host name under which its state is stored.
        host: String,
        /// True if the time of the last request is stored for the next run; false if no interval is
        /// set.
        paced: bool,
    },
    /// Files that the user saved from the site.
    Files(SavedAnswers),
}

impl AnswerSource {
    /// Connects to a site and continues with the rate limit of the last run.
    pub(crate) fn connect_site(
        store: &Store,
        options: FetchOptions,
        now: UnixSeconds,
    ) -> Result<Self, Error> {
        let host = Client::host_of(&options)?;
        let known = store.host(&host)?;
        let paced = !options.interval.is_zero() || known != HostRow::default();
        let (client, waits) = connect(options, &known, now)?;
        Ok(Self::Site {
            waits,
            client: Box::new(client),
            host,
            paced,
        })
    }

    /// Errors if the site cannot be reached; see [`Client::check_connection`].
    pub(crate) fn check_connection(&mut self, watch: &dyn Progress) -> Result<(), FetchError> {
        match self {
            Self::Site { client, .. } => client.check_connection(&|| watch.is_interrupted()),
            Self::Files(_) => Ok(()),
        }
    }
}

/// A running sync.
pub(crate) struct Session<'a, 's> {
    pub(crate) store: &'a mut Writer,
    /// The archive and the source that reads answers.
    pub(crate) site: Site<'s>,
    /// The source that decides which requests are sent.
    pub(crate) planner: &'s dyn Source,
    pub(crate) answer_source: AnswerSource,
    pub(crate) watch: &'a dyn Progress,
    pub(crate) report: MineReport,
    /// True to request settled documents again.
    pub(crate) full: bool,
    pub(crate) sent: SentRequests,
    pub(crate) catalogue: Catalogue,
    /// The new and revised contests of this sync, by external id.
    pub(crate) altered_contests: HashSet<String>,
    pub(crate) superseded: DeletionState,
}

/// The requests sent by this sync, by their keys.
#[derive(Default)]
pub(crate) struct SentRequests {
    /// Answered requests that are not about a single contest.
    pub(crate) documents: HashSet<String>,
    /// Answered requests about contests; several contests may share one.
    pub(crate) about_contests: HashSet<String>,
    /// Requests without an answer, with the errors.
    pub(crate) failed: HashMap<String, FetchError>,
}

/// The contests and lists of a site.
#[derive(Default)]
pub(crate) struct Catalogue {
    /// The newest answers that list or describe contests, by request key.
    pub(crate) lists: HashMap<String, NewestList>,
    /// The listed contests by id, each with all possible requests for its results.
    pub(crate) contests: HashMap<String, ListEntry>,
    /// True if any document has details of contests that others list.
    pub(crate) has_details: bool,
}

/// The state of deleting superseded documents, where the terms require it.
#[derive(Default)]
pub(crate) struct DeletionState {
    /// The keys of the documents about each contest, by contest id; `None` if the terms do not
    /// require deletion.
    pub(crate) keys: Option<HashMap<String, HashSet<String>>>,
    /// True if content was deleted that no remaining document has.
    pub(crate) deleted_last_copy: bool,
}

impl DeletionState {
    /// Takes the keys of the documents about a contest, and adds those archived now. Empty if the
    /// terms do not require deletion.
    pub(crate) fn take_keys(
        &mut self,
        contest: &str,
        archived: &[(String, DocumentId)],
    ) -> HashSet<String> {
        let Some(keys_by_contest) = &mut self.keys else {
            return HashSet::new();
        };
        let mut keys = keys_by_contest.remove(contest).unwrap_or_default();
        keys.extend(archived.iter().map(|(key, _)| key.clone()));
        keys
    }
}

impl<'a, 's> Session<'a, 's> {
    pub(crate) fn new(
        store: &'a mut Writer,
        site: Site<'s>,
        planner: &'s dyn Source,
        answer_source: AnswerSource,
        watch: &'a dyn Progress,
    ) -> Self {
        Self {
            store,
            site,
            planner,
            answer_source,
            watch,
            report: MineReport::default(),
            full: false,
            sent: SentRequests::default(),
            catalogue: Catalogue::default(),
            altered_contests: HashSet::new(),
            superseded: DeletionState::default(),
        }
    }

    /// True if the answer source is a rate-limited site.
    pub(crate) fn is_paced(&self) -> bool {
        matches!(self.answer_source, AnswerSource::Site { paced: true, .. })
    }

    /// Fetches a document that is not about a single contest, archives the answer and reads it.
    /// Stores failures in the sync state; reports those with an answer.
    pub(crate) fn fetch_document(
        &mut self,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<Fetched, Error> {
        let row = match self.settled_answer(request, now)? {
            Some(row) => row,
            None => match self.fetch(request)? {
                Ok(response) => {
                    let mut batch = self.store.batch()?;
                    let id = archive_answer(&mut batch, &self.site, request, &response)?;
                    batch.commit()?;
                    self.sent.documents.insert(request.key());
                    self.store.document(id)?.row
                }
                Err(failure) => {
                    // An unreachable host says nothing about the document.
                    if !matches!(failure, FetchError::Interrupted | FetchError::Unreachable { .. })
                    {
                        let stored = FetchFailure::from_fetch_error(request, &failure);
                        self.record_failure(&stored, now)?;
                    }
                    return Ok(Fetched::Failed(failure));
                }
            },
        };
        self.read_document(request, &row, now)
    }

    /// Reads an archived document that is not about a single contest, reports what is refused and
    /// stores the outcome in the sync state.
    fn read_document(
        &mut self,
        request: &Request,
        row: &DocumentRow,
        now: UnixSeconds,
    ) -> Result<Fetched, Error> {
        let key = request.key();
        match self.site.read_cached(self.store, row.document_id)? {
            Ok(reading) => {
                // Warnings of an unchanged document were noted before.
                if self.is_changed(row)? {
                    for warning in &reading.warnings {
                        self.watch.note(warning);
                    }
                }
                let refused = reading.refused.iter();
                let reasons: Vec<String> = refused.map(describe_read_error).collect();
                for reason in &reasons {
                    self.refuse(&key, reason.clone());
                }
                self.record_success(&key, reasons.into_iter().next(), now)?;
                Ok(Fetched::Read(row.document_id, reading))
            }
            Err(error) => {
                let reason = describe_read_error(&error);
                self.record_failure(&FetchFailure::from_read_error(request, reason.clone()), now)?;
                self.refuse(&key, reason);
                Ok(Fetched::Unreadable)
            }
        }
    }

    /// True if a document was fetched in this sync and differs from the answer before it.
    pub(crate) fn is_changed(&self, row: &DocumentRow) -> Result<bool, Error> {
        let source_id = self.site.source_id;
        let answers = self.store.documents_for_request(source_id, &row.request_key)?;
        let mut earlier = answers.iter().filter(|answer| {
            answer.document_id != row.document_id && answer.fetched_at <= row.fetched_at
        });
        let before = earlier.next();
        Ok(self.sent.documents.contains(&row.request_key)
            && before.is_none_or(|old| (old.blake3, old.status) != (row.blake3, row.status)))
    }

    /// Stores the failure of a document that is not about a single contest.
    fn record_failure(&mut self, failure: &FetchFailure, now: UnixSeconds) -> Result<(), Error> {
        let key = failure.request.key();
        let read_before = self.load_sync(&key)?.and_then(|sync| sync.read_at);
        self.upsert_sync(&failure.to_contest_sync(&key, now.get(), read_before))
    }

    /// Stores that a document was read, with the reason if a part of it is refused. Writes nothing
    /// if that is known, or if the document never failed.
    fn record_success(
        &mut self,
        key: &str,
        reason: Option<String>,
        now: UnixSeconds,
    ) -> Result<(), Error> {
        let before = self.load_sync(key)?;
        let is_stored = match &before {
            Some(before) => !before.is_failed() && before.reason == reason,
            None => reason.is_none(),
        };
        if is_stored {
            return Ok(());
        }
        self.upsert_sync(&ContestSync {
            external_id: key.to_owned(),
            outcome: SyncOutcome::Read,
            tried_at: now.get(),
            read_at: Some(now.get()),
            due_at: None,
            reason,
            completeness: None,
        })
    }

    fn load_sync(&self, external_id: &str) -> Result<Option<ContestSync>, Error> {
        let source_id = self.site.source_id;
        Ok(self.store.contest_sync(source_id, external_id)?)
    }

    fn upsert_sync(&mut self, sync: &ContestSync) -> Result<(), Error> {
        let mut batch = self.store.batch()?;
        batch.upsert_contest_sync(self.site.source_id, sync)?;
        batch.commit()?;
        Ok(())
    }

    /// True if the request has an archived answer or the answer source may have one.
    pub(crate) fn can_answer(&self, request: &Request) -> Result<bool, Error> {
        match &self.answer_source {
            AnswerSource::Files(saved) if !saved.has_new_answer(request) => {
                Ok(self.newest_answer(request)?.is_some())
            }
            _ => Ok(true),
        }
    }

    /// Returns the newest archived answer to a request.
    fn newest_answer(&self, request: &Request) -> Result<Option<DocumentRow>, Error> {
        let source_id = self.site.source_id;
        Ok(self.store.newest_document(source_id, &request.key())?)
    }

    /// Returns the archived answer if it is settled or cannot be fetched in this sync.
    fn settled_answer(
        &self,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<Option<DocumentRow>, Error> {
        if let AnswerSource::Files(saved) = &self.answer_source
            && !saved.has_new_answer(request)
        {
            return self.newest_answer(request);
        }
        settled_answer(self.store, self.site.source_id, request, self.full, now)
    }

    /// Fetches one document, conditionally if an answer is archived.
    pub(crate) fn fetch(
        &mut self,
        request: &Request,
    ) -> Result<Result<FetchOutcome, FetchError>, Error> {
        let response = match &mut self.answer_source {
            AnswerSource::Files(saved) => Ok(saved.read_answer(request)?),
            AnswerSource::Site {
                client,
                waits,
                host,
                paced,
            } => {
                let source_id = self.site.source_id;
                let newest = self.store.newest_document(source_id, &request.key())?;
                // With validators the site may answer "not modified".
                let validators = newest.map(|row| Validators {
                    etag: row.etag,
                    last_modified: row.last_modified,
                });
                client.fetch(
                    self.site.source,
                    request,
                    validators.as_ref(),
                    &|| {
                        waits.report(self.watch);
                        self.watch.is_interrupted()
                    },
                    &mut |state| upsert_host(self.store, host, *paced, state),
                )?
            }
        };
        self.report.answers += u64::from(response.is_ok());
        Ok(response)
    }

    /// True if neither the site nor the user has ended the sync.
    pub(crate) fn is_running(&self) -> bool {
        self.report.stopped.is_none() && !self.report.interrupted
    }

    pub(crate) fn refuse(&mut self, document: &str, reason: String) {
        self.watch.refused(&format!("{document}: {reason}"));
        self.report.refused.push(RefusedInput {
            document: document.to_owned(),
            what: reason,
        });
    }

    pub(crate) fn finish(
        mut self,
        started_at: UnixSeconds,
        clock: fn() -> UnixSeconds,
    ) -> Result<MineReport, Error> {
        self.report.stale_runs = stale_runs(self.store, self.site.name.as_str())?;
        // A sync without answers leaves no record, unless it failed.
        if self.report.answers > 0 || self.report.stopped.is_some() {
            record_sync(self.store, self.site.source_id, &self.report, started_at, clock)?;
        }
        Ok(self.report)
    }

    /// Completes the deletions after a sync, where the terms require them: deletes competitors
    /// without results and removes deleted content from unused pages of the file.
    pub(crate) fn purge_deleted(&mut self) -> Result<(), Error> {
        if !self.site.honours_deletions() {
            return Ok(());
        }
        let mut batch = self.store.batch()?;
        // A killed sync may not have done this.
        self.superseded.deleted_last_copy |= batch.anonymise_unreferenced(self.site.source_id)?;
        batch.delete_unrated_blanks(self.site.source_id)?;
        batch.commit()?;
        if self.superseded.deleted_last_copy {
            // If a reader has the file open, old pages remain until it closes.
            self.store.compact()?;
        }
        Ok(())
    }
}

/// Records a sync in the history of its source.
pub(crate) fn record_sync(
    store: &mut Writer,
    source_id: SourceId,
    report: &MineReport,
    started_at: UnixSeconds,
    clock: fn() -> UnixSeconds,
) -> Result<(), Error> {
    let contests = &report.contests;
    let mut batch = store.batch()?;
    batch.record_sync(&SyncRun {
        source_id,
        kind: SyncKind::Mine,
        started_at,
        // The clock may have been set back.
        finished_at: clock().max(started_at),
        added: contests.with_results.added,
        revised: contests.with_results.revised,
        withdrawn: contests.withdrawn,
        restored: contests.restored,
        unchanged: contests.with_results.unchanged,
        refused: report.refused.len() as u64,
        failure: report.stopped.as_ref().map(|stopped| stopped.why.clone()),
    })?;
    Ok(batch.commit()?)
}

/// Creates a client for a host with its stored state, and a log of its waits.
pub(crate) fn connect(
    options: FetchOptions,
    known: &HostRow,
    now: UnixSeconds,
) -> Result<(BlockingClient, WaitLog), Error> {
    let state = HostState {
        last_request_at: known.last_request_at.and_then(UnixSeconds::new),
        not_before: known.not_before_at.and_then(UnixSeconds::new),
    };
    let time_of_day = SystemTime::UNIX_EPOCH + Duration::from_secs(now.get() as u64);
    let mut client = BlockingClient::new(options, state, time_of_day)?;
    let waits = WaitLog::subscribe(client.client());
    Ok((client, waits))
}

/// Stores the time of a request before it is sent, in its own transaction, so that the next run
/// knows it even if this one is killed.
fn upsert_host(store: &mut Writer, host: &str, paced: bool, state: HostState) -> Result<(), Error> {
    if !paced && state.not_before.is_none() {
        return Ok(());
    }
    let mut batch = store.batch()?;
    batch.upsert_host(
        host,
        HostRow {
            // The client works in whole seconds, so the time may be up to 1 s later; the request
            // starts after this write, which may take another second.
            last_request_at: state.last_request_at.map(|at| at.get() + 2),
            not_before_at: state.not_before.map(|at| at.get() + 1),
        },
    )?;
    batch.commit()?;
    Ok(())
}

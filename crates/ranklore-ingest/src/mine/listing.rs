//! Fetches the lists of a site and updates the listed contests in the database.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Profile, Request, SiteListing, SiteReading, Stage};
use ranklore_store::{ContestRow, ContestState, DocumentId, SourceId, Store, WriteBatch};

use crate::derive::listing::{ContestLists, ListContents, ListEntry};
use crate::derive::site::Site;
use crate::derive::sync_state::{SyncOccasion, SyncTrigger};
use crate::error::Error;
use crate::mine::answers::breaker::Breaker;
use crate::mine::answers::fetch_failure::is_access_denied;
use crate::mine::due::syncs_by_id;
use crate::mine::list_queue::ListQueue;
use crate::mine::request::MineRequest;
use crate::mine::session::{AnswerSource, Fetched, Session};

/// A list fetched in this sync.
type FetchedList = (DocumentId, Arc<SiteReading>);

/// The lists of a running sync.
struct ListRun<'r> {
    queue: ListQueue<'r>,
    /// The archive, read with the options of this sync. A source with fewer options makes other
    /// requests for the same contests.
    planned_site: Site<'r>,
    /// True if the sync depends on a single list.
    is_single_list: bool,
    breaker: Breaker,
    /// Lists requested in the current task of the progress output.
    done: usize,
    /// Lists of that task.
    due: usize,
    /// The number of contests in all lists so far.
    listed: u64,
    /// The lists, read with all options of the archive, by request key.
    lists_by_key: HashMap<String, ListContents>,
    /// The contests, with the requests for their results by the options of this sync.
    contests: ContestLists,
}

impl Session<'_, '_> {
    /// Fetches the lists that a sync starts with and those they lead to, and updates the listed
    /// contests. Returns the contests with the requests for their results, or `None` if no list
    /// could be used.
    pub(crate) fn sync_lists(
        &mut self,
        request: &MineRequest,
        now: UnixSeconds,
    ) -> Result<Option<Vec<SiteListing>>, Error> {
        let initial_requests = self.planner.initial_requests();
        let has_lists = !initial_requests.is_empty();
        let syncs = syncs_by_id(self.store, self.site.source_id)?;
        // Deletions concern known contests even if a list fails.
        let must_check_deletions = self.site.honours_deletions() && !syncs.is_empty();
        let queue = ListQueue::new(request, syncs, initial_requests, now);
        let mut run = ListRun {
            is_single_list: queue.is_single() && !must_check_deletions,
            queue,
            planned_site: self.site.with_source(self.planner),
            breaker: Breaker::default(),
            done: 0,
            due: 0,
            listed: 0,
            lists_by_key: HashMap::new(),
            contests: ContestLists::default(),
        };
        if self.load_queued_lists(&mut run, now)?.is_break() {
            return Ok(None);
        }
        if self.catalogue.lists.is_empty() && has_lists && !must_check_deletions {
            return match self.answer_source {
                AnswerSource::Site { .. } => Ok(None),
                AnswerSource::Files(_) => Err(missing_list_error(self.site.source.profile())),
            };
        }
        // Lists requested with other options, in other syncs, count too.
        let lists = self.site.load_lists(self.store, run.lists_by_key)?;
        self.catalogue.has_details = lists.has_details();
        let entries = lists.into_entries();
        self.update_headers(&entries, now)?;
        for entry in entries {
            let id = entry.contest.external_id.clone();
            self.catalogue.contests.insert(id, entry);
        }
        let planned = run.contests.into_entries().into_iter();
        let mut contests: Vec<SiteListing> = planned.map(|entry| entry.contest).collect();
        if self.site.honours_deletions() {
            contests.extend(self.contests_in_older_lists(&contests));
        }
        Ok(Some(contests))
    }

    /// Fetches and loads the queued lists and those they lead to. Breaks if the sync must end.
    fn load_queued_lists(
        &mut self,
        run: &mut ListRun<'_>,
        now: UnixSeconds,
    ) -> Result<ControlFlow<()>, Error> {
        run.due = run.queue.len();
        self.watch.begin_task("requesting lists", run.due as u64);
        while let Some((request, needs_request)) = run.queue.next(&run.contests) {
            if !self.can_answer(&request)? {
                continue;
            }
            let mut fetched = None;
            if needs_request {
                match self.fetch_list(run, &request, now)? {
                    ControlFlow::Continue(list) => fetched = list,
                    ControlFlow::Break(()) => return Ok(ControlFlow::Break(())),
                }
            }
            // If the request failed, the archived answer is the best available.
            if self.load_list(run, &request.key(), fetched)? {
                run.done += usize::from(needs_request);
                if run.done == run.due && run.queue.len() > 0 {
                    run.done = 0;
                    run.due = run.queue.len();
                    self.watch.begin_task("requesting more lists", run.due as u64);
                }
                self.watch.advance(run.done as u64, run.listed, 0);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Fetches one list; `None` if it failed or is unreadable. Breaks if the sync must end.
    fn fetch_list(
        &mut self,
        run: &mut ListRun<'_>,
        request: &Request,
        now: UnixSeconds,
    ) -> Result<ControlFlow<(), Option<FetchedList>>, Error> {
        // Without the only list the sync cannot continue.
        let is_required = run.is_single_list && self.catalogue.lists.is_empty();
        match self.fetch_document(request, now)? {
            Fetched::Read(document_id, reading) => {
                run.breaker.record(None);
                return Ok(ControlFlow::Continue(Some((document_id, reading))));
            }
            Fetched::Unreadable if is_required => return Ok(ControlFlow::Break(())),
            Fetched::Unreadable => drop(run.breaker.record(None)),
            Fetched::Failed(failure)
                if failure.concerns_host() || is_access_denied(&failure) || is_required =>
            {
                self.report.stop(&failure);
                return Ok(ControlFlow::Break(()));
            }
            Fetched::Failed(failure) => {
                self.refuse(&request.key(), failure.to_string());
                if run.breaker.record(Some(&failure)) && self.is_paced() {
                    self.report.stopped = Some(Breaker::stop_reason("lists"));
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(None))
    }

    /// Loads a list from the archive, and queues the lists it leads to. Returns false if no answer
    /// is readable.
    fn load_list(
        &mut self,
        run: &mut ListRun<'_>,
        key: &str,
        fetched: Option<FetchedList>,
    ) -> Result<bool, Error> {
        let Some(contents) = self.site.load_list(self.store, key)? else {
            return Ok(false);
        };
        run.listed += contents.entries.len() as u64;
        let newest = &contents.newest;
        let fetched = fetched.filter(|(document_id, _)| *document_id == newest.document_id);
        let is_changed = fetched.is_some() && self.is_changed(newest)?;
        // The options of this sync decide which requests follow; older answers may lead further.
        let planned = &run.planned_site;
        if let Ok(reading) = planned.read_cached(self.store, newest.document_id)? {
            run.queue.extend(reading.follow.iter().cloned());
            if let Some((_, noted)) = fetched.filter(|_| is_changed) {
                self.note_new_warnings(&reading, &noted);
            }
        }
        let list = contents.newest_list(is_changed);
        self.catalogue.lists.insert(key.to_owned(), list);
        let mut entries = contents.entries.iter();
        // With a single request for each contest, options make no difference.
        if entries.all(|entry| entry.contest.results.len() < 2) {
            run.contests.add(key, contents.clone());
        } else if let Some(contents) = planned.load_list(self.store, key)? {
            run.contests.add(key, contents);
        }
        run.lists_by_key.insert(key.to_owned(), contents);
        Ok(true)
    }

    /// Notes warnings that depend on the options of the sync, such as a list that ends too early.
    /// Those of `noted`, the reading without these options, were noted before.
    fn note_new_warnings(&self, reading: &SiteReading, noted: &SiteReading) {
        for warning in &reading.warnings {
            if !noted.warnings.contains(warning) {
                self.watch.note(warning);
            }
        }
    }

    /// Returns the contests that older lists have and the lists of this sync do not.
    fn contests_in_older_lists(&self, contests: &[SiteListing]) -> Vec<SiteListing> {
        let known_ids: HashSet<&str> = contests.iter().map(|c| &*c.external_id).collect();
        let entries = self.catalogue.contests.values();
        entries
            .map(|entry| &entry.contest)
            .filter(|contest| !known_ids.contains(&*contest.external_id))
            .cloned()
            .collect()
    }

    /// Updates the details of listed contests, except those to be requested anyway, and marks
    /// contests as withdrawn that no list has any more.
    fn update_headers(&mut self, entries: &[ListEntry], now: UnixSeconds) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let rows = contests_by_id(self.store, source_id)?;
        let mut parts: HashMap<&str, Vec<&ContestRow>> = HashMap::new();
        for row in rows.values() {
            // The id of a contest of an event starts with the id of the event.
            if let Some((event, _)) = row.external_id.split_once('/') {
                parts.entry(event).or_default().push(row);
            }
        }
        let mut list_documents = HashMap::new();
        for key in self.catalogue.lists.keys() {
            let answers = self.store.documents_for_request(source_id, key)?;
            let ids = answers.iter().map(|row| row.document_id).collect();
            list_documents.insert(key.clone(), ids);
        }
        let stored = StoredContests {
            rows: &rows,
            parts,
            list_documents,
            mined_ids: self.store.mined_contests(source_id)?,
        };
        let mut changed: Vec<&ListEntry> = entries
            .iter()
            .filter(|entry| self.must_update(&entry.contest, &stored))
            .collect();
        // Grouped by result document, so that each is read once.
        changed.sort_by_cached_key(|entry| entry.contest.results.first().map(Request::key));
        let occasion = SyncOccasion {
            now,
            trigger: SyncTrigger::ListChanged,
        };
        let mut batch = self.store.batch()?;
        for entry in changed {
            let contest = &entry.contest;
            let list = Some(entry.document_id);
            let derived = self.site.derive(&batch, contest, list)?;
            let outcome = self.site.write(&mut batch, contest, derived, &occasion)?;
            for (change, _) in outcome.written {
                // A contest that is new or unchanged is counted when it is requested.
                if change.alters_results() {
                    self.report.contests.count(change);
                }
            }
        }
        for row in stored.find_unlisted(entries) {
            let is_new = batch.set_contest_state(row.contest_id, ContestState::Withdrawn)?;
            let was_rated = row.rated && row.state.is_ratable();
            self.report.contests.withdrawn += u64::from(is_new && was_rated);
        }
        batch.commit()?;
        Ok(())
    }

    /// True if the details of a listed contest differ from the stored ones, unless they will be
    /// written together with its results.
    fn must_update(&self, contest: &SiteListing, stored: &StoredContests<'_>) -> bool {
        let row = stored.rows.get(&contest.external_id);
        let first = contest.results.first().map(Request::key);
        let list = first.as_ref().and_then(|key| self.catalogue.lists.get(key));
        let is_rated = contest.stage == Stage::Finished && contest.rateable;
        if is_rated && list.is_some_and(|list| list.is_changed || row.is_none()) {
            return false;
        }
        match (row, stored.parts.get(&*contest.external_id)) {
            (Some(row), _) => {
                differs(row, contest) || stored.is_from_other_list(row, first.as_deref())
            }
            (None, Some(parts)) => event_differs(parts, contest),
            // An event without contests has nothing to update.
            (None, None) => !self.site.is_event(contest),
        }
    }
}

/// The contests of a source in the database, before a sync updates them.
struct StoredContests<'r> {
    /// The contests by external id.
    rows: &'r HashMap<String, ContestRow>,
    /// The contests of each event, by the id of the event.
    parts: HashMap<&'r str, Vec<&'r ContestRow>>,
    /// The documents of each list, by request key.
    list_documents: HashMap<String, HashSet<DocumentId>>,
    /// The ids of contests of the site; imported contests of the same source were never listed.
    mined_ids: HashSet<String>,
}

impl<'r> StoredContests<'r> {
    /// True if the results of a contest were read from another list than that with this key, which
    /// does not have it any more.
    fn is_from_other_list(&self, row: &ContestRow, key: Option<&str>) -> bool {
        let documents = key.and_then(|key| self.list_documents.get(key));
        documents
            .zip(row.document_id)
            .is_some_and(|(documents, id)| row.entrants > 0 && !documents.contains(&id))
            && self.mined_ids.contains(&row.external_id)
    }

    /// Returns the contests of the site that no list has any more.
    fn find_unlisted(mut self, entries: &[ListEntry]) -> impl Iterator<Item = &'r ContestRow> {
        for ListEntry { contest, .. } in entries {
            self.mined_ids.remove(&contest.external_id);
            for part in self.parts.remove(&*contest.external_id).iter().flatten() {
                self.mined_ids.remove(&part.external_id);
            }
        }
        let rows = self.rows.values();
        rows.filter(move |row| self.mined_ids.contains(&row.external_id))
    }
}

/// Returns the error for saved files without a list.
fn missing_list_error(profile: &Profile) -> Error {
    let files = profile.saved_files;
    let save = files.map(|files| format!("; save the list as {}", files.list));
    Error::invalid_request(format!(
        "no file has a list of contests, and no list was archived before{}",
        save.unwrap_or_default()
    ))
}

/// True if an event differs from the stored contests of this event.
fn event_differs(parts: &[&ContestRow], event: &SiteListing) -> bool {
    parts.iter().any(|row| {
        row.event.as_ref() != Some(&event.name)
            || row.url != event.url
            || row.ends_at != event.ends_at.map(UnixSeconds::get)
    })
}

/// Updates withdrawn contests with their newest details from any document. Another document may
/// still describe them, and their results may not have been read before they were withdrawn.
pub(crate) fn update_withdrawn(
    site: &Site<'_>,
    batch: &mut WriteBatch<'_>,
    entries: &[ListEntry],
    now: UnixSeconds,
) -> Result<(), Error> {
    if entries.is_empty() {
        return Ok(());
    }
    let mined = batch.mined_contests(site.source_id)?;
    let rows = contests_by_id(batch, site.source_id)?;
    for entry in entries {
        let contest = &entry.contest;
        let sync = batch.contest_sync(site.source_id, &contest.external_id)?;
        let read_at = sync.and_then(|sync| sync.read_at);
        let row = rows.get(&contest.external_id);
        if row.is_some_and(|row| !mined.contains(&row.external_id)) {
            continue;
        }
        let is_unread = read_at.is_none_or(|at| at <= entry.unchanged_since);
        if is_unread || row.is_some_and(|row| details_differ(row, contest)) {
            let mut derived = site.derive(batch, contest, Some(entry.document_id))?;
            derived.withdraw();
            let trigger = if is_unread {
                SyncTrigger::Reread
            } else {
                SyncTrigger::ListChanged
            };
            site.write(batch, contest, derived, &SyncOccasion { now, trigger })?;
        }
    }
    Ok(())
}

/// Returns the stored contests of a source by their ids.
fn contests_by_id(
    store: &Store,
    source_id: SourceId,
) -> Result<HashMap<String, ContestRow>, Error> {
    let contests = store.contests_of_source(source_id)?.into_iter();
    Ok(contests.map(|row| (row.external_id.clone(), row)).collect())
}

/// True if a list entry differs from the stored contest.
fn differs(row: &ContestRow, listed: &SiteListing) -> bool {
    details_differ(row, listed) || stage_of(row.state) != Some(listed.stage)
}

fn details_differ(row: &ContestRow, listed: &SiteListing) -> bool {
    row.name != listed.name
        || row.event != listed.event
        || row.division != listed.division
        || row.ordinal != listed.ordinal
        || row.url != listed.url
        || row.starts_at != listed.starts_at.map(UnixSeconds::get)
        || row.ends_at != listed.ends_at.map(UnixSeconds::get)
        || (row.entrants > 0 && row.site_weight != listed.site_weight)
}

/// Returns the stage for a state; `None` for a withdrawn contest, which always differs from a
/// listed one.
fn stage_of(state: ContestState) -> Option<Stage> {
    match state {
        ContestState::Announced => Some(Stage::Announced),
        ContestState::Running => Some(Stage::Running),
        ContestState::Incomplete
        | ContestState::Provisional
        | ContestState::Final
        | ContestState::Unrated
        | ContestState::Refused => Some(Stage::Finished),
        ContestState::Withdrawn => None,
    }
}

//! Fetches the lists of a site and updates the listed contests in the database.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_source::{Profile, Request, SiteListing, SiteReading, Stage};
use ranklore_store::{
    ContestRow, ContestState, DocumentId, SourceId, Store, UpsertOutcome, WriteBatch,
};

use crate::derive::listing::{ContestLists, ListEntry, NewestList};
use crate::derive::site::Site;
use crate::derive::sync_state::SyncTrigger;
use crate::error::Error;
use crate::mine::breaker::{Breaker, is_access_denied};
use crate::mine::list_queue::ListQueue;
use crate::mine::plan::{MineRequest, tried_contests};
use crate::mine::session::{AnswerSource, Fetched, Session};

impl Session<'_, '_> {
    /// Fetches the lists that a sync starts with and those they lead to, and updates the listed
    /// contests. Returns the contests with the requests for their results, or `None` if no list
    /// could be used.
    pub(crate) fn sync_lists(
        &mut self,
        request: &MineRequest,
        now: UnixSeconds,
    ) -> Result<Option<Vec<SiteListing>>, Error> {
        // A source with fewer options makes other requests for the same contests.
        let asking = self.site.with_source(self.planner);
        let start = self.planner.initial_requests();
        let by_lists = !start.is_empty();
        let tried = tried_contests(self.store, self.site.source_id)?;
        let mut queue = ListQueue::new(request, tried, start, now);
        // Deletions concern known contests even if a list fails.
        let goes_on =
            self.site.honours_deletions() && !self.site.source.initial_requests().is_empty();
        let only = queue.is_single() && !goes_on;
        self.watch
            .begin_task("requesting lists", queue.len() as u64);
        let (mut done, mut due) = (0, queue.len());
        let (mut there, mut to_ask) = (HashMap::new(), ContestLists::default());
        let (mut count, mut busy) = (0, Breaker::default());
        while let Some((request, wanted)) = queue.next(&to_ask) {
            let key = request.key();
            if !self.can_answer(&request)? {
                continue;
            }
            let (mut read, mut said) = (None, None);
            let came = wanted.then(|| self.fetch_document(&request, now));
            match came.transpose()? {
                // The archived answer is still valid.
                None => {}
                Some(Fetched::Read(document_id, reading)) => {
                    (read, said) = (Some(document_id), Some(reading));
                    busy.record(None);
                }
                // Without the only list the sync cannot continue.
                Some(Fetched::Unreadable) if only && self.catalogue.lists.is_empty() => {
                    return Ok(None);
                }
                Some(Fetched::Unreadable) => drop(busy.record(None)),
                Some(Fetched::Failed(failed))
                    if failed.concerns_host()
                        || is_access_denied(&failed)
                        || (only && self.catalogue.lists.is_empty()) =>
                {
                    self.stop(&failed);
                    return Ok(None);
                }
                Some(Fetched::Failed(failed)) => {
                    self.refuse(&key, failed.to_string());
                    if busy.record(Some(&failed)) && self.is_paced() {
                        self.report.stopped = Some(Breaker::stop_reason("lists"));
                        return Ok(None);
                    }
                }
            }
            // If the request failed, the archived answer is the best available.
            let Some(listing) = self.site.load_list(self.store, &key)? else {
                continue;
            };
            count += listing.entries.len() as u64;
            let seen = NewestList {
                is_changed: read == Some(listing.newest.document_id)
                    && self.is_changed(&listing.newest)?,
                fetched_at: listing.newest.fetched_at,
                unchanged_since: listing.unchanged_since,
            };
            // The options of this sync decide which requests follow; older answers may lead
            // further.
            if let Ok(reading) = asking.read_cached(self.store, listing.newest.document_id)? {
                queue.extend(reading.follow.iter().cloned());
                self.note_new_warnings(&reading, said.as_deref().filter(|_| seen.is_changed));
            }
            self.catalogue.lists.insert(key.clone(), seen);
            let one_question = |of: &ListEntry| of.listed.results.len() < 2;
            if listing.entries.iter().all(one_question) {
                to_ask.add(&key, listing.clone());
            } else if let Some(listing) = asking.load_list(self.store, &key)? {
                to_ask.add(&key, listing);
            }
            there.insert(key.clone(), listing);
            done += usize::from(wanted);
            if done == due && queue.len() > 0 {
                (done, due) = (0, queue.len());
                self.watch.begin_task("requesting more lists", due as u64);
            }
            self.watch.advance(done as u64, count, 0);
        }
        if self.catalogue.lists.is_empty() && by_lists && !goes_on {
            return match self.answer_source {
                AnswerSource::Site { .. } => Ok(None),
                AnswerSource::Files(_) => Err(missing_list_error(self.site.source.profile())),
            };
        }
        // Lists requested with other options, in other syncs, count too.
        let contests = self.site.load_lists(self.store, there)?;
        self.catalogue.has_details = contests.has_details();
        let contests = contests.into_entries();
        self.update_headers(&contests, now)?;
        self.catalogue.contests = (contests.into_iter())
            .map(|of| (of.listed.external_id.clone(), of))
            .collect();
        let mut to_ask: Vec<SiteListing> = (to_ask.into_entries().into_iter())
            .map(|of| of.listed)
            .collect();
        if self.site.honours_deletions() {
            to_ask.extend(self.contests_in_older_lists(&to_ask));
        }
        Ok(Some(to_ask))
    }

    /// Notes warnings that depend on the options of the sync, such as a list that ends too early.
    fn note_new_warnings(&self, asking: &SiteReading, said: Option<&SiteReading>) {
        let warnings = said.map(|said| {
            let mine = asking.warnings.iter();
            mine.filter(|warning| !said.warnings.contains(warning))
        });
        for warning in warnings.into_iter().flatten() {
            self.watch.note(warning);
        }
    }

    /// Returns the contests that older lists have and the lists of this sync do not.
    fn contests_in_older_lists(&self, to_ask: &[SiteListing]) -> Vec<SiteListing> {
        let known: HashSet<&str> = to_ask.iter().map(|of| &*of.external_id).collect();
        (self.catalogue.contests.values().map(|of| &of.listed))
            .filter(|of| !known.contains(&*of.external_id))
            .cloned()
            .collect()
    }

    /// Updates the details of listed contests, except those to be requested anyway, and marks
    /// contests as withdrawn that no list has any more.
    fn update_headers(&mut self, contests: &[ListEntry], now: UnixSeconds) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let there = contests_by_id(self.store, source_id)?;
        let mut parts: HashMap<&str, Vec<&ContestRow>> = HashMap::new();
        for row in there.values() {
            if let Some((event, _)) = row.external_id.split_once('/') {
                parts.entry(event).or_default().push(row);
            }
        }
        let mut tell = HashMap::new();
        for key in self.catalogue.lists.keys() {
            let answers = self.store.documents_for_request(source_id, key)?;
            let answers: HashSet<DocumentId> = answers.iter().map(|row| row.document_id).collect();
            tell.insert(key.clone(), answers);
        }
        let mut batch = self.store.batch()?;
        // Contests of the site that no list has any more; imported contests of the same source were
        // never listed.
        let mut gone = batch.mined_contests(source_id)?;
        // Grouped by result document, so that each is read once.
        let mut contests: Vec<&ListEntry> = contests.iter().collect();
        contests.sort_by_cached_key(|of| of.listed.results.first().map(Request::key));
        for sighting in &contests {
            let contest = &sighting.listed;
            let row = there.get(&contest.external_id);
            let first = contest.results.first().map(Request::key);
            let seen = (first.as_ref()).and_then(|first| self.catalogue.lists.get(first));
            // New details are written together with the results.
            let is_asked = contest.stage == Stage::Finished && contest.rateable;
            if is_asked && seen.is_some_and(|seen| seen.is_changed || row.is_none()) {
                continue;
            }
            // It may have been read from another list, which does not have it any more.
            let told = first.and_then(|first| tell.get(&first));
            let elsewhere = |row: &ContestRow| {
                told.zip(row.document_id)
                    .is_some_and(|(answers, of)| row.entrants > 0 && !answers.contains(&of))
                    && gone.contains(&row.external_id)
            };
            let parts = parts.get(contest.external_id.as_str());
            let news = match (row, parts) {
                (Some(row), _) => differs(row, contest) || elsewhere(row),
                (None, Some(parts)) => event_differs(parts, contest),
                // An event without contests has nothing to update.
                (None, None) => !self.site.is_event(contest),
            };
            if news {
                let (list, occasion) = (Some(sighting.document_id), SyncTrigger::ListChanged);
                let derived = self.site.derive(&batch, contest)?;
                let outcome =
                    (self.site).write(&mut batch, contest, list, derived, &occasion, now)?;
                let revised = (outcome.written.iter())
                    .filter(|(put, _)| matches!(put, UpsertOutcome::Revised { .. }));
                self.report.contests.with_results.revised += revised.count() as u64;
            }
        }
        for ListEntry { listed, .. } in contests {
            gone.remove(&listed.external_id);
            for part in parts.get(listed.external_id.as_str()).into_iter().flatten() {
                gone.remove(&part.external_id);
            }
        }
        for row in there.values().filter(|row| gone.contains(&row.external_id)) {
            batch.set_contest_state(row.contest_id, ContestState::Withdrawn)?;
        }
        batch.commit()?;
        Ok(())
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
    contests: &[ListEntry],
    now: UnixSeconds,
) -> Result<(), Error> {
    if contests.is_empty() {
        return Ok(());
    }
    let mined = batch.mined_contests(site.source_id)?;
    let there = contests_by_id(batch, site.source_id)?;
    for of in contests {
        let listed = &of.listed;
        let sync = batch.contest_sync(site.source_id, &listed.external_id)?;
        let read_at = sync.and_then(|sync| sync.read_at);
        let row = there.get(&listed.external_id);
        if row.is_some_and(|row| !mined.contains(&row.external_id)) {
            continue;
        }
        let unread = read_at.is_none_or(|at| at <= of.unchanged_since);
        if unread || row.is_some_and(|row| details_differ(row, listed)) {
            let mut derived = site.derive(batch, listed)?;
            derived.withdraw();
            let occasion = if unread {
                SyncTrigger::Reread { at: now }
            } else {
                SyncTrigger::ListChanged
            };
            site.write(batch, listed, Some(of.document_id), derived, &occasion, now)?;
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
    let seconds = |at: Option<UnixSeconds>| at.map(UnixSeconds::get);
    row.name != listed.name
        || row.event != listed.event
        || row.division != listed.division
        || row.ordinal != listed.ordinal
        || row.url != listed.url
        || row.starts_at != seconds(listed.starts_at)
        || row.ends_at != seconds(listed.ends_at)
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

//! Fetches the lists of a site and updates the listed contests in the database.

use std::collections::{HashMap, HashSet};

use ranklore_contest::UnixSeconds;
use ranklore_source::{Listed, Profile, Reading, Request, Stage};
use ranklore_store::{Batch, ContestRow, ContestState, DocumentId, Put};

use crate::derive::listing::{Lists, Seen, Sighting};
use crate::derive::site::Site;
use crate::derive::sync_state::Occasion;
use crate::error::Error;
use crate::mine::breaker::{Busy, is_walled};
use crate::mine::list_queue::ListQueue;
use crate::mine::plan::{MineRequest, tried};
use crate::mine::session::{Answerer, Came, Session};

impl Session<'_, '_> {
    /// Fetches the lists that a sync starts with and those they lead to, and updates the listed
    /// contests. Returns the contests with the requests for their results, or `None` if no list
    /// could be used.
    pub(crate) fn lists(
        &mut self,
        request: &MineRequest,
        now: UnixSeconds,
    ) -> Result<Option<Vec<Listed>>, Error> {
        // A source with fewer options makes other requests for the same contests.
        let asking = self.site.read_by(self.asks);
        let start = self.asks.start();
        let by_lists = !start.is_empty();
        let tried = tried(self.store, self.site.source_id)?;
        let mut queue = ListQueue::new(request, tried, start, now);
        // Deletions concern known contests even if a list fails.
        let goes_on = self.site.honours_deletions() && !self.site.source.start().is_empty();
        let only = queue.is_single() && !goes_on;
        self.watch.begin("requesting lists", queue.len() as u64);
        let (mut done, mut due) = (0, queue.len());
        let (mut there, mut to_ask) = (HashMap::new(), Lists::default());
        let (mut count, mut busy) = (0, Busy::default());
        while let Some((request, wanted)) = queue.next(&to_ask) {
            let key = request.key();
            if !self.can_tell(&request)? {
                continue;
            }
            let (mut read, mut said) = (None, None);
            let came = wanted.then(|| self.document(&request, now));
            match came.transpose()? {
                // The archived answer is still valid.
                None => {}
                Some(Came::Read(document_id, reading)) => {
                    (read, said) = (Some(document_id), Some(reading));
                    busy.is_enough(None);
                }
                // Without the only list the sync cannot continue.
                Some(Came::Unread) if only && self.catalogue.lists.is_empty() => return Ok(None),
                Some(Came::Unread) => drop(busy.is_enough(None)),
                Some(Came::Nothing(failed))
                    if failed.concerns_host()
                        || is_walled(&failed)
                        || (only && self.catalogue.lists.is_empty()) =>
                {
                    self.stop(&failed);
                    return Ok(None);
                }
                Some(Came::Nothing(failed)) => {
                    self.refuse(&key, failed.to_string());
                    if busy.is_enough(Some(&failed)) && self.paced() {
                        self.report.stopped = Some(Busy::stopped("lists"));
                        return Ok(None);
                    }
                }
            }
            // If the request failed, the archived answer is the best available.
            let Some(listing) = self.site.listing(self.store, &key)? else {
                continue;
            };
            count += listing.sightings.len() as u64;
            let seen = Seen {
                news: read == Some(listing.newest.document_id) && self.is_news(&listing.newest)?,
                fetched_at: listing.newest.fetched_at,
                same_since: listing.same_since,
            };
            // The options of this sync decide which requests follow; older answers may lead
            // further.
            if let Ok(reading) = asking.read_once(self.store, listing.newest.document_id)? {
                queue.extend(reading.follow.iter().cloned());
                self.note_beside(&reading, said.as_deref().filter(|_| seen.news));
            }
            self.catalogue.lists.insert(key.clone(), seen);
            let one_question = |of: &Sighting| of.listed.results.len() < 2;
            if listing.sightings.iter().all(one_question) {
                to_ask.add(&key, listing.clone());
            } else if let Some(listing) = asking.listing(self.store, &key)? {
                to_ask.add(&key, listing);
            }
            there.insert(key.clone(), listing);
            done += usize::from(wanted);
            if done == due && queue.len() > 0 {
                (done, due) = (0, queue.len());
                self.watch.begin("requesting more lists", due as u64);
            }
            self.watch.advanced(done as u64, count, 0);
        }
        if self.catalogue.lists.is_empty() && by_lists && !goes_on {
            return match self.answerer {
                Answerer::Site { .. } => Ok(None),
                Answerer::Files(_) => Err(without_list(self.site.source.profile())),
            };
        }
        // Lists requested with other options, in other syncs, count too.
        let contests = self.site.lists(self.store, there)?;
        self.catalogue.describes = contests.describes();
        let contests = contests.contests();
        self.headers(&contests, now)?;
        self.catalogue.contests = (contests.into_iter())
            .map(|of| (of.listed.external_id.clone(), of))
            .collect();
        let mut to_ask: Vec<Listed> = (to_ask.contests().into_iter())
            .map(|of| of.listed)
            .collect();
        if self.site.honours_deletions() {
            to_ask.extend(self.in_older_lists(&to_ask));
        }
        Ok(Some(to_ask))
    }

    /// Notes warnings that depend on the options of the sync, such as a list that ends too early.
    fn note_beside(&self, asking: &Reading, said: Option<&Reading>) {
        let warnings = said.map(|said| {
            let mine = asking.warnings.iter();
            mine.filter(|warning| !said.warnings.contains(warning))
        });
        for warning in warnings.into_iter().flatten() {
            self.watch.note(warning);
        }
    }

    /// Returns the contests that older lists have and the lists of this sync do not.
    fn in_older_lists(&self, to_ask: &[Listed]) -> Vec<Listed> {
        let known: HashSet<&str> = to_ask.iter().map(|of| &*of.external_id).collect();
        let older = self.catalogue.contests.values().map(|of| &of.listed);
        let older = older.filter(|of| !known.contains(&*of.external_id));
        older.cloned().collect()
    }

    /// Updates the details of listed contests, except those to be requested anyway, and marks
    /// contests as withdrawn that no list has any more.
    fn headers(&mut self, contests: &[Sighting], now: UnixSeconds) -> Result<(), Error> {
        let source_id = self.site.source_id;
        let there: HashMap<String, ContestRow> = (self.store.contests_of(source_id)?.into_iter())
            .map(|row| (row.external_id.clone(), row))
            .collect();
        let mut parts: HashMap<&str, Vec<&ContestRow>> = HashMap::new();
        for row in there.values() {
            if let Some((event, _)) = row.external_id.split_once('/') {
                parts.entry(event).or_default().push(row);
            }
        }
        let mut tell = HashMap::new();
        for key in self.catalogue.lists.keys() {
            let answers = self.store.answers(source_id, key)?.into_iter();
            let answers: HashSet<DocumentId> = answers.map(|row| row.document_id).collect();
            tell.insert(key.clone(), answers);
        }
        let mut batch = self.store.batch()?;
        // Contests of the site that no list has any more; imported contests of the same source were
        // never listed.
        let mut gone = batch.mined_contests(source_id)?;
        // Grouped by result document, so that each is read once.
        let mut contests: Vec<&Sighting> = contests.iter().collect();
        contests.sort_by_cached_key(|of| of.listed.results.first().map(Request::key));
        for sighting in &contests {
            let contest = &sighting.listed;
            let row = there.get(&contest.external_id);
            let first = contest.results.first().map(Request::key);
            let seen = first
                .as_ref()
                .and_then(|first| self.catalogue.lists.get(first));
            // New details are written together with the results.
            let is_asked = contest.stage == Stage::Finished && contest.rateable;
            if is_asked && seen.is_some_and(|seen| seen.news || row.is_none()) {
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
                let (list, occasion) = (Some(sighting.document_id), Occasion::Listed);
                let outcome = self
                    .site
                    .update(&mut batch, contest, list, &occasion, now)?;
                let revised = outcome.written.iter();
                let revised = revised.filter(|(put, _)| matches!(put, Put::Revised { .. }));
                self.report.contests.with_results.revised += revised.count() as u64;
            }
        }
        for Sighting { listed, .. } in contests {
            gone.remove(&listed.external_id);
            for part in parts.get(listed.external_id.as_str()).into_iter().flatten() {
                gone.remove(&part.external_id);
            }
        }
        for row in there.values().filter(|row| gone.contains(&row.external_id)) {
            batch.set_state(row.contest_id, ContestState::Withdrawn)?;
        }
        batch.commit()?;
        Ok(())
    }
}

/// Returns the error for saved files without a list.
fn without_list(profile: &Profile) -> Error {
    let files = profile.saved_files;
    let save = files.map(|files| format!("; save the list as {}", files.list));
    Error::Undecided {
        reason: format!(
            "no file has a list of contests, and no list was archived before{}",
            save.unwrap_or_default()
        ),
    }
}

/// True if an event differs from the stored contests of this event.
fn event_differs(parts: &[&ContestRow], event: &Listed) -> bool {
    parts.iter().any(|row| {
        row.event.as_ref() != Some(&event.name)
            || row.url != event.url
            || row.ends_at != event.ends_at.map(UnixSeconds::get)
    })
}

/// Updates withdrawn contests with their newest details from any document. Another document may
/// still describe them, and their results may not have been read before they were withdrawn.
pub(crate) fn taken_back(
    site: &Site<'_>,
    batch: &mut Batch<'_>,
    contests: &[Sighting],
    now: UnixSeconds,
) -> Result<(), Error> {
    if contests.is_empty() {
        return Ok(());
    }
    let mined = batch.mined_contests(site.source_id)?;
    let there: HashMap<String, ContestRow> = (batch.contests_of(site.source_id)?.into_iter())
        .map(|row| (row.external_id.clone(), row))
        .collect();
    for of in contests {
        let listed = &of.listed;
        let sync = batch.contest_sync(site.source_id, &listed.external_id)?;
        let read_at = sync.and_then(|sync| sync.read_at);
        let row = there.get(&listed.external_id);
        if row.is_some_and(|row| !mined.contains(&row.external_id)) {
            continue;
        }
        let unread = read_at.is_none_or(|at| at <= of.since);
        if unread || row.is_some_and(|row| described_otherwise(row, listed)) {
            let mut derived = site.derive(batch, listed)?;
            derived.withdraw();
            let occasion = if unread {
                Occasion::ReadAgain { at: now }
            } else {
                Occasion::Listed
            };
            site.write(batch, listed, Some(of.document_id), derived, &occasion, now)?;
        }
    }
    Ok(())
}

/// True if a list entry differs from the stored contest.
fn differs(row: &ContestRow, listed: &Listed) -> bool {
    described_otherwise(row, listed) || stage_of(row.state) != Some(listed.stage)
}

fn described_otherwise(row: &ContestRow, listed: &Listed) -> bool {
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

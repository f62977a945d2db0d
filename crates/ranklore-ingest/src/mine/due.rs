//! The contests and requests that are due, by the archive and the sync state.

use std::collections::HashMap;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Request, SiteListing, Stage};
use ranklore_store::{ContestSync, DocumentRow, SourceId, Store};

use crate::derive::listing::NewestList;
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::request::MineRequest;

/// The shortest time between two late checks of a contest, in seconds.
const LATE_CHECK_SECONDS: i64 = 86_400;

/// Selects the contests that a sync at the time `now` requests.
pub(crate) struct DueSelector<'a> {
    pub(crate) store: &'a Store,
    pub(crate) site: &'a Site<'a>,
    /// The newest lists, by request key.
    pub(crate) lists: &'a HashMap<String, NewestList>,
    pub(crate) request: &'a MineRequest,
    pub(crate) now: UnixSeconds,
}

impl DueSelector<'_> {
    /// Returns the contests to request: finished ones that were never read, or only while they
    /// could still change. Contests never requested come first, oldest first, then those requested
    /// longest ago, so that a contest that always fails does not block the others. The late checks
    /// of the site come last.
    pub(crate) fn select(&self, contests: Vec<SiteListing>) -> Result<Vec<SiteListing>, Error> {
        let syncs = syncs_by_id(self.store, self.site.source_id)?;
        let mut due = Vec::new();
        let mut late = Vec::new();
        for contest in contests.into_iter().filter(has_results) {
            let sync = syncs.get(&contest.external_id);
            // Deletions must be noticed for contests of any age.
            let is_watched = self.site.honours_deletions() && sync.is_some();
            if !is_watched && !self.request.is_in_window(contest.ends_at) {
                continue;
            }
            let mut results = self.due_requests(&contest, sync)?;
            let tried_at = sync.map(|sync| sync.tried_at);
            if !results.is_empty() {
                due.push((tried_at, SiteListing { results, ..contest }));
            } else if self.is_late_check_due(&contest, tried_at) {
                // The answer that decides is enough.
                results.extend(contest.results.first().cloned());
                late.push((tried_at, SiteListing { results, ..contest }));
            }
        }
        for contests in [&mut due, &mut late] {
            contests.sort_by(|(a_tried, a), (b_tried, b)| {
                (a_tried, a.ends_at, &a.external_id).cmp(&(b_tried, b.ends_at, &b.external_id))
            });
        }
        late.truncate(self.site.source.profile().terms.late_checks.requests);
        due.append(&mut late);
        Ok(due.into_iter().map(|(_, contest)| contest).collect())
    }

    /// True if a contest that is read and final may be requested again: it ended within the period
    /// of the late checks, and the last request is a day ago. Partial syncs check nothing.
    fn is_late_check_due(&self, contest: &SiteListing, tried_at: Option<i64>) -> bool {
        let period = self.site.source.profile().terms.late_checks.period.as_secs() as i64;
        let now = self.now.get();
        !self.request.is_partial()
            && contest.ends_at.is_some_and(|at| now - at.get() < period)
            && tried_at.is_some_and(|at| now - at >= LATE_CHECK_SECONDS)
    }

    /// Returns the requests to be sent for a contest in the time window.
    fn due_requests(
        &self,
        contest: &SiteListing,
        sync: Option<&ContestSync>,
    ) -> Result<Vec<Request>, Error> {
        if self.request.full || self.request.from_files.is_some() {
            return Ok(contest.results.clone());
        }
        let first = contest.results.first().map(Request::key);
        match first.and_then(|key| self.lists.get(&key)) {
            Some(list) if self.is_list_read(list, contest, sync) => Ok(Vec::new()),
            Some(_) => Ok(contest.results.clone()),
            None => self.missing_requests(contest, sync),
        }
    }

    /// True if the results of a contest were read from its list. They change with the list and
    /// settle with it.
    fn is_list_read(
        &self,
        list: &NewestList,
        contest: &SiteListing,
        sync: Option<&ContestSync>,
    ) -> bool {
        let current = sync.filter(|sync| !list.is_changed && !sync.is_failed());
        let is_settled = list.fetched_at >= self.site.settled_at(contest);
        current.is_some_and(|sync| {
            sync.read_at.is_some_and(|at| at >= list.unchanged_since)
                && !(is_settled && sync.due_at.is_some())
        })
    }

    /// Returns the requests still to be sent for a contest: all of them until it is settled, then
    /// those further ones without a settled answer.
    fn missing_requests(
        &self,
        contest: &SiteListing,
        sync: Option<&ContestSync>,
    ) -> Result<Vec<Request>, Error> {
        let settled_at = self.site.settled_at(contest);
        // A read time in the future was written with a wrong clock.
        let read_times = settled_at..=self.now.get();
        let settled = sync.filter(|sync| {
            !sync.is_failed()
                && !sync.is_held_back()
                && sync.read_at.is_some_and(|at| read_times.contains(&at))
        });
        let Some(sync) = settled else {
            return Ok(contest.results.clone());
        };
        let mut missing = Vec::new();
        for request in &contest.results[1..] {
            let source_id = self.site.source_id;
            let answer = self.store.newest_document(source_id, &request.key())?;
            if sync.due_at.is_some() || answer.is_none_or(|row| row.fetched_at < settled_at) {
                missing.push(request.clone());
            }
        }
        Ok(missing)
    }
}

/// True if a contest is finished, may be rated and has documents with results.
pub(crate) fn has_results(contest: &SiteListing) -> bool {
    contest.stage == Stage::Finished && contest.rateable && !contest.results.is_empty()
}

/// Returns the sync state of each contest that was requested before, by id.
pub(crate) fn syncs_by_id(
    store: &Store,
    source_id: SourceId,
) -> Result<HashMap<String, ContestSync>, Error> {
    let syncs = store.contest_syncs(source_id)?.into_iter();
    Ok(syncs.map(|sync| (sync.external_id.clone(), sync)).collect())
}

/// Returns the archived answer to a request if it is settled, for good or for now; only a full sync
/// requests it again.
pub(crate) fn settled_answer(
    store: &Store,
    source_id: SourceId,
    request: &Request,
    full: bool,
    now: UnixSeconds,
) -> Result<Option<DocumentRow>, Error> {
    if request.settles_at.is_none() || full {
        return Ok(None);
    }
    let key = request.key();
    // A failed request may succeed now.
    let sync = store.contest_sync(source_id, &key)?;
    if sync.is_some_and(|sync| sync.is_failed()) {
        return Ok(None);
    }
    let newest = store.newest_document(source_id, &key)?;
    Ok(newest.filter(|row| request.is_settled(row.fetched_at, now)))
}

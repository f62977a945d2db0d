//! Syncs a source with its site, and plans a sync.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_fetch::{Credentials, FetchOptions};
use ranklore_replay::Progress;
use ranklore_source::{DeletionPolicy, NameDisplay, Request, SiteListing, Source, Stage};
use ranklore_store::{ContestSync, DocumentRow, SourceId, Store, Writer};
use serde::{Serialize, Serializer};

use crate::derive::listing::{ContestLists, NewestList};
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::accounts::{due_account_lists, due_name_requests};
use crate::mine::list_queue::ListQueue;
use crate::mine::report::MineReport;
use crate::mine::saved_files::SavedAnswers;
use crate::mine::session::{AnswerSource, Session};
use crate::registry::archived_site;

/// The parameters of a sync.
#[derive(Clone, Debug, Default)]
pub struct MineRequest {
    /// The name of the source in the database; `None` for the name of the site. A source must have
    /// one site only: contests of another would be marked as withdrawn.
    pub name: Option<SourceName>,
    /// Only contests that ended at this time or later.
    pub since: Option<UnixSeconds>,
    /// Only contests that ended before this time.
    pub until: Option<UnixSeconds>,
    /// The most contests to request: those never requested first, oldest first, then those
    /// requested longest ago.
    pub limit: Option<usize>,
    /// True to request known and final contests again.
    pub full: bool,
    /// True to look up every account missing from the site's list; otherwise this is done every 30
    /// days.
    pub names: bool,
    /// A folder of saved answers to read in place of the site, with file names as in
    /// [`Profile::saved_files`](ranklore_source::Profile::saved_files). No request is sent then.
    pub from_files: Option<PathBuf>,
    /// The address of a mirror, in place of the site's own.
    pub base_url: Option<String>,
    /// The minimum time between the starts of two requests, in place of the site's own.
    pub interval: Option<Duration>,
    /// The wait before the first retry, in place of the default of 1 s; it doubles with each retry.
    pub backoff: Option<Duration>,
    /// The client credentials for the site, if it requires them:
    /// [`load_credentials`](crate::load_credentials()).
    pub credentials: Option<Credentials>,
}

impl MineRequest {
    /// True if only a part of what is due is requested.
    pub(crate) fn is_partial(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.limit.is_some()
    }

    /// True if a contest that ended at this time is inside the time window.
    pub(crate) fn is_in_window(&self, ends_at: Option<UnixSeconds>) -> bool {
        let ended = |is: &dyn Fn(UnixSeconds) -> bool| ends_at.is_some_and(is);
        self.since.is_none_or(|since| ended(&|at| at >= since))
            && self.until.is_none_or(|until| ended(&|at| at < until))
    }
}

/// The requests of a sync, as far as they are known in advance.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MinePlan {
    /// The lists to request, in order. With a limit, the list ends with the first one never
    /// requested before, because its answer decides how many more are needed.
    #[serde(serialize_with = "serialize_keys")]
    pub first: Vec<Request>,
    /// The contests that are due by the newest lists, in the order of the requests.
    #[serde(rename = "contests", serialize_with = "serialize_due")]
    pub due: Vec<SiteListing>,
    /// The requests for names: for all accounts if that is due, otherwise for known competitors
    /// without a name. Further requests depend on the answers.
    #[serde(serialize_with = "serialize_keys")]
    pub names: Vec<Request>,
    /// The time of the newest list, in Unix seconds; `None` before the first sync.
    pub listed_at: Option<i64>,
}

/// Serialises requests as their keys.
fn serialize_keys<S: Serializer>(requests: &[Request], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(requests.iter().map(Request::key))
}

/// Serialises contests with the requests about them.
fn serialize_due<S: Serializer>(due: &[SiteListing], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct DueContest<'a> {
        contest: &'a str,
        name: &'a str,
        ends_at: Option<UnixSeconds>,
        requests: Vec<String>,
    }
    serializer.collect_seq(due.iter().map(|of| DueContest {
        contest: &of.external_id,
        name: &of.name,
        ends_at: of.ends_at,
        requests: of.results.iter().map(Request::key).collect(),
    }))
}

/// Returns the requests of a sync at the time `now`. Sends and writes nothing. Without a `store`
/// nothing has been synced yet.
///
/// # Errors
/// [`Error::Store`].
pub fn plan(
    store: Option<&Store>,
    source: &dyn Source,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<MinePlan, Error> {
    let name = source_name(source, request)?;
    let source_id = store.map(|store| store.source_id(&name)).transpose()?;
    let Some((store, source_id)) = store.zip(source_id.flatten()) else {
        return Ok(MinePlan {
            first: first_lists(source, request, now),
            ..MinePlan::default()
        });
    };
    let mut plan = MinePlan::default();
    let profile = source.profile();
    let whole = match profile.terms.deletions {
        DeletionPolicy::Honoured { .. } => archived_site(profile.name, store, source_id)?,
        DeletionPolicy::Kept => None,
    };
    let site = Site::open(store, whole.as_deref().unwrap_or(source), name, source_id)?;
    let mut now_listed = site.load_lists(store, HashMap::new())?;
    let lists = std::mem::take(&mut now_listed.newest);
    plan.listed_at = lists.values().map(|seen| seen.fetched_at).max();
    plan.first = lists_to_request(store, source, &site, request, now)?;
    let listed = (now_listed.into_entries().into_iter())
        .map(|of| of.listed)
        .collect();
    plan.due = due_contests(store, &site, &lists, listed, request, now)?;
    // Contests whose results are in a list need no request.
    plan.due.retain(|contest| {
        let mut keys = contest.results.iter().map(Request::key);
        keys.any(|key| !lists.contains_key(&key))
    });
    plan.names = due_account_lists(store, source, source_id, request, now)?;
    if plan.names.is_empty() {
        plan.names = due_name_requests(store, &site, request.full, now)?;
    }
    Ok(plan)
}

/// Returns the lists that a sync requests, by the archived answers.
fn lists_to_request(
    store: &Store,
    asks: &dyn Source,
    site: &Site<'_>,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let tried = tried_contests(store, site.source_id)?;
    let mut queue = ListQueue::new(request, tried, asks.initial_requests(), now);
    let mut known = ContestLists::default();
    let mut lists = Vec::new();
    while let Some((list, wanted)) = queue.next(&known) {
        let key = list.key();
        let listing = site.load_list(store, &key)?;
        if wanted && settled_answer(store, site.source_id, &list, request.full, now)?.is_none() {
            lists.push(list);
            if listing.is_none() && request.limit.is_some() {
                break;
            }
        }
        let Some(mut listing) = listing else {
            continue;
        };
        // The following page may be another one by then.
        let follow = std::mem::take(&mut listing.follow).into_iter();
        queue.extend(follow.filter(|request| request.covers.is_some()));
        known.add(&key, listing);
    }
    Ok(lists)
}

/// Returns the sync state of each contest that was requested before, by id.
pub(crate) fn syncs_by_id(
    store: &Store,
    source_id: SourceId,
) -> Result<HashMap<String, ContestSync>, Error> {
    let syncs = store.contest_syncs(source_id)?.into_iter();
    Ok(syncs.map(|sync| (sync.external_id.clone(), sync)).collect())
}

/// Returns the ids of the contests that were requested before.
pub(crate) fn tried_contests(store: &Store, source_id: SourceId) -> Result<HashSet<String>, Error> {
    let syncs = store.contest_syncs(source_id)?.into_iter();
    Ok(syncs.map(|sync| sync.external_id).collect())
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
    let last = store.contest_sync(source_id, &key)?;
    if last.is_some_and(|last| last.is_failed()) {
        return Ok(None);
    }
    let newest = store.newest_document(source_id, &key)?;
    Ok(newest.filter(|row| request.is_settled(row.fetched_at, now)))
}

/// True if a list of this site ever had a contest, for the source `name`.
///
/// # Errors
/// [`Error::Store`].
pub fn has_listed_contests(store: &Store, site: &str, name: &SourceName) -> Result<bool, Error> {
    let Some(source_id) = store.source_id(name)? else {
        return Ok(false);
    };
    let Some(source) = archived_site(site, store, source_id)? else {
        return Ok(false);
    };
    let site = Site::open(store, &*source, name.clone(), source_id)?;
    let lists = site.load_lists(store, HashMap::new())?;
    Ok(!lists.into_entries().is_empty())
}

/// Returns the lists that a first sync at the time `now` starts with; with a limit only the first,
/// because its answer decides how many more are needed.
pub(crate) fn first_lists(
    source: &dyn Source,
    request: &MineRequest,
    now: UnixSeconds,
) -> Vec<Request> {
    let mut queue = ListQueue::new(request, HashSet::new(), source.initial_requests(), now);
    let nothing = ContestLists::default();
    std::iter::from_fn(|| queue.next(&nothing))
        .filter_map(|(list, wanted)| wanted.then_some(list))
        .take(request.limit.map_or(usize::MAX, |_| 1))
        .collect()
}

/// Syncs a source with its site: requests the lists and every contest that is due, archives each
/// answer and reads it. Each contest is committed separately, so that a killed sync can be resumed
/// by the next one.
///
/// # Errors
/// [`Error::Fetch`] if no request can be sent at all; [`Error::Store`].
pub fn mine(
    store: &mut Writer,
    source: &dyn Source,
    request: &MineRequest,
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<MineReport, Error> {
    let name = source_name(source, request)?;
    let profile = source.profile();
    if request.from_files.is_some() && profile.saved_files.is_none() {
        return Err(Error::invalid_request(format!(
            "saved files of {name} are not supported"
        )));
    }
    let started_at = clock();
    let origin = if let Some(folder) = &request.from_files {
        Err(folder)
    } else {
        let options = fetch_options(source, request);
        let mut site = AnswerSource::connect_site(store, options, started_at)?;
        // Nothing is written if the site cannot be reached: no source, no state of the host.
        if let Err(failed) = site.check_connection(watch) {
            return Ok(MineReport::from_stop(&failed));
        }
        Ok(site)
    };
    let mut batch = store.batch()?;
    let source_id = batch.get_or_insert_source(&name, started_at)?;
    if profile.terms.names == NameDisplay::Pseudonyms {
        batch.require_pseudonyms(source_id)?;
    }
    batch.commit()?;
    // Optional requests of earlier syncs count too, as in a rebuild.
    let whole = archived_site(profile.name, store, source_id)?;
    let site = Site::open(store, whole.as_deref().unwrap_or(source), name, source_id)?;
    let mut refused = Vec::new();
    let answerer = match origin {
        Ok(site) => site,
        Err(folder) => {
            let (saved, not_taken) = SavedAnswers::open(folder, store, &site, started_at)?;
            refused = not_taken;
            AnswerSource::Files(saved)
        }
    };
    // Saved files may have any of the forms.
    let asks = match &request.from_files {
        Some(_) => whole.as_deref().unwrap_or(source),
        None => source,
    };
    let mut sync = Session::new(store, site, asks, answerer, watch);
    for of in refused {
        sync.refuse(&of.document, of.what);
    }
    sync.full = request.full;
    if sync.site.honours_deletions() {
        sync.store.enable_secure_delete()?;
        sync.superseded.keys = sync.site.keys_by_contest(sync.store)?;
    }
    if let Some(listed) = sync.sync_lists(request, started_at)? {
        let listed = sync.retain_answerable(listed)?;
        let lists = &sync.catalogue.lists;
        let due = due_contests(sync.store, &sync.site, lists, listed, request, started_at)?;
        sync.sync_contests(&due, request.limit.unwrap_or(usize::MAX), clock)?;
        let asks = request.from_files.is_none();
        let have_come = sync.is_running() && asks && sync.sync_accounts(request, clock())?;
        sync.update_display_names(clock())?;
        if have_come && sync.is_running() {
            sync.fetch_missing_names(clock())?;
        }
    }
    sync.purge_deleted()?;
    sync.finish(started_at, clock)
}

/// Returns the fetch options for a site: its own terms, overridden by the request.
pub(crate) fn fetch_options(source: &dyn Source, request: &MineRequest) -> FetchOptions {
    let profile = source.profile();
    let terms = FetchOptions::from_terms(&profile.terms);
    FetchOptions {
        base_url: request.base_url.clone().unwrap_or(terms.base_url),
        interval: request.interval.unwrap_or(terms.interval),
        backoff: request.backoff.unwrap_or(terms.backoff),
        credentials: request.credentials.clone(),
        timeout: profile.timeout,
        head_timeout: profile.timeout / 2,
        ..terms
    }
}

/// Returns the validated name of the source in the database.
fn source_name(source: &dyn Source, request: &MineRequest) -> Result<SourceName, Error> {
    if let Some(name) = &request.name {
        return Ok(name.clone());
    }
    SourceName::new(source.profile().name).map_err(Error::invalid_request)
}

/// Returns the contests to request: finished ones that were never read, or only while they could
/// still change. Contests never requested come first, oldest first, then those requested longest
/// ago, so that a contest that always fails does not block the others.
fn due_contests(
    store: &Store,
    site: &Site<'_>,
    lists: &HashMap<String, NewestList>,
    listed: Vec<SiteListing>,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<SiteListing>, Error> {
    let known = syncs_by_id(store, site.source_id)?;
    let mut due = Vec::new();
    for contest in listed {
        if !has_results(&contest) {
            continue;
        }
        let sync = known.get(&contest.external_id);
        // Deletions must be noticed for contests of any age.
        let is_watched = site.honours_deletions() && sync.is_some();
        if !is_watched && !request.is_in_window(contest.ends_at) {
            continue;
        }
        let first = contest.results.first().map(Request::key);
        let results = if request.full || request.from_files.is_some() {
            contest.results.clone()
        } else if let Some(seen) = first.and_then(|first| lists.get(&first)) {
            // Results in a list change with the list and settle with it.
            let known = sync.filter(|sync| !seen.is_changed && !sync.is_failed());
            let known = known.is_some_and(|sync| {
                let comes_to_rest = seen.fetched_at >= site.settled_at(&contest);
                sync.read_at.is_some_and(|at| at >= seen.unchanged_since)
                    && !(comes_to_rest && sync.due_at.is_some())
            });
            if known {
                Vec::new()
            } else {
                contest.results.clone()
            }
        } else {
            missing_requests(store, site, &contest, sync, now)?
        };
        if !results.is_empty() {
            let contest = SiteListing { results, ..contest };
            due.push((sync.map(|sync| sync.tried_at), contest));
        }
    }
    due.sort_by(|(a_tried, a), (b_tried, b)| {
        (a_tried, a.ends_at, &a.external_id).cmp(&(b_tried, b.ends_at, &b.external_id))
    });
    Ok(due.into_iter().map(|(_, contest)| contest).collect())
}

/// True if a contest is finished, may be rated and has documents with results.
pub(crate) fn has_results(contest: &SiteListing) -> bool {
    contest.stage == Stage::Finished && contest.rateable && !contest.results.is_empty()
}

/// Returns the requests still to be sent for a contest: all of them until it is settled, then those
/// further ones without a settled answer.
fn missing_requests(
    store: &Store,
    site: &Site<'_>,
    contest: &SiteListing,
    sync: Option<&ContestSync>,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let settled_at = site.settled_at(contest);
    // A read time in the future was written with a wrong clock.
    let settled = sync.filter(|sync| {
        !sync.is_failed()
            && !sync.is_held_back()
            && (sync.read_at).is_some_and(|at| (settled_at..=now.get()).contains(&at))
    });
    let Some(sync) = settled else {
        return Ok(contest.results.clone());
    };
    let mut lacking = Vec::new();
    for request in &contest.results[1..] {
        let came = store.newest_document(site.source_id, &request.key())?;
        if sync.due_at.is_some() || came.is_none_or(|row| row.fetched_at < settled_at) {
            lacking.push(request.clone());
        }
    }
    Ok(lacking)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::find_site;
    use ranklore_source::OptionValues;

    #[test]
    fn fetch_timeouts_come_from_profile() {
        let timeouts = |name: &str| {
            let open = find_site(name).unwrap().open;
            let source = open(&OptionValues::default()).unwrap();
            let options = fetch_options(&*source, &MineRequest::default());
            (options.timeout.as_secs(), options.head_timeout.as_secs())
        };
        assert_eq!(timeouts("codeforces"), (120, 60));
        assert_eq!(timeouts("topcoder"), (900, 450));
    }
}

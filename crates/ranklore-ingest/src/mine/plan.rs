//! Plans a sync: the requests that are known in advance.

use std::collections::HashMap;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_source::{DeletionPolicy, Request, SiteListing, Source};
use ranklore_store::Store;
use serde::{Serialize, Serializer};

use crate::derive::listing::ContestLists;
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::accounts::{due_account_lists, due_name_requests};
use crate::mine::due::{DueSelector, settled_answer, syncs_by_id};
use crate::mine::list_queue::ListQueue;
use crate::mine::request::MineRequest;
use crate::registry::archived_site;

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
    serializer.collect_seq(due.iter().map(|contest| DueContest {
        contest: &contest.external_id,
        name: &contest.name,
        ends_at: contest.ends_at,
        requests: contest.results.iter().map(Request::key).collect(),
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
    let name = request.source_name(source)?;
    let source_id = store.map(|store| store.source_id(&name)).transpose()?;
    let Some((store, source_id)) = store.zip(source_id.flatten()) else {
        return Ok(MinePlan {
            first: first_lists(source, request, now),
            ..MinePlan::default()
        });
    };
    let mut plan = MinePlan::default();
    let profile = source.profile();
    let archived_source = match profile.terms.deletions {
        DeletionPolicy::Honoured { .. } => archived_site(profile.name, store, source_id)?,
        DeletionPolicy::Kept => None,
    };
    let reader = archived_source.as_deref().unwrap_or(source);
    let site = Site::open(store, reader, name, source_id)?;
    let mut contest_lists = site.load_lists(store, HashMap::new())?;
    let lists = std::mem::take(&mut contest_lists.newest);
    plan.listed_at = lists.values().map(|list| list.fetched_at).max();
    plan.first = lists_to_request(store, source, &site, request, now)?;
    let entries = contest_lists.into_entries().into_iter();
    let selector = DueSelector {
        store,
        site: &site,
        lists: &lists,
        request,
        now,
    };
    plan.due = selector.select(entries.map(|entry| entry.contest).collect())?;
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
    planner: &dyn Source,
    site: &Site<'_>,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let syncs = syncs_by_id(store, site.source_id)?;
    let mut queue = ListQueue::new(request, syncs, planner.initial_requests(), now);
    let mut known = ContestLists::default();
    let mut lists = Vec::new();
    while let Some((list_request, needs_request)) = queue.next(&known) {
        let key = list_request.key();
        let contents = site.load_list(store, &key)?;
        if needs_request
            && settled_answer(store, site.source_id, &list_request, request.full, now)?.is_none()
        {
            lists.push(list_request);
            // Its answer decides how many more lists are needed.
            if contents.is_none() && request.limit.is_some() {
                break;
            }
        }
        let Some(mut contents) = contents else {
            continue;
        };
        // The following page may be another one by then.
        let follow = std::mem::take(&mut contents.follow).into_iter();
        queue.extend(follow.filter(|request| request.covers.is_some()));
        known.add(&key, contents);
    }
    Ok(lists)
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
    let mut queue = ListQueue::new(request, HashMap::new(), source.initial_requests(), now);
    let no_contests = ContestLists::default();
    std::iter::from_fn(|| queue.next(&no_contests))
        .filter_map(|(list, needs_request)| needs_request.then_some(list))
        .take(request.limit.map_or(usize::MAX, |_| 1))
        .collect()
}

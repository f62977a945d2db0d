//! Mine: ask a site for what is new, archive every answer, and read it.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_fetch::{Credentials, Options};
use ranklore_replay::Watch;
use ranklore_source::{Deletions, Listed, Names, Request, Source, Stage};
use ranklore_store::{ContestSync, DocumentRow, SourceId, Store, Writer};
use serde::{Serialize, Serializer};

use crate::derive::listing::{Lists, Seen};
use crate::derive::site::Site;
use crate::error::Error;
use crate::mine::accounts::{list_due, names_due};
use crate::mine::list_queue::ListQueue;
use crate::mine::offline::Saved;
use crate::mine::report::MineReport;
use crate::mine::session::{Answerer, Session};
use crate::registry::archived_site;

/// What to ask a site for.
#[derive(Clone, Debug, Default)]
pub struct MineRequest {
    /// What the source is called in the file; none: as the site is. It has the answers of one
    /// site: contests of another would be taken for what this one lists no more.
    pub name: Option<SourceName>,
    /// Only contests that ended at this time or later.
    pub since: Option<UnixSeconds>,
    /// Only contests that ended before this time.
    pub until: Option<UnixSeconds>,
    /// At most so many contests: those never asked about first, the oldest of them first, then
    /// those asked about longest ago.
    pub limit: Option<usize>,
    /// Ask again for what is known and final, too.
    pub full: bool,
    /// Ask after everybody whose name the site no longer has; without it, once a month.
    pub names: bool,
    /// In place of the site: a folder of files that somebody saved from it, under the names that
    /// [`Profile::saved_files`](ranklore_source::Profile::saved_files) knows. Nobody is asked for anything then.
    pub from_files: Option<PathBuf>,
    /// In place of the site's root: a mirror.
    pub base_url: Option<String>,
    /// In place of the site's pace: from the start of one request to that of the next.
    pub interval: Option<Duration>,
    /// The wait before a second try, in place of a second; it doubles with each further try.
    pub backoff: Option<Duration>,
    /// What the site knows this program by, where it lets in registered ones alone:
    /// [`credentials`](crate::credentials()).
    pub credentials: Option<Credentials>,
}

impl MineRequest {
    /// True if not all that is due is wanted.
    pub(crate) fn is_narrow(&self) -> bool {
        self.since.is_some() || self.until.is_some() || self.limit.is_some()
    }

    /// True if a contest that ended at this time is within the window.
    pub(crate) fn is_in_window(&self, ends_at: Option<UnixSeconds>) -> bool {
        self.since
            .is_none_or(|since| ends_at.is_some_and(|at| at >= since))
            && self
                .until
                .is_none_or(|until| ends_at.is_some_and(|at| at < until))
    }
}

/// What a sync would ask for, as far as it is known beforehand.
#[derive(Clone, Debug, Default, Serialize)]
pub struct MinePlan {
    /// The lists to request, in order. With a limit they end with the first that was never
    /// requested: its answer decides how many more there are.
    #[serde(serialize_with = "serialize_keys")]
    pub first: Vec<Request>,
    /// Contests that are due by the newest list there is, in the order they are asked about.
    #[serde(rename = "contests", serialize_with = "serialize_due")]
    pub due: Vec<Listed>,
    /// The requests for names: of everybody, to find who is called otherwise by now, if that is
    /// due, or else of competitors that are known and have none. What else is requested depends
    /// on the answers.
    #[serde(serialize_with = "serialize_keys")]
    pub names: Vec<Request>,
    /// When that list came; none if there is none yet.
    pub listed_at: Option<i64>,
}

/// Serialises requests as their keys.
fn serialize_keys<S: Serializer>(requests: &[Request], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(requests.iter().map(Request::key))
}

/// Serialises contests with the requests about them.
fn serialize_due<S: Serializer>(due: &[Listed], serializer: S) -> Result<S::Ok, S::Error> {
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

/// Returns what a sync at the time `now` would ask for. Asks for nothing and writes nothing.
/// Without a `store` nothing was mined yet.
///
/// # Errors
/// [`Error::Store`].
pub fn plan(
    store: Option<&Store>,
    source: &dyn Source,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<MinePlan, Error> {
    let name = name_of(source, request)?;
    let source_id = store.map(|store| store.source_id(&name)).transpose()?;
    let Some((store, source_id)) = store.zip(source_id.flatten()) else {
        return Ok(MinePlan {
            first: first(source, request, now),
            ..MinePlan::default()
        });
    };
    let mut plan = MinePlan::default();
    let profile = source.profile();
    let whole = match profile.terms.deletions {
        Deletions::Honoured { .. } => archived_site(profile.name, store, source_id)?,
        Deletions::Kept => None,
    };
    let site = Site::open(store, whole.as_deref().unwrap_or(source), name, source_id)?;
    let mut now_listed = site.lists(store, HashMap::new())?;
    let lists = std::mem::take(&mut now_listed.came);
    plan.listed_at = lists.values().map(|seen| seen.fetched_at).max();
    plan.first = lists_to_request(store, source, &site, request, now)?;
    let listed = now_listed.contests().into_iter();
    let listed = listed.map(|of| of.listed).collect();
    plan.due = due(store, &site, &lists, listed, request, now)?;
    // Of what the lists themselves tell nobody is asked.
    plan.due.retain(|contest| {
        let mut keys = contest.results.iter().map(Request::key);
        keys.any(|key| !lists.contains_key(&key))
    });
    plan.names = list_due(store, source, source_id, request, now)?;
    if plan.names.is_empty() {
        plan.names = names_due(store, &site, request.full, now)?;
    }
    Ok(plan)
}

/// Returns the lists that a sync requests, as the archive knows them.
fn lists_to_request(
    store: &Store,
    asks: &dyn Source,
    site: &Site<'_>,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let tried = tried(store, site.source_id)?;
    let mut queue = ListQueue::new(request, tried, asks.start(), now);
    let mut known = Lists::default();
    let mut lists = Vec::new();
    while let Some((list, wanted)) = queue.next(&known) {
        let key = list.key();
        let listing = site.listing(store, &key)?;
        if wanted && settled(store, site.source_id, &list, request.full, now)?.is_none() {
            lists.push(list);
            if listing.is_none() && request.limit.is_some() {
                break;
            }
        }
        let Some(mut listing) = listing else {
            continue;
        };
        // A page that follows another may be another one by then.
        let follow = std::mem::take(&mut listing.follow).into_iter();
        queue.extend(follow.filter(|request| request.covers.is_some()));
        known.add(&key, listing);
    }
    Ok(lists)
}

/// Returns the ids of the contests that were asked about before.
pub(crate) fn tried(store: &Store, source_id: SourceId) -> Result<HashSet<String>, Error> {
    let syncs = store.contest_syncs(source_id)?.into_iter();
    Ok(syncs.map(|sync| sync.external_id).collect())
}

/// Returns the answer to a list that holds for good, or for now, if there is one: no sync but a
/// full one requests it again.
pub(crate) fn settled(
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
    // What could not be had or read the last time may come better.
    let last = store.contest_sync(source_id, &key)?;
    if last.is_some_and(|last| last.is_refused()) {
        return Ok(None);
    }
    let newest = store.newest_answer(source_id, &key)?;
    Ok(newest.filter(|row| request.is_settled(row.fetched_at, now)))
}

/// Whether a list of this site ever had a contest, for a source of this name.
///
/// # Errors
/// [`Error::Store`].
pub fn was_listed(store: &Store, site: &str, name: &SourceName) -> Result<bool, Error> {
    let Some(source_id) = store.source_id(name)? else {
        return Ok(false);
    };
    let Some(source) = archived_site(site, store, source_id)? else {
        return Ok(false);
    };
    let site = Site::open(store, &*source, name.clone(), source_id)?;
    let lists = site.lists(store, HashMap::new())?;
    Ok(!lists.contests().is_empty())
}

/// Returns the lists that a first sync at the time `now` begins with: with a limit the first
/// alone, since its answer decides how many more there are.
pub(crate) fn first(source: &dyn Source, request: &MineRequest, now: UnixSeconds) -> Vec<Request> {
    let mut queue = ListQueue::new(request, HashSet::new(), source.start(), now);
    let nothing = Lists::default();
    let lists = std::iter::from_fn(|| queue.next(&nothing));
    let wanted = lists.filter_map(|(list, wanted)| wanted.then_some(list));
    wanted
        .take(request.limit.map_or(usize::MAX, |_| 1))
        .collect()
}

/// Syncs a source with its site: asks for the list of contests and for every contest that is
/// due, archives each answer and reads it. Every contest is committed by itself, with what was
/// learned about it: killed at any moment, the next sync carries on.
///
/// # Errors
/// [`Error::Fetch`] when no request can be made at all; [`Error::Store`].
pub fn mine(
    store: &mut Writer,
    source: &dyn Source,
    request: &MineRequest,
    clock: fn() -> UnixSeconds,
    watch: &dyn Watch,
) -> Result<MineReport, Error> {
    let name = name_of(source, request)?;
    let profile = source.profile();
    if request.from_files.is_some() && profile.saved_files.is_none() {
        return Err(Error::Undecided {
            reason: format!("nothing is known of files that are saved from {name}"),
        });
    }
    let started_at = clock();
    let mut batch = store.batch()?;
    let source_id = batch.source(&name, started_at)?;
    if profile.terms.names == Names::Pseudonyms {
        batch.need_pseudonyms(source_id)?;
    }
    batch.commit()?;
    // What was once asked for beyond this counts too, as it does in a rebuild.
    let whole = archived_site(profile.name, store, source_id)?;
    let site = Site::open(store, whole.as_deref().unwrap_or(source), name, source_id)?;
    let mut refused = Vec::new();
    let answerer = match &request.from_files {
        Some(folder) => {
            let (saved, not_taken) = Saved::of(folder, store, &site, started_at)?;
            refused = not_taken;
            Answerer::Files(saved)
        }
        None => Answerer::site(store, asking(source, request), clock())?,
    };
    // Files are of whatever form they are.
    let asks = match &request.from_files {
        Some(_) => whole.as_deref().unwrap_or(source),
        None => source,
    };
    let mut sync = Session::begin(store, site, asks, answerer, watch);
    for of in refused {
        sync.refuse(&of.document, of.what);
    }
    sync.full = request.full;
    if sync.site.honours_deletions() {
        sync.store.overwrite_deleted()?;
        sync.superseded.keys = sync.site.keys_by_contest(sync.store)?;
    }
    if let Some(listed) = sync.lists(request, started_at)? {
        let listed = sync.answerable(listed)?;
        let due = due(
            sync.store,
            &sync.site,
            &sync.catalogue.lists,
            listed,
            request,
            started_at,
        )?;
        sync.contests(&due, request.limit.unwrap_or(usize::MAX), clock)?;
        let asks = request.from_files.is_none();
        let have_come = sync.goes_on() && asks && sync.accounts(request, clock())?;
        sync.called(clock())?;
        if have_come && sync.goes_on() {
            sync.find_names(clock())?;
        }
    }
    sync.forget_deleted()?;
    sync.finish(started_at, clock)
}

/// How a site is asked: on its own terms, but for what the user says.
pub(crate) fn asking(source: &dyn Source, request: &MineRequest) -> Options {
    let profile = source.profile();
    let terms = Options::of(&profile.terms);
    Options {
        base_url: request.base_url.clone().unwrap_or(terms.base_url),
        interval: request.interval.unwrap_or(terms.interval),
        backoff: request.backoff.unwrap_or(terms.backoff),
        credentials: request.credentials.clone(),
        timeout: profile.timeout,
        ..terms
    }
}

/// What the source is called in the file, by the rules of names.
fn name_of(source: &dyn Source, request: &MineRequest) -> Result<SourceName, Error> {
    if let Some(name) = &request.name {
        return Ok(name.clone());
    }
    SourceName::new(source.profile().name).map_err(|invalid| Error::Undecided {
        reason: invalid.to_string(),
    })
}

/// The contests to ask about: over, never read or read only while they could still change.
/// Those never asked about come first, the oldest of them first, then those asked about longest
/// ago: what always fails keeps nothing else from its turn.
fn due(
    store: &Store,
    site: &Site<'_>,
    lists: &HashMap<String, Seen>,
    listed: Vec<Listed>,
    request: &MineRequest,
    now: UnixSeconds,
) -> Result<Vec<Listed>, Error> {
    let known: HashMap<String, ContestSync> = (store.contest_syncs(site.source_id)?.into_iter())
        .map(|sync| (sync.external_id.clone(), sync))
        .collect();
    let mut due = Vec::new();
    for contest in listed {
        if !has_results(&contest) {
            continue;
        }
        let sync = known.get(&contest.external_id);
        // What people delete is to go, whenever it was written.
        let is_watched = site.honours_deletions() && sync.is_some();
        if !is_watched && !request.is_in_window(contest.ends_at) {
            continue;
        }
        let first = contest.results.first().map(Request::key);
        let results = if request.full || request.from_files.is_some() {
            contest.results.clone()
        } else if let Some(seen) = first.and_then(|first| lists.get(&first)) {
            // One that the list itself tells of changes as the list does; and comes to rest.
            let known = sync.filter(|sync| !seen.news && !sync.is_refused());
            let known = known.is_some_and(|sync| {
                let comes_to_rest = seen.fetched_at >= site.settled_at(&contest);
                sync.read_at.is_some_and(|at| at >= seen.same_since)
                    && !(comes_to_rest && sync.due_at.is_some())
            });
            if known {
                Vec::new()
            } else {
                contest.results.clone()
            }
        } else {
            lacking(store, site, &contest, sync, now)?
        };
        if !results.is_empty() {
            let contest = Listed { results, ..contest };
            due.push((sync.map(|sync| sync.tried_at), contest));
        }
    }
    due.sort_by(|(a_tried, a), (b_tried, b)| {
        (a_tried, a.ends_at, &a.external_id).cmp(&(b_tried, b.ends_at, &b.external_id))
    });
    Ok(due.into_iter().map(|(_, contest)| contest).collect())
}

/// True if a contest is over, may be rated, and has documents that tell how it came out.
pub(crate) fn has_results(contest: &Listed) -> bool {
    contest.stage == Stage::Finished && contest.rateable && !contest.results.is_empty()
}

/// What is still to be asked about a contest: everything, as long as it may change, and then
/// those further questions that have had no answer since.
fn lacking(
    store: &Store,
    site: &Site<'_>,
    contest: &Listed,
    sync: Option<&ContestSync>,
    now: UnixSeconds,
) -> Result<Vec<Request>, Error> {
    let settled_at = site.settled_at(contest);
    // What was read in the future was read by a clock that was wrong.
    let settled = sync.filter(|sync| {
        !sync.is_refused()
            && !sync.holds_back()
            && (sync.read_at).is_some_and(|at| (settled_at..=now.get()).contains(&at))
    });
    let Some(sync) = settled else {
        return Ok(contest.results.clone());
    };
    let mut lacking = Vec::new();
    for request in &contest.results[1..] {
        let came = store.newest_answer(site.source_id, &request.key())?;
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
    fn a_site_that_takes_its_time_is_given_it() {
        let timeout = |name: &str| {
            let open = find_site(name).unwrap().open;
            let source = open(&OptionValues::default()).unwrap();
            asking(&*source, &MineRequest::default()).timeout
        };
        assert_eq!(timeout("codeforces"), Duration::from_mins(2));
        assert_eq!(timeout("topcoder"), Duration::from_mins(15));
    }
}

//! The contests that a site lists now and those that it listed earlier, for syncs and rebuilds
//! alike.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{
    AccountRename, ContestOutcome, ListingDetails, Request, SiteListing, SiteReading,
};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::archive::{DistinctAnswer, distinct_answers};
use crate::derive::site::Site;
use crate::error::Error;

/// A contest as one list has it.
#[derive(Clone, Debug)]
pub(crate) struct ListEntry {
    pub(crate) contest: SiteListing,
    /// The document of the list.
    pub(crate) document_id: DocumentId,
    /// The time when the list was fetched, in Unix seconds.
    pub(crate) fetched_at: i64,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) unchanged_since: i64,
}

/// Order of documents by fetch time; the id decides within one second.
type FetchOrder = (i64, DocumentId);

impl ListEntry {
    fn fetch_order(&self) -> FetchOrder {
        (self.fetched_at, self.document_id)
    }
}

/// The contests that one request lists now.
#[derive(Clone)]
pub(crate) struct ListContents {
    /// The newest readable answer.
    pub(crate) newest: DocumentRow,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) unchanged_since: i64,
    pub(crate) entries: Vec<ListEntry>,
    pub(crate) follow: Vec<Request>,
    details: Vec<ListingDetails>,
    /// True if no other answer to the request differs from the newest one.
    has_one_answer: bool,
}

impl ListContents {
    /// Returns the newest answer. `is_changed` is true if it was fetched in this sync and differs
    /// from the answer before it.
    pub(crate) fn newest_list(&self, is_changed: bool) -> NewestList {
        NewestList {
            is_changed,
            fetched_at: self.newest.fetched_at,
            unchanged_since: self.unchanged_since,
        }
    }
}

/// The newest answer that lists or describes contests.
pub(crate) struct NewestList {
    /// True if it was fetched in this sync and differs from the answer before it.
    pub(crate) is_changed: bool,
    /// The time when it was fetched, in Unix seconds.
    pub(crate) fetched_at: i64,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) unchanged_since: i64,
}

/// The contests that several requests list now. If a contest is in two lists, the newer answer
/// counts; within one second, the one archived later.
#[derive(Default)]
pub(crate) struct ContestLists {
    contests: BTreeMap<String, ListEntry>,
    /// Details from other documents about listed contests; the newest counts.
    details: HashMap<String, (FetchOrder, ListingDetails)>,
    /// The newest answer to each request, by request key.
    pub(crate) newest: HashMap<String, NewestList>,
    /// The requests that a list leads to, by request key, for lists whose only answer is included:
    /// they have no history.
    without_history: HashMap<String, Vec<Request>>,
}

/// Contests and accounts as earlier answers had them.
pub(crate) struct ListHistory {
    /// Withdrawn contests: no request lists them any more.
    pub(crate) withdrawn: Vec<ListEntry>,
    /// Merged accounts with the time when the merge was first seen, oldest first.
    pub(crate) merges: Vec<(AccountRename, i64)>,
}

impl ContestLists {
    /// Adds the contents of the list with this request key.
    pub(crate) fn add(&mut self, key: &str, contents: ListContents) {
        self.newest.insert(key.to_owned(), contents.newest_list(false));
        let newest = &contents.newest;
        self.add_details(contents.details, (newest.fetched_at, newest.document_id));
        self.add_entries(contents.entries);
    }

    /// Adds entries; of two entries for one contest the newer one is kept.
    fn add_entries(&mut self, entries: impl IntoIterator<Item = ListEntry>) {
        for entry in entries {
            let known = self.contests.get(&entry.contest.external_id);
            if known.is_none_or(|known| known.fetch_order() < entry.fetch_order()) {
                let id = entry.contest.external_id.clone();
                self.contests.insert(id, entry);
            }
        }
    }

    /// Adds the details in a document fetched at `order`.
    fn add_details(&mut self, described: Vec<ListingDetails>, order: FetchOrder) {
        for details in described {
            let known = self.details.get(&details.external_id);
            if known.is_none_or(|(known_order, _)| *known_order < order) {
                self.details.insert(details.external_id.clone(), (order, details));
            }
        }
    }

    /// True if any document has details of contests that others list.
    pub(crate) fn has_details(&self) -> bool {
        !self.details.is_empty()
    }

    /// Returns each listed contest with its end time, from the newest details if they have one.
    pub(crate) fn end_times(&self) -> impl Iterator<Item = (&SiteListing, Option<UnixSeconds>)> {
        self.contests.values().map(|ListEntry { contest, .. }| {
            let described = self.details.get(&contest.external_id);
            let ends_at = described.and_then(|(_, details)| details.ends_at);
            (contest, ends_at.or(contest.ends_at))
        })
    }

    /// Returns the contests with the newest details applied, ordered by id.
    pub(crate) fn into_entries(self) -> Vec<ListEntry> {
        let mut entries: Vec<ListEntry> = self.contests.into_values().collect();
        for ListEntry { contest, .. } in &mut entries {
            if let Some((_, details)) = self.details.get(&contest.external_id) {
                contest.apply_details(details);
            }
        }
        entries
    }
}

/// A merge of accounts by the answers to one list.
struct MergeCandidate {
    merge: AccountRename,
    /// The request key of the list.
    list: String,
    /// The first answer that has the results under the other account.
    first_seen: FetchOrder,
}

/// Returns the merged accounts that have results in an answer.
fn find_competitors(reading: &SiteReading, merges: &[MergeCandidate]) -> HashSet<String> {
    let merged: HashSet<&str> = merges.iter().map(|candidate| &*candidate.merge.from).collect();
    let outcomes = reading.results.iter().map(|results| &results.outcome);
    let entrants = outcomes.flat_map(|outcome| match outcome {
        ContestOutcome::Standings { entrants, .. } => &entrants[..],
        _ => &[],
    });
    let names = entrants.map(|entrant| &entrant.competitor);
    names.filter(|name| merged.contains(name.as_str())).cloned().collect()
}

/// Returns the entries of one answer.
fn list_entries<'r>(
    answer: &'r DistinctAnswer,
    reading: &'r SiteReading,
) -> impl Iterator<Item = ListEntry> + 'r {
    reading.listed.iter().map(|contest| ListEntry {
        contest: contest.clone(),
        document_id: answer.newest.document_id,
        fetched_at: answer.newest.fetched_at,
        unchanged_since: answer.first_fetched_at,
    })
}

impl Site<'_> {
    /// Loads the contests that a request lists now: those in its newest readable answer and, if
    /// that answer does not list all, those in older answers, back to the newest one that does.
    /// Returns `None` if no answer is readable.
    pub(crate) fn load_list(
        &self,
        store: &Store,
        key: &str,
    ) -> Result<Option<ListContents>, Error> {
        let mut contents: Option<ListContents> = None;
        let mut listed_ids = HashSet::new();
        let mut followed_keys = HashSet::new();
        let answers = distinct_answers(store.documents_for_request(self.source_id, key)?);
        let has_one_answer = answers.len() == 1;
        for answer in answers {
            let Ok(reading) = self.read_cached(store, answer.newest.document_id)? else {
                continue;
            };
            let contents = contents.get_or_insert_with(|| ListContents {
                details: reading.described.clone(),
                newest: answer.newest.clone(),
                unchanged_since: answer.first_fetched_at,
                entries: Vec::new(),
                follow: Vec::new(),
                has_one_answer,
            });
            // An older answer adds only the contests that newer ones lack.
            let entries = list_entries(&answer, &reading);
            contents.entries.extend(
                entries.filter(|entry| listed_ids.insert(entry.contest.external_id.clone())),
            );
            let follow = reading.follow.iter();
            let new_requests = follow.filter(|request| followed_keys.insert(request.key()));
            contents.follow.extend(new_requests.cloned());
            if reading.lists_all {
                break;
            }
        }
        Ok(contents)
    }

    /// Loads the contests of all lists of the site, as far as they were requested. `known` has
    /// lists that are loaded already, by request key; they are included.
    pub(crate) fn load_lists(
        &self,
        store: &Store,
        mut known: HashMap<String, ListContents>,
    ) -> Result<ContestLists, Error> {
        let mut lists = ContestLists::default();
        self.for_each_list(|key| {
            let contents = match known.remove(key) {
                Some(contents) => Some(contents),
                None => self.load_list(store, key)?,
            };
            let Some(mut contents) = contents else {
                return Ok(Vec::new());
            };
            let follow = std::mem::take(&mut contents.follow);
            if contents.has_one_answer {
                lists.without_history.insert(key.to_owned(), follow.clone());
            }
            lists.add(key, contents);
            Ok(follow)
        })?;
        for (key, contents) in known {
            lists.add(&key, contents);
        }
        Ok(lists)
    }

    /// Loads every contest and merge that earlier answers had, over all lists that any answer ever
    /// led to.
    pub(crate) fn load_list_history(
        &self,
        store: &Store,
        current: &ContestLists,
    ) -> Result<ListHistory, Error> {
        let mut history = ContestLists {
            details: current.details.clone(),
            ..ContestLists::default()
        };
        let mut merges = Vec::new();
        let mut keys = Vec::new();
        let accounts = self.source.accounts();
        self.for_each_list(|key| {
            keys.push(key.to_owned());
            if let Some(follow) = current.without_history.get(key) {
                return Ok(follow.clone());
            }
            let mut follow = Vec::new();
            let mut later: Option<(FetchOrder, Arc<SiteReading>)> = None;
            // Answers come newest first, so `later` is the one after this one.
            for answer in distinct_answers(store.documents_for_request(self.source_id, key)?) {
                let newest = &answer.newest;
                let Ok(reading) = self.read_cached(store, newest.document_id)? else {
                    continue;
                };
                follow.extend(reading.follow.iter().cloned());
                let order = (newest.fetched_at, newest.document_id);
                history.add_details(reading.described.clone(), order);
                history.add_entries(list_entries(&answer, &reading));
                if let (Some((first_seen, later)), Some(accounts)) = (later, accounts) {
                    let merged = accounts.find_merged(&reading, &later).into_iter();
                    merges.extend(merged.map(|merge| MergeCandidate {
                        merge,
                        list: key.to_owned(),
                        first_seen,
                    }));
                }
                later = Some(((answer.first_fetched_at, answer.first_id), reading));
            }
            Ok(follow)
        })?;
        history.contests.retain(|id, _| !current.contests.contains_key(id));
        Ok(ListHistory {
            withdrawn: history.into_entries(),
            merges: self.confirm_merges(store, &keys, merges)?,
        })
    }

    /// Returns the merges of accounts that no other list contradicts, oldest first: at the time of the
    /// merge, the newest answer of no other list has results of the merged account. A site may move
    /// one result to another account, and the first keeps its other results.
    ///
    /// Later answers do not matter, so that a sync and a rebuild from more documents agree.
    fn confirm_merges(
        &self,
        store: &Store,
        keys: &[String],
        mut candidates: Vec<MergeCandidate>,
    ) -> Result<Vec<(AccountRename, i64)>, Error> {
        candidates.sort_by_key(|candidate| candidate.first_seen);
        for key in keys {
            let mut next: Option<FetchOrder> = None;
            for answer in distinct_answers(store.documents_for_request(self.source_id, key)?) {
                let first = (answer.first_fetched_at, answer.first_id);
                let concerns = |candidate: &MergeCandidate| {
                    let at = candidate.first_seen;
                    candidate.list != *key && first <= at && next.is_none_or(|next| at < next)
                };
                if candidates.iter().any(concerns) {
                    let document_id = answer.newest.document_id;
                    let Ok(reading) = self.read_cached(store, document_id)? else {
                        continue;
                    };
                    let competitors = find_competitors(&reading, &candidates);
                    candidates.retain(|candidate| {
                        !(concerns(candidate) && competitors.contains(&candidate.merge.from))
                    });
                }
                next = Some(first);
            }
        }
        let merges = candidates.into_iter();
        Ok(merges.map(|candidate| (candidate.merge, candidate.first_seen.0)).collect())
    }

    /// Calls `visit` with each request key that a sync starts with or that another list leads to;
    /// `visit` returns the requests its list leads to.
    fn for_each_list(
        &self,
        mut visit: impl FnMut(&str) -> Result<Vec<Request>, Error>,
    ) -> Result<(), Error> {
        let mut queue: VecDeque<Request> = self.source.initial_requests().into();
        let mut visited = HashSet::new();
        while let Some(request) = queue.pop_front() {
            let key = request.key();
            if visited.insert(key.clone()) {
                queue.extend(visit(&key)?);
            }
        }
        Ok(())
    }
}

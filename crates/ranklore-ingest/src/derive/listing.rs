//! The contests that a site lists now and those that it listed earlier, for syncs and rebuilds
//! alike.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{AccountRename, ListingDetails, Request, SiteListing, SiteReading};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::archive::{DistinctAnswer, distinct_answers};
use crate::derive::site::Site;
use crate::error::Error;

/// A contest as one list has it.
#[derive(Clone, Debug)]
pub(crate) struct ListEntry {
    pub(crate) listed: SiteListing,
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
    pub(crate) fn add(&mut self, key: &str, listing: ListContents) {
        let seen = NewestList {
            is_changed: false,
            fetched_at: listing.newest.fetched_at,
            unchanged_since: listing.unchanged_since,
        };
        self.newest.insert(key.to_owned(), seen);
        let newest = (listing.newest.fetched_at, listing.newest.document_id);
        self.add_details(listing.details, newest);
        self.add_entries(listing.entries);
    }

    /// Adds entries; of two entries for one contest the newer one is kept.
    fn add_entries(&mut self, sightings: impl IntoIterator<Item = ListEntry>) {
        for sighting in sightings {
            let there = self.contests.get(&sighting.listed.external_id);
            if there.is_none_or(|there| there.fetch_order() < sighting.fetch_order()) {
                let id = sighting.listed.external_id.clone();
                self.contests.insert(id, sighting);
            }
        }
    }

    /// Adds the details in a document fetched at `came`.
    fn add_details(&mut self, described: Vec<ListingDetails>, came: FetchOrder) {
        for of in described {
            let there = self.details.get(&of.external_id);
            if there.is_none_or(|(before, _)| *before < came) {
                self.details.insert(of.external_id.clone(), (came, of));
            }
        }
    }

    /// True if any document has details of contests that others list.
    pub(crate) fn has_details(&self) -> bool {
        !self.details.is_empty()
    }

    /// Returns each listed contest with its end time, from the newest details if they have one.
    pub(crate) fn end_times(&self) -> impl Iterator<Item = (&SiteListing, Option<UnixSeconds>)> {
        self.contests.values().map(|of| {
            let described = self.details.get(&of.listed.external_id);
            let ends_at = described.and_then(|(_, described)| described.ends_at);
            (&of.listed, ends_at.or(of.listed.ends_at))
        })
    }

    /// Returns the contests with the newest details applied, ordered by id.
    pub(crate) fn into_entries(self) -> Vec<ListEntry> {
        let mut entries: Vec<ListEntry> = self.contests.into_values().collect();
        for ListEntry { listed, .. } in &mut entries {
            if let Some((_, described)) = self.details.get(&listed.external_id) {
                listed.apply_details(described);
            }
        }
        entries
    }
}

/// Returns the entries of one answer.
fn list_entries<'r>(
    of: &'r DistinctAnswer,
    reading: &'r SiteReading,
) -> impl Iterator<Item = ListEntry> + 'r {
    reading.listed.iter().map(|listed| ListEntry {
        listed: listed.clone(),
        document_id: of.newest.document_id,
        fetched_at: of.newest.fetched_at,
        unchanged_since: of.first_fetched_at,
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
        let mut listing: Option<ListContents> = None;
        let mut seen = HashSet::new();
        let mut followed = HashSet::new();
        for of in distinct_answers(store.documents_for_request(self.source_id, key)?) {
            let Ok(reading) = self.read_cached(store, of.newest.document_id)? else {
                continue;
            };
            let listing = listing.get_or_insert_with(|| ListContents {
                details: reading.described.clone(),
                newest: of.newest.clone(),
                unchanged_since: of.first_fetched_at,
                entries: Vec::new(),
                follow: Vec::new(),
            });
            let entries = list_entries(&of, &reading);
            (listing.entries)
                .extend(entries.filter(|of| seen.insert(of.listed.external_id.clone())));
            let follow = reading.follow.iter().filter(|of| followed.insert(of.key()));
            listing.follow.extend(follow.cloned());
            if reading.lists_all {
                break;
            }
        }
        Ok(listing)
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
            let listing = match known.remove(key) {
                Some(listing) => Some(listing),
                None => self.load_list(store, key)?,
            };
            let Some(mut listing) = listing else {
                return Ok(Vec::new());
            };
            let follow = std::mem::take(&mut listing.follow);
            lists.add(key, listing);
            Ok(follow)
        })?;
        for (key, listing) in known {
            lists.add(&key, listing);
        }
        Ok(lists)
    }

    /// Loads every contest and merge that earlier answers had, over all lists that any answer ever
    /// led to.
    pub(crate) fn load_list_history(
        &self,
        store: &Store,
        now: &ContestLists,
    ) -> Result<ListHistory, Error> {
        let mut before = ContestLists::default();
        let mut moved = Vec::new();
        let accounts = self.source.accounts();
        self.for_each_list(|key| {
            let mut follow = Vec::new();
            let mut later: Option<(i64, Arc<SiteReading>)> = None;
            for of in distinct_answers(store.documents_for_request(self.source_id, key)?) {
                let Ok(reading) = self.read_cached(store, of.newest.document_id)? else {
                    continue;
                };
                follow.extend(reading.follow.iter().cloned());
                let came = (of.newest.fetched_at, of.newest.document_id);
                before.add_details(reading.described.clone(), came);
                before.add_entries(list_entries(&of, &reading));
                if let Some((at, later)) = later {
                    let merged = accounts.map(|of| of.find_merged(&reading, &later));
                    moved.extend(merged.into_iter().flatten().map(|of| (of, at)));
                }
                later = Some((of.first_fetched_at, reading));
            }
            Ok(follow)
        })?;
        moved.sort_by_key(|(_, at)| *at);
        (before.contests).retain(|id, _| !now.contests.contains_key(id));
        Ok(ListHistory {
            withdrawn: before.into_entries(),
            merges: moved,
        })
    }

    /// Calls `look` with each request key that a sync starts with or that another list leads to;
    /// `look` returns the requests its list leads to.
    fn for_each_list(
        &self,
        mut look: impl FnMut(&str) -> Result<Vec<Request>, Error>,
    ) -> Result<(), Error> {
        let mut queue: VecDeque<Request> = self.source.initial_requests().into();
        let mut looked_at = HashSet::new();
        while let Some(request) = queue.pop_front() {
            let key = request.key();
            if looked_at.insert(key.clone()) {
                queue.extend(look(&key)?);
            }
        }
        Ok(())
    }
}

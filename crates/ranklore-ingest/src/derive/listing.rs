//! The contests that a site lists now and those that it listed earlier, for syncs and rebuilds
//! alike.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Described, Listed, Reading, Renamed, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::archive::{Answers, distinct};
use crate::derive::site::Site;
use crate::error::Error;

/// A contest as one list has it.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    pub(crate) listed: Listed,
    /// The document of the list.
    pub(crate) document_id: DocumentId,
    /// The time when the list was fetched, in Unix seconds.
    pub(crate) fetched_at: i64,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) since: i64,
}

/// Order of documents by fetch time; the id decides within one second.
type CameAt = (i64, DocumentId);

impl Sighting {
    fn came(&self) -> CameAt {
        (self.fetched_at, self.document_id)
    }
}

/// The contests that one request lists now.
#[derive(Clone)]
pub(crate) struct Listing {
    /// The newest readable answer.
    pub(crate) newest: DocumentRow,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) same_since: i64,
    pub(crate) sightings: Vec<Sighting>,
    pub(crate) follow: Vec<Request>,
    described: Vec<Described>,
}

/// The newest answer that lists or describes contests.
pub(crate) struct Seen {
    /// True if it was fetched in this sync and differs from the answer before it.
    pub(crate) news: bool,
    /// The time when it was fetched, in Unix seconds.
    pub(crate) fetched_at: i64,
    /// The time of the first answer in the unbroken run with this content, in Unix seconds.
    pub(crate) same_since: i64,
}

/// The contests that several requests list now. If a contest is in two lists, the newer answer
/// counts; within one second, the one archived later.
#[derive(Default)]
pub(crate) struct Lists {
    contests: BTreeMap<String, Sighting>,
    /// Details from other documents about listed contests; the newest counts.
    descriptions: HashMap<String, (CameAt, Described)>,
    /// The newest answer to each request, by request key.
    pub(crate) came: HashMap<String, Seen>,
}

/// Contests and accounts as earlier answers had them.
pub(crate) struct Before {
    /// Withdrawn contests: no request lists them any more.
    pub(crate) taken_back: Vec<Sighting>,
    /// Merged accounts with the time when the merge was first seen, oldest first.
    pub(crate) moved: Vec<(Renamed, i64)>,
}

impl Lists {
    /// Adds the contents of the list with this request key.
    pub(crate) fn add(&mut self, key: &str, listing: Listing) {
        let seen = Seen {
            news: false,
            fetched_at: listing.newest.fetched_at,
            same_since: listing.same_since,
        };
        self.came.insert(key.to_owned(), seen);
        let newest = (listing.newest.fetched_at, listing.newest.document_id);
        self.describe(listing.described, newest);
        self.sight(listing.sightings);
    }

    /// Adds entries; of two entries for one contest the newer one is kept.
    fn sight(&mut self, sightings: impl IntoIterator<Item = Sighting>) {
        for sighting in sightings {
            let there = self.contests.get(&sighting.listed.external_id);
            if there.is_none_or(|there| there.came() < sighting.came()) {
                let id = sighting.listed.external_id.clone();
                self.contests.insert(id, sighting);
            }
        }
    }

    /// Adds the details in a document fetched at `came`.
    fn describe(&mut self, described: Vec<Described>, came: CameAt) {
        for of in described {
            let there = self.descriptions.get(&of.external_id);
            if there.is_none_or(|(before, _)| *before < came) {
                self.descriptions.insert(of.external_id.clone(), (came, of));
            }
        }
    }

    /// True if any document has details of contests that others list.
    pub(crate) fn describes(&self) -> bool {
        !self.descriptions.is_empty()
    }

    /// Returns each listed contest with its end time, from the newest details if they have one.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (&Listed, Option<UnixSeconds>)> {
        self.contests.values().map(|of| {
            let described = self.descriptions.get(&of.listed.external_id);
            let ends_at = described.and_then(|(_, described)| described.ends_at);
            (&of.listed, ends_at.or(of.listed.ends_at))
        })
    }

    /// Returns the contests with the newest details applied, ordered by id.
    pub(crate) fn contests(self) -> Vec<Sighting> {
        let described = self.contests.into_values().map(|mut of| {
            if let Some((_, described)) = self.descriptions.get(&of.listed.external_id) {
                of.listed.describe(described);
            }
            of
        });
        described.collect()
    }
}

/// Returns the entries of one answer.
fn sightings<'r>(of: &'r Answers, reading: &'r Reading) -> impl Iterator<Item = Sighting> + 'r {
    reading.listed.iter().map(|listed| Sighting {
        listed: listed.clone(),
        document_id: of.newest.document_id,
        fetched_at: of.newest.fetched_at,
        since: of.since,
    })
}

impl Site<'_> {
    /// Loads the contests that a request lists now: those in its newest readable answer and, if
    /// that answer does not list all, those in older answers, back to the newest one that does.
    /// Returns `None` if no answer is readable.
    pub(crate) fn listing(&self, store: &Store, key: &str) -> Result<Option<Listing>, Error> {
        let mut listing: Option<Listing> = None;
        let mut seen = HashSet::new();
        let mut followed = HashSet::new();
        for of in distinct(store.answers(self.source_id, key)?) {
            let Ok(reading) = self.read_once(store, of.newest.document_id)? else {
                continue;
            };
            let listing = listing.get_or_insert_with(|| Listing {
                described: reading.described.clone(),
                newest: of.newest.clone(),
                same_since: of.since,
                sightings: Vec::new(),
                follow: Vec::new(),
            });
            let sightings = sightings(&of, &reading);
            let sightings = sightings.filter(|of| seen.insert(of.listed.external_id.clone()));
            listing.sightings.extend(sightings);
            let follow = reading.follow.iter();
            let follow = follow.filter(|request| followed.insert(request.key()));
            listing.follow.extend(follow.cloned());
            if reading.lists_all {
                break;
            }
        }
        Ok(listing)
    }

    /// Loads the contests of all lists of the site, as far as they were requested. `known` has
    /// lists that are loaded already, by request key; they are included.
    pub(crate) fn lists(
        &self,
        store: &Store,
        mut known: HashMap<String, Listing>,
    ) -> Result<Lists, Error> {
        let mut lists = Lists::default();
        self.each_question(|key| {
            let listing = match known.remove(key) {
                Some(listing) => Some(listing),
                None => self.listing(store, key)?,
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
    pub(crate) fn before(&self, store: &Store, now: &Lists) -> Result<Before, Error> {
        let mut before = Lists::default();
        let mut moved = Vec::new();
        let accounts = self.source.accounts();
        self.each_question(|key| {
            let mut follow = Vec::new();
            let mut later: Option<(i64, Arc<Reading>)> = None;
            for of in distinct(store.answers(self.source_id, key)?) {
                let Ok(reading) = self.read_once(store, of.newest.document_id)? else {
                    continue;
                };
                follow.extend(reading.follow.iter().cloned());
                let came = (of.newest.fetched_at, of.newest.document_id);
                before.describe(reading.described.clone(), came);
                before.sight(sightings(&of, &reading));
                if let Some((at, later)) = later {
                    let merged = accounts.map(|of| of.merged(&reading, &later));
                    moved.extend(merged.into_iter().flatten().map(|of| (of, at)));
                }
                later = Some((of.since, reading));
            }
            Ok(follow)
        })?;
        moved.sort_by_key(|(_, at)| *at);
        before
            .contests
            .retain(|id, _| !now.contests.contains_key(id));
        let taken_back = before.contests();
        Ok(Before { taken_back, moved })
    }

    /// Calls `look` with each request key that a sync starts with or that another list leads to;
    /// `look` returns the requests its list leads to.
    fn each_question(
        &self,
        mut look: impl FnMut(&str) -> Result<Vec<Request>, Error>,
    ) -> Result<(), Error> {
        let mut queue: VecDeque<Request> = self.source.start().into();
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

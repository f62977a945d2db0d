//! What a site lists by now, and what it listed once: one notion for mining and for a rebuild.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Described, Listed, Reading, Renamed, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::archive::distinct;
use crate::derive::site::Site;
use crate::error::Error;

/// A contest as a list has it.
#[derive(Clone, Debug)]
pub(crate) struct Sighting {
    pub(crate) listed: Listed,
    /// The list.
    pub(crate) document_id: DocumentId,
    /// When that came.
    pub(crate) fetched_at: i64,
    /// When an answer first came that said the same.
    pub(crate) since: i64,
}

/// When a document came; of one second, the later of two has the greater id.
type CameAt = (i64, DocumentId);

impl Sighting {
    fn came(&self) -> CameAt {
        (self.fetched_at, self.document_id)
    }
}

/// What one question lists by now.
#[derive(Clone)]
pub(crate) struct Listing {
    /// The newest answer that can be read.
    pub(crate) newest: DocumentRow,
    /// When an answer first came that said the same, and nothing else since.
    pub(crate) same_since: i64,
    pub(crate) sightings: Vec<Sighting>,
    pub(crate) follow: Vec<Request>,
    described: Vec<Described>,
}

/// What several questions list by now. A contest that stands in the answers to two, moved in
/// between, is as the newer answer has it; of answers of one second, the one archived later.
#[derive(Default)]
pub(crate) struct Lists {
    contests: BTreeMap<String, Sighting>,
    descriptions: Descriptions,
    /// When the newest answer to each question came, and the first that said the same.
    pub(crate) came: HashMap<String, (i64, i64)>,
}

/// What was listed before.
pub(crate) struct Before {
    /// Contests that were taken back: no question lists them any more.
    pub(crate) taken_back: Vec<Sighting>,
    /// Whose results became somebody else's from one answer to the next, and when that came; the
    /// oldest first.
    pub(crate) moved: Vec<(Renamed, i64)>,
}

/// What documents add to contests that others list: of several the newest speaks.
#[derive(Default)]
struct Descriptions(HashMap<String, (CameAt, Described)>);

impl Descriptions {
    /// Adds what a document says that came then.
    fn add(&mut self, described: Vec<Described>, came: CameAt) {
        for of in described {
            let there = self.0.get(&of.external_id);
            if there.is_none_or(|(before, _)| *before < came) {
                self.0.insert(of.external_id.clone(), (came, of));
            }
        }
    }

    /// Brings a contest up to what is said of it.
    fn describe(&self, listed: &mut Listed) {
        if let Some((_, described)) = self.0.get(&listed.external_id) {
            listed.describe(described);
        }
    }
}

impl Lists {
    /// Adds what the question of this key lists.
    pub(crate) fn add(&mut self, key: &str, listing: Listing) {
        let seen = (listing.newest.fetched_at, listing.same_since);
        self.came.insert(key.to_owned(), seen);
        let newest = (listing.newest.fetched_at, listing.newest.document_id);
        self.descriptions.add(listing.described, newest);
        for sighting in listing.sightings {
            newer(&mut self.contests, sighting);
        }
    }

    /// Whether anything is said of contests beside the lists they stand in.
    pub(crate) fn describes(&self) -> bool {
        !self.descriptions.0.is_empty()
    }

    /// Returns the contests as their lists have them, each with the time when it ends by all
    /// that is said of it.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (&Listed, Option<UnixSeconds>)> {
        self.contests.values().map(|of| {
            let described = self.descriptions.0.get(&of.listed.external_id);
            let ends_at = described.and_then(|(_, described)| described.ends_at);
            (&of.listed, ends_at.or(of.listed.ends_at))
        })
    }

    /// The contests with what is said of them, by id.
    pub(crate) fn contests(self) -> Vec<Sighting> {
        let described = self.contests.into_values().map(|mut of| {
            self.descriptions.describe(&mut of.listed);
            of
        });
        described.collect()
    }

    /// Those alone of which this does not know.
    fn without(&self, others: BTreeMap<String, Sighting>) -> Vec<Sighting> {
        let unknown = |id: &String| !self.contests.contains_key(id);
        let others = others.into_iter().filter(|(id, _)| unknown(id));
        others.map(|(_, of)| of).collect()
    }
}

/// Keeps the newer of two sightings of one contest.
fn newer(contests: &mut BTreeMap<String, Sighting>, sighting: Sighting) {
    let there = contests.get(&sighting.listed.external_id);
    if there.is_none_or(|there| there.came() < sighting.came()) {
        contests.insert(sighting.listed.external_id.clone(), sighting);
    }
}

impl Site<'_> {
    /// What the answers to a question list by now: what the newest that can be read has, and
    /// where that does not list all, what older ones have beside it, back to the newest of those
    /// that do. Nothing if none can be read.
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
            for listed in &reading.listed {
                if seen.insert(listed.external_id.clone()) {
                    listing.sightings.push(Sighting {
                        listed: listed.clone(),
                        document_id: of.newest.document_id,
                        fetched_at: of.newest.fetched_at,
                        since: of.since,
                    });
                }
            }
            let follow = reading.follow.iter();
            let follow = follow.filter(|request| followed.insert(request.key()));
            listing.follow.extend(follow.cloned());
            if reading.lists_all {
                break;
            }
        }
        Ok(listing)
    }

    /// What the site lists by now, as far as it was asked. `known` is what questions list, by their
    /// keys, that was looked at already: it is part of it.
    pub(crate) fn lists(
        &self,
        store: &Store,
        mut known: HashMap<String, Listing>,
    ) -> Result<Lists, Error> {
        let mut lists = Lists::default();
        let mut queue: VecDeque<Request> = self.source.start().into();
        let mut looked_at = HashSet::new();
        while let Some(request) = queue.pop_front() {
            let key = request.key();
            if !looked_at.insert(key.clone()) {
                continue;
            }
            let listing = match known.remove(&key) {
                Some(listing) => Some(listing),
                None => self.listing(store, &key)?,
            };
            if let Some(mut listing) = listing {
                queue.extend(std::mem::take(&mut listing.follow));
                lists.add(&key, listing);
            }
        }
        for (key, listing) in known {
            lists.add(&key, listing);
        }
        Ok(lists)
    }

    /// What was ever listed before that, in any answer that any other ever led to.
    pub(crate) fn before(&self, store: &Store, now: &Lists) -> Result<Before, Error> {
        let mut contests = BTreeMap::new();
        let mut moved = Vec::new();
        let mut queue: VecDeque<Request> = self.source.start().into();
        let mut looked_at = HashSet::new();
        let mut descriptions = Descriptions::default();
        while let Some(request) = queue.pop_front() {
            let key = request.key();
            if !looked_at.insert(key.clone()) {
                continue;
            }
            let mut seen = HashSet::new();
            let mut later: Option<(i64, Arc<Reading>)> = None;
            for of in distinct(store.answers(self.source_id, &key)?) {
                let Ok(reading) = self.read_once(store, of.newest.document_id)? else {
                    continue;
                };
                let fetched_at = of.newest.fetched_at;
                queue.extend(reading.follow.iter().cloned());
                let came = (fetched_at, of.newest.document_id);
                descriptions.add(reading.described.clone(), came);
                for listed in &reading.listed {
                    if seen.insert(listed.external_id.clone()) {
                        let sighting = Sighting {
                            listed: listed.clone(),
                            document_id: of.newest.document_id,
                            fetched_at,
                            since: of.since,
                        };
                        newer(&mut contests, sighting);
                    }
                }
                if let Some((at, later)) = later {
                    let accounts = self.source.accounts();
                    let merged = accounts.map(|of| of.merged(&reading, &later));
                    moved.extend(merged.into_iter().flatten().map(|of| (of, at)));
                }
                later = Some((of.since, reading));
            }
        }
        moved.sort_by_key(|(_, at)| *at);
        let mut taken_back = now.without(contests);
        for of in &mut taken_back {
            descriptions.describe(&mut of.listed);
        }
        Ok(Before { taken_back, moved })
    }
}

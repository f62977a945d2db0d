//! What a site lists by now, and what it listed once: one notion for mining and for a rebuild.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;

use ranklore_contest::UnixSeconds;
use ranklore_source::{Described, Listed, Reading, Renamed, Request};
use ranklore_store::{DocumentId, DocumentRow, Store};

use crate::derive::archive::{Answers, distinct};
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

/// The newest answer that lists contests, or describes them.
pub(crate) struct Seen {
    /// True if it came in this sync, and differs from the one before.
    pub(crate) news: bool,
    /// When it came.
    pub(crate) fetched_at: i64,
    /// When an answer first came that said the same.
    pub(crate) same_since: i64,
}

/// What several questions list by now. A contest that stands in the answers to two, moved in
/// between, is as the newer answer has it; of answers of one second, the one archived later.
#[derive(Default)]
pub(crate) struct Lists {
    contests: BTreeMap<String, Sighting>,
    /// Additions of documents to contests that others list: of several the newest counts.
    descriptions: HashMap<String, (CameAt, Described)>,
    /// The newest answer to each question.
    pub(crate) came: HashMap<String, Seen>,
}

/// What was listed before.
pub(crate) struct Before {
    /// Contests that were taken back: no question lists them any more.
    pub(crate) taken_back: Vec<Sighting>,
    /// Whose results became somebody else's from one answer to the next, and when that came; the
    /// oldest first.
    pub(crate) moved: Vec<(Renamed, i64)>,
}

impl Lists {
    /// Adds what the question of this key lists.
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

    /// Adds contests; of two sightings of one the newer is kept.
    fn sight(&mut self, sightings: impl IntoIterator<Item = Sighting>) {
        for sighting in sightings {
            let there = self.contests.get(&sighting.listed.external_id);
            if there.is_none_or(|there| there.came() < sighting.came()) {
                let id = sighting.listed.external_id.clone();
                self.contests.insert(id, sighting);
            }
        }
    }

    /// Adds what a document that came then says of contests.
    fn describe(&mut self, described: Vec<Described>, came: CameAt) {
        for of in described {
            let there = self.descriptions.get(&of.external_id);
            if there.is_none_or(|(before, _)| *before < came) {
                self.descriptions.insert(of.external_id.clone(), (came, of));
            }
        }
    }

    /// Whether anything is said of contests beside the lists they stand in.
    pub(crate) fn describes(&self) -> bool {
        !self.descriptions.is_empty()
    }

    /// Returns the contests as their lists have them, each with the time when it ends by all
    /// that is said of it.
    pub(crate) fn ends(&self) -> impl Iterator<Item = (&Listed, Option<UnixSeconds>)> {
        self.contests.values().map(|of| {
            let described = self.descriptions.get(&of.listed.external_id);
            let ends_at = described.and_then(|(_, described)| described.ends_at);
            (&of.listed, ends_at.or(of.listed.ends_at))
        })
    }

    /// The contests with what is said of them, by id.
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

/// Returns the contests that an answer lists.
fn sightings<'r>(of: &'r Answers, reading: &'r Reading) -> impl Iterator<Item = Sighting> + 'r {
    reading.listed.iter().map(|listed| Sighting {
        listed: listed.clone(),
        document_id: of.newest.document_id,
        fetched_at: of.newest.fetched_at,
        since: of.since,
    })
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

    /// What the site lists by now, as far as it was asked. `known` is what questions list, by their
    /// keys, that was looked at already: it is part of it.
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

    /// What was ever listed before that, in any answer that any other ever led to.
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

    /// Looks at each question that a sync begins with or that another leads to: `look` returns
    /// what the question of a key leads to.
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

//! What a site ever listed, and what its documents add to contests that others list.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use ranklore_source::{Described, Listed, Reading, Renamed, Request};
use ranklore_store::{DocumentId, Store};

use crate::Error;
use crate::site::Site;

/// Everything that was ever listed.
pub(crate) struct Lists {
    /// The contests as the newest list that has them says, and whether a later list of
    /// everything has them no more.
    pub(crate) contests: Vec<(Listed, bool)>,
    /// The newest list.
    pub(crate) newest: Option<DocumentId>,
    /// Whose results became somebody else's from one answer to the next, and when that came.
    pub(crate) moved: Vec<(Renamed, i64)>,
}

/// What documents add to contests that others list: of several the newest speaks.
#[derive(Default)]
pub(crate) struct Descriptions(HashMap<String, (i64, Described)>);

impl Descriptions {
    /// Adds what a document says that came at `fetched_at`.
    pub(crate) fn add(&mut self, described: Vec<Described>, fetched_at: i64) {
        for of in described {
            let there = self.0.get(&of.external_id);
            if there.is_none_or(|(before, _)| *before <= fetched_at) {
                self.0.insert(of.external_id.clone(), (fetched_at, of));
            }
        }
    }

    /// Brings a contest up to what is said of it.
    pub(crate) fn describe(&self, listed: &mut Listed) {
        if let Some((_, described)) = self.0.get(&listed.external_id) {
            listed.describe(described);
        }
    }
}

impl Site<'_> {
    /// Reads every list there is, the oldest first. One that cannot be read says nothing.
    pub(crate) fn lists(&self, store: &Store) -> Result<Lists, Error> {
        let mut contests: BTreeMap<String, (Listed, bool)> = BTreeMap::new();
        let (mut descriptions, mut moved) = (Descriptions::default(), Vec::new());
        let mut newest = None;
        let mut queue: VecDeque<Request> = self.source.start().into();
        let mut read = HashSet::new();
        while let Some(request) = queue.pop_front() {
            if !read.insert(request.key()) {
                continue;
            }
            let mut answers = store.answers(self.source_id, &request.key())?;
            answers.reverse();
            let mut before = None;
            let mut here: HashSet<String> = HashSet::new();
            let mut last: Option<(i64, Reading)> = None;
            for row in answers {
                // Most say what the one before said.
                if before == Some(row.blake3) {
                    newest = Some(row.document_id);
                    last = last.map(|(_, reading)| (row.fetched_at, reading));
                    continue;
                }
                before = None;
                let Ok(mut reading) = self.read(store, &row)? else {
                    continue;
                };
                before = Some(row.blake3);
                newest = Some(row.document_id);
                if reading.lists_all {
                    for id in &here {
                        if let Some((_, vanished)) = contests.get_mut(id) {
                            *vanished = true;
                        }
                    }
                }
                for listed in std::mem::take(&mut reading.listed) {
                    here.insert(listed.external_id.clone());
                    contests.insert(listed.external_id.clone(), (listed, false));
                }
                queue.extend(std::mem::take(&mut reading.follow));
                if let Some((_, earlier)) = &last {
                    let of = self.source.moved(earlier, &reading).into_iter();
                    moved.extend(of.map(|renamed| (renamed, row.fetched_at)));
                }
                last = Some((row.fetched_at, reading));
            }
            if let Some((fetched_at, reading)) = last {
                descriptions.add(reading.described, fetched_at);
            }
        }
        let mut contests: Vec<(Listed, bool)> = contests.into_values().collect();
        for (listed, _) in &mut contests {
            descriptions.describe(listed);
        }
        // Those that one document tells of one after the other, so that it is read once.
        contests.sort_by_cached_key(|(listed, _)| listed.results.first().map(Request::key));
        Ok(Lists {
            contests,
            newest,
            moved,
        })
    }
}

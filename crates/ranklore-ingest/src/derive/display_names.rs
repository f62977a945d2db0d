//! Display names of competitors that an id identifies: current names, earlier names, and names
//! inherited by merges.

use std::collections::{HashMap, HashSet};

use ranklore_contest::EntrantKind;
use ranklore_source::{Asked, Method, Reading, Renamed, Request, Source};
use ranklore_store::{Batch, DocumentRow, NameRow, SourceId, Store};

use crate::derive::site::Site;
use crate::error::Error;
use crate::people::by_hand::{Who, named_by_hand};

/// Names by competitor, the current one last.
#[derive(Default)]
pub(crate) struct Called {
    names: HashMap<Who, Vec<NameRow>>,
    /// Names of merged competitors that a competitor has besides its own.
    beside: HashMap<Who, Vec<NameRow>>,
    /// Competitors whose results all belong to another one now.
    gone: HashSet<Who>,
}

impl Called {
    /// Loads the names from all documents that have any, oldest first, and applies the merges
    /// `moved`, oldest first, each with the time when it was first seen.
    pub(crate) fn of(
        site: &Site<'_>,
        store: &Store,
        moved: Vec<(Renamed, i64)>,
    ) -> Result<Self, Error> {
        let mut called = Self::default();
        let naming = |key: &str| names_in(site.source, key);
        for row in news(store.documents(site.source_id)?, naming) {
            called.read(site, store, &row)?;
        }
        for (renamed, at) in moved {
            called.one(renamed, at);
        }
        Ok(called)
    }

    fn read(&mut self, site: &Site<'_>, store: &Store, row: &DocumentRow) -> Result<(), Error> {
        let Ok(reading) = site.read(store, row.document_id)? else {
            return Ok(());
        };
        let at = row.fetched_at;
        // A forgotten person has one name, the blank.
        let named = reading.named.into_iter();
        for named in named.filter(|named| !site.forgotten.is_blank(&named.competitor)) {
            let names = self
                .names
                .entry((named.kind, named.competitor))
                .or_default();
            let known = names.iter().position(|of| of.name == named.name);
            let first_seen_at = known.map_or(at, |index| names.remove(index).first_seen_at);
            names.push(NameRow {
                name: named.name,
                first_seen_at,
                last_seen_at: at,
            });
        }
        Ok(())
    }

    /// Moves the results of `from` to `to`, which inherits all names of `from`: its own and those
    /// it inherited before.
    fn one(&mut self, Renamed { from, to }: Renamed, at: i64) {
        // Only teams are merged by sites.
        let (from, to) = ((EntrantKind::Team, from), (EntrantKind::Team, to));
        let unnamed = || {
            vec![NameRow {
                name: from.1.clone(),
                first_seen_at: at,
                last_seen_at: at,
            }]
        };
        let own = self.names.get(&from).cloned().unwrap_or_else(unnamed);
        let beside = self.beside.get(&from).cloned().unwrap_or_default();
        self.gone.remove(&to);
        self.beside
            .entry(to)
            .or_default()
            .extend([own, beside].concat());
        self.gone.insert(from);
    }

    /// Writes the names of all competitors with results. A competitor whose results all moved to
    /// another one keeps only its id as name, so that its old name finds the other one. Names given
    /// by the user stay.
    /// Returns the number of competitors that were renamed or inherited names.
    pub(crate) fn put(mut self, batch: &mut Batch<'_>, source_id: SourceId) -> Result<u64, Error> {
        if self.names.is_empty() && self.beside.is_empty() {
            return Ok(0);
        }
        let by_hand = named_by_hand(batch, source_id)?;
        let mut changed = 0;
        for row in batch.competitors_of(source_id)? {
            let who = (row.kind, row.external_id);
            let own = self.names.remove(&who).unwrap_or_default();
            let beside = self.beside.remove(&who).unwrap_or_default();
            let today = own.last().map(|of| of.name.clone());
            let named_by_hand = by_hand.contains(&who);
            let today = today.filter(|_| !named_by_hand);
            let today = today.unwrap_or_else(|| row.name.clone());
            let gone = self.gone.contains(&who) && !named_by_hand;
            let new = row.name == who.1 && today != row.name;
            if (new || gone) && !batch.stands(row.competitor_id)? {
                batch.call(row.competitor_id, &who.1, &[])?;
                batch.uncall(row.competitor_id)?;
                continue;
            }
            // A competitor with a single name has no history.
            let history = if own.len() > 1 || !beside.is_empty() {
                [own, beside].concat()
            } else {
                Vec::new()
            };
            if today != row.name || !history.is_empty() {
                let was_called = row.name != who.1;
                let news = batch.call(row.competitor_id, &today, &history)?;
                changed += u64::from(news && (was_called || !history.is_empty()));
            }
        }
        Ok(changed)
    }
}

/// True if the answer to this request may name competitors.
pub(crate) fn names_in(source: &dyn Source, request_key: &str) -> bool {
    let accounts = source.accounts();
    accounts.is_some_and(|of| of.names_in(request_key))
}

/// Returns the documents with matching keys that differ from the previous document of the same key.
/// Input and output are ordered oldest first.
pub(crate) fn news(documents: Vec<DocumentRow>, of: impl Fn(&str) -> bool) -> Vec<DocumentRow> {
    let mut said = HashMap::new();
    let mut documents = documents;
    documents.retain(|row| {
        let says = (row.blake3, row.status);
        of(&row.request_key) && said.insert(row.request_key.clone(), says) != Some(says)
    });
    documents
}

/// Reads every answer to a name lookup.
pub(crate) fn about_names(site: &Site<'_>, store: &Store) -> Result<Vec<Reading>, Error> {
    let mut readings = Vec::new();
    let Some(accounts) = site.source.accounts() else {
        return Ok(readings);
    };
    let is_lookup = questions(&accounts.lookup(&["anybody"]));
    let mut documents = store.documents(site.source_id)?;
    documents.retain(|row| is_lookup(&row.request_key));
    for row in documents {
        readings.extend(site.read(store, row.document_id)?);
    }
    Ok(readings)
}

/// Returns a predicate on request keys: true if method and path are those of one of `requests`,
/// whatever the parameters.
pub(crate) fn questions(requests: &[Request]) -> impl Fn(&str) -> bool + use<> {
    let question = |key: &str| Asked::parse(key).map(|of| (of.method, of.path.to_owned()));
    let requests = requests
        .iter()
        .filter_map(|request| question(&request.key()));
    let questions: HashSet<(Method, String)> = requests.collect();
    move |key| question(key).is_some_and(|of| questions.contains(&of))
}

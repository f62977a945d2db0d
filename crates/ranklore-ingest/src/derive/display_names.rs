//! Display names of competitors that an id identifies: current names, earlier names, and names
//! inherited by merges.

use std::collections::{HashMap, HashSet};

use ranklore_contest::EntrantKind;
use ranklore_source::{AccountRename, Method, Request, RequestKey, SiteReading, Source};
use ranklore_store::{DocumentRow, NameRow, SourceId, Store, WriteBatch};

use crate::derive::site::Site;
use crate::error::Error;
use crate::people::user_names::{CompetitorKey, user_named_competitors};

/// Names by competitor, the current one last.
#[derive(Default)]
pub(crate) struct DisplayNames {
    names: HashMap<CompetitorKey, Vec<NameRow>>,
    /// Names of merged competitors that a competitor has besides its own.
    inherited: HashMap<CompetitorKey, Vec<NameRow>>,
    /// Competitors whose results all belong to another one now.
    merged_away: HashSet<CompetitorKey>,
}

impl DisplayNames {
    /// Loads the names from all documents that have any, oldest first, and applies the merges
    /// `moved`, oldest first, each with the time when it was first seen.
    pub(crate) fn load(
        site: &Site<'_>,
        store: &Store,
        moved: Vec<(AccountRename, i64)>,
    ) -> Result<Self, Error> {
        let mut called = Self::default();
        let naming = |key: &str| may_name_competitors(site.source, key);
        for row in changed_documents(store.documents(site.source_id)?, naming) {
            called.add_document(site, store, &row)?;
        }
        for (renamed, at) in moved {
            called.add_merge(renamed, at);
        }
        Ok(called)
    }

    fn add_document(
        &mut self,
        site: &Site<'_>,
        store: &Store,
        row: &DocumentRow,
    ) -> Result<(), Error> {
        let Ok(reading) = site.read(store, row.document_id)? else {
            return Ok(());
        };
        let at = row.fetched_at;
        // A forgotten person has one name, the blank.
        let named = reading.named.into_iter();
        for named in named.filter(|named| !site.forgotten.is_blank(&named.competitor)) {
            let names = (self.names.entry((named.kind, named.competitor))).or_default();
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
    fn add_merge(&mut self, AccountRename { from, to }: AccountRename, at: i64) {
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
        let beside = self.inherited.get(&from).cloned().unwrap_or_default();
        self.merged_away.remove(&to);
        self.inherited
            .entry(to)
            .or_default()
            .extend([own, beside].concat());
        self.merged_away.insert(from);
    }

    /// Writes the names of all competitors with results, and returns the number of competitors that
    /// were renamed or inherited names. A competitor whose results all moved to another one keeps
    /// only its id as name, so that its old name finds the other one. Names given by the user stay.
    pub(crate) fn write(
        mut self,
        batch: &mut WriteBatch<'_>,
        source_id: SourceId,
    ) -> Result<u64, Error> {
        if self.names.is_empty() && self.inherited.is_empty() {
            return Ok(0);
        }
        let by_hand = user_named_competitors(batch, source_id)?;
        let mut changed = 0;
        for row in batch.competitors_of_source(source_id)? {
            let who = (row.kind, row.external_id);
            let own = self.names.remove(&who).unwrap_or_default();
            let beside = self.inherited.remove(&who).unwrap_or_default();
            let named_by_hand = by_hand.contains(&who);
            let today = own.last().filter(|_| !named_by_hand).map(|of| &of.name);
            let today = today.unwrap_or(&row.name).clone();
            let gone = self.merged_away.contains(&who) && !named_by_hand;
            let new = row.name == who.1 && today != row.name;
            if (new || gone) && !batch.has_standing(row.competitor_id)? {
                batch.set_name(row.competitor_id, &who.1, &[])?;
                batch.delete_name_history(row.competitor_id)?;
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
                let news = batch.set_name(row.competitor_id, &today, &history)?;
                changed += u64::from(news && (was_called || !history.is_empty()));
            }
        }
        Ok(changed)
    }
}

/// True if the answer to this request may name competitors.
pub(crate) fn may_name_competitors(source: &dyn Source, request_key: &str) -> bool {
    let accounts = source.accounts();
    accounts.is_some_and(|of| of.may_name_competitors(request_key))
}

/// Returns the documents with matching keys that differ from the previous document of the same key.
/// Input and output are ordered oldest first.
pub(crate) fn changed_documents(
    mut documents: Vec<DocumentRow>,
    of: impl Fn(&str) -> bool,
) -> Vec<DocumentRow> {
    let mut said = HashMap::new();
    documents.retain(|row| {
        let says = (row.blake3, row.status);
        of(&row.request_key) && said.insert(row.request_key.clone(), says) != Some(says)
    });
    documents
}

/// Reads every answer to a name lookup.
pub(crate) fn read_lookups(site: &Site<'_>, store: &Store) -> Result<Vec<SiteReading>, Error> {
    let mut readings = Vec::new();
    let Some(accounts) = site.source.accounts() else {
        return Ok(readings);
    };
    let is_lookup = request_matcher(&accounts.lookup(&["anybody"]));
    let mut documents = store.documents(site.source_id)?;
    documents.retain(|row| is_lookup(&row.request_key));
    for row in documents {
        readings.extend(site.read(store, row.document_id)?);
    }
    Ok(readings)
}

/// Returns a predicate on request keys: true if method and path are those of one of `requests`,
/// whatever the parameters.
pub(crate) fn request_matcher(requests: &[Request]) -> impl Fn(&str) -> bool + use<> {
    let question = |key: &str| RequestKey::parse(key).map(|of| (of.method, of.path.to_owned()));
    let questions: HashSet<(Method, String)> = (requests.iter())
        .filter_map(|request| question(&request.key()))
        .collect();
    move |key| question(key).is_some_and(|of| questions.contains(&of))
}

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
    /// `merges`, oldest first, each with the time when it was first seen.
    pub(crate) fn load(
        site: &Site<'_>,
        store: &Store,
        merges: Vec<(AccountRename, i64)>,
    ) -> Result<Self, Error> {
        let mut names = Self::default();
        let documents = store.documents(site.source_id)?;
        for row in changed_documents(documents, |key| may_name_competitors(site.source, key)) {
            names.add_document(site, store, &row)?;
        }
        for (rename, at) in merges {
            names.add_merge(rename, at);
        }
        Ok(names)
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
            let competitor = (named.kind, named.competitor);
            let names = self.names.entry(competitor).or_default();
            let earlier = names.iter().position(|row| row.name == named.name);
            let first_seen_at = earlier.map_or(at, |index| names.remove(index).first_seen_at);
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
        let from = (EntrantKind::Team, from);
        let to = (EntrantKind::Team, to);
        let mut names = self.names.get(&from).cloned().unwrap_or_else(|| {
            vec![NameRow {
                name: from.1.clone(),
                first_seen_at: at,
                last_seen_at: at,
            }]
        });
        names.extend(self.inherited.get(&from).cloned().unwrap_or_default());
        self.merged_away.remove(&to);
        self.inherited.entry(to).or_default().extend(names);
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
            let key = (row.kind, row.external_id);
            let external_id = &key.1;
            let mut history = self.names.remove(&key).unwrap_or_default();
            let inherited = self.inherited.remove(&key).unwrap_or_default();
            let is_named_by_user = by_hand.contains(&key);
            let newest = history.last().filter(|_| !is_named_by_user);
            let name = newest.map_or(&row.name, |newest| &newest.name).clone();
            let is_merged_away = self.merged_away.contains(&key) && !is_named_by_user;
            let is_first_name = row.name == *external_id && name != row.name;
            if (is_first_name || is_merged_away) && !batch.has_standing(row.competitor_id)? {
                batch.set_name(row.competitor_id, external_id, &[])?;
                batch.delete_name_history(row.competitor_id)?;
                continue;
            }
            // A competitor with a single name has no history.
            if history.len() <= 1 && inherited.is_empty() {
                history.clear();
            }
            history.extend(inherited);
            if name != row.name || !history.is_empty() {
                let had_name = row.name != *external_id;
                let is_changed = batch.set_name(row.competitor_id, &name, &history)?;
                changed += u64::from(is_changed && (had_name || !history.is_empty()));
            }
        }
        Ok(changed)
    }
}

/// True if the answer to this request may name competitors.
pub(crate) fn may_name_competitors(source: &dyn Source, request_key: &str) -> bool {
    let accounts = source.accounts();
    accounts.is_some_and(|accounts| accounts.may_name_competitors(request_key))
}

/// Returns the documents with matching keys that differ from the previous document of the same key.
/// Input and output are ordered oldest first.
pub(crate) fn changed_documents(
    mut documents: Vec<DocumentRow>,
    is_match: impl Fn(&str) -> bool,
) -> Vec<DocumentRow> {
    let mut contents = HashMap::new();
    documents.retain(|row| {
        let content = (row.blake3, row.status);
        is_match(&row.request_key)
            && contents.insert(row.request_key.clone(), content) != Some(content)
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
    let targets: HashSet<(Method, String)> =
        requests.iter().filter_map(|request| request_target(&request.key())).collect();
    move |key| request_target(key).is_some_and(|target| targets.contains(&target))
}

/// Returns the method and the path of a request key.
fn request_target(key: &str) -> Option<(Method, String)> {
    RequestKey::parse(key).map(|request| (request.method, request.path.to_owned()))
}

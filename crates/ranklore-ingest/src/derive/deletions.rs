//! Deletes what people deleted on a site, if the site's terms require it.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use ranklore_formats::{FileFormat, ReadOptions, read};
use ranklore_source::{DeletionPolicy, SiteListing};
use ranklore_store::{DocumentId, DocumentRow, Store, WriteBatch};

use crate::derive::contest::Derivation;
use crate::derive::site::Site;
use crate::error::Error;

impl Site<'_> {
    /// True if data deleted on the site must be deleted here too.
    pub(crate) fn honours_deletions(&self) -> bool {
        let deletions = self.source.profile().terms.deletions;
        matches!(deletions, DeletionPolicy::Honoured { .. })
    }

    /// Returns the keys of all documents about each contest, by contest id. Empty if the terms do
    /// not require deletion.
    pub(crate) fn keys_by_contest(
        &self,
        store: &Store,
    ) -> Result<HashMap<String, HashSet<String>>, Error> {
        let mut keys: HashMap<String, HashSet<String>> = HashMap::new();
        if let DeletionPolicy::Honoured { contest_of } = self.source.profile().terms.deletions {
            for key in store.request_keys(self.source_id)? {
                if let Some(contest) = contest_of(&key) {
                    keys.entry(contest).or_default().insert(key);
                }
            }
        }
        Ok(keys)
    }

    /// Deletes the documents with these keys about a contest, except those that its newest answer
    /// consists of. If that answer cannot be used, the documents behind the stored results and
    /// everything since that answer stay as well. Returns true if content was deleted that no
    /// remaining document has.
    pub(crate) fn delete_superseded(
        &self,
        batch: &mut WriteBatch<'_>,
        listed: &SiteListing,
        derived: &Derivation,
        keys: &HashSet<String>,
    ) -> Result<bool, Error> {
        let assembly = &derived.assembly;
        let Some(newest) = assembly.newest else {
            return Ok(false);
        };
        let newest = DocumentId::new(newest.id.0);
        let is_usable = !assembly.newest_answers.is_empty();
        let needed = if is_usable {
            &assembly.newest_answers
        } else {
            &assembly.result_answers
        };
        let needed_ids: HashSet<DocumentId> =
            needed.iter().map(|id| DocumentId::new(id.0)).collect();
        let mut deletes_last_copy = false;
        let mut superseded = Vec::new();
        for key in keys {
            let mut remaining_hashes = HashSet::new();
            let mut deleted_hashes = HashSet::new();
            for row in batch.documents_for_request(self.source_id, key)? {
                let is_superseded = !needed_ids.contains(&row.document_id)
                    && match row.status {
                        Some(_) => is_usable || row.document_id < newest,
                        None => is_usable && has_only_contest(batch, &row, listed)?,
                    };
                if is_superseded {
                    deleted_hashes.insert(row.blake3);
                    superseded.push((row.fetched_at, row.document_id));
                } else {
                    remaining_hashes.insert(row.blake3);
                }
            }
            deletes_last_copy |= !deleted_hashes.is_subset(&remaining_hashes);
        }
        // Newest first: a deleted document hands its bytes on to the next one that shares them,
        // which must not be deleted afterwards.
        superseded.sort_unstable_by_key(|document| Reverse(*document));
        for (_, document_id) in superseded {
            batch.delete_document(document_id)?;
        }
        Ok(deletes_last_copy)
    }
}

/// True if a file has this contest and no other. Such a file was made from an archive; any other
/// file is the user's own.
fn has_only_contest(store: &Store, row: &DocumentRow, listed: &SiteListing) -> Result<bool, Error> {
    let body = store.document(row.document_id)?.body;
    let reading = read(FileFormat::Json, &body, &row.request_key, &ReadOptions::default());
    Ok(reading.is_ok_and(|reading| {
        reading.refused.is_empty() && reading.contests.external_ids().eq([&*listed.external_id])
    }))
}

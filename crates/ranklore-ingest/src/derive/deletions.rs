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
        let taken = !assembly.newest_answers.is_empty();
        let stay = if taken {
            &assembly.newest_answers
        } else {
            &assembly.result_answers
        };
        let stay: HashSet<DocumentId> = stay.iter().map(|id| DocumentId::new(id.0)).collect();
        let mut lost = false;
        let mut superseded = Vec::new();
        for key in keys {
            let rows = batch.documents_for_request(self.source_id, key)?;
            let (mut there, mut gone) = (HashSet::new(), HashSet::new());
            for row in rows {
                let goes = !stay.contains(&row.document_id)
                    && match row.status {
                        Some(_) => taken || row.document_id < newest,
                        None => taken && has_only_contest(batch, &row, listed)?,
                    };
                if goes {
                    gone.insert(row.blake3);
                    superseded.push((row.fetched_at, row.document_id));
                } else {
                    there.insert(row.blake3);
                }
            }
            lost |= gone.difference(&there).next().is_some();
        }
        // Newest first: a deleted document hands its bytes on to the next one that shares them,
        // which must not be deleted afterwards.
        superseded.sort_unstable_by_key(|of| Reverse(*of));
        for (_, document_id) in superseded {
            batch.delete_document(document_id)?;
        }
        Ok(lost)
    }
}

/// True if a file has this contest and no other. Such a file was made from an archive; any other
/// file is the user's own.
fn has_only_contest(store: &Store, row: &DocumentRow, listed: &SiteListing) -> Result<bool, Error> {
    let body = store.document(row.document_id)?.body;
    let reading = read(
        FileFormat::Json,
        &body,
        &row.request_key,
        &ReadOptions::default(),
    );
    Ok(reading.is_ok_and(|reading| {
        reading.refused.is_empty() && reading.contests.external_ids().eq([&*listed.external_id])
    }))
}

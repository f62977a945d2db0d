//! What people deleted on a site goes here as well, where that is to be honoured.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use ranklore_source::{Deletions, Listed};
use ranklore_store::{Batch, Store, SyncOutcome};

use crate::Error;
use crate::derived::Derived;
use crate::site::Site;

/// The keys of the documents about contests, by the ids of these.
pub(crate) type Keys = HashMap<String, HashSet<String>>;

impl Site<'_> {
    /// Whether what people delete on the site is deleted here as well.
    pub(crate) fn honours_deletions(&self) -> bool {
        self.source.terms().deletions == Deletions::Honoured
    }

    /// The keys of all documents there are about contests; none where nothing is deleted.
    pub(crate) fn keys_by_contest(&self, store: &Store) -> Result<Keys, Error> {
        let mut keys = Keys::new();
        if self.honours_deletions() {
            for key in store.request_keys(self.source_id)? {
                if let Some(contest) = self.source.of_contest(&key) {
                    keys.entry(contest).or_default().insert(key);
                }
            }
        }
        Ok(keys)
    }

    /// Deletes the documents about a contest, which have these keys, but for those that its newest
    /// answer is made of. Gives what is known of it then; nothing goes while that answer cannot be
    /// taken.
    pub(crate) fn delete_superseded(
        &self,
        batch: &mut Batch<'_>,
        listed: &Listed,
        derived: Derived,
        keys: &HashSet<String>,
    ) -> Result<Derived, Error> {
        let made_of: HashSet<_> = derived.made_of.iter().copied().collect();
        if made_of.is_empty() {
            return Ok(derived);
        }
        let mut superseded = Vec::new();
        for key in keys {
            let answers = batch.answers(self.source_id, key)?.into_iter();
            let old = answers.filter(|row| !made_of.contains(&row.document_id));
            superseded.extend(old.map(|row| (row.fetched_at, row.document_id)));
        }
        // The newest first: whoever has the bytes of an older one and goes as well is gone when
        // those are handed on.
        superseded.sort_unstable_by_key(|of| Reverse(*of));
        for (_, document_id) in superseded {
            batch.delete_document(document_id)?;
        }
        let newest = derived.newest.map(|newest| newest.outcome);
        if newest == Some(SyncOutcome::Read) {
            return Ok(derived);
        }
        // What it said before went.
        batch.take_results(self.source_id, &listed.external_id)?;
        self.derive(batch, listed)
    }
}

//! A small cache of documents that have results of many contests.

use std::sync::{Arc, Mutex, PoisonError};

use ranklore_source::{SiteReadError, SiteReading};
use ranklore_store::DocumentId;

/// Cached documents: the newest answer of two requests and one older answer of each, which is
/// searched for contests missing from the newest.
const CAPACITY: usize = 4;

/// The documents read last, the latest at the end.
#[derive(Default)]
pub(crate) struct ReadingCache(Mutex<Vec<CacheEntry>>);

/// The contents of a document, or the error of reading it.
pub(crate) type SharedReading = Result<Arc<SiteReading>, SiteReadError>;

type CacheEntry = (DocumentId, SharedReading);

impl ReadingCache {
    pub(crate) fn get(&self, document_id: DocumentId) -> Option<SharedReading> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(id, _)| *id == document_id);
        found.map(|(_, said)| said.clone())
    }

    pub(crate) fn insert(&self, document_id: DocumentId, said: SharedReading) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == CAPACITY {
            drop(kept.remove(0));
        }
        kept.push((document_id, said));
    }
}

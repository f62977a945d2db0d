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
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = entries.iter().find(|(id, _)| *id == document_id);
        entry.map(|(_, reading)| reading.clone())
    }

    pub(crate) fn insert(&self, document_id: DocumentId, reading: SharedReading) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == CAPACITY {
            // The entry inserted longest ago makes room.
            drop(entries.remove(0));
        }
        entries.push((document_id, reading));
    }
}

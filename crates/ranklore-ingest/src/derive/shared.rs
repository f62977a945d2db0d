//! Documents that tell of many contests, read once for all of them.

use std::sync::{Arc, Mutex, PoisonError};

use ranklore_source::{ReadError, Reading};
use ranklore_store::DocumentId;

/// So many documents are kept at a time: the newest answer of two questions, and of each an older
/// one, which contests that have gone from it are looked for in.
const KEPT: usize = 4;

/// What was read last, the latest at the end.
#[derive(Default)]
pub(crate) struct Shared(Mutex<Vec<Kept>>);

/// What a document says, or why it cannot be read.
pub(crate) type Said = Result<Arc<Reading>, ReadError>;

type Kept = (DocumentId, Said);

impl Shared {
    pub(crate) fn get(&self, document_id: DocumentId) -> Option<Said> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(id, _)| *id == document_id);
        found.map(|(_, said)| said.clone())
    }

    pub(crate) fn keep(&self, document_id: DocumentId, said: Said) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            drop(kept.remove(0));
        }
        kept.push((document_id, said));
    }
}

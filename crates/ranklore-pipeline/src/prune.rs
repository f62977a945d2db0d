//! Prune: documents that newer ones have replaced leave the archive.

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::{SourceId, Store, Superseded, Writer};

use crate::{Error, find_source};

/// What to prune.
#[derive(Clone, Debug)]
pub struct PruneRequest {
    /// Of this source, or of all.
    pub source: Option<SourceName>,
    /// What was fetched at this time or before.
    pub until: UnixSeconds,
}

/// What came of it, or would.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Documents deleted.
    pub documents: u64,
    /// Bytes that they took in the file.
    pub bytes: u64,
}

impl Pruned {
    fn of(superseded: &[Superseded]) -> Self {
        Self {
            documents: superseded.len() as u64,
            bytes: superseded.iter().map(|document| document.bytes).sum(),
        }
    }
}

/// What [`prune`] would delete.
///
/// # Errors
/// [`Error::NoSource`], [`Error::Store`].
pub fn prunable(store: &Store, request: &PruneRequest) -> Result<Pruned, Error> {
    let source = source_of(store, request)?;
    let superseded = store.superseded(source, request.until.get())?;
    Ok(Pruned::of(&superseded))
}

/// Deletes documents that newer ones have replaced and that nothing is read from any more, all
/// of them or none. A rebuild gives the same contests and ratings as it would have before. The
/// space is still the file's: [`Writer::give_back_space`].
///
/// # Errors
/// [`Error::NoSource`], [`Error::Store`].
pub fn prune(store: &mut Writer, request: &PruneRequest) -> Result<Pruned, Error> {
    let source = source_of(store, request)?;
    let mut batch = store.batch()?;
    let superseded = batch.superseded(source, request.until.get())?;
    // The newest first: whoever has the bytes of an older one and goes as well is gone when
    // those are handed on.
    for document in superseded.iter().rev() {
        batch.delete_document(document.document_id)?;
    }
    batch.commit()?;
    Ok(Pruned::of(&superseded))
}

fn source_of(store: &Store, request: &PruneRequest) -> Result<Option<SourceId>, Error> {
    let named = request.source.as_ref();
    named.map(|name| find_source(store, name)).transpose()
}

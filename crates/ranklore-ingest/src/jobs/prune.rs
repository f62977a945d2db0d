//! Prune: deletes superseded documents from the archive.

use std::collections::HashSet;

use ranklore_contest::{EntrantKind, SourceName, UnixSeconds};
use ranklore_formats::{ArchivedBy, FileFormat};
use ranklore_replay::find_source;
use ranklore_store::{
    DocumentId, DocumentRow, Error as StoreError, SourceId, Store, SupersededDocument, Writer,
};
use serde::Serialize;

use crate::error::Error;
use crate::reading_note::ReadingNote;

/// The parameters of a prune.
#[derive(Clone, Debug)]
pub struct PruneRequest {
    /// The source to prune; all sources if `None`.
    pub source: Option<SourceName>,
    /// The latest fetch time of documents to delete.
    pub until: UnixSeconds,
}

/// The documents that were or would be deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PruneReport {
    /// The number of documents.
    pub documents: u64,
    /// The bytes that they occupied in the database file.
    pub bytes: u64,
}

impl PruneReport {
    fn new(superseded: &[SupersededDocument]) -> Self {
        Self {
            documents: superseded.len() as u64,
            bytes: superseded.iter().map(|document| document.bytes).sum(),
        }
    }
}

/// Returns what [`prune`] would delete.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Store`].
pub fn preview_prune(store: &Store, request: &PruneRequest) -> Result<PruneReport, Error> {
    let source = request_source_id(store, request)?;
    let superseded = find_superseded(store, source, request.until)?;
    Ok(PruneReport::new(&superseded))
}

/// Deletes superseded documents that nothing is read from any more, not even a display name, in one
/// transaction. A rebuild gives the same contests, names and ratings as before. [`Writer::compact`]
/// returns the space to the file system.
///
/// # Errors
/// [`Error::Replay`] for an unknown source, [`Error::Store`].
pub fn prune(store: &mut Writer, request: &PruneRequest) -> Result<PruneReport, Error> {
    let source = request_source_id(store, request)?;
    let mut batch = store.batch()?;
    let superseded = find_superseded(&batch, source, request.until)?;
    // Newest first: a deleted document hands its bytes on to the next one that shares them, which
    // must not be deleted afterwards.
    for document in superseded.iter().rev() {
        batch.delete_document(document.document_id)?;
    }
    batch.commit()?;
    Ok(PruneReport::new(&superseded))
}

/// Returns the superseded documents, except those that are the last to name a competitor.
fn find_superseded(
    store: &Store,
    source: Option<SourceId>,
    until: UnixSeconds,
) -> Result<Vec<SupersededDocument>, Error> {
    let mut superseded = store.superseded_documents(source, until.get())?;
    let ids: HashSet<DocumentId> = superseded.iter().map(|row| row.document_id).collect();
    let mut needed_ids = HashSet::new();
    let mut sources = store.sources()?;
    sources.retain(|row| source.is_none_or(|id| id == row.source_id));
    for source in sources {
        let documents = store.documents(source.source_id)?;
        // The number of superseded documents with names that are still to be checked.
        let mut naming = 0_usize;
        for row in documents.iter().filter(|row| ids.contains(&row.document_id)) {
            naming += usize::from(!named_competitors(store, row)?.is_empty());
        }
        let mut known_names = HashSet::new();
        for row in documents.iter().rev() {
            if naming == 0 {
                break;
            }
            let names = named_competitors(store, row)?;
            let is_superseded = ids.contains(&row.document_id);
            naming -= usize::from(is_superseded && !names.is_empty());
            let mut has_new_names = false;
            for name in names {
                has_new_names |= known_names.insert(name);
            }
            if has_new_names && is_superseded {
                needed_ids.insert(row.document_id);
            }
        }
    }
    superseded.retain(|row| !needed_ids.contains(&row.document_id));
    Ok(superseded)
}

/// Returns the competitors that a document names, each with the name if earlier names are kept;
/// none if it is damaged.
fn named_competitors(
    store: &Store,
    row: &DocumentRow,
) -> Result<Vec<(EntrantKind, String, Option<String>)>, Error> {
    let note = match ReadingNote::parse(row.reading.as_deref()) {
        Ok(ReadingNote::File(note))
            if note.format == FileFormat::Json || note.reader != ArchivedBy::WithoutIds =>
        {
            note
        }
        _ => return Ok(Vec::new()),
    };
    let document = match store.document(row.document_id) {
        Ok(document) => document,
        Err(StoreError::DamagedDocument { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let reading = note.read(&row.request_key, &document.body).unwrap_or_default();
    let names = reading.names.into_iter();
    let dated_names = reading.dated_names.into_iter();
    Ok(names
        .map(|(kind, competitor, _)| (kind, competitor, None))
        .chain(dated_names.map(|dated| (dated.kind, dated.competitor, Some(dated.name))))
        .collect())
}

fn request_source_id(store: &Store, request: &PruneRequest) -> Result<Option<SourceId>, Error> {
    let name = request.source.as_ref();
    Ok(name.map(|name| find_source(store, name)).transpose()?)
}

//! Reads an archived document again.

use ranklore_formats::{FileReadError, FileReading};
use ranklore_store::{DocumentId, DocumentRow, Store, Tombstones};

use crate::error::Error;
use crate::reading_note::ReadingNote;

/// Reads an archived document with its original options, without rejected contests and the names of
/// forgotten persons. Bytes that could not be searched for a name may still have it.
pub(crate) fn reread_document(
    store: &Store,
    row: &DocumentRow,
    forgotten: &Tombstones,
    is_rejected: impl Fn(DocumentId, &str) -> bool,
) -> Result<Result<FileReading, FileReadError>, Error> {
    let body = store.document(row.document_id)?.body;
    let mut reading = match ReadingNote::parse(row.reading.as_deref()) {
        Ok(ReadingNote::File(note)) => note.read(&row.request_key, &body),
        Ok(ReadingNote::Answer { site, .. }) => {
            let reason = format!("it is an answer of {site}, not a file");
            Err(FileReadError::whole_document(reason))
        }
        Err(reason) => Err(FileReadError::whole_document(reason)),
    };
    if let Ok(reading) = &mut reading {
        let contests = &mut reading.contests;
        contests.retain(|_, external_id| !is_rejected(row.document_id, external_id));
        reading.forget(forgotten);
    }
    Ok(reading)
}

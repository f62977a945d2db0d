//! Reads an archived document again.

use ranklore_formats::{FileReadError, Location};
use ranklore_store::{DocumentId, DocumentRow, Store, Tombstones};

use crate::error::Error;
use crate::import::intake::ReadDocument;
use crate::reading_note::ReadingNote;

/// Reads an archived document with its original options, without rejected contests and the names of
/// forgotten persons. Bytes that could not be searched for a name may still have it.
pub(crate) fn reread_document(
    store: &Store,
    row: &DocumentRow,
    forgotten: &Tombstones,
    disbelieved: impl Fn(DocumentId, &str) -> bool,
) -> Result<ReadDocument, Error> {
    let body = store.document(row.document_id)?.body;
    let at = Location::Whole;
    let mut reading = match ReadingNote::parse(row.reading.as_deref()) {
        Ok(ReadingNote::File(note)) => note.read(&row.request_key, &body),
        Ok(ReadingNote::Answer { site, .. }) => {
            let why = format!("it is an answer of {site}, not a file");
            Err(FileReadError { at, why })
        }
        Err(why) => Err(FileReadError { at, why }),
    };
    if let Ok(reading) = &mut reading {
        let contests = &mut reading.contests;
        contests.retain(|contest| !disbelieved(row.document_id, &contest.external_id));
        reading.forget(forgotten);
    }
    Ok(ReadDocument::new(reading))
}

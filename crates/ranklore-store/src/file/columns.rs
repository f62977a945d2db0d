//! Columns that hold words of the vocabulary.

use ranklore_contest::{ContentHash, EntrantKind, Outcome, Place};
use rusqlite::Row;
use rusqlite::types::Type;

/// A content hash column.
pub(crate) fn hash_of(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<ContentHash>> {
    let bytes: Option<[u8; 32]> = row.get(index)?;
    Ok(bytes.map(ContentHash::from_bytes))
}

/// A kind column.
pub(crate) fn kind_of(row: &Row<'_>, index: usize) -> rusqlite::Result<EntrantKind> {
    match row.get_ref(index)?.as_str()? {
        "person" => Ok(EntrantKind::Person),
        "team" => Ok(EntrantKind::Team),
        "couple" => Ok(EntrantKind::Couple),
        word => Err(unknown(index, word)),
    }
}

/// The columns `place` and `status`.
pub(crate) fn outcome_of(row: &Row<'_>, place: usize, status: usize) -> rusqlite::Result<Outcome> {
    if let Some(place) = row.get::<_, Option<u32>>(place)?.and_then(Place::new) {
        return Ok(Outcome::Finished(place));
    }
    match row.get_ref(status)?.as_str_or_null()? {
        Some("dnf") => Ok(Outcome::DidNotFinish),
        Some("dq") => Ok(Outcome::Disqualified),
        word => Err(unknown(status, word.unwrap_or("NULL"))),
    }
}

/// A word that the schema does not allow.
pub(crate) fn unknown(index: usize, word: &str) -> rusqlite::Error {
    let reason = format!("{word:?} is no word of this column");
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, reason.into())
}

//! Conversion of columns that hold words of a fixed vocabulary.

use ranklore_contest::{ContentHash, EntrantKind, EntrantOutcome, Place};
use rusqlite::Row;
use rusqlite::types::Type;

/// Reads a content hash.
pub(crate) fn hash_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<ContentHash>> {
    let bytes: Option<[u8; 32]> = row.get(index)?;
    Ok(bytes.map(ContentHash::from_bytes))
}

/// Reads one of the words of `values`; `what` names the vocabulary in the error.
pub(crate) fn word_from_row<T: Copy>(
    row: &Row<'_>,
    index: usize,
    values: &[T],
    as_str: fn(T) -> &'static str,
    what: &str,
) -> rusqlite::Result<T> {
    let word = row.get_ref(index)?.as_str()?;
    let found = values.iter().find(|value| as_str(**value) == word);
    found
        .copied()
        .ok_or_else(|| unknown_word(index, word, what))
}

/// Reads the kind of an entrant.
pub(crate) fn kind_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<EntrantKind> {
    let kinds = [EntrantKind::Person, EntrantKind::Team, EntrantKind::Couple];
    word_from_row(row, index, &kinds, EntrantKind::as_str, UNNAMED_COLUMN)
}

/// Reads an outcome from the columns `place` and `status`.
pub(crate) fn outcome_from_row(
    row: &Row<'_>,
    place: usize,
    status: usize,
) -> rusqlite::Result<EntrantOutcome> {
    if let Some(place) = row.get::<_, Option<u32>>(place)?.and_then(Place::new) {
        return Ok(EntrantOutcome::Finished(place));
    }
    match row.get_ref(status)?.as_str_or_null()? {
        Some("dnf") => Ok(EntrantOutcome::DidNotFinish),
        Some("dq") => Ok(EntrantOutcome::Disqualified),
        word => Err(unknown_word(status, word.unwrap_or("NULL"), UNNAMED_COLUMN)),
    }
}

/// Name of a vocabulary for the error, if the column has none.
pub(crate) const UNNAMED_COLUMN: &str = "word of this column";

/// Returns the error for a word that the schema does not allow.
pub(crate) fn unknown_word(index: usize, word: &str, what: &str) -> rusqlite::Error {
    let reason = format!("{word:?} is not a {what}");
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, reason.into())
}

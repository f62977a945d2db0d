//! Conversion of rows and of columns that hold words of a fixed vocabulary.

use ranklore_contest::{ContentHash, EntrantKind, EntrantOutcome, Place, Side};
use rusqlite::Row;
use rusqlite::types::Type;

/// Reads a content hash.
pub(crate) fn hash_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<ContentHash>> {
    let bytes: Option<[u8; 32]> = row.get(index)?;
    Ok(bytes.map(ContentHash::from_bytes))
}

/// Reads a number that is never negative.
pub(crate) fn count_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(index).map(|count| count as u64)
}

pub(crate) fn optional_count_from_row(
    row: &Row<'_>,
    index: usize,
) -> rusqlite::Result<Option<u64>> {
    let count = row.get::<_, Option<i64>>(index)?;
    Ok(count.map(|count| count as u64))
}

/// Reads the columns of a row, in order, into the fields of a struct: `$read` reads a field that
/// takes more than its type.
macro_rules! read_row {
    ($row:ident => $type:ident { $($field:ident $(: $read:path)?),+ $(,)? }) => {{
        let mut columns = 0_usize..;
        Ok($type { $(
            $field: read_row!(@column $row, columns.next().unwrap_or_default() $(, $read)?)?
        ),+ })
    }};
    (@column $row:ident, $index:expr) => { $row.get($index) };
    (@column $row:ident, $index:expr, $read:path) => { $read($row, $index) };
}
pub(crate) use read_row;

/// Stores an enum of words in a column; `$vocabulary` is its name in the error.
macro_rules! word_column {
    ($name:ident, $vocabulary:expr) => {
        impl rusqlite::types::FromSql for $name {
            fn column_result(
                value: rusqlite::types::ValueRef<'_>,
            ) -> rusqlite::types::FromSqlResult<Self> {
                let word = value.as_str()?;
                Self::from_word(word).ok_or_else(|| {
                    let reason = format!("{word:?} is not a {}", $vocabulary);
                    rusqlite::types::FromSqlError::Other(reason.into())
                })
            }
        }

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }
    };
}
pub(crate) use word_column;

/// Reads the kind of an entrant.
pub(crate) fn kind_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<EntrantKind> {
    let word = row.get_ref(index)?.as_str()?;
    EntrantKind::from_word(word).ok_or_else(|| unknown_word(index, word, UNNAMED_COLUMN))
}

/// Reads a side.
pub(crate) fn side_from_row(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<Side>> {
    let word = row.get_ref(index)?.as_str_or_null()?;
    word.map(|word| Side::from_word(word).ok_or_else(|| unknown_word(index, word, UNNAMED_COLUMN)))
        .transpose()
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
pub(crate) fn unknown_word(index: usize, word: &str, vocabulary: &str) -> rusqlite::Error {
    let reason = format!("{word:?} is not a {vocabulary}");
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, reason.into())
}

//! Columns and rows: a type states its columns once, and queries read rows by the types of their
//! results.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::Hash;

use ranklore_contest::{
    ContentHash, EntrantKind, EntrantOutcome, Place, Side, StartingRating, UnixSeconds,
};
use rusqlite::types::{Type, Value, ValueRef};
use rusqlite::{Row, Rows};

use crate::ids::{CompetitorId, ContestId, DecisionId, DocumentId, RunId, SourceId};

/// A value that is read from a column of a row, or from several beside each other.
pub(crate) trait FromRow: Sized {
    /// Number of columns.
    const WIDTH: usize = 1;

    /// Reads the columns from `first` on.
    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self>;

    /// Reads the columns from `first` on; `None` if the first is NULL.
    fn optional_from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Self>> {
        match row.get_ref(first)? {
            ValueRef::Null => Ok(None),
            _ => Self::from_row(row, first).map(Some),
        }
    }
}

impl<T: FromRow> FromRow for Option<T> {
    const WIDTH: usize = T::WIDTH;

    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        T::optional_from_row(row, first)
    }
}

/// Reads the columns of a row in their order.
pub(crate) struct ColumnReader<'r> {
    row: &'r Row<'r>,
    next: usize,
}

impl<'r> ColumnReader<'r> {
    pub(crate) const fn new(row: &'r Row<'r>, first: usize) -> Self {
        Self { row, next: first }
    }

    pub(crate) fn read<T: FromRow>(&mut self) -> rusqlite::Result<T> {
        let first = self.next;
        self.next += T::WIDTH;
        T::from_row(self.row, first)
    }
}

/// The result of a query: a collection of all rows, an `Option` of the first row, or the value of the
/// only row. An `Option` is `None` without rows, and if the first column is NULL.
pub(crate) trait FromRows: Sized {
    fn from_rows(rows: Rows<'_>) -> rusqlite::Result<Self>;
}

impl<T: FromRow> FromRows for Option<T> {
    fn from_rows(mut rows: Rows<'_>) -> rusqlite::Result<Self> {
        rows.next()?.map_or(Ok(None), |row| Self::from_row(row, 0))
    }
}

macro_rules! collection {
    ($collection:ty, $row:ty, [$($parameters:tt)+]) => {
        impl<$($parameters)+> FromRows for $collection {
            fn from_rows(rows: Rows<'_>) -> rusqlite::Result<Self> {
                rows.mapped(|row| <$row>::from_row(row, 0)).collect()
            }
        }
    };
}

collection!(Vec<T>, T, [T: FromRow]);
collection!(HashSet<T>, T, [T: FromRow + Eq + Hash]);
collection!(BTreeSet<T>, T, [T: FromRow + Ord]);
collection!(HashMap<K, V>, (K, V), [K: FromRow + Eq + Hash, V: FromRow]);
collection!(BTreeMap<K, V>, (K, V), [K: FromRow + Ord, V: FromRow]);

macro_rules! single_value {
    ($($type:ty),+) => {
        $(impl FromRows for $type {
            fn from_rows(mut rows: Rows<'_>) -> rusqlite::Result<Self> {
                let row = rows.next()?.ok_or(rusqlite::Error::QueryReturnedNoRows)?;
                Self::from_row(row, 0)
            }
        })+
    };
}

single_value!(bool, u32, i64, u64, f64, String, RunId);

/// Reads types that SQLite stores as one value.
macro_rules! column {
    ($($type:ty),+) => {
        $(impl FromRow for $type {
            fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
                row.get(first)
            }

            fn optional_from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Option<Self>> {
                row.get(first)
            }
        })+
    };
}

column!(bool, u16, i32, u32, i64, f64, String, Vec<u8>, [u8; 32], Value);
column!(CompetitorId, ContestId, DecisionId, DocumentId, RunId, SourceId);

/// Reads types that are computed from a type that SQLite stores.
macro_rules! converted_column {
    ($($type:ty = |$stored:ident: $stored_type:ty| $convert:expr;)+) => {
        $(impl FromRow for $type {
            fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
                let $stored: $stored_type = row.get(first)?;
                Ok($convert)
            }
        })+
    };
}

converted_column! {
    // Counts and lengths are never negative.
    u64 = |count: i64| count as Self;
    usize = |count: i64| count as Self;
    // Only times in range were written.
    UnixSeconds = |seconds: i64| Self::new(seconds).unwrap_or(Self::MIN);
    ContentHash = |bytes: [u8; 32]| Self::from_bytes(bytes);
}

/// Reads an enum of words; `$vocabulary` is its name in the error.
macro_rules! word {
    ($type:ty, $vocabulary:expr) => {
        impl $crate::file::columns::FromRow for $type {
            fn from_row(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Self> {
                let word = row.get_ref(first)?.as_str()?;
                Self::from_word(word)
                    .ok_or_else(|| $crate::file::columns::unknown_word(first, word, $vocabulary))
            }
        }
    };
}
pub(crate) use word;

word!(EntrantKind, UNNAMED_COLUMN);
word!(Side, UNNAMED_COLUMN);

macro_rules! tuple {
    ($($type:ident)+) => {
        impl<$($type: FromRow),+> FromRow for ($($type,)+) {
            const WIDTH: usize = 0 $(+ $type::WIDTH)+;

            fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
                let mut columns = ColumnReader::new(row, first);
                Ok(($(columns.read::<$type>()?,)+))
            }
        }
    };
}

tuple!(A);
tuple!(A B);
tuple!(A B C);
tuple!(A B C D);
tuple!(A B C D E);

/// Two columns: `start_mu` and `start_sigma`.
impl FromRow for StartingRating {
    const WIDTH: usize = 2;

    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        let mu = row.get(first)?;
        let sigma = row.get(first + 1)?;
        Ok(Self { mu, sigma })
    }
}

/// Two columns: `place` and `status`.
impl FromRow for EntrantOutcome {
    const WIDTH: usize = 2;

    fn from_row(row: &Row<'_>, first: usize) -> rusqlite::Result<Self> {
        if let Some(place) = row.get::<_, Option<u32>>(first)?.and_then(Place::new) {
            return Ok(Self::Finished(place));
        }
        match row.get_ref(first + 1)?.as_str_or_null()? {
            Some("dnf") => Ok(Self::DidNotFinish),
            Some("dq") => Ok(Self::Disqualified),
            word => Err(unknown_word(first + 1, word.unwrap_or("NULL"), UNNAMED_COLUMN)),
        }
    }
}

/// Declares a struct that is read from a row: its fields are the columns, in order. After `selects`, a
/// constant has the columns as SQL: the names of the fields, or the SQL that follows `=`.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$field_attribute])* $field_visibility $field: $type),+
        }

        impl $crate::file::columns::FromRow for $name {
            const WIDTH: usize = 0 $(+ <$type as $crate::file::columns::FromRow>::WIDTH)+;

            fn from_row(row: &rusqlite::Row<'_>, first: usize) -> rusqlite::Result<Self> {
                let mut columns = $crate::file::columns::ColumnReader::new(row, first);
                Ok(Self { $($field: columns.read()?),+ })
            }
        }
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident selects $columns:ident {
            $(#[$first_attribute:meta])*
            $first_visibility:vis $first:ident: $first_type:ty $(= $first_sql:literal)?
            $(,
                $(#[$field_attribute:meta])*
                $field_visibility:vis $field:ident: $type:ty $(= $sql:literal)?
            )* $(,)?
        }
    ) => {
        $crate::file::columns::row! {
            $(#[$attribute])*
            $visibility struct $name {
                $(#[$first_attribute])* $first_visibility $first: $first_type,
                $($(#[$field_attribute])* $field_visibility $field: $type),*
            }
        }

        pub(crate) const $columns: &str = concat!(
            $crate::file::columns::row!(@sql $first $($first_sql)?)
            $(, ", ", $crate::file::columns::row!(@sql $field $($sql)?))*
        );
    };
    (@sql $field:ident) => { stringify!($field) };
    (@sql $field:ident $sql:literal) => { $sql };
}
pub(crate) use row;

/// Declares methods of [`Store`](crate::Store) that run one query. The parameters are those of the SQL
/// in their order (`?1`, `?2`, …), unless `[values]` follow it. A method with `-> T` returns the result
/// as [`FromRows`] states; one with `; each [column: T, …]` calls a closure with every row.
macro_rules! queries {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident(
            $($parameter:ident: $type:ty),* $(; each [$($column:ident: $column_type:ty),+])?
        ) $(-> $result:ty)? = $sql:expr $(, [$($value:expr),+])?;
    )+) => {
        impl $crate::file::open::Store {
            $($crate::file::columns::queries! {
                @method [$(#[$attribute])*] [$visibility fn $name] [$($parameter: $type),*]
                [$($($column: $column_type),+)?] [$($result)?] [$sql] [$([$($value),+])?]
            })+
        }
    };
    (
        @method [$(#[$attribute:meta])*] [$visibility:vis fn $name:ident]
        [$($parameter:ident: $type:ty),*] [] [$result:ty] [$sql:expr] [$($values:tt)*]
    ) => {
        $(#[$attribute])*
        ///
        /// # Errors
        /// Errors if the database cannot be read.
        $visibility fn $name(&self, $($parameter: $type),*) -> $crate::error::Result<$result> {
            self.query(&$sql, $crate::file::columns::queries!(@values [$($parameter),*] $($values)*))
        }
    };
    (
        @method [$(#[$attribute:meta])*] [$visibility:vis fn $name:ident]
        [$($parameter:ident: $type:ty),*] [$($column:ident: $column_type:ty),+] [] [$sql:expr]
        [$($values:tt)*]
    ) => {
        $(#[$attribute])*
        ///
        /// # Errors
        /// Errors if the database cannot be read.
        $visibility fn $name(
            &self,
            $($parameter: $type,)*
            mut each: impl FnMut($($column_type),+),
        ) -> $crate::error::Result<()> {
            let values = $crate::file::columns::queries!(@values [$($parameter),*] $($values)*);
            self.for_each(&$sql, values, |($($column,)+)| each($($column),+))
        }
    };
    (@values [$($parameter:ident),*]) => { rusqlite::params![$($parameter),*] };
    (@values [$($parameter:ident),*] [$($value:expr),+]) => { rusqlite::params![$($value),+] };
}
pub(crate) use queries;

/// Declares methods of [`WriteBatch`](crate::WriteBatch) that run one statement, like [`queries`].
macro_rules! statements {
    ($(
        $(#[$attribute:meta])*
        $visibility:vis fn $name:ident($($parameter:ident: $type:ty),*) =
            $sql:expr $(, [$($value:expr),+])?;
    )+) => {
        impl $crate::file::batch::WriteBatch<'_> {
            $(
                $(#[$attribute])*
                ///
                /// # Errors
                /// Errors if the database cannot be written.
                $visibility fn $name(
                    &mut self,
                    $($parameter: $type),*
                ) -> $crate::error::Result<()> {
                    let parameters = $crate::file::columns::queries!(
                        @values [$($parameter),*] $([$($value),+])?
                    );
                    self.execute($sql, parameters)
                }
            )+
        }
    };
}
pub(crate) use statements;

/// Runs `$insert`, such as `INSERT INTO t`, with a value for each column: `insert!(self.execute,
/// "INSERT INTO t" { a: 1, b: text })`.
macro_rules! insert {
    (
        $store:ident.$method:ident,
        $insert:literal { $first:ident: $first_value:expr $(, $column:ident: $value:expr)* $(,)? }
    ) => {
        $store.$method(
            concat!(
                $insert, " (", stringify!($first) $(, ", ", stringify!($column))*,
                ") VALUES (?" $(, $crate::file::columns::insert!(@value $column))*, ")"
            ),
            rusqlite::params![$first_value $(, $value)*],
        )
    };
    (@value $column:ident) => { ", ?" };
}
pub(crate) use insert;

/// Sets columns of the rows that meet a condition, whose parameters follow it: `update!(self.execute,
/// "t" { a: 1, b: text } "t_id = ?", id)`. The condition can refer to the columns as `?1`, `?2`, ….
macro_rules! update {
    (
        $store:ident.$method:ident, $table:literal
        { $first:ident: $first_value:expr $(, $column:ident: $value:expr)* $(,)? }
        $condition:literal, $($key:expr),+
    ) => {
        $store.$method(
            concat!(
                "UPDATE ", $table, " SET ", stringify!($first), " = ?"
                $(, ", ", stringify!($column), " = ?")*, " WHERE ", $condition
            ),
            rusqlite::params![$first_value $(, $value)*, $($key),+],
        )
    };
}
pub(crate) use update;

/// Reads and stores an enum of words; `$vocabulary` is its name in the error.
macro_rules! word_column {
    ($name:ident, $vocabulary:expr) => {
        $crate::file::columns::word!($name, $vocabulary);

        impl rusqlite::types::ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
                Ok(self.as_str().into())
            }
        }
    };
}
pub(crate) use word_column;

/// Name of a vocabulary for the error, if the column has none.
pub(crate) const UNNAMED_COLUMN: &str = "word of this column";

/// Returns the error for a word that the schema does not allow.
pub(crate) fn unknown_word(index: usize, word: &str, vocabulary: &str) -> rusqlite::Error {
    let reason = format!("{word:?} is not a {vocabulary}");
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, reason.into())
}

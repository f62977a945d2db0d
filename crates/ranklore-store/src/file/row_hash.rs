//! Rows of tables by all their columns, which are stated once: for inserts of many rows, and for their
//! hashes, 8 bytes of BLAKE3 over the values.

use rusqlite::types::{ToSql, ToSqlOutput, ValueRef};
use rusqlite::{Connection, Statement};

use crate::file::columns::FromRow;
use crate::ids::{CompetitorId, ContestId, RunId};

/// Bytes that are hashed at once: BLAKE3 is several times faster on them than on single rows.
const CHUNK_BYTES: usize = 1 << 14;

/// Hashes values, each preceded by its type and length, so that different values never yield the
/// same bytes.
#[derive(Debug, Default)]
pub(crate) struct RowHasher {
    /// Bytes that are not hashed yet.
    bytes: Vec<u8>,
    /// The hasher of the bytes before them, once there are any.
    hasher: Option<Box<blake3::Hasher>>,
}

impl RowHasher {
    pub(crate) fn write_value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.bytes.push(0),
            ValueRef::Integer(integer) => self.write_word(1, integer.to_le_bytes()),
            // SQLite does not store negative zero.
            ValueRef::Real(number) => self.write_word(2, (number + 0.0).to_le_bytes()),
            ValueRef::Text(bytes) => self.write_bytes(3, bytes),
            ValueRef::Blob(bytes) => self.write_bytes(4, bytes),
        }
    }

    fn write_word(&mut self, tag: u8, word: [u8; 8]) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&word);
    }

    fn write_bytes(&mut self, tag: u8, bytes: &[u8]) {
        self.bytes.push(tag);
        self.bytes.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a value as SQLite stores it.
    pub(crate) fn write(&mut self, value: &impl ToSql) -> rusqlite::Result<()> {
        match &value.to_sql()? {
            ToSqlOutput::Borrowed(value) => self.write_value(*value),
            ToSqlOutput::Owned(value) => self.write_value(value.into()),
            _ => return Err(rusqlite::Error::ToSqlConversionFailure("not a value".into())),
        }
        Ok(())
    }

    /// Adds a row of `rating`. The rows of a contest come in the order of their competitor ids.
    pub(crate) fn write_rating(&mut self, rating: &StoredRating) -> rusqlite::Result<()> {
        rating.hash(self)?;
        if self.bytes.len() >= CHUNK_BYTES {
            self.hasher.get_or_insert_default().update(&self.bytes);
            self.bytes.clear();
        }
        Ok(())
    }

    /// Returns the hash of everything written, and starts anew.
    pub(crate) fn finish(&mut self) -> i64 {
        let hash = match self.hasher.take() {
            None => blake3::hash(&self.bytes),
            Some(mut hasher) => hasher.update(&self.bytes).finalize(),
        };
        self.bytes.clear();
        let (first, _) = hash.as_bytes().split_first_chunk().unwrap_or((&[0; 8], &[]));
        i64::from_le_bytes(*first)
    }
}

/// A row to insert into a table.
pub(crate) trait TableRow {
    /// The table.
    const TABLE: &'static str;
    /// The columns, in the order of the table.
    const COLUMNS: &'static [&'static str];

    /// Binds the columns to the parameters from `first` on.
    fn bind(&self, statement: &mut Statement<'_>, first: usize) -> rusqlite::Result<()>;

    /// Adds the columns to a hash.
    fn hash(&self, hasher: &mut RowHasher) -> rusqlite::Result<()>;
}

/// Declares a struct that is a row to insert: its fields are the columns in the order of the table,
/// without those that are the same for all rows. After `selects` it can also be read, as
/// [`row`](crate::file::columns::row) states.
macro_rules! table_row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident selects $columns:ident in $table:literal {
            $($(#[$field_attribute:meta])* $field_visibility:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $crate::file::columns::row! {
            $(#[$attribute])*
            $visibility struct $name selects $columns {
                $($(#[$field_attribute])* $field_visibility $field: $type),+
            }
        }
        $crate::file::row_hash::table_row!(@impl $name, $table: $($field),+);
    };
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident $(<$lifetime:lifetime>)? in $table:literal {
            $($field_visibility:vis $field:ident: $type:ty),+ $(,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name $(<$lifetime>)? {
            $($field_visibility $field: $type),+
        }
        $crate::file::row_hash::table_row!(@impl $name $(<$lifetime>)?, $table: $($field),+);
    };
    (@impl $name:ident $(<$lifetime:lifetime>)?, $table:literal: $($field:ident),+) => {
        impl $(<$lifetime>)? $crate::file::row_hash::TableRow for $name $(<$lifetime>)? {
            const TABLE: &'static str = $table;
            const COLUMNS: &'static [&'static str] = &[$(stringify!($field)),+];

            fn bind(
                &self,
                statement: &mut rusqlite::Statement<'_>,
                first: usize,
            ) -> rusqlite::Result<()> {
                let mut parameters = first..;
                $(statement.raw_bind_parameter(
                    parameters.next().unwrap_or_default(),
                    &self.$field,
                )?;)+
                Ok(())
            }

            fn hash(&self, hasher: &mut $crate::file::row_hash::RowHasher) -> rusqlite::Result<()> {
                $(hasher.write(&self.$field)?;)+
                Ok(())
            }
        }
    };
}
pub(crate) use table_row;

table_row! {
    /// A row of `rating`, after the run and the contest.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct StoredRating selects STORED_RATING_COLUMNS in "rating" {
        pub(crate) competitor_id: CompetitorId,
        pub(crate) mu: f64,
        pub(crate) sigma: f64,
        pub(crate) performance: Option<f64>,
        pub(crate) volatility: Option<f64>,
        /// Only official ratings have one.
        pub(crate) mu_before: Option<f64>,
    }
}

/// Calls `each` with the rating rows of each contest of a run that has any, and their hash as in
/// `run_contest.rows_hash`, ordered by contest id.
pub(crate) fn for_each_rows_hash(
    connection: &Connection,
    run_id: RunId,
    mut each: impl FnMut(ContestId, &[StoredRating], i64),
) -> rusqlite::Result<()> {
    let mut statement = connection.prepare_cached(&format!(
        "SELECT contest_id, {STORED_RATING_COLUMNS} FROM rating WHERE run_id = ?1
         ORDER BY contest_id, competitor_id"
    ))?;
    let mut ratings = statement.query([run_id])?;
    let mut hasher = RowHasher::default();
    let mut contest: Option<ContestId> = None;
    let mut rows = Vec::new();
    // `None` after the last row ends the last contest.
    loop {
        let row = ratings.next()?;
        let next_contest: Option<ContestId> = row.map(|row| row.get(0)).transpose()?;
        if let Some(contest_id) = contest
            && next_contest != contest
        {
            each(contest_id, &rows, hasher.finish());
            rows.clear();
        }
        contest = next_contest;
        let Some(row) = row else { return Ok(()) };
        let rating = StoredRating::from_row(row, 1)?;
        hasher.write_rating(&rating)?;
        rows.push(rating);
    }
}

/// Asserts that the columns of a row, after `before`, are those of its table.
#[cfg(test)]
pub(crate) fn assert_columns_of_table<T: TableRow>(before: &[&str]) {
    let fresh = crate::file::schema::create_in_memory().unwrap();
    let mut query = fresh.prepare("SELECT name FROM pragma_table_info(?1)").unwrap();
    let names = query.query_map([T::TABLE], |row| row.get::<_, String>(0)).unwrap();
    let columns: Vec<String> = names.map(Result::unwrap).collect();
    assert_eq!(columns, [before, T::COLUMNS].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stored_rating_has_the_columns_of_the_table() {
        assert_columns_of_table::<StoredRating>(&["run_id", "contest_id"]);
    }
}

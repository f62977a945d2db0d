//! Sums of the hashes of the rows of each table.
//!
//! Triggers of the writer's connection add what is inserted and subtract what is deleted; a sum is
//! stored with the transaction that changed it. A row that changes in any other way, by a damaged
//! disk or another program, leaves a sum that does not fit, and later writes do not hide that.
//!
//! Further triggers note the sources whose counters grow with the transaction.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, OptionalExtension, params};

use crate::file::columns::FromRows;
use crate::file::row_hash::{RowHasher, TableRow};
use crate::ids::SourceId;

/// The tables with a sum. The others have hashes elsewhere: `standing` and `member` in
/// `contest.content_hash`, `rating` in `run_contest.rows_hash`; `current_rating` follows from it.
pub(crate) const HASHED_TABLES: [&str; 17] = [
    "competitor",
    "competitor_name",
    "contest",
    "contest_sync",
    "decision",
    "disbelieved",
    "document",
    "evaluation",
    "evaluation_metric",
    "host",
    "rating_run",
    "run_contest",
    "source",
    "sync_run",
    "tombstone",
    "tombstone_spelling",
    "trial",
];

/// Columns without a share in the sum: large bytes with a hash of their own.
const HASHED_ELSEWHERE: [(&str, &str); 1] = [("document", "body")];

/// Tables whose inserted rows are added by [`TableHashChanges::add_inserted`]: a trigger costs as much
/// as the insert.
const INSERTED_BY_THE_MILLION: [&str; 3] = ["competitor", "contest", "run_contest"];

/// Columns on which ratings can depend. A contest or competitor that is deleted or changed in them is
/// counted in `source.changes` and `source.corrections`; an inserted contest in the former. The test
/// `every_column_is_counted_or_has_a_reason` lists all other columns.
pub const COUNTED: [(&str, &str); 2] = [
    (
        "contest",
        "external_id event division ordinal ends_at state rated weight site_weight \
         performance_ceiling entrants content_hash withdrawn_at",
    ),
    ("competitor", "external_id kind start_mu start_sigma merged_into"),
];

/// Changes of the sums since the transaction began.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableHashChanges(Arc<Mutex<Changes>>);

#[derive(Debug, Default)]
struct Changes {
    sums: [u64; HASHED_TABLES.len()],
    hasher: RowHasher,
    /// Sources whose change counter is to grow; true if their counter of corrections is, too.
    sources: BTreeMap<i64, bool>,
}

impl Changes {
    /// Adds the row that was written to the hasher, or subtracts it.
    fn add_hashed(&mut self, table: usize, added: bool) {
        let hash = self.hasher.finish() as u64;
        // Sums wrap around, so that a deletion undoes an insertion exactly.
        let change = if added { hash } else { hash.wrapping_neg() };
        if let Some(sum) = self.sums.get_mut(table) {
            *sum = sum.wrapping_add(change);
        }
    }

    fn note_source(&mut self, source_id: i64, corrected: bool) {
        *self.sources.entry(source_id).or_default() |= corrected;
    }
}

impl TableHashChanges {
    fn lock(&self) -> MutexGuard<'_, Changes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates the triggers on the connection of a writer; they are not part of the file.
    pub(crate) fn watch(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let flags = FunctionFlags::SQLITE_UTF8;
        let row_changes = changes.clone();
        connection.create_scalar_function("ranklore_row", -1, flags, move |row| {
            let (table, added): (i64, bool) = (row.get(0)?, row.get(1)?);
            let mut changes = row_changes.lock();
            (2..row.len()).for_each(|column| changes.hasher.write_value(row.get_raw(column)));
            changes.add_hashed(table as usize, added);
            Ok(None::<i64>)
        })?;
        let source_changes = changes.clone();
        connection.create_scalar_function("ranklore_corrected", 1, flags, move |row| {
            source_changes.lock().note_source(row.get(0)?, true);
            Ok(None::<i64>)
        })?;
        create_triggers(connection)?;
        Ok(changes)
    }

    /// Adds a row that was inserted into one of [`INSERTED_BY_THE_MILLION`].
    pub(crate) fn add_inserted<T: TableRow>(&self, row: &T) -> rusqlite::Result<()> {
        let mut changes = self.lock();
        row.hash(&mut changes.hasher)?;
        changes.add_hashed(table_index(T::TABLE), true);
        Ok(())
    }

    /// Notes that a contest was inserted into a source.
    pub(crate) fn add_contest(&self, source_id: SourceId) {
        self.lock().note_source(source_id.get(), false);
    }

    /// Forgets the changes of a transaction that was rolled back.
    pub(crate) fn reset(&self) {
        *self.lock() = Changes::default();
    }

    /// Adds 1 to the counters of each source that changed since this was last called.
    pub(crate) fn count_changes(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "UPDATE source SET changes = changes + 1, corrections = corrections + ?2
                   WHERE source_id = ?1";
        let sources = std::mem::take(&mut self.lock().sources);
        for (source_id, corrected) in sources {
            connection.prepare_cached(sql)?.execute((source_id, corrected))?;
        }
        Ok(())
    }

    /// Stores the change counters and the sums that the transaction changed.
    pub(crate) fn store(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.count_changes(connection)?;
        let sums = std::mem::take(&mut self.lock().sums);
        for (table, change) in HASHED_TABLES.into_iter().zip(sums) {
            if change != 0 {
                let hash = stored_hash(connection, table)? as u64;
                store_hash(connection, table, hash.wrapping_add(change) as i64)?;
            }
        }
        Ok(())
    }

    /// Stores the sum of a table as its rows are now.
    pub(crate) fn restate(&self, connection: &Connection, table: &str) -> rusqlite::Result<()> {
        // The rows as they are now include the changes of the transaction.
        if let Some(sum) = self.lock().sums.get_mut(table_index(table)) {
            *sum = 0;
        }
        store_hash(connection, table, compute_hash(connection, table)?)
    }
}

/// Returns the index of the sum of a table; beyond all sums if it has none.
fn table_index(table: &str) -> usize {
    HASHED_TABLES
        .iter()
        .position(|hashed| *hashed == table)
        .unwrap_or(HASHED_TABLES.len())
}

/// Lists columns of a row in a trigger: `NEW.a, NEW.b`.
fn list_columns<'c>(row: &str, columns: impl Iterator<Item = &'c str>) -> String {
    let values: Vec<_> = columns.map(|name| format!("{row}.{name}")).collect();
    values.join(", ")
}

/// Creates the triggers. SQLite drops them when `PRAGMA temp_store` changes.
pub(crate) fn create_triggers(connection: &Connection) -> rusqlite::Result<()> {
    let mut sql = String::new();
    for (index, table) in HASHED_TABLES.into_iter().enumerate() {
        let columns = hashed_columns(connection, table)?;
        let new_row = list_columns("NEW", columns.iter().map(String::as_str));
        let old_row = list_columns("OLD", columns.iter().map(String::as_str));
        let add = format!("SELECT ranklore_row({index}, 1, {new_row});");
        let subtract = format!("SELECT ranklore_row({index}, 0, {old_row});");
        for (event, action) in [
            ("INSERT", add.clone()),
            ("DELETE", subtract.clone()),
            ("UPDATE", subtract + &add),
        ] {
            if event == "INSERT" && INSERTED_BY_THE_MILLION.contains(&table) {
                continue;
            }
            let _ = write!(
                sql,
                "CREATE TEMP TRIGGER IF NOT EXISTS {event}_{table} AFTER {event} ON main.{table}
                     BEGIN {action} END;"
            );
        }
    }
    for (table, columns) in COUNTED {
        let _ = write!(
            sql,
            "CREATE TEMP TRIGGER IF NOT EXISTS changed_{table} AFTER UPDATE ON main.{table}
             WHEN ({}) IS NOT ({}) BEGIN SELECT ranklore_corrected(NEW.source_id); END;
             CREATE TEMP TRIGGER IF NOT EXISTS lost_{table} AFTER DELETE ON main.{table}
             BEGIN SELECT ranklore_corrected(OLD.source_id); END;",
            list_columns("OLD", columns.split(' ')),
            list_columns("NEW", columns.split(' ')),
        );
    }
    connection.execute_batch(&sql)
}

/// Returns those of the tables whose rows do not have the stored sum.
pub(crate) fn find_altered_tables(
    connection: &Connection,
    tables: &[&'static str],
) -> rusqlite::Result<Vec<&'static str>> {
    let mut altered = Vec::new();
    for &table in tables {
        let stored = stored_hash(connection, table)?;
        if stored != compute_hash(connection, table)? {
            altered.push(table);
        }
    }
    Ok(altered)
}

/// Stores the sums of all tables as their rows are now. A later migration creates some of them.
pub(crate) fn restate_all(connection: &Connection) -> rusqlite::Result<()> {
    for table in HASHED_TABLES {
        let columns = hashed_columns(connection, table)?;
        if !columns.is_empty() {
            store_hash(connection, table, hash_columns(connection, table, &columns)?)?;
        }
    }
    Ok(())
}

/// Updates the sum of a table to which a migration added columns. If the rows did not have their sum
/// before, they do not have it afterwards.
pub(crate) fn add_columns(
    connection: &Connection,
    table: &str,
    added: &str,
) -> rusqlite::Result<()> {
    let mut columns = hashed_columns(connection, table)?;
    let after = hash_columns(connection, table, &columns)?;
    columns.retain(|column| !added.split(' ').any(|name| name == column));
    let before = hash_columns(connection, table, &columns)?;
    let stored = stored_hash(connection, table)?;
    let hash = stored.wrapping_sub(before).wrapping_add(after);
    store_hash(connection, table, hash)
}

/// Returns the stored sum of a table; 0 if it never had a row.
fn stored_hash(connection: &Connection, table: &str) -> rusqlite::Result<i64> {
    let sql = "SELECT hash FROM table_hash WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(statement.query_row([table], |row| row.get(0)).optional()?.unwrap_or(0))
}

fn store_hash(connection: &Connection, table: &str, hash: i64) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO table_hash (name, hash) VALUES (?1, ?2)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![table, hash]).map(drop)
}

fn compute_hash(connection: &Connection, table: &str) -> rusqlite::Result<i64> {
    hash_columns(connection, table, &hashed_columns(connection, table)?)
}

fn hash_columns(connection: &Connection, table: &str, columns: &[String]) -> rusqlite::Result<i64> {
    let mut statement =
        connection.prepare(&format!("SELECT {} FROM {table}", columns.join(", ")))?;
    let mut rows = statement.query([])?;
    let mut hasher = RowHasher::default();
    let mut sum = 0_i64;
    while let Some(row) = rows.next()? {
        for column in 0..columns.len() {
            hasher.write_value(row.get_ref(column)?);
        }
        sum = sum.wrapping_add(hasher.finish());
    }
    Ok(sum)
}

/// Returns the columns of a table that its sum covers, in the order of the table.
fn hashed_columns(connection: &Connection, table: &str) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare_cached("SELECT name FROM pragma_table_info(?1)")?;
    let mut columns: Vec<String> = Vec::from_rows(statement.query([table])?)?;
    columns.retain(|name| !HASHED_ELSEWHERE.contains(&(table, name)));
    Ok(columns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::open::Store;

    #[test]
    fn every_table_has_hash() {
        let folder = tempfile::tempdir().unwrap();
        let writer = Store::open_writer(folder.path().join("a.sqlite"), "a test").unwrap();
        let mut tables: Vec<String> = writer
            .query(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                [],
            )
            .unwrap();
        tables.sort();
        // `current_rating` is compared with `rating`.
        let elsewhere = [
            "current_rating",
            "standing",
            "member",
            "rating",
            "table_hash",
        ];
        let mut hashed: Vec<&str> = HASHED_TABLES.into_iter().chain(elsewhere).collect();
        hashed.sort_unstable();
        assert_eq!(tables, hashed);
    }
}

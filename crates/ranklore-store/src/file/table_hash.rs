//! Sums of the hashes of the rows of each table.
//!
//! Triggers of the writer's connection add what is inserted and subtract what is deleted; a sum is
//! stored with the transaction that changed it. A row that changes in any other way, by a damaged
//! disk or another program, leaves a sum that does not fit, and later writes do not hide that.
//!
//! Further triggers note the sources whose counters grow with the transaction.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::functions::FunctionFlags;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};

use crate::file::row_hash::RowHasher;
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
pub const COUNTED: [(&str, &[&str]); 2] = [
    (
        "contest",
        &[
            "external_id",
            "event",
            "division",
            "ordinal",
            "ends_at",
            "state",
            "rated",
            "weight",
            "site_weight",
            "performance_ceiling",
            "entrants",
            "content_hash",
            "withdrawn_at",
        ],
    ),
    (
        "competitor",
        &[
            "external_id",
            "kind",
            "start_mu",
            "start_sigma",
            "merged_into",
        ],
    ),
];

/// Changes of the sums since the transaction began.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableHashChanges(Arc<Changes>);

#[derive(Debug, Default)]
struct Changes {
    sums: [AtomicU64; HASHED_TABLES.len()],
    hasher: Mutex<RowHasher>,
    /// Sources whose change counter is to grow; true if their counter of corrections is, too.
    sources: Mutex<BTreeMap<i64, bool>>,
}

impl Changes {
    fn add<'v>(&self, table: usize, added: bool, row: impl Iterator<Item = ValueRef<'v>>) {
        let mut hasher = self.hasher.lock().unwrap_or_else(PoisonError::into_inner);
        row.for_each(|value| hasher.write_value(value));
        let hash = hasher.finish() as u64;
        // Sums wrap around, so that a deletion undoes an insertion exactly.
        let change = if added { hash } else { hash.wrapping_neg() };
        if let Some(sum) = self.sums.get(table) {
            sum.fetch_add(change, Ordering::Relaxed);
        }
    }

    fn note_source(&self, source_id: i64, corrected: bool) {
        let mut sources = self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        *sources.entry(source_id).or_default() |= corrected;
    }
}

impl TableHashChanges {
    /// Creates the triggers on the connection of a writer; they are not part of the file.
    pub(crate) fn watch(connection: &Connection) -> rusqlite::Result<Self> {
        let changes = Self::default();
        let row_changes = Arc::clone(&changes.0);
        let flags = FunctionFlags::SQLITE_UTF8;
        connection.create_scalar_function("ranklore_row", -1, flags, move |row| {
            let (table, added): (i64, bool) = (row.get(0)?, row.get(1)?);
            let values = (2..row.len()).map(|column| row.get_raw(column));
            row_changes.add(table as usize, added, values);
            Ok(None::<i64>)
        })?;
        let source_changes = Arc::clone(&changes.0);
        connection.create_scalar_function("ranklore_corrected", 1, flags, move |row| {
            source_changes.note_source(row.get(0)?, true);
            Ok(None::<i64>)
        })?;
        create_triggers(connection)?;
        Ok(changes)
    }

    /// Adds a row that was inserted into one of [`INSERTED_BY_THE_MILLION`], given by the values of
    /// all columns in their order.
    pub(crate) fn add_inserted(&self, table: &str, row: &[ValueRef<'_>]) {
        if let Some(index) = table_index(table) {
            self.0.add(index, true, row.iter().copied());
        }
    }

    /// Notes that a contest was inserted into a source.
    pub(crate) fn add_contest(&self, source_id: SourceId) {
        self.0.note_source(source_id.get(), false);
    }

    /// Forgets the changes of a transaction that was rolled back.
    pub(crate) fn reset(&self) {
        for sum in &self.0.sums {
            sum.store(0, Ordering::Relaxed);
        }
        self.take_sources();
    }

    /// Adds 1 to the counters of each source that changed since this was last called.
    pub(crate) fn count_changes(&self, connection: &Connection) -> rusqlite::Result<()> {
        let sql = "UPDATE source SET changes = changes + 1, corrections = corrections + ?2
                   WHERE source_id = ?1";
        for (source_id, corrected) in self.take_sources() {
            let corrections = i64::from(corrected);
            connection.prepare_cached(sql)?.execute([source_id, corrections])?;
        }
        Ok(())
    }

    fn take_sources(&self) -> BTreeMap<i64, bool> {
        std::mem::take(&mut self.0.sources.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Stores the change counters and the sums that the transaction changed.
    pub(crate) fn store(&self, connection: &Connection) -> rusqlite::Result<()> {
        self.count_changes(connection)?;
        for (table, sum) in HASHED_TABLES.into_iter().zip(&self.0.sums) {
            let change = sum.swap(0, Ordering::Relaxed);
            if change != 0 {
                let hash = stored_hash(connection, table)?.unwrap_or(0) as u64;
                store_hash(connection, table, hash.wrapping_add(change) as i64)?;
            }
        }
        Ok(())
    }

    /// Stores the sum of a table as its rows are now.
    pub(crate) fn restate(&self, connection: &Connection, table: &str) -> rusqlite::Result<()> {
        // The rows as they are now include the changes of the transaction.
        if let Some(index) = table_index(table) {
            self.0.sums[index].store(0, Ordering::Relaxed);
        }
        store_hash(connection, table, compute_hash(connection, table)?)
    }
}

fn table_index(table: &str) -> Option<usize> {
    HASHED_TABLES.iter().position(|hashed| *hashed == table)
}

/// Lists columns of a row in a trigger: `NEW.a, NEW.b`.
fn list_columns<C: std::fmt::Display>(row: &str, columns: &[C]) -> String {
    let values: Vec<_> = columns.iter().map(|name| format!("{row}.{name}")).collect();
    values.join(", ")
}

/// Creates the triggers. SQLite drops them when `PRAGMA temp_store` changes.
pub(crate) fn create_triggers(connection: &Connection) -> rusqlite::Result<()> {
    let mut sql = String::new();
    for (index, table) in HASHED_TABLES.into_iter().enumerate() {
        let columns = hashed_columns(connection, table)?;
        let new_row = list_columns("NEW", &columns);
        let old_row = list_columns("OLD", &columns);
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
            list_columns("OLD", columns),
            list_columns("NEW", columns),
        );
    }
    connection.execute_batch(&sql)
}

/// Returns the tables whose rows do not have the stored sum.
pub(crate) fn find_altered_tables(connection: &Connection) -> rusqlite::Result<Vec<&'static str>> {
    find_altered_tables_of(connection, &HASHED_TABLES)
}

/// Like [`find_altered_tables`], of these tables.
pub(crate) fn find_altered_tables_of(
    connection: &Connection,
    tables: &[&'static str],
) -> rusqlite::Result<Vec<&'static str>> {
    let mut altered = Vec::new();
    for &table in tables {
        let stored = stored_hash(connection, table)?.unwrap_or(0);
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
    added: &[&str],
) -> rusqlite::Result<()> {
    let mut columns = hashed_columns(connection, table)?;
    let after = hash_columns(connection, table, &columns)?;
    columns.retain(|column| !added.contains(&column.as_str()));
    let before = hash_columns(connection, table, &columns)?;
    let stored = stored_hash(connection, table)?.unwrap_or(0);
    let hash = stored.wrapping_sub(before).wrapping_add(after);
    store_hash(connection, table, hash)
}

fn stored_hash(connection: &Connection, table: &str) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT hash FROM table_hash WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([table], |row| row.get(0)).optional()
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
    let names = statement.query_map([table], |row| row.get::<_, String>(0))?;
    names
        .filter(|name| match name {
            Ok(name) => !HASHED_ELSEWHERE.contains(&(table, name)),
            Err(_) => true,
        })
        .collect()
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
            .query_rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
                [],
                |row| row.get(0),
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

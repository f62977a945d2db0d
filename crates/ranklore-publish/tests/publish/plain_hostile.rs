//! Untrusted SQLite files: anything but sound plain tables is refused without a panic.

use std::fs;

use ranklore_publish::{Error, PlainReader};
use ranklore_store::Error as StoreError;
use ranklore_test_support::TempDatabase;
use rusqlite::Connection;

use crate::plain::write_sample;

/// Opens the file and counts all rows.
fn count_rows(scratch: &TempDatabase) -> Result<usize, Error> {
    let reader = PlainReader::open(&scratch.database())?;
    let mut values = 0;
    for (table, columns) in reader.tables()? {
        let columns: Vec<_> = columns.iter().map(String::as_str).collect();
        reader.for_each_row(&table, &columns, |row| {
            values += row.len();
            Ok(())
        })?;
    }
    Ok(values)
}

/// Returns a sound file modified by this SQL.
fn file_after(sql: &str) -> TempDatabase {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 10, 1);
    assert_eq!(count_rows(&scratch).unwrap(), 168);
    let raw = Connection::open(scratch.database()).unwrap();
    raw.execute_batch(sql).unwrap();
    raw.close().unwrap();
    scratch
}

#[track_caller]
fn assert_refused(scratch: &TempDatabase, reason: &str) {
    let error = count_rows(scratch).unwrap_err();
    assert!(matches!(error, Error::InvalidPlainFile { .. }), "{error:?}");
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn other_files_are_refused() {
    let scratch = TempDatabase::new();
    let error = count_rows(&scratch).unwrap_err();
    assert!(matches!(error, Error::Store(StoreError::Io { .. })), "{error:?}");
    fs::write(scratch.database(), "").unwrap();
    assert_refused(&scratch, "ends within a page");
    fs::write(scratch.database(), "no database, but as long as one. ".repeat(200)).unwrap();
    assert_refused(&scratch, "not a database");
    fs::remove_file(scratch.database()).unwrap();
    fs::create_dir(scratch.database()).unwrap();
    assert_refused(&scratch, "no file");
}

#[test]
fn truncated_file_is_refused() {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 300, 1);
    let intact = fs::read(scratch.database()).unwrap();
    let pages = (0..intact.len()).step_by(4096);
    for length in pages.flat_map(|page| [page, page + 1, page + 4095]) {
        fs::write(scratch.database(), &intact[..length]).unwrap();
        assert_refused(&scratch, "");
    }
}

#[test]
fn views_triggers_and_virtual_tables_are_refused() {
    for sql in [
        "CREATE VIEW v AS SELECT * FROM player",
        "CREATE TRIGGER v AFTER INSERT ON player BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE v USING dbstat",
        "PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema VALUES
             ('table', 'v', 'v', 2, 'CREATE VIRTUAL TABLE v USING dbstat')",
        // Of a module that this build of SQLite does not have.
        "PRAGMA writable_schema = ON;
         INSERT INTO sqlite_schema VALUES
             ('table', 'v', 'v', 0, 'CREATE VIRTUAL TABLE v USING fts5(text)')",
    ] {
        assert_refused(&file_after(sql), "\"v\" in it is neither table nor index");
    }
}

#[test]
fn computed_columns_are_refused() {
    assert_refused(
        &file_after("CREATE TABLE v (a TEXT, b TEXT AS (upper(a)))"),
        "table \"v\" in it has computed columns",
    );
}

#[test]
fn check_constraints_of_file_are_not_run() {
    let scratch = file_after(
        "PRAGMA ignore_check_constraints = ON;
         CREATE TABLE v (a CHECK (a = 2 AND abs(-9223372036854775807 - a)));
         INSERT INTO v VALUES (1)",
    );
    assert_eq!(count_rows(&scratch).unwrap(), 169);
    let raw = Connection::open(scratch.database()).unwrap();
    let check: String = raw.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "CHECK constraint failed in v", "whoever runs them");
}

#[test]
fn unsupported_value_is_refused_with_its_place() {
    let table = "CREATE TABLE v (a TEXT); INSERT INTO v VALUES ('x'), ";
    assert_refused(
        &file_after(&format!("{table} (x'ff00')")),
        "row 1 of table v has bytes in column a",
    );
    assert_refused(
        &file_after(&format!("{table} (CAST(x'ff00' AS TEXT))")),
        "row 1 of table v has a text that is no UTF-8 in column a",
    );
    // The longest allowed text, and a longer one.
    let long = |length: i32| format!("{table} (CAST(zeroblob({length}) AS TEXT))");
    assert_eq!(count_rows(&file_after(&long(1 << 20))).unwrap(), 170);
    assert_refused(&file_after(&long((1 << 24) + 1)), "too big");
}

#[test]
fn text_in_strict_integer_column_is_detected() {
    let scratch = file_after("CREATE TABLE v (a TEXT); INSERT INTO v VALUES ('x')");
    let raw = Connection::open(scratch.database()).unwrap();
    raw.execute_batch(
        "PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = 'CREATE TABLE v (a INTEGER) STRICT' WHERE name = 'v'",
    )
    .unwrap();
    raw.close().unwrap();
    assert_refused(&scratch, "non-INTEGER value in v.a");
}

#[test]
fn missing_table_or_column_is_an_error() {
    let scratch = file_after("CREATE TABLE v (a TEXT PRIMARY KEY) WITHOUT ROWID");
    assert_refused(&scratch, "no such column");
    let scratch = file_after("");
    let reader = PlainReader::open(&scratch.database()).unwrap();
    for (table, column) in [("nobody", "name"), ("player", "nothing")] {
        let error = reader.for_each_row(table, &[column], |_| Ok(()));
        assert!(matches!(error, Err(Error::InvalidPlainFile { .. })), "{error:?}");
    }
}

#[test]
fn neighbouring_journal_files_are_ignored() {
    let scratch = file_after("");
    for suffix in ["-wal", "-journal", "-shm"] {
        fs::write(scratch.database_with_suffix(suffix), "what somebody left").unwrap();
    }
    assert_eq!(count_rows(&scratch).unwrap(), 168);
    let text = fs::read(scratch.database_with_suffix("-journal")).unwrap();
    assert_eq!(text, b"what somebody left");
}

#[test]
fn corrupted_file_is_read_or_refused() {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 40, 1);
    let intact = fs::read(scratch.database()).unwrap();
    let mut refused = 0;
    for at in (0..intact.len()).step_by(61).chain(0..110) {
        for with in [0x00, 0xff, intact[at] ^ 0x04] {
            let mut spoiled = intact.clone();
            spoiled[at] = with;
            fs::write(scratch.database(), &spoiled).unwrap();
            match count_rows(&scratch) {
                Ok(_) => {}
                Err(Error::InvalidPlainFile { .. }) => refused += 1,
                Err(error) => panic!("byte {at}, made {with:#x}: {error:?}"),
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

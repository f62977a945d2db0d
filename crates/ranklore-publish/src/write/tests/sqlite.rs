//! SQLite files: written for other programs, read from untrusted sources.

use std::fs;
use std::path::Path;

use ranklore_store::Error as StoreError;
use ranklore_test_support::TempDatabase;
use rusqlite::Connection;

use crate::batch::{RowBatch, Value};
use crate::describe::DatasetFormat;
use crate::dictionary::TableId;
use crate::digest::FORMAT_VERSION;
use crate::error::Error;
use crate::read::StoredTable;
use crate::scan::items::Partition;
use crate::write::{WriteOptions, create_writer};

const TEAMS: [&str; 4] = ["ada", "bo", "cy", "dot"];

fn write_batches(scratch: &TempDatabase, batches: &[RowBatch]) -> Result<(), Error> {
    let mut writer =
        create_writer(DatasetFormat::Sqlite, WriteOptions::default(), scratch.folder())?;
    for batch in batches {
        writer.write(&Partition::WHOLE, batch)?;
    }
    let files = writer.finish()?;
    fs::rename(scratch.folder().join(&files[0].path), scratch.database()).unwrap();
    Ok(())
}

/// Writes a member per team and round in `parts` batches, and a run per team.
fn write_sample(scratch: &TempDatabase, rounds: usize, parts: usize) {
    let mut batches = vec![RowBatch::new(TableId::Member); parts];
    for round in 0..rounds {
        for team in TEAMS {
            batches[round * parts / rounds].push(&[
                Value::Text("gulls"),
                Value::Text(&format!("{round:06}")),
                Value::Text("team"),
                Value::Text(team),
                Value::Integer(1),
                Value::Text("007"),
            ]);
        }
    }
    batches.push(runs((0..TEAMS.len()).map(|run| run as i64)));
    write_batches(scratch, &batches).unwrap();
}

fn runs(numbers: impl Iterator<Item = i64>) -> RowBatch {
    let mut batch = RowBatch::new(TableId::RatingRun);
    for number in numbers {
        let text = Value::Text("x");
        batch.push(&[Value::Integer(number), text, text, text, text]);
    }
    batch
}

/// Reads a table until `emit` fails.
fn read_table(
    path: &Path,
    table: TableId,
    emit: &mut dyn FnMut(RowBatch) -> Result<(), Error>,
) -> Result<(), Error> {
    let file = StoredTable {
        path: path.to_owned(),
        table,
        format: DatasetFormat::Sqlite,
        has_escapes: false,
        version: FORMAT_VERSION,
    };
    file.read(emit)
}

/// Returns the rows of all tables, each as its values.
fn read_rows(scratch: &TempDatabase) -> Result<Vec<String>, Error> {
    let mut rows = Vec::new();
    for table in TableId::ALL {
        read_table(&scratch.database(), table, &mut |batch| {
            for row in 0..batch.rows {
                let values: Vec<_> = (0..batch.columns.len()).map(|c| batch.get(row, c)).collect();
                rows.push(format!("{values:?}"));
            }
            Ok(())
        })?;
    }
    Ok(rows)
}

/// Returns a sound file modified by this SQL.
fn file_after(sql: &str) -> TempDatabase {
    let scratch = TempDatabase::new();
    write_sample(&scratch, 10, 1);
    assert_eq!(read_rows(&scratch).unwrap().len(), 44);
    let raw = Connection::open(scratch.database()).unwrap();
    raw.execute_batch(sql).unwrap();
    raw.close().unwrap();
    scratch
}

#[track_caller]
fn assert_refused(scratch: &TempDatabase, reason: &str) {
    let error = read_rows(scratch).unwrap_err();
    assert!(matches!(error, Error::InvalidPlainFile { .. }), "{error:?}");
    assert!(error.to_string().contains(reason), "{error}");
}

#[test]
fn every_value_round_trips() {
    let texts = [
        "",
        "007",
        "1e3",
        "Ünï \u{1F980}",
        "a\0b",
        "\"it's\"",
        "NULL",
    ];
    let integers = [0, 1, -1, 1 << 53, i64::MIN, i64::MAX, 7];
    let reals = [
        0.0,
        1500.0,
        -3.0,
        9_007_199_254_740_993.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
    ];
    let mut batch = RowBatch::new(TableId::Rating);
    for ((text, integer), real) in texts.into_iter().zip(integers).zip(reals) {
        let key = [Value::Text("s"), Value::Text("1"), Value::Integer(integer)];
        let competitor = [Value::Text("person"), Value::Text(text)];
        let numbers = [Value::Number(real), Value::Number(1.0), Value::Missing];
        let rest = [Value::Missing, Value::Number(real)];
        batch.push(&[&key[..], &competitor, &numbers, &rest].concat());
    }
    let scratch = TempDatabase::new();
    write_batches(&scratch, std::slice::from_ref(&batch)).unwrap();
    let mut stored = Vec::new();
    read_table(&scratch.database(), TableId::Rating, &mut |batch| {
        stored.push(batch);
        Ok(())
    })
    .unwrap();
    assert_eq!(stored, [batch]);
}

#[test]
fn rows_keep_insertion_order_with_integer_key() {
    let scratch = TempDatabase::new();
    let number = |row: i64| row * 7919 % 5003;
    let parts = [0..3000, 3000..3000, 3000..5000];
    write_batches(&scratch, &parts.map(|rows| runs(rows.map(number)))).unwrap();
    let expected: Vec<_> = (0..5000).map(|row| format!("[Integer({}),", number(row))).collect();
    let rows = read_rows(&scratch).unwrap();
    assert_eq!(rows.len(), expected.len());
    for (row, expected) in rows.iter().zip(expected) {
        assert!(row.starts_with(&expected), "{row}");
    }
}

#[test]
fn reading_stops_on_error() {
    let scratch = TempDatabase::new();
    write_sample(&scratch, 40_000, 1);
    let mut batches = 0;
    let ended = read_table(&scratch.database(), TableId::Member, &mut |_| {
        batches += 1;
        Err(Error::Interrupted)
    });
    assert!(matches!(ended, Err(Error::Interrupted)), "{ended:?}");
    assert_eq!(batches, 1);
}

#[test]
fn same_rows_make_the_same_bytes() {
    let scratch = TempDatabase::new();
    write_sample(&scratch, 3000, 1);
    let first = fs::read(scratch.database()).unwrap();
    assert_eq!(first[18..20], [1, 1], "no write-ahead log");
    assert_eq!(first[24..28], [0, 0, 0, 1], "written once");
    for parts in [1, 2, 1500] {
        fs::remove_file(scratch.database()).unwrap();
        write_sample(&scratch, 3000, parts);
        assert!(fs::read(scratch.database()).unwrap() == first, "in {parts} parts");
    }
    read_rows(&scratch).unwrap();
    let folder = scratch.folder();
    let files: Vec<_> = fs::read_dir(folder).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(fs::read(scratch.database()).unwrap() == first, "reading changes nothing");
}

#[test]
fn schema_and_statistics_are_readable_by_others() {
    let scratch = TempDatabase::new();
    write_sample(&scratch, 100, 1);
    let raw = Connection::open(scratch.database()).unwrap();
    let all = |sql: &str| -> Vec<String> {
        let mut statement = raw.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(all("PRAGMA integrity_check"), ["ok"]);
    let key = "SELECT name FROM pragma_table_info('member') WHERE pk > 0 ORDER BY pk";
    assert_eq!(all(key), ["source", "contest", "kind", "competitor", "ordinal"]);
    let link = "SELECT \"from\" || ' ' || \"table\" || ' ' || \"to\"
                FROM pragma_foreign_key_list('rating') WHERE \"table\" = 'rating_run'";
    assert_eq!(all(link), ["run rating_run run"]);
    let strict = "SELECT count(*) || '' FROM pragma_table_list WHERE strict AND NOT wr";
    assert_eq!(all(strict), ["7"]);
    let index = "SELECT name FROM pragma_index_info('idx_member_source_person')";
    assert_eq!(all(index), ["source", "person"]);
    assert!(!all("SELECT tbl FROM sqlite_stat1 WHERE idx = 'idx_member_source_person'").is_empty());
    assert_eq!(
        all("SELECT \"table\" || ' ' || count FROM _counts WHERE count > 0"),
        ["member 400", "rating_run 4"]
    );
    let check = "SELECT sql FROM sqlite_schema WHERE name = 'contest'";
    assert!(all(check)[0].contains("\"rated\" INTEGER NOT NULL CHECK (\"rated\" IN (0, 1))"));
}

#[test]
fn long_missing_or_duplicate_value_is_refused_with_table() {
    let long = "x".repeat((1 << 20) + 1);
    let text = Value::Text("x");
    let first = [Value::Integer(1), text, text, text, text];
    for (row, message) in [
        (
            [Value::Integer(2), text, Value::Text(&long), text, text],
            "row 1 has a text of over 1 MiB in column parameters",
        ),
        ([Value::Integer(2), text, Value::Missing, text, text], "rating_run.parameters"),
        (first, "UNIQUE constraint failed: rating_run.run"),
    ] {
        let mut batch = RowBatch::new(TableId::RatingRun);
        batch.push(&first);
        batch.push(&row);
        let error = write_batches(&TempDatabase::new(), &[batch]).unwrap_err();
        assert!(matches!(&error, Error::InvalidTable { .. }), "{error:?}");
        let error = error.to_string();
        assert!(error.starts_with("table rating_run of ") && error.contains(message), "{error}");
    }
}

#[test]
fn other_files_are_refused() {
    let scratch = TempDatabase::new();
    let error = read_rows(&scratch).unwrap_err();
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
    write_sample(&scratch, 300, 1);
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
        "CREATE VIEW v AS SELECT * FROM member",
        "CREATE TRIGGER v AFTER INSERT ON member BEGIN SELECT 1; END",
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

/// Recreates the table of runs with this constraint, without types, with a row of this number.
fn loose_runs(constraint: &str, number: &str) -> String {
    format!(
        "PRAGMA foreign_keys = OFF;
         DROP TABLE rating_run;
         CREATE TABLE rating_run (run, system, parameters, selection, engine{constraint});
         INSERT INTO rating_run VALUES (1, 'x', 'x', 'x', 'x'), (2, 'x', 'x', {number}, 'x')"
    )
}

#[test]
fn check_constraints_of_file_are_not_run() {
    let constraint = ", CHECK (run = 3 AND abs(-9223372036854775807 - run))";
    let sql = loose_runs(constraint, "'x'");
    let scratch = file_after(&format!("PRAGMA ignore_check_constraints = ON; {sql}"));
    assert_eq!(read_rows(&scratch).unwrap().len(), 42);
    let raw = Connection::open(scratch.database()).unwrap();
    let check: String = raw.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).unwrap();
    assert_eq!(check, "CHECK constraint failed in rating_run", "whoever runs them");
}

#[test]
fn unsupported_value_is_refused_with_its_place() {
    assert_refused(
        &file_after(&loose_runs("", "x'ff00'")),
        "row 1 of table rating_run has bytes in column selection",
    );
    assert_refused(
        &file_after(&loose_runs("", "CAST(x'ff00' AS TEXT)")),
        "row 1 of table rating_run has a text that is no UTF-8 in column selection",
    );
    // The longest text that is written, and a longer one than is read.
    let long = |length: i32| loose_runs("", &format!("CAST(zeroblob({length}) AS TEXT)"));
    assert_eq!(read_rows(&file_after(&long(1 << 20))).unwrap().len(), 42);
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
fn missing_table_column_or_row_number_is_an_error() {
    let columns = "system, parameters, selection, engine";
    let without_number = format!("CREATE TABLE rating_run ({columns})");
    for sql in ["", &*without_number] {
        let scratch = file_after(&format!("DROP TABLE rating_run; {sql}"));
        let error = read_rows(&scratch).unwrap_err().to_string();
        assert!(error.ends_with("not those of the table rating_run"), "{error}");
    }
    let scratch = file_after(&format!(
        "DROP TABLE rating_run;
         CREATE TABLE rating_run (run PRIMARY KEY, {columns}) WITHOUT ROWID"
    ));
    assert_refused(&scratch, "no such column");
}

#[test]
fn neighbouring_journal_files_are_ignored() {
    let scratch = file_after("");
    for suffix in ["-wal", "-journal", "-shm"] {
        fs::write(scratch.database_with_suffix(suffix), "what somebody left").unwrap();
    }
    assert_eq!(read_rows(&scratch).unwrap().len(), 44);
    let text = fs::read(scratch.database_with_suffix("-journal")).unwrap();
    assert_eq!(text, b"what somebody left");
}

#[test]
fn corrupted_file_is_read_or_refused() {
    let scratch = TempDatabase::new();
    write_sample(&scratch, 40, 1);
    let intact = fs::read(scratch.database()).unwrap();
    let mut refused = 0;
    for at in (0..intact.len()).step_by(331).chain(0..110) {
        for with in [0x00, 0xff, intact[at] ^ 0x04] {
            let mut spoiled = intact.clone();
            spoiled[at] = with;
            fs::write(scratch.database(), &spoiled).unwrap();
            match read_rows(&scratch) {
                Ok(_) => {}
                Err(Error::InvalidPlainFile { .. } | Error::Invalid { .. }) => refused += 1,
                Err(error) => panic!("byte {at}, made {with:#x}: {error:?}"),
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

//! Writing and reading of plain tables.

use std::fs;
use std::path::Path;

use ranklore_publish::{
    Error, PlainColumn, PlainKind, PlainReader, PlainReference, PlainTable, PlainValue, PlainWriter,
};
use ranklore_store::Error as StoreError;
use ranklore_test_support::TempDatabase;
use rusqlite::Connection;

pub(crate) const fn column(name: &str, kind: PlainKind) -> PlainColumn<'_> {
    PlainColumn {
        name,
        kind,
        nullable: false,
    }
}

/// Players and their standings.
pub(crate) const TABLES: &[PlainTable<'_>] = &[
    PlainTable {
        name: "standing",
        columns: &[
            column("round", PlainKind::Integer),
            column("player", PlainKind::Text),
            column("place", PlainKind::Integer),
            column("mu", PlainKind::Real),
        ],
        key: &["round", "player"],
        references: &[PlainReference {
            columns: &["player"],
            table: "player",
            to: &["name"],
        }],
        indices: &[&["player"]],
    },
    PlainTable {
        name: "player",
        columns: &[
            column("name", PlainKind::Text),
            column("guest", PlainKind::Boolean),
        ],
        key: &["name"],
        references: &[],
        indices: &[],
    },
];

const PLAYERS: [&str; 4] = ["ada", "bo", "cy", "dot"];

/// Writes a row per player and round, in `parts` calls.
pub(crate) fn write_sample(path: &Path, rounds: usize, parts: usize) {
    let mut writer = PlainWriter::create(path, TABLES).unwrap();
    for part in 0..parts {
        let rounds = rounds / parts;
        writer
            .insert(0, rounds * PLAYERS.len(), |row, column| {
                let round = part * rounds + row / PLAYERS.len();
                match column {
                    0 => PlainValue::Integer(round as i64),
                    1 => PlainValue::Text(PLAYERS[row % PLAYERS.len()]),
                    2 => PlainValue::Integer((row % PLAYERS.len()) as i64),
                    _ => PlainValue::Real(1500.0 + round as f64 / 7.0),
                }
            })
            .unwrap();
    }
    writer
        .insert(1, PLAYERS.len(), |row, column| match column {
            0 => PlainValue::Text(PLAYERS[row]),
            _ => PlainValue::Integer(i64::from(row == 3)),
        })
        .unwrap();
    writer.finish().unwrap();
}

/// Returns the rows of a table, formatted.
fn read_rows(path: &Path, table: &str, columns: &[&str]) -> Vec<String> {
    let mut rows = Vec::new();
    PlainReader::open(path)
        .unwrap()
        .for_each_row(table, columns, |values| {
            rows.push(format!("{values:?}"));
            Ok(())
        })
        .unwrap();
    rows
}

/// Returns a table without references and indices.
fn single_table<'a>(columns: &'a [PlainColumn<'a>], key: &'a [&'a str]) -> PlainTable<'a> {
    PlainTable {
        name: "t",
        columns,
        key,
        references: &[],
        indices: &[],
    }
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
    let integers = [0, 1, -1, 1 << 53, i64::MIN, i64::MAX];
    let reals = [
        0.0,
        1500.0,
        -3.0,
        0.1,
        1e300,
        9_007_199_254_740_993.0,
        f64::MAX,
        f64::MIN_POSITIVE,
        5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
    ];
    let mut values: Vec<_> = texts.into_iter().map(PlainValue::Text).collect();
    values.extend(integers.map(PlainValue::Integer));
    values.extend(reals.map(PlainValue::Real));
    let scratch = TempDatabase::new();
    let columns = [PlainKind::Text, PlainKind::Integer, PlainKind::Real].map(|kind| PlainColumn {
        name: match kind {
            PlainKind::Text => "a \"text\"; --",
            PlainKind::Integer => "select",
            _ => "réal",
        },
        kind,
        nullable: true,
    });
    let table = PlainTable {
        name: "of [all] 'kinds' \"\"",
        ..single_table(&columns, &[])
    };
    let mut writer = PlainWriter::create(&scratch.database(), &[table]).unwrap();
    // Each value goes into the column of its type.
    let at = |row: usize, column: usize| match (values[row], column) {
        (value @ PlainValue::Text(_), 0)
        | (value @ PlainValue::Integer(_), 1)
        | (value @ PlainValue::Real(_), 2) => value,
        _ => PlainValue::Null,
    };
    writer.insert(0, values.len(), at).unwrap();
    writer.finish().unwrap();

    let reader = PlainReader::open(&scratch.database()).unwrap();
    let names = columns.map(|column| column.name);
    let expected = vec![(table.name.to_owned(), names.map(str::to_owned).to_vec())];
    assert_eq!(reader.tables().unwrap(), expected);
    let mut row = 0;
    reader
        .for_each_row(table.name, &names, |values| {
            assert_eq!(values, [at(row, 0), at(row, 1), at(row, 2)]);
            row += 1;
            Ok(())
        })
        .unwrap();
    assert_eq!(row, values.len());
}

#[test]
fn negative_zero_becomes_positive_real() {
    let scratch = TempDatabase::new();
    let columns = [column("x", PlainKind::Real)];
    let mut writer =
        PlainWriter::create(&scratch.database(), &[single_table(&columns, &[])]).unwrap();
    writer.insert(0, 1, |_, _| PlainValue::Real(-0.0)).unwrap();
    writer.finish().unwrap();
    let reader = PlainReader::open(&scratch.database()).unwrap();
    let done = reader.for_each_row("t", &["x"], |values| {
        assert_eq!(values, [PlainValue::Real(0.0)]);
        Ok(())
    });
    done.unwrap();
}

#[test]
fn rows_keep_insertion_order_with_any_key() {
    for kind in [PlainKind::Integer, PlainKind::Real] {
        let scratch = TempDatabase::new();
        let columns = [column("id", kind)];
        let mut writer =
            PlainWriter::create(&scratch.database(), &[single_table(&columns, &["id"])]).unwrap();
        let value = |row: usize| match kind {
            PlainKind::Integer => PlainValue::Integer(row as i64 * 7919 % 5003),
            _ => PlainValue::Real(row as f64 * 7919.0 % 5003.0),
        };
        writer.insert(0, 3000, |row, _| value(row)).unwrap();
        writer.insert(0, 0, |_, _| PlainValue::Null).unwrap();
        writer.insert(0, 2000, |row, _| value(3000 + row)).unwrap();
        writer.finish().unwrap();
        let expected: Vec<_> = (0..5000).map(|row| format!("[{:?}]", value(row))).collect();
        assert_eq!(read_rows(&scratch.database(), "t", &["id"]), expected);
    }
}

#[test]
fn reader_selects_columns_and_stops_on_error() {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 2, 1);
    assert_eq!(
        read_rows(&scratch.database(), "player", &["guest", "name"])[3],
        r#"[Integer(1), Text("dot")]"#
    );
    let mut rows_read = 0;
    let reader = PlainReader::open(&scratch.database()).unwrap();
    let ended = reader.for_each_row("standing", &["place"], |_| {
        rows_read += 1;
        if rows_read == 3 {
            Err(Error::Interrupted)
        } else {
            Ok(())
        }
    });
    assert!(matches!(ended, Err(Error::Interrupted)), "{ended:?}");
    assert_eq!(rows_read, 3);
}

#[test]
fn same_rows_make_the_same_bytes() {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 3000, 1);
    let first = fs::read(scratch.database()).unwrap();
    assert_eq!(first[18..20], [1, 1], "no write-ahead log");
    assert_eq!(first[24..28], [0, 0, 0, 1], "written once");
    for parts in [1, 2, 1500] {
        fs::remove_file(scratch.database()).unwrap();
        write_sample(&scratch.database(), 3000, parts);
        assert!(fs::read(scratch.database()).unwrap() == first, "in {parts} parts");
    }
    PlainReader::open(&scratch.database()).unwrap().tables().unwrap();
    let folder = scratch.folder();
    let files: Vec<_> = fs::read_dir(folder).unwrap().collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert!(fs::read(scratch.database()).unwrap() == first, "reading changes nothing");
}

#[test]
fn schema_and_statistics_are_readable_by_others() {
    let scratch = TempDatabase::new();
    write_sample(&scratch.database(), 100, 1);
    let raw = Connection::open(scratch.database()).unwrap();
    let all = |sql: &str| -> Vec<String> {
        let mut statement = raw.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    assert_eq!(all("PRAGMA integrity_check"), ["ok"]);
    assert!(all("SELECT \"table\" FROM pragma_foreign_key_check").is_empty());
    let key = "SELECT name FROM pragma_table_info('standing') WHERE pk > 0 ORDER BY pk";
    assert_eq!(all(key), ["round", "player"]);
    let link = "SELECT \"from\" || ' ' || \"table\" || ' ' || \"to\"
                FROM pragma_foreign_key_list('standing')";
    assert_eq!(all(link), ["player player name"]);
    let strict = "SELECT name FROM pragma_table_list WHERE strict AND NOT wr ORDER BY name";
    assert_eq!(all(strict), ["player", "standing"]);
    let index = "SELECT name FROM pragma_index_info('idx_standing_player')";
    assert_eq!(all(index), ["player"]);
    assert!(!all("SELECT tbl FROM sqlite_stat1 WHERE idx = 'idx_standing_player'").is_empty());
    let update = raw.execute("UPDATE player SET guest = 2", []);
    assert!(update.is_err(), "no boolean");
}

/// Returns the error of writing these values to a one-column table.
fn insert_error(kind: PlainKind, nullable: bool, rows: usize, bad: PlainValue<'_>) -> String {
    let scratch = TempDatabase::new();
    let columns = [PlainColumn {
        nullable,
        ..column("x", kind)
    }];
    let mut writer =
        PlainWriter::create(&scratch.database(), &[single_table(&columns, &[])]).unwrap();
    let good = match kind {
        PlainKind::Text => PlainValue::Text("1"),
        PlainKind::Real => PlainValue::Real(1.0),
        PlainKind::Integer | PlainKind::Boolean => PlainValue::Integer(1),
    };
    let error = writer
        .insert(0, rows, |row, _| if row + 1 == rows { bad } else { good })
        .unwrap_err();
    assert!(matches!(&error, Error::InvalidTable { table, .. } if table == "t"), "{error:?}");
    writer.insert(0, 1, |_, _| good).unwrap_err();
    writer.finish().unwrap_err();
    assert!(!scratch.database().exists(), "nothing is left");
    error.to_string()
}

#[test]
fn misfit_value_is_refused_with_table_row_and_column() {
    use PlainKind::{Boolean, Integer, Real, Text};
    let long = "x".repeat((1 << 20) + 1);
    let cases = [
        (Real, PlainValue::Real(f64::NAN), "NaN"),
        (Real, PlainValue::Integer(1), "a whole number"),
        (Real, PlainValue::Text("1.5"), "a text"),
        (Integer, PlainValue::Text("12"), "a text"),
        (Integer, PlainValue::Real(1.0), "a real number"),
        (Text, PlainValue::Integer(12), "a whole number"),
        (Text, PlainValue::Real(1.5), "a real number"),
        (Text, PlainValue::Text(&long), "a text of over 1 MiB"),
        (Boolean, PlainValue::Integer(2), "a number that is no boolean"),
        (Boolean, PlainValue::Text("0"), "a text"),
        (Text, PlainValue::Null, "nothing"),
    ];
    for (kind, bad, message) in cases {
        for rows in [1, 64, 3001] {
            let error = insert_error(kind, bad != PlainValue::Null, rows, bad);
            let expected = format!("row {} has {message} in column x", rows - 1);
            assert!(error.contains("table t of ") && error.ends_with(&expected), "{error}");
        }
    }
}

#[test]
fn duplicate_or_null_key_is_refused() {
    for values in [["a", "a"], ["a", ""]] {
        let scratch = TempDatabase::new();
        let columns = [PlainColumn {
            nullable: true,
            ..column("x", PlainKind::Text)
        }];
        let mut writer =
            PlainWriter::create(&scratch.database(), &[single_table(&columns, &["x"])]).unwrap();
        let error = writer
            .insert(0, 2, |row, _| match values[row] {
                "" => PlainValue::Null,
                text => PlainValue::Text(text),
            })
            .unwrap_err();
        assert!(matches!(error, Error::InvalidTable { .. }), "{error:?}");
    }
}

#[test]
fn contradictory_schema_is_refused() {
    let columns = [column("x", PlainKind::Text)];
    let table = single_table(&columns, &[]);
    let missing: &[&[&str]] = &[&["y"]];
    let keyed = PlainTable {
        key: &["y"],
        ..table
    };
    let indexed = PlainTable {
        indices: missing,
        ..table
    };
    for tables in [&[keyed][..], &[table, table], &[indexed]] {
        let scratch = TempDatabase::new();
        let made = PlainWriter::create(&scratch.database(), tables).and_then(PlainWriter::finish);
        assert!(matches!(made, Err(Error::Store(StoreError::Sqlite { .. }))), "{made:?}");
        assert!(!scratch.database().exists());
    }
}

#[test]
fn writer_keeps_existing_file_and_removes_unfinished() {
    let scratch = TempDatabase::new();
    fs::write(scratch.database(), "mine").unwrap();
    let error = PlainWriter::create(&scratch.database(), TABLES).unwrap_err();
    assert!(matches!(error, Error::Store(StoreError::Io { .. })), "{error:?}");
    assert_eq!(fs::read(scratch.database()).unwrap(), b"mine");
    fs::remove_file(scratch.database()).unwrap();

    let mut writer = PlainWriter::create(&scratch.database(), TABLES).unwrap();
    let text = PlainValue::Text("ada");
    let value = |_, column| {
        if column == 0 {
            text
        } else {
            PlainValue::Integer(0)
        }
    };
    writer.insert(1, 1, value).unwrap();
    drop(writer);
    assert!(!scratch.database().exists());
}

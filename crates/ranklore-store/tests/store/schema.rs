//! The schema: results of upgrades, and its description in docs/schema.md.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use ranklore_store::{Problem, SCHEMA_VERSION, Store};
use ranklore_test_support::TempDatabase;
use rusqlite::Connection;

/// Returns the SQL of every object, with normalised spaces.
fn schema_objects(connection: &Connection) -> BTreeMap<String, String> {
    let mut query = connection
        .prepare("SELECT type || ' ' || name, coalesce(sql, '') FROM sqlite_schema")
        .unwrap();
    let rows = query.query_map([], |row| {
        let sql: String = row.get(1)?;
        Ok((row.get(0)?, sql.split_whitespace().collect::<Vec<_>>().join(" ")))
    });
    rows.unwrap().map(Result::unwrap).collect()
}

fn fresh_database() -> (TempDatabase, Connection) {
    let scratch = TempDatabase::new();
    drop(scratch.open_writer());
    let raw = scratch.open_raw();
    (scratch, raw)
}

fn read_schema_dump(version: i64) -> String {
    let path = format!("fixtures/schema/{version}.sql");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn upgrade_yields_schema_of_fresh_file() {
    let (_fresh, fresh) = fresh_database();
    for version in 1..=SCHEMA_VERSION {
        for by_reader in [false, true] {
            let old = TempDatabase::new();
            old.open_raw().execute_batch(&read_schema_dump(version)).unwrap();
            if !by_reader {
                drop(old.open_writer());
            }
            let store = Store::open_reader(old.database()).unwrap();
            let mut problems = store.check().unwrap();
            // The dumps contain a tombstone without a vacuum.
            problems.retain(|problem| !matches!(problem, Problem::PendingVacuum { .. }));
            assert_eq!(problems, [], "version {version}");
            let counts = &store.sources().unwrap()[0];
            assert_eq!((counts.contests, counts.results), (1, 2), "version {version}");
            drop(store);
            let raw = old.open_raw();
            assert_eq!(schema_objects(&raw), schema_objects(&fresh), "version {version}");
            let stored_version: i64 =
                raw.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap();
            assert_eq!(stored_version, SCHEMA_VERSION);
        }
    }
}

/// Until version 6 the name of the source decided.
#[test]
fn upgrade_keeps_pseudonyms() {
    let old = TempDatabase::new();
    let raw = old.open_raw();
    raw.execute_batch(&read_schema_dump(5)).unwrap();
    raw.execute_batch(
        "INSERT INTO source (name, created_at, name_key) VALUES
             ('o2cm', 1, NULL), ('ballroom', 1, NULL), ('waltzes', 1, randomblob(32));
         INSERT INTO document (source_id, request_key, fetched_at, reading, blake3, length, body)
             SELECT source_id, 'GET a', 1, '{\"site\":\"o2cm\"}', x'00', 0, x'00'
             FROM source WHERE name IN ('ballroom', 'waltzes');
         INSERT INTO document (source_id, request_key, fetched_at, reading, blake3, length, body)
             SELECT source_id, 'GET a', 1, '{\"site\":\"codeforces\"}', x'00', 0, x'00'
             FROM source WHERE name = 'club'",
    )
    .unwrap();
    let keys = |raw: &Connection, condition: &str| -> Vec<String> {
        let sql =
            format!("SELECT name || hex(name_key) FROM source WHERE {condition} ORDER BY name");
        let mut query = raw.prepare(&sql).unwrap();
        let rows = query.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let before = keys(&raw, "name = 'waltzes'");
    drop(raw);
    let store = Store::open_reader(old.database()).unwrap();
    assert_eq!(store.pseudonym_keys().unwrap().len(), 3);
    let after = keys(&old.open_raw(), "pseudonyms = 1");
    let names = after.iter().map(|row| row.trim_end_matches(|c: char| !c.is_lowercase()));
    // A hash of 32 bytes has 64 digits.
    assert!(after.iter().all(|row| row.len() > 64), "{after:?}");
    assert_eq!(names.collect::<Vec<_>>(), ["ballroom", "o2cm", "waltzes"]);
    assert_eq!(after[2..], before);
}

/// Version 7 rewrites the table of contests, to add a state.
#[test]
fn upgrade_keeps_contest_rows() {
    let contests = |raw: &Connection| -> Vec<String> {
        let sql = "SELECT json_array(contest_id, source_id, external_id, name, event, division,
                 ordinal, url, starts_at, ends_at, state, rated, weight, site_weight,
                 performance_ceiling, entrants, revision, hex(content_hash), document_id,
                 withdrawn_at)
             FROM contest ORDER BY contest_id";
        let mut query = raw.prepare(sql).unwrap();
        let rows = query.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let states = "announced running provisional final unrated withdrawn refused";
    for version in 3..SCHEMA_VERSION {
        let old = TempDatabase::new();
        let raw = old.open_raw();
        raw.execute_batch(&read_schema_dump(version)).unwrap();
        for (index, state) in (0_i64..).zip(states.split(' ')) {
            // Ids with gaps, in another order than the external ids.
            let id = 100 - 7 * index;
            let insert = "INSERT INTO contest VALUES
                 (?1, 1, ?2, 'Cup', 'Cup', 'A', 2, 'https://example.org/', 5, 6, ?2, ?3, 0.5,
                  31.25, 2400.0, 0, 3, x'01', 1, 7)";
            raw.execute(insert, (id, state, index % 2)).unwrap();
        }
        let before = contests(&raw);
        drop(raw);
        drop(old.open_writer());
        let raw = old.open_raw();
        assert_eq!(contests(&raw), before, "version {version}");
        let broken: i64 = raw
            .query_row("SELECT count(*) FROM pragma_foreign_key_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(broken, 0, "version {version}");
        let set = |state: &str| raw.execute("UPDATE contest SET state = ?1", [state]);
        assert!(set("lost").is_err());
        assert_eq!(set("incomplete").unwrap(), before.len());
    }
}

#[test]
fn current_dump_has_current_schema_and_fills_tables() {
    let (_fresh, fresh) = fresh_database();
    let dumped = Connection::open_in_memory().unwrap();
    dumped.execute_batch(&read_schema_dump(SCHEMA_VERSION)).unwrap();
    assert_eq!(schema_objects(&dumped), schema_objects(&fresh));
    for object in schema_objects(&dumped).keys() {
        let Some(table) = object.strip_prefix("table ") else {
            continue;
        };
        let sql = format!("SELECT count(*) FROM {table}");
        let rows: i64 = dumped.query_row(&sql, [], |row| row.get(0)).unwrap();
        assert!(rows > 0, "{table} is empty");
    }
}

#[test]
fn schema_md_lists_every_table_and_column() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/schema.md");
    let text = fs::read_to_string(path).unwrap();
    let mut documented = Vec::new();
    let mut table = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("## `") {
            table = name.trim_end_matches('`');
        } else if line.starts_with("| `") {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let column = cells[1].trim_matches('`');
            documented.push(format!("{table}.{column} {}", cells[2]));
        }
    }
    let (_scratch, fresh) = fresh_database();
    let mut query = fresh
        .prepare(
            "SELECT t.name || '.' || c.name || ' ' || c.type
                 || iif(c.\"notnull\" OR c.pk, '', ' or NULL')
             FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
             WHERE t.schema = 'main' AND t.name NOT LIKE 'sqlite_%'",
        )
        .unwrap();
    let mut actual: Vec<String> =
        query.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    documented.sort();
    actual.sort();
    assert!(actual.len() > 60);
    assert_eq!(documented, actual);
}

//! Maintenance: status, archive, integrity check, backup and prune.

use std::path::Path;

use crate::support::{RANKLORE, Scratch, contest, fixtures, store_noise};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_store::Store;
use rusqlite::Connection;
use serde_json::Value;

/// Returns the rated club with a later correction of its last round.
fn club_with_correction() -> Scratch {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let path = fixtures().join("club/round-6.json");
    let text = std::fs::read_to_string(path).unwrap();
    let round: Value = serde_json::from_str(&text).unwrap();
    let mut corrected = round.clone();
    let standings = corrected["standings"].as_array_mut().unwrap();
    // Swaps the first two places; both names are adjacent nowhere else.
    let first = standings[0][0].clone();
    standings[0][0] = standings[1][0].clone();
    standings[1][0] = first;
    scratch.write("again/round-6.json", corrected.to_string());
    scratch.ok(&["import", "again", "--source", "club"]);
    scratch
}

fn database_hash(scratch: &Scratch, db: &str) -> String {
    let out = scratch.ok(&["check", "--hash", "--db", db]).out;
    let hash = out.strip_suffix('\n').unwrap();
    assert_eq!(hash.len(), 64, "{out}");
    assert!(hash.bytes().all(|byte| byte.is_ascii_hexdigit()), "{out}");
    hash.to_owned()
}

#[test]
fn status_suggests_next_commands() {
    let scratch = Scratch::new();
    scratch.run(&["status"]).exits(1).says("there is no database");
    assert_eq!(scratch.list("."), [""; 0], "it makes no file");

    let scratch = Scratch::club();
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains("no writer"), "{out}");
    assert!(out.contains("club           6       33"), "{out}");
    assert!(out.contains("(today)  import: 6 new\n"), "{out}");
    assert!(out.ends_with("\nclub is not rated yet; rate it: ranklore rate club\n"));

    // No view shows a run over a part of the contests by default.
    scratch.ok(&["rate", "club", "--since", "2023-10-01"]);
    let out = scratch.ok(&["status"]).out;
    assert!(out.ends_with("\nclub is not rated yet; rate it: ranklore rate club\n"));

    scratch.ok(&["rate", "club", "--set", "rho=inf"]);
    let out = scratch.ok(&["status"]).out;
    assert!(out.ends_with("\neverything is up to date\n"), "{out}");

    let scratch = club_with_correction();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    scratch.ok(&["rate", "club", "--until", "2023-10-01"]);
    scratch.ok(&[
        "import",
        fixtures().join("club").to_str().unwrap(),
        "--source",
        "club",
    ]);
    let done = scratch.ok(&["status", "--db", "ranklore.sqlite"]);
    let lines: Vec<&str> = done.out.lines().collect();
    let behind: Vec<&&str> = lines.iter().filter(|line| line.contains("is stale")).collect();
    assert_eq!(
        behind,
        [
            &"run 1 is stale (results have changed since the run); update it: ranklore rate club --db ranklore.sqlite",
            &"run 2 is stale (results have changed since the run); update it: ranklore rate club --system elo-mmx \
              --db ranklore.sqlite",
        ]
    );
    let status = scratch.json(&["status"]);
    let states: Vec<&Value> =
        status["runs"].as_array().unwrap().iter().map(|run| &run["state"]).collect();
    assert_eq!(states, ["stale", "stale", "up to date"]);
    assert_eq!(status["runs"][0]["command"], "ranklore rate club");
    assert_eq!(status["writer"], Value::Null);
    assert_eq!(status["unrated"], serde_json::json!([]));
    assert_eq!(status["sources"][0]["last_sync"]["revised"], 1);
    assert_eq!(status["schema_version"], ranklore_store::SCHEMA_VERSION);
    // The suggested command works.
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    assert_eq!(scratch.json(&["status"])["runs"][1]["state"], "up to date");
}

#[test]
fn status_and_backup_work_beside_a_writer() {
    let scratch = club_with_correction();
    let before = database_hash(&scratch, "ranklore.sqlite");
    let mut writer = Store::open_writer(scratch.db(), "ranklore import").unwrap();
    let holder = format!("process {} (ranklore import)", std::process::id());
    let mut batch = writer.batch().unwrap();
    let name = SourceName::new("half").unwrap();
    batch.get_or_insert_source(&name, UnixSeconds::MIN).unwrap();
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains(&holder), "{out}");
    assert!(!out.contains("half"), "{out}");
    let status = scratch.json(&["status"]);
    assert!(status["writer"].as_str().unwrap().starts_with(&holder));
    let done = scratch.ok(&["backup", "copy.sqlite"]);
    assert!(done.out.ends_with(", complete\n"), "{}", done.out);
    scratch.run(&["prune", "--documents", "superseded"]).exits(5).says(&holder);
    scratch.ok(&["prune", "--documents", "superseded", "--dry-run"]);
    batch.commit().unwrap();
    assert_eq!(database_hash(&scratch, "copy.sqlite"), before);
    assert_ne!(database_hash(&scratch, "ranklore.sqlite"), before);
    drop(writer);
    scratch.ok(&["check", "--db", "copy.sqlite"]);
    assert_eq!(scratch.json(&["status"])["writer"], Value::Null);
}

#[test]
fn backup_overwrites_only_with_force() {
    let scratch = club_with_correction();
    let first = scratch.ok(&["backup", "copy.sqlite"]);
    assert!(first.err.contains("ranklore status --db copy.sqlite"), "{}", first.err);
    let files = [
        "again",
        "copy.sqlite",
        "copy.sqlite.lock",
        "ranklore.sqlite",
        "ranklore.sqlite.lock",
    ];
    assert_eq!(scratch.list("."), files);
    scratch.ok(&["rate", "club"]);
    let before = database_hash(&scratch, "copy.sqlite");
    scratch.run(&["backup", "copy.sqlite"]).exits(1).says("--force");
    assert_eq!(database_hash(&scratch, "copy.sqlite"), before);
    let json = scratch.json(&["backup", "copy.sqlite", "--force"]);
    let size = std::fs::metadata(scratch.path("copy.sqlite")).unwrap().len();
    assert_eq!(json, serde_json::json!({"file": "copy.sqlite", "bytes": size}));
    assert_eq!(
        database_hash(&scratch, "copy.sqlite"),
        database_hash(&scratch, "ranklore.sqlite")
    );
    for (target, reason) in [
        ("ranklore.sqlite", "it is the database itself"),
        ("./again/../ranklore.sqlite", "it is the database itself"),
        ("again", "a folder"),
        ("no/copy.sqlite", "there is no folder no for no/copy.sqlite"),
    ] {
        scratch.run(&["backup", target, "--force"]).exits(1).says(reason);
    }
    scratch
        .run(&["backup", "x", "--db", "none.sqlite"])
        .exits(1)
        .says("there is no database");
    assert_eq!(scratch.list("."), files);
}

#[test]
#[cfg(target_os = "linux")]
fn backup_without_space_leaves_nothing() {
    let scratch = Scratch::club();
    // A file size limit simulates a full disk.
    let limited = format!("ulimit -f 64; trap '' XFSZ; exec {RANKLORE} backup copy.sqlite");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &limited]).current_dir(scratch.path(""));
    let done = crate::support::CommandOutput::run(command).exits(1);
    assert!(done.err.starts_with("error: "), "{}", done.err);
    assert_eq!(
        scratch.list("."),
        [
            "copy.sqlite.lock",
            "ranklore.sqlite",
            "ranklore.sqlite.lock"
        ]
    );
}

#[test]
fn sources_are_shown_now_and_in_the_past() {
    let scratch = club_with_correction();
    let sources = scratch.json(&["sources"]);
    let club = &sources["rows"][0];
    assert_eq!((&club["contests"], &club["results"]), (&6.into(), &33.into()));
    assert_eq!((&club["documents"], &sources["total"]), (&7.into(), &1.into()));
    assert_eq!(club["last_sync"]["kind"], "import");
    let before = scratch.json(&["sources", "--as-of", "2023-11-10"]);
    let club = &before["rows"][0];
    assert_eq!((&club["contests"], &club["documents"]), (&5.into(), &5.into()));
    let out = scratch.ok(&["sources", "--as-of", "1999-01-01"]).out;
    assert!(out.contains("club           0        0            0          0  –"), "{out}");
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "other"]);
    let out = scratch.ok(&["sources", "--limit", "1"]).out;
    assert!(out.ends_with("1 more: --offset 1\n"), "{out}");
    let out = scratch.ok(&["sources", "--offset", "1"]).out;
    assert!(out.contains("other") && !out.contains("club"), "{out}");
    let out = scratch.ok(&["sources", "--offset", "9"]).out;
    assert!(out.ends_with("2 in total\n"), "{out}");
}

#[test]
fn documents_are_listed_shown_and_verified() {
    let scratch = club_with_correction();
    let out = scratch.ok(&["documents", "club"]).out;
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines.len(), 8);
    assert!(lines[1].starts_with("  7  ") && !lines[1].contains("superseded"), "{out}");
    assert!(lines[2].starts_with("  6  ") && lines[2].ends_with("superseded"), "{out}");
    let json = scratch.json(&["documents", "club", "--limit", "1", "--offset", "1"]);
    let document = &json["rows"][0];
    assert_eq!((&json["total"], &json["offset"]), (&7.into(), &1.into()));
    assert_eq!(document["document_id"], 6);
    assert_eq!(document["superseded"], true);
    assert_eq!(document["reading"]["format"], "json");
    assert!(out.contains(&document["blake3"].as_str().unwrap()[..12]));
    let none = scratch.json(&["documents", "club", "--as-of", "1999-01-01"]);
    assert_eq!(none["total"], 0);

    let text = scratch.ok(&["documents", "club", "--show", "6"]).out;
    let original = std::fs::read_to_string(fixtures().join("club/round-6.json")).unwrap();
    assert_eq!(text, original);
    scratch
        .run(&["documents", "club", "--show", "99"])
        .exits(1)
        .says("no document 99");
    scratch.run(&["documents", "clbu"]).exits(1).says("it has club");
    scratch.run(&["documents", "club", "--show", "6", "--json"]).exits(2);
    // Raw bytes, as standard output is not a terminal.
    let races = fixtures().join("import/races.xlsx");
    let import = ["import", races.to_str().unwrap(), "--source", "b"];
    let sheet = ["--sheet", "Results"];
    scratch.run(&[&import[..], &sheet].concat()).exits(3);
    let book = scratch.command(&["documents", "b", "--show", "8"]).output().unwrap().stdout;
    assert_eq!(book, std::fs::read(fixtures().join("import/races.xlsx")).unwrap());
    scratch
        .run(&["documents", "club", "--show", "8"])
        .exits(1)
        .says("does not belong to club");

    let out = scratch.ok(&["documents", "club", "--verify"]).out;
    assert!(out.starts_with("club: 7 documents read, "), "{out}");
    let report = scratch.json(&["documents", "club", "--verify"]);
    assert_eq!(report["damaged"], serde_json::json!([]));
}

#[test]
fn damage_is_detected_and_named() {
    let scratch = club_with_correction();
    let out = scratch.ok(&["check"]).out;
    assert!(
        out.starts_with("no problems: ") && out.contains("6 contests with 33 results"),
        "{out}"
    );
    let raw = Connection::open(scratch.db()).unwrap();
    let damage = "UPDATE document SET body = x'28b52ffd00' WHERE document_id = 3";
    raw.execute_batch(damage).unwrap();
    drop(raw);
    let done = scratch.run(&["check"]).exits(1).says("1 problem");
    assert!(done.out.starts_with("document 3: "), "{}", done.out);
    let done = scratch.run(&["check", "--json"]).exits(1);
    assert_eq!(done.json()["problems"].as_array().unwrap().len(), 1);
    let done = scratch.run(&["documents", "club", "--verify"]).exits(1);
    assert!(done.out.starts_with("document 3 (round-3.json): "), "{}", done.out);
    assert!(done.out.ends_with(", 1 damaged\n"), "{}", done.out);
    let done = scratch.run(&["documents", "club", "--verify", "--json"]).exits(1);
    assert_eq!(done.json()["damaged"][0]["document_id"], 3);
    let done = scratch.run(&["documents", "club", "--show", "3"]).exits(1);
    assert_eq!(done.out, "");
    // A damaged page prevents a backup.
    truncate(&scratch.db());
    scratch.run(&["backup", "copy.sqlite"]).exits(1).says("damaged");
    assert!(!scratch.path("copy.sqlite").exists());
    assert!(!scratch.path("copy.sqlite.partial").exists());
}

#[test]
fn altered_ratings_are_found_and_repaired() {
    let scratch = club_with_correction();
    scratch.ok(&["rate", "club"]);
    let intact_hash = database_hash(&scratch, "ranklore.sqlite");
    let rated = "FROM run_contest WHERE results > 0 AND position >= 2";
    let intact_count = scratch.count(&format!("SELECT min(position) {rated}"));
    let alter = format!(
        "UPDATE rating SET mu = mu + 500
         WHERE contest_id = (SELECT contest_id FROM run_contest WHERE position = {intact_count})"
    );
    let raw = Connection::open(scratch.db()).unwrap();
    raw.execute_batch(&alter).unwrap();
    drop(raw);
    let replayed = scratch.count(&format!("SELECT count(*) {rated}"));
    let done = scratch.run(&["check"]).exits(1).says("1 problem");
    assert!(
        done.out.starts_with("run 1: the ratings after contest ")
            && done.out.ends_with("run `ranklore check --repair`\n"),
        "{}",
        done.out
    );
    scratch.ok(&["check", "--quick"]);
    let done = scratch.run(&["export", "club", "--to", "out", "--with", "ratings"]).exits(1);
    assert!(done.err.contains("damaged or were altered"), "{}", done.err);
    assert!(!scratch.path("out").exists());
    let done = scratch.ok(&["check", "--repair"]);
    assert_eq!(
        done.out,
        format!(
            "run 1: the ratings after the first {intact_count} contests were deleted; the next rating \
             replays {}\n",
            6 - intact_count
        )
    );
    assert!(done.err.contains("next: ranklore rate club"), "{}", done.err);
    scratch.ok(&["check"]);
    let report = scratch.json(&["rate", "club"]);
    assert_eq!(report[0]["replayed"], replayed);
    assert_eq!(database_hash(&scratch, "ranklore.sqlite"), intact_hash);
    let done = scratch.ok(&["check", "--repair"]);
    assert_eq!(done.out, "nothing to repair\n");
}

#[test]
fn altered_names_are_found_and_rebuilt() {
    let scratch = club_with_correction();
    scratch.ok(&["rate", "club"]);
    let intact_hash = database_hash(&scratch, "ranklore.sqlite");
    let raw = Connection::open(scratch.db()).unwrap();
    raw.execute_batch("UPDATE competitor SET name = 'Somebody Else' WHERE competitor_id = 2")
        .unwrap();
    drop(raw);
    let done = scratch.run(&["check"]).exits(1);
    assert_eq!(
        done.out,
        "rows of the table competitor differ from those that were written: restore a backup, or run \
         `ranklore rebuild`\n"
    );
    scratch.run(&["check", "--repair"]).exits(1);
    scratch.ok(&["rebuild"]);
    scratch.ok(&["check"]);
    assert_eq!(database_hash(&scratch, "ranklore.sqlite"), intact_hash);
}

/// Overwrites pages in the middle of the file.
fn truncate(path: &Path) {
    let mut bytes = std::fs::read(path).unwrap();
    let half = bytes.len() / 2;
    bytes[half..half + 16_384].fill(0xaa);
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn older_database_is_copied_as_is_and_migrated_by_readers() {
    let dump = fixtures().join("../crates/ranklore-store/fixtures/schema/1.sql");
    let dump = std::fs::read_to_string(dump).unwrap();
    let version = |path: &Path| -> i64 {
        let raw = Connection::open(path).unwrap();
        raw.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap()
    };
    for command in [&["status"][..], &["sources"], &["check", "--hash"]] {
        let scratch = Scratch::new();
        let raw = Connection::open(scratch.db()).unwrap();
        raw.execute_batch(&dump).unwrap();
        drop(raw);
        scratch.ok(&["backup", "copy.sqlite"]);
        assert_eq!(version(&scratch.db()), 1);
        assert_eq!(version(&scratch.path("copy.sqlite")), 1);
        scratch.ok(command);
        assert_eq!(version(&scratch.db()), ranklore_store::SCHEMA_VERSION);
    }
}

#[test]
fn unreturned_space_is_freed_next_time() {
    let scratch = club_with_correction();
    let name = SourceName::new("club").unwrap();
    // Simulates a process killed before the vacuum.
    let mut writer = Store::open_writer(scratch.db(), "a test").unwrap();
    let mut batch = writer.batch().unwrap();
    let club = batch.source_id(&name).unwrap().unwrap();
    for seed in 0..2 {
        store_noise(&mut batch, club, "noise", seed);
    }
    batch.commit().unwrap();
    let mut batch = writer.batch().unwrap();
    let superseded = batch.superseded_documents(None, i64::MAX).unwrap();
    assert_eq!(superseded.len(), 2);
    for document in superseded.iter().rev() {
        batch.delete_document(document.document_id).unwrap();
    }
    batch.commit().unwrap();
    drop(writer);
    let before = database_hash(&scratch, "ranklore.sqlite");
    let prune = ["prune", "--documents", "superseded"];
    let out = scratch.ok(&prune).out;
    assert!(out.starts_with("nothing to delete\nthe file shrank from "), "{out}");
    assert_eq!(scratch.json(&["status"])["free_bytes"], 0);
    assert_eq!(database_hash(&scratch, "ranklore.sqlite"), before);
    assert_eq!(scratch.ok(&prune).out, "nothing to delete\n");
}

#[test]
fn pruned_database_rebuilds_equally() {
    let scratch = club_with_correction();
    scratch.ok(&["rate", "club"]);
    let before = database_hash(&scratch, "ranklore.sqlite");
    let prune = ["prune", "--documents", "superseded"];
    let everything = scratch.everything();
    let out = scratch.ok(&prune).out;
    assert_eq!(out, "nothing to delete\n", "it came today");
    let dry = scratch.json(&[&prune[..], &["--older-than", "0d", "--dry-run"]].concat());
    assert_eq!((&dry["dry_run"], &dry["documents"]), (&true.into(), &1.into()));
    assert_eq!(scratch.everything(), everything);
    scratch
        .run(&[&prune[..], &["--source", "clbu"]].concat())
        .exits(1)
        .says("it has club");
    scratch
        .run(&[&prune[..], &["--older-than", "3 moons"]].concat())
        .exits(2)
        .says("90d, 12w or 1y");
    scratch.run(&["prune"]).exits(2);
    let done = scratch.ok(&[&prune[..], &["--older-than", "0d", "--source", "club"]].concat());
    assert!(done.out.starts_with("1 superseded document deleted, "), "{}", done.out);
    assert!(done.out.contains("the file shrank from"), "{}", done.out);
    assert!(done.err.contains("counts revisions from 1 again"), "{}", done.err);
    assert_eq!(scratch.count("SELECT count(*) FROM document"), 6);
    assert_eq!(database_hash(&scratch, "ranklore.sqlite"), before);
    scratch.ok(&["rebuild"]);
    assert_eq!(database_hash(&scratch, "ranklore.sqlite"), before);
    scratch.ok(&["check"]);
    assert!(scratch.ok(&["status"]).out.contains("rebuild of 6 contests"));
}

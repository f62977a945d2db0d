//! Imports that leave nothing behind, contests removed from their file, `import --undo` and `source
//! remove`.

use crate::support::{CommandOutput, Scratch, contest};
use serde_json::json;

/// Returns the hash of the contents.
fn hash(scratch: &Scratch) -> String {
    scratch.ok(&["check"]);
    scratch.ok(&["check", "--hash"]).out
}

/// Writes a file with one contest for each order of players.
fn write_rounds(scratch: &Scratch, file: &str, rounds: &[(u32, &[&str])]) {
    let rounds = rounds.iter().map(|(id, order)| {
        let groups: Vec<&[&str]> = order.chunks(1).collect();
        contest(*id, *id, &groups)
    });
    let rounds: Vec<String> = rounds.collect();
    scratch.write(file, format!("[{}]", rounds.join(",")));
}

fn import(scratch: &Scratch, arguments: &[&str]) -> CommandOutput {
    scratch.ok(&[&["import", "--source", "club"], arguments].concat())
}

/// Returns a folder with three rounds of `club` in two files, rated.
fn club() -> Scratch {
    let scratch = Scratch::new();
    write_rounds(&scratch, "a.json", &[(1, &["ann", "bob"]), (2, &["bob", "ann"])]);
    write_rounds(&scratch, "b.json", &[(3, &["cid", "ann", "bob"])]);
    import(&scratch, &["a.json"]);
    import(&scratch, &["b.json"]);
    scratch.ok(&["rate", "club"]);
    scratch
}

#[test]
fn refused_import_creates_no_database() {
    let scratch = Scratch::new();
    let noise: Vec<u8> =
        (0..4_096_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    scratch.write("in/empty.csv", "");
    scratch.write("in/empty.json", "");
    scratch.write("in/noise.csv", &noise);
    scratch.write("in/noise.xlsx", &noise);
    for path in [
        "in/empty.csv",
        "in/empty.json",
        "in/noise.csv",
        "in/noise.xlsx",
        "in",
    ] {
        scratch.run(&["import", path, "--source", "club"]).exits(3);
        assert_eq!(scratch.list("."), ["in"], "{path}");
    }
    // A readable file among them makes the source.
    write_rounds(&scratch, "in/a.json", &[(1, &["ann", "bob"])]);
    scratch.run(&["import", "in", "--source", "club"]).exits(3);
    assert_eq!(scratch.rows("SELECT request_key FROM document"), ["a.json"]);
    let before = scratch.everything();
    for source in ["club", "away"] {
        scratch.run(&["import", "in/noise.csv", "--source", source]).exits(3);
        assert_eq!(scratch.everything(), before);
    }
}

#[test]
fn failed_import_creates_no_database() {
    let scratch = Scratch::new();
    scratch.write("rounds.tar.zst", "no archive");
    scratch.run(&["import", "rounds.tar.zst", "--source", "club"]).exits(1);
    assert_eq!(scratch.list("."), ["rounds.tar.zst"]);
}

#[test]
fn removed_contest_is_named_and_replaced() {
    let scratch = club();
    write_rounds(&scratch, "a.json", &[(1, &["ann", "bob"])]);
    let line = "1 contest of an earlier version of a.json is no longer in it: \"Round 2\"";
    let names = scratch.rows("SELECT name FROM contest WHERE external_id = '2'");
    let line = line.replace("Round 2", &names[0]);
    import(&scratch, &["a.json"]).says(&line).says("--replace");
    import(&scratch, &["a.json"]).says(&line);
    let removed = json!([{"document": "a.json", "contest": "2", "name": names[0]}]);
    let arguments = ["import", "--source", "club", "a.json"];
    assert_eq!(scratch.json(&arguments)["removed"], removed);
    let replaced = scratch.json(&[&arguments[..], &["--replace"]].concat());
    assert_eq!((&replaced["withdrawn"], &replaced["removed"]), (&removed, &json!([])));
    let rated = scratch.json(&["rate", "club"]);
    assert_eq!(rated[0]["contests"], 2);
    let before = hash(&scratch);
    scratch.ok(&["rebuild"]);
    assert_eq!(hash(&scratch), before);
    // Without --replace, it stays withdrawn.
    write_rounds(&scratch, "a.json", &[(1, &["ann", "bob"]), (2, &["bob", "ann"])]);
    import(&scratch, &["a.json"]).says("1 contest withdrawn before from a.json is in it again");
    assert_eq!(scratch.json(&arguments)["returned"], removed);
    let restored = scratch.json(&[&arguments[..], &["--replace"]].concat());
    assert_eq!(restored["restored"], removed);
    assert_eq!(scratch.json(&["rate", "club"])[0]["contests"], 3);
}

#[test]
fn undo_of_correction_is_undone_by_import() {
    let scratch = club();
    let before = hash(&scratch);
    write_rounds(&scratch, "a.json", &[(1, &["bob", "ann"]), (4, &["ann", "dot"])]);
    import(&scratch, &["a.json", "--replace"]);
    scratch.ok(&["rate", "club"]);
    let after = hash(&scratch);
    let undone = scratch.ok(&["import", "--undo"]).out;
    assert!(undone.contains("club: undid the import of a.json\n"), "{undone}");
    assert!(
        undone.contains("1 contest removed, 1 contest as in earlier documents\n"),
        "{undone}"
    );
    assert_eq!(hash(&scratch), before);
    let status = scratch.ok(&["status"]).out;
    assert!(status.ends_with("\neverything is up to date\n"), "{status}");
    scratch.ok(&["rebuild"]);
    assert_eq!(hash(&scratch), before);
    let decisions = scratch.json(&["competitor", "decisions", "club"]);
    assert_eq!(decisions["rows"][0]["act"], "undo");
    assert_eq!(decisions["rows"][0]["subject"], "a.json");
    import(&scratch, &["a.json", "--replace"]);
    scratch.ok(&["rate", "club"]);
    assert_eq!(hash(&scratch), after);
}

#[test]
fn undo_takes_last_import_or_named_document() {
    let scratch = club();
    let json = scratch.json(&["import", "--undo", "a.json", "--source", "club"]);
    assert_eq!(json["documents"], json!(["a.json"]));
    assert_eq!((&json["removed"], &json["revised"]), (&json!(2), &json!(0)));
    assert_eq!(json["source_removed"], false);
    assert_eq!(scratch.rows("SELECT external_id FROM contest"), ["3"]);
    scratch
        .run(&["import", "--undo", "a.json"])
        .exits(1)
        .says("has no document \"a.json\"");
    // Of a folder, all documents.
    write_rounds(&scratch, "in/c.json", &[(5, &["ann", "bob"])]);
    write_rounds(&scratch, "in/d.json", &[(6, &["ann", "bob"])]);
    import(&scratch, &["in"]);
    let undone = scratch.ok(&["import", "--undo"]).out;
    assert!(undone.contains("the import of c.json, d.json\n"), "{undone}");
    scratch.ok(&["import", "--undo"]).says("no document of club is left");
    assert_eq!(scratch.json(&["sources"])["rows"], json!([]));
    scratch.run(&["rate", "club"]).exits(1).says("no source \"club\"");
    scratch.run(&["import", "--undo"]).exits(2).says("has no source");
    scratch.ok(&["check"]);
}

#[test]
fn new_source_of_similar_name_gets_a_warning() {
    let scratch = club();
    let line = "warning: clbu is a new source, and there is club";
    let arguments = ["import", "a.json", "--source", "clbu"];
    scratch.ok(&arguments).says(line).says("--undo --source clbu");
    let again = scratch.ok(&arguments);
    assert!(!again.err.contains("warning"), "{}", again.err);
    let away = scratch.ok(&["import", "a.json", "--source", "clubbing"]);
    assert!(!away.err.contains("warning"), "{}", away.err);
    scratch.ok(&["import", "--undo", "--source", "clbu"]);
    assert_eq!(scratch.json(&arguments)["similar_source"], "club");
}

#[test]
fn undo_needs_source_only_if_there_are_several() {
    let scratch = club();
    scratch.ok(&["import", "a.json", "--source", "away"]);
    let before = scratch.everything();
    scratch.run(&["import", "--undo"]).exits(2).says("--source: away, club");
    for options in ["--dry-run", "--replace", "--lower-is-better"] {
        scratch.run(&["import", "--undo", "--source", "club", options]).exits(2);
    }
    scratch.run(&["import", "--source", "club"]).exits(2);
    scratch
        .run(&[
            "import",
            "a.json",
            "--source",
            "club",
            "--replace",
            "--dry-run",
        ])
        .exits(2);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn source_removal_keeps_other_sources_and_their_runs() {
    let scratch = club();
    write_rounds(&scratch, "away.json", &[(1, &["ann", "eve"]), (2, &["eve", "ann"])]);
    scratch.ok(&["import", "away.json", "--source", "away"]);
    let alone = scratch.copy();
    alone.ok(&["source", "remove", "club", "--yes"]);
    alone.ok(&["rate", "away"]);
    scratch.ok(&["rate", "club", "away", "--together"]);
    let before = scratch.everything();
    scratch.run(&["source", "remove", "club"]).exits(2).says("--yes");
    assert_eq!(scratch.everything(), before, "nothing is removed without an answer");
    let removed = scratch.json(&["source", "remove", "club", "--yes"]);
    assert_eq!((&removed["documents"], &removed["contests"]), (&json!(2), &json!(3)));
    assert_eq!(removed["deleted_runs"], json!([1]));
    assert_eq!(removed["runs"][0]["sources"], json!(["away"]));
    // The run over both equals a run over the other source.
    assert_eq!(hash(&scratch), hash(&alone));
    let status = scratch.ok(&["status"]).out;
    assert!(status.ends_with("\neverything is up to date\n"), "{status}");
    scratch.ok(&["leaderboard", "away"]);
    scratch.run(&["leaderboard", "club"]).exits(1).says("no source \"club\"");
    scratch.run(&["source", "remove", "club", "--yes"]).exits(1);
    scratch.ok(&["rebuild"]);
    assert_eq!(hash(&scratch), hash(&alone));
    scratch.ok(&["export", "away", "--to", "out", "--with", "ratings"]);
    scratch.ok(&["verify", "out"]);
    // The name can be used again.
    import(&scratch, &["b.json"]);
    assert_eq!(scratch.json(&["sources"])["rows"][1]["contests"], 1);
    let decisions = scratch.json(&["competitor", "decisions", "club"]);
    assert_eq!(decisions["rows"][0]["act"], "remove");
    scratch.ok(&["check"]);
}

#[test]
fn forgotten_person_stays_forgotten_after_source_removal() {
    let scratch = Scratch::new();
    write_rounds(&scratch, "a.json", &[(1, &["Ann Lee", "bob"])]);
    import(&scratch, &["a.json"]);
    scratch.ok(&["forget", "--yes", "club", "Ann Lee"]);
    let before = hash(&scratch);
    scratch.ok(&["source", "remove", "club", "--yes"]);
    import(&scratch, &["a.json"]);
    assert_eq!(hash(&scratch), before);
    scratch.ok(&["import", "--undo"]);
    import(&scratch, &["a.json"]);
    assert_eq!(hash(&scratch), before);
    let everything = scratch.everything().join("\n");
    assert!(!everything.contains("Ann Lee"), "{everything}");
}

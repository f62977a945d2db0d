//! Manual decisions: merge, split, rename, withdraw, and their record.

use crate::support::{Scratch, contest};
use serde_json::{Value, json};

/// Four contests of four people; bea has a second account bea2, once in the same contest.
fn league() -> Scratch {
    let scratch = Scratch::new();
    let rounds = [
        contest(1, 1, &[&["ada"], &["bea"], &["cy"]]),
        contest(2, 2, &[&["bea2"], &["ada"], &["cy"]]),
        contest(3, 3, &[&["cy"], &["bea2"], &["ada"], &["bea"]]),
        contest(4, 4, &[&["ada"], &["cy", "bea2"]]),
    ];
    for (index, round) in rounds.iter().enumerate() {
        scratch.write(&format!("{index}.json"), round);
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch
}

/// Returns the results with bea2 published as bea.
fn league_with_one_bea() -> Scratch {
    let scratch = Scratch::new();
    let rounds = [
        contest(1, 1, &[&["ada"], &["bea"], &["cy"]]),
        contest(2, 2, &[&["bea"], &["ada"], &["cy"]]),
        contest(3, 3, &[&["cy"], &["bea"], &["ada"]]),
        contest(4, 4, &[&["ada"], &["cy", "bea"]]),
    ];
    for (index, round) in rounds.iter().enumerate() {
        scratch.write(&format!("{index}.json"), round);
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch
}

fn rate(scratch: &Scratch) -> Value {
    scratch.json(&["rate", "club"])[0].clone()
}

fn leaderboard_rows(scratch: &Scratch) -> Vec<(String, Value)> {
    let board = scratch.json(&["leaderboard", "club"]);
    let rows = board["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["mu"].clone()))
        .collect()
}

#[test]
fn merged_accounts_are_rated_as_one() {
    let scratch = league();
    rate(&scratch);
    let done = scratch.ok(&[
        "competitor",
        "merge",
        "club",
        "bea2",
        "bea",
        "--note",
        "told us",
    ]);
    assert!(done.out.contains(r#""bea2" count for "bea""#), "{}", done.out);
    done.says("next: ranklore rate club");
    let again = rate(&scratch);
    // Her second account appears in the second contest.
    assert_eq!((&again["replayed"], &again["results"]), (&json!(3), &json!(12)));
    let one = league_with_one_bea();
    rate(&one);
    assert_eq!(leaderboard_rows(&scratch), leaderboard_rows(&one));
    assert_eq!(scratch.count("SELECT count(*) FROM standing"), 13);

    // Split again.
    let before = league();
    rate(&before);
    scratch.ok(&["competitor", "split", "club", "bea2"]);
    rate(&scratch);
    assert_eq!(leaderboard_rows(&scratch), leaderboard_rows(&before));

    let record = scratch.json(&["competitor", "decisions", "club"]);
    let acts: Vec<&Value> =
        record["rows"].as_array().unwrap().iter().map(|row| &row["act"]).collect();
    assert_eq!(acts, ["split", "merge"]);
    assert_eq!(record["rows"][1]["note"], "told us");
    assert_eq!(record["total"], 2);
    let page = scratch.json(&[
        "competitor",
        "decisions",
        "club",
        "--offset",
        "1",
        "--limit",
        "1",
    ]);
    assert_eq!(page["rows"], json!([record["rows"][1]]));
}

#[test]
fn repeated_decision_changes_nothing() {
    let scratch = league();
    scratch.ok(&["competitor", "merge", "club", "bea2", "bea"]);
    let before = scratch.everything();
    scratch
        .ok(&["competitor", "merge", "club", "bea2", "bea"])
        .says("nothing changed");
    for wrong in [["bea", "bea2"], ["bea", "bea"], ["bea2", "cy"]] {
        let arguments = ["competitor", "merge", "club", wrong[0], wrong[1]];
        scratch.run(&arguments).exits(1).says("error: ");
    }
    scratch
        .run(&["competitor", "merge", "club", "Bea", "cy"])
        .exits(1)
        .says(r#""Bea" does not identify one competitor of club. The nearest name is"#);
    scratch
        .run(&["competitor", "rename", "club", "bea", "  "])
        .exits(1)
        .says("1 to 1000 characters");
    scratch
        .run(&["competitor", "merge", "elsewhere", "a", "b"])
        .exits(1)
        .says("it has club");
    scratch
        .run(&["withdraw", "club", "99"])
        .exits(1)
        .says(r#"there is no contest like "99" in club"#);
    // The name must match exactly.
    scratch
        .run(&["withdraw", "club", "round 2"])
        .exits(1)
        .says(r#""2", called "Round 2""#);
    assert_eq!(scratch.everything(), before);
}

#[test]
fn rename_is_shown_and_old_name_kept() {
    let scratch = league();
    rate(&scratch);
    scratch.ok(&["competitor", "rename", "club", "ada", "Ada L."]);
    assert_eq!(rate(&scratch)["unchanged"], true);
    assert!(leaderboard_rows(&scratch).iter().any(|row| row.0 == "Ada L."));
    let names = scratch.rows(
        "SELECT name, first_seen_at < last_seen_at FROM competitor_name ORDER BY first_seen_at",
    );
    assert_eq!(names, ["ada|1", "Ada L.|0"]);
    // Both names work from now on.
    scratch.ok(&["competitor", "rename", "club", "Ada L.", "Ada"]);
    scratch.ok(&["competitor", "rename", "club", "ada", "Ada L."]);
    assert_eq!(scratch.count("SELECT count(*) FROM competitor_name"), 3);
}

#[test]
fn withdrawn_contest_is_unrated_until_restored() {
    let scratch = league();
    let full_run = rate(&scratch);
    scratch.ok(&["withdraw", "club", "3", "--note", "annulled"]);
    let without = rate(&scratch);
    assert_eq!((&without["contests"], &without["replayed"]), (&json!(3), &json!(1)));
    // Importing the contest again does not restore it.
    scratch.ok(&["import", ".", "--source", "club"]);
    assert_eq!(rate(&scratch)["unchanged"], true);
    scratch.ok(&["withdraw", "club", "Round 3", "--undo"]);
    let back = rate(&scratch);
    assert_eq!(
        (&back["contests"], &back["results"]),
        (&full_run["contests"], &full_run["results"])
    );
    let never = league();
    rate(&never);
    assert_eq!(scratch.content_hash(), never.content_hash());
}

#[test]
fn decisions_survive_a_rebuild() {
    let scratch = league();
    scratch.ok(&["competitor", "merge", "club", "bea2", "bea"]);
    scratch.ok(&["competitor", "rename", "club", "cy", "Cyrus"]);
    scratch.ok(&["withdraw", "club", "1"]);
    rate(&scratch);
    scratch.ok(&["rate", "club", "--system", "elo-mmx"]);
    let before = scratch.content_hash();
    let rebuilt = scratch.json(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(rebuilt["runs"].as_array().unwrap().len(), 2);
    assert_eq!(rebuilt["sources"][0]["contests"], 4);
    assert_eq!(rebuilt["sources"][0]["misfits"], json!([]));
    assert_eq!(rate(&scratch)["unchanged"], true);
    assert_eq!(scratch.count("SELECT count(*) FROM decision"), 3);
    scratch.run(&["rebuild", "elsewhere"]).exits(1).says("it has club");
}

#[test]
fn rebuild_keeps_evaluations() {
    let scratch = league();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["evaluate", "club"]);
    let values = "SELECT run_id, slice, metric, value
        FROM evaluation JOIN evaluation_metric USING (evaluation_id) ORDER BY 1, 2, 3";
    let evaluations = scratch.rows(values);
    assert!(!evaluations.is_empty());
    let results = scratch.count("SELECT count(*) FROM standing");
    // Another document of an existing contest.
    std::fs::copy(scratch.path("0.json"), scratch.path("again.json")).unwrap();
    scratch.ok(&["import", "again.json", "--source", "club"]);
    let rebuilt = scratch.json(&["rebuild"]);
    assert_eq!(rebuilt["sources"][0]["contests"], 4);
    assert_eq!(rebuilt["sources"][0]["results"], results);
    assert_eq!(scratch.rows(values), evaluations);
}

#[test]
fn rebuild_that_loses_a_contest_reports_it() {
    let scratch = league();
    let connection = rusqlite::Connection::open(scratch.db()).unwrap();
    let delete = "DELETE FROM document WHERE request_key = '2.json'";
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    assert_eq!(connection.execute(delete, []).unwrap(), 1);
    drop(connection);
    let done = scratch.run(&["rebuild"]).exits(3);
    assert!(done.out.contains("; 4 contests before"), "{}", done.out);
}

#[test]
fn rename_to_a_used_name_warns() {
    let scratch = league();
    let done = scratch.ok(&["competitor", "rename", "club", "cy", "ada"]);
    done.says("warning: other competitors have this name, too: \"ada\"");
    let json = scratch.ok(&["competitor", "rename", "club", "bea", "ada", "--json"]);
    json.says("too: \"ada\", \"cy\"");
    // Two accounts of one person may share a name.
    scratch.ok(&["competitor", "merge", "club", "bea2", "bea"]);
    scratch.ok(&["competitor", "rename", "club", "bea", "Bea"]);
    let same = scratch.ok(&["competitor", "rename", "club", "bea2", "Bea"]);
    assert!(!same.err.contains("warning"), "{}", same.err);
}

#[test]
fn unknown_names_are_reported_with_advice() {
    let scratch = league();
    scratch
        .run(&["withdraw", "club", "99"])
        .exits(1)
        .says(r#"no contest like "99" in club: give its id, or its name or a part of it"#);
    scratch
        .run(&["competitor", "split", "club", "zzz"])
        .exits(1)
        .says(r#"no competitor like "zzz" in club; `ranklore leaderboard club` lists the rated competitors"#);
    scratch
        .run(&[
            "competitor",
            "split",
            "club",
            "zzz",
            "--db",
            "ranklore.sqlite",
        ])
        .exits(1)
        .says("`ranklore leaderboard club --db ranklore.sqlite` lists");
    scratch
        .run(&["competitor", "split", "club", "ada", "--kind", "crew"])
        .exits(2)
        .says("expected person, team or couple");
}

#[test]
fn rating_only_withdrawn_contests_suggests_undo() {
    let scratch = league();
    for id in ["1", "2", "3", "4"] {
        scratch.ok(&["withdraw", "club", id]);
    }
    scratch
        .run(&["rate", "club"])
        .exits(1)
        .says("they are withdrawn; `ranklore withdraw club 4 --undo` includes one again");
    scratch
        .run(&["rate", "club", "--until", "2000-01-01"])
        .exits(1)
        .says("widen the selection");
}

#[test]
fn run_without_contests_is_still_shown() {
    let scratch = league();
    rate(&scratch);
    let before = leaderboard_rows(&scratch);
    for id in ["1", "2", "3", "4"] {
        scratch.ok(&["withdraw", "club", id]);
    }
    assert_eq!(leaderboard_rows(&scratch), before);
    let player = scratch.ok(&["player", "club", "ada"]);
    assert!(player.out.contains("now withdrawn"), "{}", player.out);
    player.says("this run is stale: results have changed");
    let contest = scratch.ok(&["contest", "club", "1"]).out;
    assert!(contest.contains("1 by elo-mmr; now withdrawn"), "{contest}");
    scratch.run(&["rate", "club"]).exits(1).says("ranklore withdraw club 4 --undo");
}

//! Upgrade of a file with runs of Ranklore 0.1.0, whose engine computed other ratings.

use crate::support::{Scratch, fixtures};
use ranklore_replay::ENGINE_VERSION;
use rusqlite::Connection;

/// Returns a folder with the file of 0.1.0: runs 1 and 6 are by elo-mmr, 2 to 5 by trueskill,
/// glicko2, plackett-luce and elo.
fn database_of_0_1_0() -> Scratch {
    let scratch = Scratch::new();
    let dump = std::fs::read_to_string(fixtures().join("upgrade/0.1.0.sql")).unwrap();
    let raw = Connection::open(scratch.db()).unwrap();
    raw.execute_batch(&dump).unwrap();
    scratch
}

#[test]
fn views_show_old_ratings_with_one_warning() {
    let scratch = database_of_0_1_0();
    let command = "ranklore rate club --system trueskill";
    for view in [
        &["leaderboard", "--run", "2"][..],
        &["player", "club", "Otto Brandt", "--run", "2"],
        &["contest", "club", "Winter final", "--run", "2"],
    ] {
        let output = scratch.ok(view);
        // The rating of 0.1.0 after the last contest.
        assert!(output.out.contains("1603"), "{}", output.out);
        assert_eq!(output.err.lines().count(), 1, "{}", output.err);
        assert!(output.err.contains("an earlier version of Ranklore"), "{}", output.err);
        assert!(output.err.contains(&format!("`{command}`")), "{}", output.err);
    }
    scratch
        .run(&["evaluate", "--run", "2"])
        .exits(1)
        .says("an earlier version of Ranklore computed it")
        .says(command);
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("run 6 is stale (an earlier version"), "{status}");
    scratch.ok(&["check"]);
}

#[test]
fn suggested_commands_upgrade_old_runs() {
    let scratch = database_of_0_1_0();
    let status = scratch.json(&["status"]);
    for run in status["runs"].as_array().unwrap() {
        let command = run["command"].as_str().unwrap();
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let rated = scratch.json(&words);
        let state = (&rated[0]["run_id"], &rated[0]["unchanged"]);
        assert_eq!(state, (&run["run_id"], &false.into()), "{command}");
        assert_eq!(scratch.json(&words)[0]["unchanged"], true, "{command}");
        let run = run["run_id"].to_string();
        scratch.ok(&["evaluate", "--run", &run]);
        assert_eq!(scratch.ok(&["leaderboard", "--run", &run]).err, "");
    }
    let engines = scratch.rows("SELECT DISTINCT engine FROM rating_run");
    assert_eq!(engines, [ENGINE_VERSION]);
    assert_eq!(scratch.count("SELECT count(*) FROM rating_run"), 6);
    assert!(scratch.ok(&["status"]).out.ends_with("\neverything is up to date\n"));
    scratch.ok(&["check"]);
}

#[test]
fn rebuild_reports_contests_that_an_old_run_ignored() {
    let scratch = database_of_0_1_0();
    let rebuilt = scratch.ok(&["rebuild"]).out;
    // Three of the four contests have more than two entrants.
    let line = "run 5: 1 contest with 2 results; 3 contests too large left out\n";
    assert!(rebuilt.contains(line), "{rebuilt}");
}

#[test]
fn upgraded_run_has_ratings_of_new_run() {
    let (old, new) = (database_of_0_1_0(), database_of_0_1_0());
    let raw = Connection::open(new.db()).unwrap();
    raw.execute_batch("DELETE FROM rating; DELETE FROM run_contest; DELETE FROM evaluation; DELETE FROM rating_run;")
        .unwrap();
    drop(raw);
    for system in ["elo-mmr", "trueskill", "plackett-luce"] {
        let rows = |scratch: &Scratch| {
            let rated = scratch.json(&["rate", "club", "--system", system]);
            let run = rated[0]["run_id"].to_string();
            scratch.json(&["leaderboard", "--run", &run])["rows"].take()
        };
        assert_eq!(rows(&old), rows(&new), "{system}");
    }
}

#[test]
fn import_by_0_1_0_can_be_undone() {
    let scratch = database_of_0_1_0();
    scratch.write("7.json", crate::support::contest(7, 7, &[&["ann"], &["bob"]]));
    scratch.ok(&["import", "7.json", "--source", "club"]);
    let undone = scratch.json(&["import", "--undo"]);
    assert_eq!(undone["documents"], serde_json::json!(["7.json"]));
    assert_eq!((&undone["removed"], &undone["revised"]), (&1.into(), &0.into()));
    let undone = scratch.json(&["import", "--undo"]);
    assert_eq!(undone["documents"], serde_json::json!(["season.csv"]));
    assert_eq!(undone["source_removed"], true);
    scratch.ok(&["check"]);
}

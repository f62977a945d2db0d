//! `ranklore player`: selection, output and paging.

use crate::support::{Scratch, contest, large_contest};
use serde_json::Value;

fn fields(object: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

#[test]
fn player_matches_the_leaderboard() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let board = scratch.json(&["leaderboard", "club"]);
    for row in board["rows"].as_array().unwrap() {
        let player = scratch.json(&["player", "club", row["name"].as_str().unwrap()]);
        for field in fields(row) {
            assert_eq!(player[field], row[field], "{field} of {player}");
        }
        assert_eq!(player["among"], board["active"]);
        let newest = player["rows"].as_array().unwrap().iter().find(|row| !row["mu"].is_null());
        assert_eq!(newest.unwrap()["mu"], row["mu"]);
    }
    let out = scratch.ok(&["player", "club", "Oona Pereskaya"]).out;
    assert!(out.starts_with("Oona Pereskaya of club\n"), "{out}");
    for text in ["1 of 8 active", "mu over time", "largest gain", " / "] {
        assert!(out.contains(text), "no {text:?} in {out}");
    }
}

#[test]
fn json_has_the_documented_fields() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let player = scratch.json(&["player", "club", "Oona Pereskaya"]);
    assert_eq!(
        fields(&player),
        [
            "accounts",
            "active",
            "among",
            "conservative",
            "contests",
            "external_id",
            "found",
            "highlights",
            "k",
            "kind",
            "last_change",
            "last_contest_at",
            "mu",
            "name",
            "names",
            "offset",
            "parameters",
            "peak_mu",
            "place",
            "provisional",
            "rating",
            "record",
            "rows",
            "run_id",
            "run_name",
            "runs",
            "selection",
            "sigma",
            "sigma_as_of",
            "source",
            "stale",
            "stored_sigma",
            "system",
            "team_contests",
            "title",
            "total",
        ]
    );
    assert_eq!(
        fields(&player["rows"][0]),
        [
            "account",
            "change",
            "completeness",
            "contest",
            "ends_at",
            "entrants",
            "mu",
            "name",
            "performance",
            "place",
            "sigma",
            "status",
            "team",
            "unrated",
        ]
    );
    assert_eq!(
        fields(&player["runs"][0]),
        [
            "conservative",
            "contests",
            "last_change",
            "mu",
            "provisional",
            "rating",
            "run_id",
            "settings",
            "sigma",
            "stored_sigma",
            "system",
        ]
    );
    assert_eq!(
        fields(&player["highlights"]),
        [
            "best_place",
            "gain",
            "highest",
            "loss",
            "lowest",
            "worst_place"
        ]
    );
}

#[test]
fn misspelled_names_are_found_and_candidates_listed() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let done = scratch.ok(&["player", "club", "oona pereskya"]);
    assert!(done.out.starts_with("Oona Pereskaya of club\n"));
    assert_eq!(done.err, "no exact match for \"oona pereskya\"; showing \"Oona Pereskaya\"\n");
    assert_eq!(scratch.ok(&["player", "club", "Oona Pereskaya"]).err, "");
    scratch
        .run(&["player", "club", "nobody at all"])
        .exits(1)
        .says("there is no competitor like \"nobody at all\" in club");
    scratch
        .run(&["player", "clbu", "Oona Pereskaya"])
        .exits(1)
        .says("there is no source \"clbu\"");
    scratch
        .run(&["player", "club", "Oona Pereskaya", "--kind", "team"])
        .exits(1)
        .says("there is no competitor like");
    scratch
        .run(&["player", "club", "x", "--kind", "crew"])
        .exits(2)
        .says("expected person, team or couple");
}

#[test]
fn unrated_source_suggests_rate_command() {
    let scratch = Scratch::club();
    scratch
        .run(&["player", "club", "Oona Pereskaya"])
        .exits(1)
        .says("ranklore rate club");
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "other"]);
    scratch.ok(&["rate", "club", "other", "--together"]);
    // A run over more sources is shown on request, one over others is not.
    let both = scratch.json(&["player", "other", "a", "--run", "1"]);
    assert_eq!(both["runs"][0]["settings"], serde_json::json!(["with club"]));
    scratch.ok(&["rate", "club"]);
    scratch
        .run(&["player", "other", "a", "--run", "2"])
        .exits(1)
        .says("run 2 covers club, not other");
}

#[test]
fn pages_are_consecutive_newest_first() {
    let scratch = Scratch::new();
    for id in 1..=7 {
        scratch.write(&format!("{id}.json"), large_contest(id, 20));
    }
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let all = scratch.json(&["player", "club", "player 1"]);
    let rows = all["rows"].as_array().unwrap();
    let at = |row: &Value| row["ends_at"].as_i64().unwrap();
    assert!(rows.len() > 4 && rows.is_sorted_by(|a, b| at(a) > at(b)));
    let mut pages = Vec::new();
    for offset in ["0", "3", "6", "9"] {
        let page = scratch.json(&[
            "player", "club", "player 1", "--limit", "3", "--offset", offset,
        ]);
        assert_eq!(page["total"], rows.len());
        pages.extend(page["rows"].as_array().unwrap().clone());
    }
    assert_eq!(&pages, rows);
    let out = scratch.ok(&["player", "club", "player 1", "--limit", "3"]).out;
    assert!(out.contains(&format!("{} more: --offset 3\n", rows.len() - 3)), "{out}");
    // Later contests are unknown on the third day.
    let early = scratch.json(&["player", "club", "player 1", "--as-of", "2023-11-18"]);
    let board = scratch.json(&[
        "leaderboard",
        "club",
        "--as-of",
        "2023-11-18",
        "--limit",
        "99",
    ]);
    let row = board["rows"].as_array().unwrap().iter().find(|row| row["name"] == "player 1");
    assert_eq!(early["place"], row.unwrap()["place"]);
    assert_eq!(early["mu"], row.unwrap()["mu"]);
    assert!(early["rows"].as_array().unwrap().iter().all(|row| at(row) <= 1_700_352_000));
    let before = scratch.ok(&["player", "club", "player 1", "--as-of", "2000-01-01"]).out;
    assert!(before.contains("none in this run"), "{before}");
    assert!(before.ends_with("no contests by then\n"), "{before}");
}

#[test]
fn names_are_shown_without_control_characters() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["x\u{1b}[2J"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let done = scratch.ok(&["player", "club", "x\u{1b}[2J"]);
    assert!(done.out.starts_with("x\\u{1b}[2J of club\n"), "{}", done.out);
    assert!(!(done.out + &done.err).contains('\u{1b}'));
    let other = scratch.ok(&["player", "club", "x\u{1b}[2j"]);
    assert!(!(other.out + &other.err).contains('\u{1b}'));
}

#[test]
fn unfinished_results_are_shown() {
    let scratch = Scratch::new();
    scratch.write(
        "1.csv",
        "contest,date,player,place\n1,2024-01-01,a,1\n1,2024-01-01,b,2\n1,2024-01-01,c,dnf\n",
    );
    scratch.ok(&["import", "1.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let last = scratch.json(&["player", "club", "c"]);
    assert_eq!(last["rows"][0]["status"], "dnf");
    assert!(last["rows"][0]["place"].is_null() && last["rows"][0]["mu"].is_f64());
    assert!(scratch.ok(&["player", "club", "c"]).out.contains("dnf"));
}

#[test]
fn results_newer_than_the_run_are_unrated() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.write("2.json", contest(2, 1, &[&["b"], &["a"]]));
    scratch.ok(&["import", "2.json", "--source", "club"]);
    let done = scratch
        .ok(&["player", "club", "a"])
        .says("1 contest newer than this run: ranklore rate club\n");
    assert!(done.out.contains("not rated yet"), "{}", done.out);
    let player = scratch.json(&["player", "club", "a"]);
    assert_eq!(player["stale"], true);
    assert_eq!(player["rows"][0]["unrated"], "not rated yet");
    assert_eq!(player["contests"], 1);
}

#[test]
fn shown_names_can_be_pasted_back() {
    let scratch = Scratch::new();
    let names = ["हिन्दी", "Jose\u{301} Silva", "José Silvo"];
    scratch.write("1.json", contest(1, 0, &[&[names[0]], &[names[1]], &[names[2]]]));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["player", "club", " हिन्दी"]).says("showing \"हिन्दी\"");
    scratch
        .run(&["player", "club", "jose"])
        .exits(1)
        .says("use one of these names:\n  \"Jose\u{301} Silva\"\n  \"José Silvo\"\n");
    scratch
        .run(&["competitor", "split", "club", "जापान"])
        .exits(1)
        .says("no competitor like \"जापान\" in club; `ranklore leaderboard club` lists");
    let renamed = scratch.ok(&["competitor", "rename", "club", names[1], "गीत"]);
    assert!(renamed.out.contains("\"Jose\u{301} Silva\" is shown as \"गीत\""));
}

#[test]
fn renamed_player_is_found_by_former_names() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    scratch.ok(&["competitor", "rename", "club", "Oona Pereskaya", "owl"]);
    scratch.ok(&["competitor", "rename", "club", "owl", "Raven Night"]);
    for former_name in [
        "oona pereskaya",
        "oona",
        "Oona Preskaya",
        "owl",
        "ravn night",
    ] {
        let player = scratch.json(&["player", "club", former_name]);
        assert_eq!(player["external_id"], "Oona Pereskaya", "{former_name}");
    }
    // Commands that change competitors do not accept former names.
    scratch
        .run(&["competitor", "rename", "club", "owl", "x"])
        .exits(1)
        .says("The nearest name is \"Oona Pereskaya\", called \"Raven Night\": use it");
}

#[test]
fn omitted_candidates_are_counted() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 30));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let message = scratch.run(&["player", "club", "player"]).exits(1).err;
    assert!(message.ends_with("\n  and 22 more\n"), "{message}");
}

#[test]
fn rating_is_shown_with_its_formula_and_mark() {
    let scratch = Scratch::club();
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["player", "club", "Oona Pereskaya"]).out;
    let rating = " rating        1900? = mu; provisional: sigma above 98, or a single contest\n";
    assert!(out.contains(rating), "{out}");
    assert!(out.contains(" conservative  1544 = mu 1900 − 3·sigma 119\n"), "{out}");
    scratch.ok(&["rate", "club", "--system", "elo-r"]);
    let out = scratch.ok(&["player", "club", "Oona Pereskaya", "--system", "elo-r"]).out;
    assert!(out.contains("? = mu − 2·sigma + 200; provisional: "), "{out}");
    scratch.ok(&["rate", "club", "--system", "topcoder"]);
    let out = scratch.ok(&["player", "club", "Oona Pereskaya", "--system", "topcoder"]).out;
    let is_title = |line: &str| line.split_whitespace().eq(["title", "yellow"]);
    assert!(out.lines().any(is_title), "{out}");
    assert!(!out.contains("\n conservative  "), "{out}");
}

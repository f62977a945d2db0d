//! `ranklore contest`: selection, output and paging.

use crate::support::{Scratch, contest, large_contest};
use serde_json::Value;

fn fields(object: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> = object.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

/// Returns a club of three rounds: two alike, and one that the previous loser wins.
fn club_with_upset() -> Scratch {
    let scratch = Scratch::new();
    let usual: [&[&str]; 6] = [&["a"], &["b"], &["c"], &["d"], &["e"], &["f"]];
    let surprise: [&[&str]; 7] = [&["f"], &["new"], &["a"], &["b"], &["c"], &["d"], &["e"]];
    scratch.write("1.json", contest(1, 0, &usual));
    scratch.write("2.json", contest(2, 1, &usual));
    scratch.write("3.json", contest(3, 2, &surprise));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    scratch
}

#[test]
fn upset_is_shown() {
    let scratch = club_with_upset();
    let done = scratch.ok(&["contest", "club", "3"]);
    assert_eq!(done.err, "");
    assert!(done.out.starts_with("club: Round 3\n"), "{}", done.out);
    for text in [
        "7, 6 of them rated before",
        "concordance 66.7 %",
        "  f came 1st, predicted 6th: ahead of all 5 rated higher",
    ] {
        assert!(done.out.contains(text), "no {text:?} in {}", done.out);
    }
    let first = scratch.ok(&["contest", "club", "Round 1"]).out;
    assert!(first.contains("6, none of them rated before"), "{first}");
    assert!(!first.contains("than predicted"), "{first}");
}

#[test]
fn ratings_match_leaderboards_before_and_after() {
    let scratch = club_with_upset();
    let mus = |day: &str| {
        let board = scratch.json(&["leaderboard", "club", "--as-of", day]);
        board["rows"].as_array().unwrap().clone()
    };
    let (before, after) = (mus("2023-11-16"), mus("2023-11-17"));
    let view = scratch.json(&["contest", "club", "3"]);
    for row in view["rows"].as_array().unwrap() {
        let on = |board: &[Value]| {
            let match_row = board.iter().find(|other| other["name"] == row["name"]);
            match_row.map(|row| row["mu"].clone())
        };
        assert_eq!(Some(&row["mu"]), on(&after).as_ref());
        let newcomer = Value::from(1500.0);
        assert_eq!(row["mu_before"], on(&before).unwrap_or(newcomer));
        assert_eq!(row["change"].is_null(), row["name"] == "new");
    }
}

#[test]
fn json_has_the_documented_fields() {
    let scratch = club_with_upset();
    let view = scratch.json(&["contest", "club", "3"]);
    assert_eq!(
        fields(&view),
        [
            "better_than_predicted",
            "completeness",
            "concordance",
            "contest",
            "division",
            "ends_at",
            "entrants",
            "event",
            "name",
            "offset",
            "pair_inversion",
            "parameters",
            "past_winners",
            "rank_deviation",
            "rated_before",
            "result_probability",
            "revision",
            "rows",
            "run_id",
            "run_name",
            "selection",
            "site_weight",
            "source",
            "stale",
            "starts_at",
            "state",
            "system",
            "total",
            "unrated",
            "url",
            "weight",
            "withdrawn_at",
            "worse_than_predicted",
        ]
    );
    assert_eq!(
        fields(&view["rows"][0]),
        [
            "change",
            "counted",
            "counts_as",
            "counts_in",
            "external_id",
            "kind",
            "members",
            "mu",
            "mu_before",
            "name",
            "performance",
            "place",
            "predicted",
            "sigma",
            "status",
        ]
    );
    assert_eq!(
        view["better_than_predicted"],
        serde_json::json!([{
            "name": "f", "external_id": "f", "place": 1, "predicted": 6, "reversed": 5, "rivals": 5,
        }])
    );
}

#[test]
fn misspelled_names_are_found_and_candidates_listed() {
    let scratch = club_with_upset();
    let done = scratch.ok(&["contest", "club", "rond 3"]);
    assert_eq!(done.err, "no exact match for \"rond 3\"; showing \"Round 3\"\n");
    scratch
        .run(&["contest", "club", "Round"])
        .exits(1)
        .says("\"Round\" does not identify one contest of club; use one of these names:\n  ");
    scratch
        .run(&["contest", "club", "final"])
        .exits(1)
        .says("there is no contest like \"final\" in club");
    scratch
        .run(&["contest", "club", "3", "--as-of", "2023-11-16"])
        .exits(1)
        .says("contest \"Round 3\" ended on 2023-11-17, after that");
    scratch.ok(&["contest", "club", "3", "--as-of", "2023-11-17"]);
}

#[test]
fn pages_are_consecutive() {
    let scratch = Scratch::new();
    scratch.write("1.json", large_contest(1, 30));
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let all = scratch.json(&["contest", "club", "1", "--limit", "99"]);
    assert_eq!(all["total"], 30);
    let mut pages = Vec::new();
    for offset in ["0", "12", "24", "36"] {
        let page = scratch.json(&["contest", "club", "1", "--limit", "12", "--offset", offset]);
        pages.extend(page["rows"].as_array().unwrap().clone());
    }
    assert_eq!(&Value::Array(pages), &all["rows"]);
    let out =
        |offset| scratch.ok(&["contest", "club", "1", "--limit", "12", "--offset", offset]).out;
    assert!(out("12").contains("6 more: --offset 24\n"), "{}", out("12"));
    assert!(out("36").ends_with("30 in total\n"), "{}", out("36"));
}

#[test]
fn names_are_shown_without_control_characters() {
    let scratch = Scratch::new();
    let mut round: serde_json::Value =
        serde_json::from_str(&contest(1, 0, &[&["a\u{1b}[2J"], &["b"]])).unwrap();
    round["name"] = "x\u{1b}[2J".into();
    scratch.write("1.json", round.to_string());
    scratch.ok(&["import", "1.json", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let done = scratch.ok(&["contest", "club", "x"]);
    assert!(done.out.contains("x\\u{1b}[2J"), "{}", done.out);
    assert!(done.out.contains("a\\u{1b}[2J"), "{}", done.out);
    assert!(!(done.out + &done.err).contains('\u{1b}'));
}

#[test]
fn unplaced_entrants_come_last() {
    let scratch = Scratch::new();
    scratch.write(
        "1.csv",
        "contest,date,player,place\n1,2024-01-01,a,1\n1,2024-01-01,b,dq\n\
         1,2024-01-01,c,dnf\n1,2024-01-01,d,2\n",
    );
    scratch.ok(&["import", "1.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let view = scratch.json(&["contest", "club", "1"]);
    let rows = view["rows"].as_array().unwrap();
    let statuses: Vec<_> = rows.iter().map(|row| row["status"].as_str()).collect();
    assert_eq!(statuses, [None, None, Some("dnf"), Some("dq")]);
}

#[test]
fn unordered_contest_is_shown_without_ratings() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.write("2.json", contest(2, 1, &[&["a"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["contest", "club", "2"]).out;
    assert!(out.contains("1 by elo-mmr; not rated: no order"), "{out}");
    let view = scratch.json(&["contest", "club", "2"]);
    assert_eq!(view["unrated"], "no order");
    assert!(view["rows"][0]["mu"].is_null() && view["rows"][0]["mu_before"].is_f64());
    assert!(view["pair_inversion"].is_null());
}

/// Returns an unrated source of three contests in two divisions.
fn unrated_contest(source: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "cups.csv",
        "contest id,contest,date,player,place,division\n\
         1,Alpha,2024-01-01,Ada Lark,1,X\n1,Alpha,2024-01-01,Bea Holt,2,X\n\
         2,Beta,2024-02-01,Bea Holt,1,X\n2,Beta,2024-02-01,Ada Lark,2,X\n\
         3,Gamma,2024-03-01,Ada Lark,1,Y\n3,Gamma,2024-03-01,Bea Holt,2,Y\n",
    );
    scratch.ok(&["import", "cups.csv", "--source", source]);
    scratch
}

#[test]
fn standings_are_shown_before_rating() {
    let scratch = unrated_contest("club");
    let done = scratch.ok(&["contest", "club", "1/X"]);
    for text in [
        "\n entrants  2\n",
        "\n run       none; not rated yet; `ranklore rate club` rates it\n",
        "\n place  name\n     1  Ada Lark\n     2  Bea Holt\n",
    ] {
        assert!(done.out.contains(text), "no {text:?} in {}", done.out);
    }
    let before = scratch.json(&["contest", "club", "1/X"]);
    for absent in ["run_id", "run_name", "system", "selection", "parameters"] {
        assert!(before[absent].is_null(), "{absent}");
    }
    assert_eq!(before["unrated"], "not rated yet");
    let row = &before["rows"][0];
    assert_eq!((&row["place"], &row["name"]), (&1.into(), &"Ada Lark".into()));
    for absent in [
        "predicted",
        "mu_before",
        "mu",
        "sigma",
        "change",
        "performance",
    ] {
        assert!(row[absent].is_null(), "{absent}");
    }
    scratch.ok(&["rate", "club"]);
    let after = scratch.json(&["contest", "club", "1/X"]);
    assert_eq!(fields(&before), fields(&after));
    assert_eq!(fields(row), fields(&after["rows"][0]));
    scratch
        .run(&["contest", "club", "1/X", "--run", "9"])
        .exits(1)
        .says("there is no run 9");
}

#[test]
fn standings_before_rating_show_pseudonyms() {
    let scratch = unrated_contest("o2cm");
    let output = scratch.ok(&["contest", "o2cm", "1/X"]).out;
    assert!(output.contains("place  name") && !output.contains("Ada"), "{output}");
    let named = scratch.ok(&["contest", "o2cm", "1/X", "--real-names"]).out;
    assert!(named.contains("1  Ada Lark"), "{named}");
}

#[test]
fn merged_accounts_count_once_before_rating() {
    let scratch = unrated_contest("club");
    scratch.ok(&["competitor", "merge", "club", "Bea Holt", "Ada Lark"]);
    let view = scratch.json(&["contest", "club", "2/X"]);
    let counted = view["rows"].as_array().unwrap().iter();
    let counted: Vec<_> = counted.map(|row| row["counted"].as_bool()).collect();
    assert_eq!(counted, [Some(true), Some(false)]);
}

#[test]
fn unrated_contest_states_reason_and_command() {
    let scratch = unrated_contest("club");
    let run_with = |contest: &str, options: &[&str]| {
        let out = scratch.ok(&[&["contest", "club", contest], options].concat()).out;
        let line = out.lines().find(|line| line.starts_with(" run "));
        (line.unwrap().trim().to_owned(), out)
    };
    let run = |contest: &str| run_with(contest, &[]);
    scratch.ok(&["withdraw", "club", "2/X"]);
    let undo = "not rated: withdrawn; `ranklore withdraw club 2/X --undo` includes it again";
    assert_eq!(run("2/X").0, format!("run       none; {undo}"));
    scratch.ok(&["rate", "club", "--division", "X"]);
    let (line, out) = run_with("2/X", &["--run", "1"]);
    assert!(line.ends_with(undo), "{line}");
    // The view shows predictions; there are no ratings after the contest.
    assert!(out.contains("place  name      predicted  mu before\n"), "{out}");
    // A run of a part of the contests is not shown unasked.
    let (line, _) = run("3/Y");
    assert_eq!(line, "run       none; not rated yet; `ranklore rate club` rates it");
    let (line, _) = run_with("3/Y", &["--run", "1"]);
    assert!(
        line.ends_with("not rated: not in this run; `ranklore rate club` rates it, in another run"),
        "{line}"
    );
    scratch.write(
        "live.json",
        r#"{"id":9,"name":"Live","time_seconds":1709251200,"state":"unrated",
            "standings":[["Ada Lark",0,0],["Bea Holt",1,1]]}"#,
    );
    scratch.ok(&["import", "live.json", "--source", "club"]);
    assert!(run("9").0.ends_with("; unrated by its source"));
}

//! `ranklore contest`: which one is meant, what is shown, and page by page.
#![expect(
    clippy::unwrap_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod support;

use serde_json::Value;
use support::{Scratch, contest, large_contest};

fn fields(of: &Value) -> Vec<&str> {
    let mut fields: Vec<&str> = of.as_object().unwrap().keys().map(String::as_str).collect();
    fields.sort_unstable();
    fields
}

/// Two rounds that go alike and a third in which the last one wins.
fn surprised() -> Scratch {
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
fn a_surprise_is_told() {
    let scratch = surprised();
    let done = scratch.ok(&["contest", "club", "3"]);
    assert_eq!(done.err, "");
    assert!(done.out.starts_with("club: Round 3\n"), "{}", done.out);
    for said in [
        "7, 6 of them rated before",
        "pair inversion 66.7 %",
        "  f came 1st, predicted 6th: ahead of all 5 rated higher",
    ] {
        assert!(done.out.contains(said), "no {said:?} in {}", done.out);
    }
    let first = scratch.ok(&["contest", "club", "Round 1"]).out;
    assert!(first.contains("6, none of them rated before"), "{first}");
    assert!(!first.contains("than predicted"), "{first}");
}

#[test]
fn ratings_are_those_of_the_leaderboards_before_and_after() {
    let scratch = surprised();
    let mus = |day: &str| {
        let board = scratch.json(&["leaderboard", "club", "--as-of", day]);
        board["rows"].as_array().unwrap().clone()
    };
    let (before, after) = (mus("2023-11-16"), mus("2023-11-17"));
    let view = scratch.json(&["contest", "club", "3"]);
    for row in view["rows"].as_array().unwrap() {
        let on = |board: &[Value]| {
            let found = board.iter().find(|other| other["name"] == row["name"]);
            found.map(|row| row["mu"].clone())
        };
        assert_eq!(Some(&row["mu"]), on(&after).as_ref());
        let newcomer = Value::from(1500.0);
        assert_eq!(row["mu_before"], on(&before).unwrap_or(newcomer));
        assert_eq!(row["change"].is_null(), row["name"] == "new");
    }
}

#[test]
fn the_fields_of_json_are_these() {
    let scratch = surprised();
    let view = scratch.json(&["contest", "club", "3"]);
    assert_eq!(
        fields(&view),
        [
            "better_than_predicted",
            "contest",
            "division",
            "ends_at",
            "entrants",
            "event",
            "name",
            "offset",
            "pair_inversion",
            "parameters",
            "rank_deviation",
            "rated_before",
            "revision",
            "rows",
            "run_id",
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
fn names_are_forgiven_and_candidates_offered() {
    let scratch = surprised();
    let done = scratch.ok(&["contest", "club", "rond 3"]);
    assert_eq!(done.err, "no \"rond 3\"; this is \"Round 3\"\n");
    scratch
        .run(&["contest", "club", "Round"])
        .exits(1)
        .says("which contest of club is \"Round\"? There are \"1\", called \"Round 1\"");
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
fn pages_follow_one_another() {
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
    let out = |offset| {
        scratch
            .ok(&["contest", "club", "1", "--limit", "12", "--offset", offset])
            .out
    };
    assert!(out("12").contains("6 more: --offset 24\n"), "{}", out("12"));
    assert!(
        out("36").ends_with("there are 30 in all\n"),
        "{}",
        out("36")
    );
}

#[test]
fn names_do_not_steer() {
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
fn those_without_a_place_come_last() {
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
fn a_contest_without_an_order_is_shown_without_ratings() {
    let scratch = Scratch::new();
    scratch.write("1.json", contest(1, 0, &[&["a"], &["b"]]));
    scratch.write("2.json", contest(2, 1, &[&["a", "b"]]));
    scratch.ok(&["import", ".", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let out = scratch.ok(&["contest", "club", "2"]).out;
    assert!(out.contains("1 by elo-mmr; not rated: no order"), "{out}");
    let view = scratch.json(&["contest", "club", "2"]);
    assert_eq!(view["unrated"], "no order");
    assert!(view["rows"][0]["mu"].is_null() && view["rows"][0]["mu_before"].is_f64());
    assert!(view["pair_inversion"].is_null());
}

//! Every kind of site failure affects only the contest it is about.

use ranklore_test_support::Reply;
use serde_json::{Value, json};

use super::site::{AtcoderSite, LIST, mine, results, results_request, standings_request};
use crate::support::{CommandOutput, Scratch};

const STATES: &str = "SELECT external_id, state, entrants FROM contest
    WHERE entrants > 0 OR external_id = 'ahc901' ORDER BY 1";

fn sample_results() -> Value {
    results("ahc901", &["tide7".to_owned(), "wren".to_owned()])
}

/// Returns invalid answers with the expected messages.
fn bad_replies() -> Vec<(Reply, &'static str)> {
    let changed = |row: usize, field: &str, value: Value| {
        let mut rows = sample_results();
        rows[row][field] = value;
        Reply::json(&rows)
    };
    vec![
        (Reply::json(r#"[{"IsRated":true,"Place""#), "truncated"),
        (Reply::json(""), "empty body"),
        (Reply::json("{}"), "not a complete answer"),
        (
            Reply::html(200, "<html><title>Sign In - AtCoder</title><input type=\"password\">"),
            "login page",
        ),
        (
            Reply::html(200, "<html><title>Oops</title></html>"),
            "HTML page in place of JSON",
        ),
        (Reply::html(404, "<html><title>404 Not Found</title></html>"), "404"),
        (Reply::html(503, "<html>busy</html>"), "503"),
        (changed(1, "Place", json!(0)), "[1].Place: a rank from 1"),
        (changed(1, "Place", json!("2nd")), "[1].Place"),
        (
            changed(1, "UserScreenName", json!("tide7")),
            "[1].UserScreenName: each user once",
        ),
        (changed(1, "NewRating", Value::Null), "[1].NewRating"),
        (
            changed(0, "ContestScreenName", json!("abc901.contest.atcoder.jp")),
            "[0].ContestScreenName",
        ),
    ]
}

#[test]
fn failed_contest_costs_one_contest_and_is_retried() {
    for (bad, message) in bad_replies() {
        let site = AtcoderSite::new();
        let scratch = Scratch::new();
        let target = results_request("ahc901");
        let good = site.server.next_reply(&target);
        site.server.set_replies(&target, [bad]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        assert!(done.err.contains(message), "{message}: {}", done.err);
        assert!(done.err.contains("ahc901"), "{message}: {}", done.err);
        let states = scratch.rows(STATES);
        assert_eq!(states[..2], ["abc901|final|4", "abc902|provisional|2"], "{message}");
        assert!(states[2].ends_with("|0"), "{message}: {states:?}");
        site.server.set_replies(&target, [good]);
        site.take_targets();
        scratch.ok(&mine(&site, &[]));
        assert!(site.take_targets().contains(&target), "{message}");
        assert_eq!(scratch.rows(STATES)[2], "ahc901|final|2", "{message}");
    }
}

#[test]
fn results_survive_failed_answers() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let target = results_request("ahc901");
    for (bad, message) in bad_replies() {
        site.server.set_replies(&target, [bad]);
        scratch.run(&mine(&site, &["--full"])).exits(3);
        assert_eq!(scratch.content_hash(), before, "{message}");
    }
    // Results that are taken back withdraw the contest, and their rows stay.
    site.server.set_replies(&target, [Reply::json("[]")]);
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(scratch.rows(STATES)[2], "ahc901|withdrawn|2");
}

#[test]
fn invalid_standings_leave_results() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let target = standings_request("ahc901");
    let good: Value = serde_json::from_slice(&site.server.next_reply(&target).body).unwrap();
    for (pointer, value, message) in [
        (
            "/StandingsData/0/TaskResults",
            json!({}),
            "StandingsData[0].TaskResults: a task",
        ),
        (
            "/StandingsData/1/TotalResult/Score",
            Value::Null,
            "StandingsData[1].TotalResult.Score",
        ),
        ("/StandingsData/1/Rank", json!(1), "StandingsData[1].Rank: a rank other than 1"),
    ] {
        let mut bad = good.clone();
        *bad.pointer_mut(pointer).unwrap() = value;
        site.server.set_replies(&target, [Reply::json(&bad)]);
        let done = site.sync_standings(&scratch).exits(3);
        assert!(done.err.contains(message), "{message}: {}", done.err);
        assert_eq!(scratch.rows(STATES).len(), 3);
        let scores = "SELECT count(*) FROM standing WHERE score IS NOT NULL";
        assert_eq!(scratch.count(scores), 6, "the other contests have scores");
    }
}

#[test]
fn invalid_contest_of_the_list_leaves_the_others() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let mut list: Value = serde_json::from_slice(&site.server.next_reply(LIST).body).unwrap();
    list[1]["rate_change"] = json!("sometimes");
    site.server.set_replies(LIST, [Reply::json(&list)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("[1].rate_change"), "{}", done.err);
    assert_eq!(scratch.rows(STATES), ["abc901|final|4", "ahc901|final|2"]);
    for (bad, message) in [
        (Reply::json("[]"), "at least one contest"),
        (Reply::html(502, "<html>Bad Gateway</html>"), "502"),
    ] {
        site.server.set_replies(LIST, [bad]);
        let before = scratch.content_hash();
        let done: CommandOutput = scratch.run(&mine(&site, &[]));
        assert_ne!(done.code, Some(0));
        assert!(done.err.contains(message), "{message}: {}", done.err);
        assert_eq!(scratch.content_hash(), before, "{message}");
    }
}

#[test]
fn robots_txt_is_obeyed() {
    let site = AtcoderSite::new();
    let scratch = Scratch::new();
    let rules = Reply::new(200, "text/plain", "User-agent: *\nDisallow: /contests/ahc901/\n");
    site.server.set_replies(super::ROBOTS, [rules]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("robots.txt disallows"), "{}", done.err);
    assert!(!site.take_targets().contains(&results_request("ahc901")));
}

//! Every kind of site failure affects only the thread it is about.

use ranklore_test_support::Reply;
use ranklore_test_support::subreddit::TEXT;
use serde_json::{Value, json};

use super::site::{
    BEST_THREE, RedditSite, TOP_THREE_LIST, assert_rebuild_unchanged, database_contains,
    standings_of, stored_standings,
};
use crate::support::Scratch;

fn html_page(title: &str) -> String {
    format!("<!DOCTYPE html><html><head><title>{title}</title></head><body>{title}</body></html>")
}

fn reply_with(status: u16, media_type: &str, body: impl AsRef<[u8]>) -> Reply {
    Reply::new(status, media_type, body)
}

fn json_reply(text: impl AsRef<[u8]>) -> Reply {
    reply_with(200, "application/json; charset=UTF-8", text)
}

const RATE_LIMITED: &str = "asked too often";

/// Returns invalid responses in place of a valid one, with the expected messages.
fn bad_replies(good: &Reply) -> Vec<(Reply, &'static str)> {
    let html = |status, title: &str| reply_with(status, "text/html", html_page(title));
    let half = good.body[..good.body.len() / 2].to_vec();
    let login = "<form action=\"/login\"><input type=\"password\" name=\"p\"></form>";
    let slower = json!({"message": "Too Many Requests", "error": 429}).to_string();
    let limited = json!({"json": {"errors": [["RATELIMIT", "do that less", null]]}});
    vec![
        (json_reply(half), "is truncated"),
        (json_reply(""), "responded with an empty body"),
        (good.clone().cut_after(40), "was cut off"),
        (html(200, "Reddit is moving"), "Reddit is moving"),
        (html(404, "page not found"), "HTTP 404"),
        (html(200, login), "login page"),
        (html(503, "Ow! -- reddit.com"), "HTTP 503"),
        (reply_with(520, "text/html", ""), "HTTP 520"),
        (reply_with(429, "application/json", slower), "limits the rate of requests"),
        (json_reply("{\"kind\": Listing}"), "invalid JSON"),
        (json_reply(limited.to_string()), RATE_LIMITED),
        (json_reply("null"), "cannot be read"),
    ]
}

/// Returns the messages about responses to a request, one per line.
fn error_lines(err: &str, target: &str) -> Vec<String> {
    let (method, rest) = target.split_once(" /").unwrap();
    let path = rest.split(['?', ' ']).next().unwrap();
    let begins = [format!("{method} {path}?"), format!("{method} {path} ")];
    err.lines()
        .filter(|line| begins.iter().any(|begin| line.starts_with(begin)))
        .map(str::to_owned)
        .collect()
}

/// Asserts that one invalid response about a thread leaves the others counted, and the thread is
/// counted once the response is valid.
fn assert_only_thread_fails(part: usize, kind: usize) {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    let before = site.standings();
    site.change_votes();
    let (target, good) = site.threads[0].replies_by_target().swap_remove(part);
    let (bad, message) = bad_replies(&good).swap_remove(kind);
    let context = format!("{target}, {message}");
    site.server.set_replies(&target, [bad]);
    site.take_targets();
    let done = site.run(&scratch, &BEST_THREE);
    assert_eq!(done.code, Some(3), "{context}: {}", done.err);
    let lines = error_lines(&done.err, &target);
    assert_eq!(lines.len(), 1, "{context}: {}", done.err);
    assert!(lines[0].contains(message), "{context}: {}", done.err);
    assert!(!done.err.contains("contest t0001"), "{context}: {}", done.err);
    let tries = site.take_targets().into_iter().filter(|request| *request == target).count();
    assert!((1..=5).contains(&tries), "{context}: {tries}");
    let first = |rows: Vec<String>| -> Vec<String> {
        let rows = rows.into_iter();
        rows.filter(|row| row.starts_with("t0001")).collect()
    };
    let now = site.standings();
    let expected = [first(before), now[first(now.clone()).len()..].to_vec()].concat();
    assert_eq!(stored_standings(&scratch), expected, "{context}");
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains("reddit: contest t0001, "), "{context}: {status}");
    assert_rebuild_unchanged(&scratch);
    assert!(!database_contains(&scratch, TEXT), "{context}");

    site.server.set_replies(&target, [good]);
    site.run(&scratch, &[]).exits(0);
    assert!(site.take_targets().contains(&target), "{context}");
    assert_eq!(stored_standings(&scratch), now, "{context}");
    let status = scratch.ok(&["status"]).out;
    assert!(!status.contains("contest t0001"), "{context}: {status}");
}

#[test]
fn invalid_response_costs_one_thread_and_is_retried() {
    let site = RedditSite::new();
    let answers = site.threads[0].replies_by_target();
    let part = |method: &str, path: &str| {
        let begin = format!("{method} /{path}");
        answers.iter().position(|(target, _)| target.starts_with(&begin))
    };
    let parts = [
        Some(0),
        part("POST", "api/morechildren"),
        part("GET", "comments/t0001/_/"),
    ];
    let kinds = bad_replies(&answers[0].1);
    std::thread::scope(|scope| {
        for (part, number) in parts.into_iter().zip(0..) {
            for (kind, (_, message)) in kinds.iter().enumerate() {
                // The rate limit error has status 200 for requests by number.
                if *message != RATE_LIMITED || number == 1 {
                    scope.spawn(move || assert_only_thread_fails(part.unwrap(), kind));
                }
            }
        }
    });
}

#[test]
fn recovering_site_is_awaited() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let (target, good) = site.threads[1].replies_by_target().swap_remove(0);
    let unavailable = reply_with(503, "text/html", html_page("busy"));
    let slowly = reply_with(429, "text/html", "slowly").header("Retry-After", "1");
    site.server.set_replies(&target, [unavailable, slowly, good]);
    site.sync(&scratch);
    assert_eq!(stored_standings(&scratch), site.standings());
}

#[test]
fn retry_after_is_obeyed() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let (target, _) = site.threads[1].replies_by_target().swap_remove(0);
    let patience = reply_with(429, "text/html", "slowly").header("Retry-After", "3600");
    site.server.set_replies(&target, [patience]);
    let done = site.run(&scratch, &[&BEST_THREE[..], &["--json"]].concat()).exits(4);
    assert_eq!(done.json()["stopped"]["blocked"], true);
    site.take_targets();
    site.run(&scratch, &BEST_THREE).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
}

#[test]
fn challenge_on_the_list_ends_the_sync() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    let before = scratch.content_hash();
    let wall = reply_with(403, "text/html", html_page("Blocked"));
    site.server.set_replies(TOP_THREE_LIST, [wall]);
    site.take_targets();
    let done = site.run(&scratch, &BEST_THREE).exits(4);
    assert!(done.err.contains("HTTP 403"), "{}", done.err);
    assert!(!site.take_targets().iter().any(|request| request.contains("comments")));
    assert_eq!(scratch.content_hash(), before);
    // Known threads are requested without a list.
    site.run(&scratch, &[]).exits(0);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn failed_list_costs_only_its_new_threads() {
    let refused = |status: u16, reason: &str| {
        let text = json!({"reason": reason, "message": "no", "error": status}).to_string();
        reply_with(status, "application/json", text)
    };
    let good = RedditSite::new().server.next_reply(TOP_THREE_LIST);
    for (bad, message) in [
        (refused(403, "private"), "closed or does not exist: HTTP 403, private"),
        (refused(404, "banned"), "closed or does not exist: HTTP 404, banned"),
        (json_reply(&good.body[..50]), "is truncated"),
        (json_reply(with_other_fields(&good)), "created_utc"),
    ] {
        let mut site = RedditSite::new();
        let scratch = Scratch::new();
        let list = site.server.next_reply(TOP_THREE_LIST);
        site.server.set_replies(TOP_THREE_LIST, [bad.clone()]);
        // There is no list to use.
        let done = site.run(&scratch, &BEST_THREE);
        assert!(matches!(done.code, Some(1 | 3)), "{message}: {}", done.err);
        assert!(done.err.contains(message), "{message}: {}", done.err);
        let status = scratch.ok(&["status"]).out;
        assert!(
            status.ends_with("request them again: ranklore mine reddit --subreddit NAME\n"),
            "{status}"
        );
        site.run(&scratch, &[]).exits(2).says("--subreddit NAME is missing");
        site.server.set_replies(TOP_THREE_LIST, [list]);
        site.sync(&scratch);
        // Deleted content of known threads is removed.
        site.delete_author("Dov");
        site.server.set_replies(TOP_THREE_LIST, [bad]);
        let done = site.run(&scratch, &BEST_THREE).exits(3);
        assert_eq!(done.err.matches(message).count(), 1, "{message}: {}", done.err);
        assert_eq!(stored_standings(&scratch), site.standings(), "{message}");
        assert!(!database_contains(&scratch, "Dov"), "{message}");
    }
}

fn with_other_fields(answer: &Reply) -> String {
    let text = String::from_utf8(answer.body.clone()).unwrap();
    text.replace("created_utc", "made_at")
}

#[test]
fn changed_layout_is_reported_and_changes_nothing() {
    let mut site = RedditSite::new();
    let scratch = Scratch::new();
    site.sync(&scratch);
    let before = site.standings();
    site.change_votes();
    for (target, good) in site.threads[0].replies_by_target() {
        let text = String::from_utf8(good.body).unwrap();
        let odd = text.replace("\"score\":", "\"points\":");
        site.server.set_replies(&target, [json_reply(odd)]);
    }
    let done = site.run(&scratch, &BEST_THREE).exits(3);
    assert_eq!(done.err.matches("data.score:").count(), 1, "{}", done.err);
    assert_eq!(stored_standings(&scratch)[..6], before[..6]);
    assert_eq!(stored_standings(&scratch)[6..], site.standings()[6..]);
    assert_rebuild_unchanged(&scratch);
    site.publish();
    site.sync(&scratch);
    assert_eq!(stored_standings(&scratch), site.standings());
}

#[test]
fn exhausted_rate_limit_pauses_the_sync() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let (target, answer) = site.threads[1].replies_by_target().swap_remove(0);
    let spent = answer.header("x-ratelimit-remaining", "0.0").header("x-ratelimit-reset", "1");
    site.server.set_replies(&target, [spent]);
    let request_count = site.server.request_count();
    assert_eq!(request_count, 0);
    let done = site.sync(&scratch);
    let moments = site.server.request_times();
    let requests = site.take_targets();
    let at = requests.iter().position(|request| *request == target).unwrap();
    let pause = (moments[at + 1] - moments[at]).as_secs_f64();
    assert!(pause >= 0.9, "{pause}");
    assert!(done.err.is_empty() || done.err.contains("next:"), "{}", done.err);
    assert_eq!(stored_standings(&scratch), site.standings());
}

#[test]
fn circular_pages_end() {
    let site = RedditSite::new();
    let scratch = Scratch::new();
    let thread = &site.threads[1];
    // A part that links to itself.
    let (target, answer) = thread.replies_by_target().swap_remove(0);
    let mut tree: Value = serde_json::from_slice(&answer.body).unwrap();
    let children = tree[1]["data"]["children"].as_array_mut().unwrap();
    let options = json!({"kind": "more", "data": {
        "id": "c0099", "parent_id": "t3_t0002", "count": 1, "children": ["c0099"],
    }});
    children.push(options.clone());
    site.server.set_replies(&target, [Reply::json(&tree)]);
    let by_number = "POST /api/morechildren api_type=json&children=c0099&limit_children=false\
                     &link_id=t3_t0002&raw_json=1&sort=old";
    let again = json!({"json": {"errors": [], "data": {"things": [options]}}});
    site.server.set_replies(by_number, [Reply::json(&again)]);
    let done = site.run(&scratch, &BEST_THREE).exits(3);
    assert!(done.err.contains("t0002"), "{}", done.err);
    let mut expected = standings_of(&site.threads[0]);
    expected.extend(standings_of(&site.threads[2]));
    assert_eq!(stored_standings(&scratch), expected);
}

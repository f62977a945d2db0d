//! Real answers of the site. Runs only if `RANKLORE_REAL_DATA` names the folder with the data.

use std::collections::HashSet;
use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_contest::UnixSeconds;
use ranklore_reddit::{RedditSource, SubredditListing};
use ranklore_source::{MediaKind, Request, SiteReading, Source};
use serde_json::Value;

use crate::fixtures::{entrants, standings};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("reddit").join(name);
    Some(std::fs::read(path).unwrap())
}

fn source() -> RedditSource {
    RedditSource::new(vec![SubredditListing::top("AskReddit", 1000).unwrap()])
}

/// Checks an answer with the conformance suite and reads it.
fn check_and_read(name: &str, request: &Request, body: &[u8]) -> SiteReading {
    let fixture = Fixture {
        name,
        request,
        status: 200,
        body,
        optional: &["data.after"],
    };
    conformance::check_reading(&source(), &fixture);
    conformance::check_minimise(&source(), &fixture);
    conformance::check_forget(&source(), &fixture);
    conformance::read_answer(&source(), request, 200, body).unwrap()
}

fn comments_request(path: &str) -> Request {
    Request::get(path, MediaKind::Json, "a thread")
        .with_parameter("depth", 10)
        .with_parameter("limit", 500)
        .with_parameter("raw_json", 1)
        .with_parameter("sort", "old")
}

#[test]
fn real_page_has_100_threads() {
    let Some(body) = real_file("01_GET_r_askreddit_top.json") else {
        return;
    };
    let reading = check_and_read("a listing", &source().initial_requests()[0], &body);
    assert_eq!(reading.listed.len(), 100);
    assert_eq!(reading.listed[0].external_id, "2np694");
    let at = UnixSeconds::new(1_417_208_878);
    assert_eq!(reading.listed[0].ends_at, at);
    let next = "GET r/AskReddit/top?after=t3_3i6z8w&count=100&limit=100&raw_json=1&t=all";
    assert_eq!(reading.follow[0].key(), next);
}

#[test]
fn real_thread_has_ten_levels() {
    let Some(body) = real_file("all__01_GET_comments_3hahrw.json") else {
        return;
    };
    let request = comments_request("comments/3hahrw");
    let reading = check_and_read("a thread", &request, &body);
    // 476 comments, 16 of them by deleted accounts, which count as one of the 388 names.
    let thread_entrants = entrants(&reading.results[0].outcome);
    assert_eq!(thread_entrants.len(), 387);
    assert_eq!(reading.left_out["comments by deleted accounts"], 16);
    let total: i64 = thread_entrants.iter().map(|entrant| entrant.score.unwrap() as i64).sum();
    assert_eq!(total, total_score(&body, "/1/data/children"));
    // 24 comments left out by id, and six that continue in another document.
    assert_eq!(reading.parts.len(), 1 + 6);
    assert_eq!(reading.parts[0].form[1].1.split(',').count(), 24);
    let below = comments_request("comments/3hahrw/_/cu5uyz1").key();
    assert!(reading.parts.iter().any(|part| part.key() == below));
    let minimised = source().minimise(&request.key(), &body);
    assert!(minimised.len() * 3 < body.len(), "{}", minimised.len());
}

/// Returns the sum of all scores of comments by existing accounts.
fn total_score(body: &[u8], pointer: &str) -> i64 {
    fn sum(children: &Value) -> i64 {
        let children = children.as_array().into_iter().flatten();
        children
            .filter(|child| child["kind"] == "t1")
            .map(|child| {
                let data = &child["data"];
                let comment_score = if data["author"] == "[deleted]" {
                    0
                } else {
                    data["score"].as_i64().unwrap()
                };
                comment_score + sum(&data["replies"]["data"]["children"])
            })
            .sum()
    }
    let document: Value = serde_json::from_slice(body).unwrap();
    sum(document.pointer(pointer).unwrap())
}

#[test]
fn real_continued_thread_is_read() {
    let Some(body) = real_file("all__14_GET_comments_3hahrw_cu5uyz1.json") else {
        return;
    };
    let reading = check_and_read("below", &comments_request("comments/3hahrw/_/cu5uyz1"), &body);
    let actual = standings(entrants(&reading.results[0].outcome));
    assert_eq!(actual, [("chumothy", 1, 1.0)]);
    assert_eq!(reading.parts, []);
}

#[test]
fn real_more_comments_are_read() {
    let Some(body) = real_file("all_with_comment_limit__02_POST_api_morechildren.json") else {
        return;
    };
    // The capture does not have the request: the requested comments are those without a parent in
    // it.
    let document: Value = serde_json::from_slice(&body).unwrap();
    let things = document["json"]["data"]["things"].as_array().unwrap();
    let here: HashSet<&Value> = things.iter().map(|thing| &thing["data"]["name"]).collect();
    let mut ids: Vec<&str> = things
        .iter()
        .filter(|thing| thing["kind"] == "t1" && !here.contains(&thing["data"]["parent_id"]))
        .map(|thing| thing["data"]["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    let request = Request::post("api/morechildren", MediaKind::Json, "more")
        .with_form_field("api_type", "json")
        .with_form_field("children", ids.join(","))
        .with_form_field("limit_children", false)
        .with_form_field("link_id", "t3_3hahrw")
        .with_form_field("raw_json", 1)
        .with_form_field("sort", "old");
    let reading = check_and_read("more", &request, &body);
    let below = entrants(&reading.results[0].outcome);
    // 92 comments, four of them by deleted accounts.
    assert_eq!(below.len(), 86);
    let total: i64 = below.iter().map(|entrant| entrant.score.unwrap() as i64).sum();
    assert_eq!(total, total_score(&body, "/json/data/things"));
    let further: usize = reading.parts.iter().map(|part| part.form[1].1.split(',').count()).sum();
    assert_eq!(further, 162);
    let left_out = things.iter().filter(|thing| thing["kind"] == "more");
    let left_out: usize =
        left_out.map(|thing| thing["data"]["children"].as_array().unwrap().len()).sum();
    assert_eq!(further, left_out);
}

#[test]
fn real_removed_comment_is_empty() {
    let Some(body) = real_file("deleted_comment__02_GET_comments_52o2fl_d7ltvl0.json") else {
        return;
    };
    let reading = check_and_read("removed", &comments_request("comments/52o2fl/_/d7ltvl0"), &body);
    let nothing = ranklore_source::ContestOutcome::NothingYet;
    assert_eq!(reading.results[0].outcome, nothing);
}

//! Mining Codeforces, against an imitation of the site on this machine.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "clippy takes the helpers of tests for no tests"
)]

mod due;
mod forgotten;
#[cfg(unix)]
mod hostile;
#[cfg(unix)]
mod killed;
mod names;
mod official;
#[cfg(unix)]
mod pace;
mod probe;
mod standings;
mod status;
mod unreachable;
mod withdrawn;

use std::io::Write as _;
use std::time::{Duration, SystemTime};

use crate::support::Scratch;
use ranklore_test_support::{Reply, Server};
use serde_json::{Value, json};

const DAY: i64 = 86_400;

fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs() as i64
}

/// Returns the list entry of a contest that ended so many days ago.
fn contest_list_entry(id: u32, days_ago: i64) -> Value {
    json!({
        "id": id,
        "name": format!("Lantern Round {id}"),
        "type": "CF",
        "phase": if days_ago >= 0 { "FINISHED" } else { "BEFORE" },
        "frozen": false,
        "durationSeconds": 7200,
        "startTimeSeconds": now() / DAY * DAY - days_ago * DAY - 7200,
        "relativeTimeSeconds": 1,
    })
}

fn ok_reply(result: &Value) -> Reply {
    Reply::json(&json!({"status": "OK", "result": result}))
}

fn error_reply(status: u16, comment: &str) -> Reply {
    let body = json!({"status": "FAILED", "comment": comment}).to_string();
    Reply::new(status, "application/json", body)
}

/// Returns the rating changes of a round, ordered by place.
fn rating_changes(id: u32, handles: &[&str]) -> Value {
    let row = |(index, handle): (usize, &&str)| {
        json!({
            "contestId": id,
            "contestName": format!("Lantern Round {id}"),
            "handle": handle,
            "rank": index + 1,
            "ratingUpdateTimeSeconds": now() - DAY,
            "oldRating": 1500,
            "newRating": 1600 - 100 * index,
        })
    };
    handles.iter().enumerate().map(row).collect()
}

const LIST: &str = "GET /api/contest.list?gym=false&lang=en";

const RATED_LIST: &str = "GET /api/user.ratedList?activeOnly=false&includeRetired=true";
const NOT_RATED: &str = "contestId: Rating changes are unavailable for this contest";

fn changes_request(id: u32) -> String {
    format!("GET /api/contest.ratingChanges?contestId={id}&lang=en")
}

/// Returns a site of two old rounds, one of this week, a future one, and an unrated one.
fn site() -> Server {
    let site = Server::new();
    let list = [
        contest_list_entry(5, -3),
        contest_list_entry(4, 2),
        contest_list_entry(3, 100),
        contest_list_entry(2, 200),
        contest_list_entry(1, 300),
    ];
    site.set_replies(LIST, [ok_reply(&list.into())]);
    site.set_replies(&changes_request(1), [ok_reply(&rating_changes(1, &["ada", "bea", "cyd"]))]);
    site.set_replies(&changes_request(2), [ok_reply(&rating_changes(2, &["bea", "ada"]))]);
    site.set_replies(&changes_request(3), [error_reply(400, NOT_RATED)]);
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["cyd", "ada", "bea"]))]);
    let users = ["ada", "bea", "cyd"].map(|handle| json!({"handle": handle, "rating": 1500}));
    site.set_replies(RATED_LIST, [ok_reply(&json!(users))]);
    site
}

fn mine<'a>(site: &'a Server, options: &[&'a str]) -> Vec<&'a str> {
    [&mine_with_interval(site, "0")[..], options].concat()
}

/// Returns the command with this interval between requests, in seconds.
fn mine_with_interval<'a>(site: &'a Server, interval: &'a str) -> Vec<&'a str> {
    let (address, pace) = ("--base-url", "--interval");
    vec!["mine", "codeforces", address, site.url(), pace, interval]
}

#[test]
fn sync_fetches_all_once_then_only_changes() {
    let site = site();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 3, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 1,
        })
    );
    assert_eq!((&report["results"], &report["left"]), (&json!(8), &json!(0)));
    assert_eq!(
        site.take_targets(),
        [
            LIST.to_owned(),
            changes_request(1),
            changes_request(2),
            changes_request(3),
            changes_request(4)
        ]
    );
    let states = "SELECT external_id, state, entrants FROM contest ORDER BY external_id";
    assert_eq!(
        scratch.rows(states),
        [
            "1|final|3",
            "2|final|2",
            "3|unrated|0",
            "4|provisional|3",
            "5|announced|0"
        ]
    );
    scratch.ok(&["rate", "codeforces"]);
    let board = scratch.json(&["leaderboard", "codeforces"]);
    assert_eq!(board["total"], 3);

    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["unchanged"], 1);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4)]);
    assert_eq!(scratch.content_hash(), before);
    let official = "SELECT external_id, mu_before, mu FROM rating JOIN rating_run USING (run_id)
        JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
        WHERE system = 'official' AND contest.external_id = '2' ORDER BY mu";
    let official = official.replace("SELECT external_id", "SELECT competitor.external_id");
    assert_eq!(scratch.rows(&official), ["ada|1500|1500", "bea|1500|1600"]);
    assert_eq!(scratch.store().check().unwrap(), []);

    let documents = scratch.count("SELECT count(*) FROM document");
    let rebuilt = scratch.ok(&["rebuild"]).out;
    let from = format!("5 contests with 8 results from {documents} documents");
    assert!(rebuilt.contains(&from), "{rebuilt}");
    assert_eq!(scratch.content_hash(), before, "a rebuild says the same");
    assert_eq!(
        scratch.rows("SELECT DISTINCT reading FROM document"),
        [r#"{"site":"codeforces"}"#]
    );
    assert_eq!(scratch.rows(states).len(), 5);
}

#[test]
fn invalid_responses_cost_one_contest_and_are_retried() {
    let site = site();
    let scratch = Scratch::new();
    let round = ok_reply(&rating_changes(2, &["bea", "ada"]));
    for (bad, reason) in [
        (Reply::new(200, "application/json", ""), "empty"),
        (Reply::new(200, "text/html", "<!DOCTYPE html><html>Sign in</html>"), "page"),
        (
            Reply::new(200, "application/json", "{\"status\":\"OK\",\"result\":[{\"contestId\""),
            "cut",
        ),
    ] {
        site.set_replies(&changes_request(2), [bad]);
        let done = scratch.run(&mine(&site, &["--full"])).exits(3);
        assert!(done.err.contains("contestId=2"), "{reason}: {}", done.err);
        // The other contests are stored; only the failed one was requested again.
        assert_eq!(scratch.count("SELECT count(*) FROM contest WHERE entrants > 0"), 2);
        assert_eq!(
            site.take_targets()
                .iter()
                .filter(|target| **target == changes_request(2))
                .count(),
            2,
            "{reason}"
        );
    }
    site.set_replies(
        &changes_request(2),
        [
            round.clone().cut_after(20),
            error_reply(503, "Call limit exceeded"),
            round,
        ],
    );
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 1);
    // Its last document, and the round of this week.
    let requests = site.take_targets();
    assert_eq!(requests.iter().filter(|target| **target == changes_request(2)).count(), 3);
    assert_eq!(requests.iter().filter(|target| **target == changes_request(1)).count(), 0);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn unreadable_document_changes_nothing() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let mut broken = rating_changes(4, &["cyd", "ada", "bea"]);
    broken[1]["rank"] = json!("second");
    site.set_replies(&changes_request(4), [ok_reply(&broken)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    done.says("result[1].rank");
    assert_eq!(scratch.content_hash(), before);
    // The document is archived, and a rebuild gives the same.
    let done = scratch.run(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before, "{}", done.err);
    // Due again; an unreadable list costs nothing either.
    site.set_replies(LIST, [ok_reply(&json!([{"id": "x"}]))]);
    scratch.run(&mine(&site, &[])).exits(3).says("result[0].id");
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn rounds_are_corrected_rated_withdrawn_and_renamed() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&changes_request(4), [ok_reply(&json!([]))]);
    scratch.ok(&mine(&site, &[]));
    let row = |id: u32| {
        let sql = format!(
            "SELECT state, entrants, revision, name FROM contest WHERE external_id = '{id}'"
        );
        scratch.rows(&sql).remove(0)
    };
    assert_eq!(row(4), "provisional|0|1|Lantern Round 4");
    // Rated days later.
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["cyd", "ada"]))]);
    assert_eq!(scratch.json(&mine(&site, &[]))["contests"]["added"], 1);
    assert_eq!(row(4), "provisional|2|1|Lantern Round 4");
    // Corrected.
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["ada", "cyd", "bea"]))]);
    assert_eq!(scratch.json(&mine(&site, &[]))["contests"]["revised"], 1);
    assert_eq!(row(4), "provisional|3|2|Lantern Round 4");
    // No longer rated: the contest keeps its results, and no run counts it.
    site.set_replies(&changes_request(4), [ok_reply(&json!([]))]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(row(4), "withdrawn|3|2|Lantern Round 4");
    let rated = scratch.json(&["rate", "codeforces"]);
    assert_eq!(rated[0]["contests"], 2);
    // Rated again and renamed; another contest is gone from the list.
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["ada", "cyd", "bea"]))]);
    let mut last = contest_list_entry(4, 2);
    last["name"] = json!("Lantern Round 4 (by the sea)");
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            last,
            contest_list_entry(2, 200),
            contest_list_entry(1, 300)
        ]))],
    );
    scratch.ok(&mine(&site, &[]));
    assert_eq!(row(4), "provisional|3|3|Lantern Round 4 (by the sea)");
    assert_eq!(row(3), "withdrawn|0|1|Lantern Round 3");
    scratch.ok(&["rate", "codeforces"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn closed_contest_keeps_results_and_is_retried() {
    let site = site();
    let scratch = Scratch::new();
    let closed = error_reply(400, "contestId: You have to be authenticated to use this method");
    site.set_replies(&changes_request(2), [closed.clone()]);
    site.set_replies(&changes_request(4), [ok_reply(&rating_changes(4, &["cyd", "ada"])), closed]);
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&mine(&site, &[]));
    assert!(
        site.take_targets()
            .iter()
            .filter(|target| **target == changes_request(2))
            .count()
            == 2
    );
    let states = "SELECT external_id, state, entrants FROM contest
        WHERE external_id IN ('2', '4') ORDER BY external_id";
    assert_eq!(scratch.rows(states), ["2|refused|0", "4|provisional|2"]);
    // Prune never deletes documents that a rebuild needs.
    let before = scratch.content_hash();
    scratch.ok(&["prune", "--documents", "superseded", "--older-than", "0d"]);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn selection_and_dry_run_limit_requests() {
    let site = site();
    let scratch = Scratch::new();
    let dry = scratch.ok(&mine(&site, &["--dry-run"]));
    assert!(dry.out.contains("GET api/contest.list?gym=false&lang=en"), "{}", dry.out);
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
    let report = scratch.json(&mine(&site, &["--limit", "1"]));
    assert_eq!((&report["contests"]["added"], &report["left"]), (&json!(1), &json!(3)));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(1)]);
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    let due: Vec<&str> = dry["contests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["contest"].as_str().unwrap())
        .collect();
    assert_eq!(due, ["2", "3", "4"]);
    assert!(site.take_targets().is_empty());
    let day = format_day(now() - 150 * DAY);
    scratch.ok(&mine(&site, &["--since", &day]));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(3), changes_request(4)]);
    // No contest is left out by that.
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(2), changes_request(4)]);
    scratch.run(&["mine", "elsewhere"]).exits(1).says("codeforces");
}

/// Formats a day as on the command line.
fn format_day(seconds: i64) -> String {
    let moment = ranklore_contest::UnixSeconds::new(seconds / DAY * DAY).unwrap();
    moment.to_string()
}

#[test]
fn retry_after_is_obeyed() {
    let site = site();
    let scratch = Scratch::new();
    let patience = error_reply(429, "Call limit exceeded").header("Retry-After", "3600");
    site.set_replies(&changes_request(2), [patience]);
    let done = scratch.run(&mine(&site, &[])).exits(4);
    assert!(done.out.contains("1 new"), "{}", done.out);
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(1), changes_request(2)]);
    // The site gets no request until then.
    let hosts = scratch.rows("SELECT * FROM host");
    scratch.run(&mine(&site, &[])).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
    assert_eq!(scratch.rows("SELECT * FROM host"), hosts);
}

#[test]
fn unchanged_list_is_not_sent_again() {
    let site = site();
    let scratch = Scratch::new();
    let list = [contest_list_entry(4, 2), contest_list_entry(1, 300)];
    site.set_replies(LIST, [ok_reply(&list.into()).header("ETag", "\"one\"")]);
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.content_hash(), before);
    let newest = scratch.rows("SELECT fetched_at FROM document ORDER BY document_id DESC LIMIT 1");
    let sources = scratch.json(&["sources"]);
    assert_eq!(sources["rows"][0]["last_answer_at"].to_string(), newest[0]);
    let bodies =
        "SELECT count(*), count(body) FROM document WHERE request_key LIKE '%contest.list%'";
    assert_eq!(scratch.rows(bodies), ["2|1"]);
}

#[test]
fn interval_is_kept_across_runs() {
    let site = site();
    let scratch = Scratch::new();
    let command = mine_with_interval(&site, "0.5");
    scratch.ok(&command);
    scratch.ok(&command);
    // The server measures the gaps, possibly on a busy machine.
    let shortest = site.request_gaps().into_iter().min().unwrap();
    assert!(shortest >= Duration::from_millis(400), "{shortest:?}");
}

#[test]
fn sync_without_news_is_one_request() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            contest_list_entry(5, -3),
            contest_list_entry(3, 100),
            contest_list_entry(2, 200),
            contest_list_entry(1, 300)
        ]))],
    );
    scratch.ok(&mine(&site, &[]));
    assert_eq!(
        site.take_targets(),
        [
            LIST.to_owned(),
            changes_request(1),
            changes_request(2),
            changes_request(3)
        ]
    );
    let before = scratch.content_hash();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_targets(), [LIST]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn failed_final_contest_is_retried() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    site.set_replies(&changes_request(1), [Reply::new(200, "application/json", "")]);
    scratch.run(&mine(&site, &["--full"])).exits(3);
    assert_eq!(scratch.content_hash(), before);
    site.set_replies(&changes_request(1), [ok_reply(&rating_changes(1, &["ada", "bea", "cyd"]))]);
    site.take_targets();
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(1), changes_request(4)]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4)]);
}

/// Returns a challenge page.
fn challenge_reply() -> Reply {
    let page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>";
    Reply::new(403, "text/html", page)
}

#[test]
fn challenge_page_stops_the_sync() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&changes_request(2), [challenge_reply()]);
    site.set_replies(&changes_request(3), [challenge_reply()]);
    let done = scratch.run(&mine_with_interval(&site, "0.01")).exits(4);
    assert!(done.err.contains("contestId=2"), "{}", done.err);
    assert!(done.err.contains("3 challenges in a row"), "{}", done.err);
    // Two attempts for one contest, then a third challenge.
    let requests = [
        LIST.to_owned(),
        changes_request(1),
        changes_request(2),
        changes_request(2),
        changes_request(3),
    ];
    assert_eq!(site.take_targets(), requests);
    assert_eq!(scratch.rows("SELECT external_id FROM contest WHERE entrants > 0"), ["1"]);
    scratch.run(&mine_with_interval(&site, "0.01")).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains("gets no requests until"), "{out}");
    assert!(out.contains("codeforces: contest 2, blocked: "), "{out}");
    // A mirror given by the user is exempt from the challenge rule.
    let mirror = site;
    let scratch = Scratch::new();
    scratch.run(&mine(&mirror, &[])).exits(3);
    let requests = [
        LIST.to_owned(),
        changes_request(1),
        changes_request(2),
        changes_request(2),
        changes_request(3),
        changes_request(3),
        changes_request(4),
    ];
    assert_eq!(mirror.take_targets(), requests);
    // State of a host without an interval is not stored.
    assert_eq!(scratch.count("SELECT count(*) FROM host"), 0);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn challenge_on_the_list_ends_the_sync() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.everything();
    site.take_targets();
    site.set_replies(LIST, [challenge_reply()]);
    scratch.run(&mine(&site, &[])).exits(4).says("a challenge page");
    assert_eq!(site.take_targets(), [LIST, LIST]);
    let list = "contest_sync: 1|GET api/contest.list?gym=false&lang=en|";
    let is_else = |row: &&String| {
        let of_sync = ["host: ", list, "sync_run: "];
        !of_sync.iter().any(|start| row.starts_with(start))
    };
    let now: Vec<String> = scratch.everything();
    let now = now.iter().filter(is_else);
    let before = before.iter().filter(is_else);
    assert!(now.eq(before), "nothing was written but that the sync failed");
    // The failure is reported until the list arrives.
    let trace = "codeforces: GET api/contest.list?gym=false&lang=en, blocked: ";
    let out = scratch.ok(&["status"]).out;
    assert!(out.contains(trace), "{out}");
    let refused = &scratch.json(&["status"])["sources"][0]["refused"][0];
    assert_eq!(refused["document"], "GET api/contest.list?gym=false&lang=en");
    site.set_replies(LIST, [ok_reply(&json!([contest_list_entry(1, 300)]))]);
    scratch.ok(&mine(&site, &[]));
    let out = scratch.ok(&["status"]).out;
    assert!(!out.contains("contest.list"), "{out}");
}

#[test]
fn redirect_loops_and_bombs_cost_one_contest() {
    let site = site();
    let scratch = Scratch::new();
    let (_, target) = changes_request(1)
        .split_once(' ')
        .map(|(a, b)| (a.to_owned(), b.to_owned()))
        .unwrap();
    let on = Reply::new(302, "text/html", "").header("Location", &target);
    site.set_replies(&changes_request(1), [on]);
    let mut bomb = zstd::Encoder::new(Vec::new(), 1).unwrap();
    for _ in 0..300 {
        bomb.write_all(&vec![b' '; 1 << 20]).unwrap();
    }
    let bomb = bomb.finish().unwrap();
    assert!(bomb.len() < 1 << 20);
    let bomb = Reply::new(200, "application/json", bomb).header("Content-Encoding", "zstd");
    site.set_replies(&changes_request(2), [bomb]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("redirects more than 5 times"), "{}", done.err);
    assert!(done.err.contains("larger than 268435456 bytes"), "{}", done.err);
    let requests = site.take_targets();
    let times = |id| requests.iter().filter(|target| **target == changes_request(id)).count();
    assert_eq!((times(1), times(2), times(3), times(4)), (6, 1, 1, 1));
    assert_eq!(scratch.rows("SELECT external_id FROM contest WHERE entrants > 0"), ["4"]);
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn slow_site_is_awaited_and_missing_site_reported() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(LIST, [ok_reply(&json!([contest_list_entry(1, 300)])).slowly()]);
    site.set_replies(
        &changes_request(1),
        [ok_reply(&rating_changes(1, &["ada", "bea", "cyd"])).slowly()],
    );
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows("SELECT entrants FROM contest"), ["3"]);
    let before = scratch.content_hash();
    let nobody = [
        "mine",
        "codeforces",
        "--base-url",
        "http://127.0.0.1:1",
        "--interval",
        "0",
    ];
    let done = scratch.run(&nobody).exits(1);
    assert!(done.err.contains("could not be reached"), "{}", done.err);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn duplicate_handle_counts_with_better_rank() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(
        &changes_request(1),
        [ok_reply(&rating_changes(1, &["ada", "bea", "ada", "cyd"]))],
    );
    let done = scratch.ok(&mine(&site, &[]));
    let warning = "contest 1: \"ada\" is listed twice, with ranks 1 and 3";
    assert_eq!(done.err.matches("contest 1: ").count(), 1, "{}", done.err);
    assert!(done.err.contains(warning), "{}", done.err);
    let rows = "SELECT competitor.external_id, place FROM standing
        JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
        WHERE contest.external_id = '1' ORDER BY 2";
    assert_eq!(scratch.rows(rows), ["ada|1", "bea|2", "cyd|3"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

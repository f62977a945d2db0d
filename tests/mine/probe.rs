//! The probe of Codeforces: requests and outcome.

use std::time::{Duration, Instant};

use ranklore_test_support::{Reply, Server};
use serde_json::json;

use super::{
    LIST, changes_request, contest_list_entry, error_reply, mine, mine_with_interval, ok_reply,
    rating_changes, site,
};
use crate::support::Scratch;

fn probe<'a>(site: &'a Server, options: &[&'a str]) -> Vec<&'a str> {
    mine(site, &[&["--probe"], options].concat())
}

#[test]
fn probe_reads_list_and_newest_results() {
    let site = site();
    let scratch = Scratch::new();
    let done = scratch.ok(&probe(&site, &[]));
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4)]);
    assert_eq!(
        done.out,
        "the list of contests (GET api/contest.list?gym=false&lang=en): 5 contests listed\n\
         rating changes of contest 4 (GET api/contest.ratingChanges?contestId=4&lang=en): \
         1 contest with standings, 3 results\n\
         codeforces: 2 requests; 5 contests listed, 1 contest with 3 results; nothing was stored\n"
    );
    assert_eq!(scratch.list("."), [""; 0]);
    let report = scratch.json(&probe(&site, &[]));
    assert_eq!(
        (&report["requests"], &report["listed"], &report["contests"], &report["results"]),
        (&json!(2), &json!(5), &json!(1), &json!(3))
    );
    assert!(report["unknown"].is_null() && report["stopped"].is_null());
    assert_eq!(
        report["documents"][1]["request"],
        &changes_request(4).replace("GET /", "GET ")[..]
    );
}

#[test]
fn probe_continues_past_missing_results() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&changes_request(4), [error_reply(400, super::NOT_RATED)]);
    let report = scratch.json(&probe(&site, &[]));
    // The third request is the last.
    assert_eq!(site.take_targets(), [LIST.to_owned(), changes_request(4), changes_request(3)]);
    assert_eq!((&report["requests"], &report["contests"]), (&json!(3), &json!(0)));
}

#[test]
fn probe_reports_unknown_layout() {
    for (target, reply, reason) in [
        (LIST.to_owned(), ok_reply(&json!([{"contest": 7}])), "result[0]"),
        (LIST.to_owned(), ok_reply(&json!([])), "at least one contest"),
        (changes_request(4), ok_reply(&json!([{"winner": "ada"}])), "result[0]"),
        (LIST.to_owned(), Reply::html(200, "<html>moved</html>"), "in place of JSON"),
    ] {
        let site = site();
        let scratch = Scratch::new();
        site.set_replies(&target, [reply]);
        let done = scratch.run(&probe(&site, &[])).exits(1);
        assert!(done.err.contains(reason), "{}", done.err);
        assert!(done.out.ends_with("nothing was stored\n"), "{}", done.out);
        assert!(site.take_targets().len() <= 3);
        assert_eq!(scratch.list("."), [""; 0]);
    }
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(&changes_request(4), [ok_reply(&json!([{"winner": "ada"}]))]);
    let report = scratch.run(&probe(&site, &["--json"])).exits(1).json();
    assert!(report["unknown"]["document"].as_str().unwrap().ends_with("contestId=4&lang=en"));
    assert!(report["unknown"]["why"].as_str().unwrap().starts_with("result[0]"));
}

#[test]
fn probe_never_retries() {
    let site = site();
    let scratch = Scratch::new();
    site.set_replies(LIST, [Reply::status(429)]);
    scratch.run(&probe(&site, &[])).exits(4);
    assert_eq!(site.take_targets(), [LIST]);
    site.set_replies(LIST, [Reply::html(404, "<html>gone</html>")]);
    scratch.run(&probe(&site, &[])).exits(1).says("HTTP 404");
    assert_eq!(site.take_targets(), [LIST]);
    let nobody = [
        "mine",
        "codeforces",
        "--probe",
        "--base-url",
        "http://127.0.0.1:9",
    ];
    scratch.run(&nobody).exits(1).says("could not be reached");
}

#[test]
fn probe_changes_no_database_and_keeps_interval() {
    let site = site();
    let scratch = Scratch::new();
    let sync = [&mine_with_interval(&site, "1")[..], &["--limit", "1"]].concat();
    scratch.ok(&sync);
    let before = scratch.everything();
    let last = site.received().last().unwrap().at;
    site.take_targets();
    // The changed response is not stored.
    site.set_replies(
        LIST,
        [ok_reply(&json!([
            contest_list_entry(6, 1),
            contest_list_entry(1, 300)
        ]))],
    );
    site.set_replies(&changes_request(6), [ok_reply(&rating_changes(6, &["ada", "bea"]))]);
    let start = Instant::now();
    scratch.ok(&[&mine_with_interval(&site, "1")[..], &["--probe"]].concat());
    let received = site.received();
    assert!(received[0].at - last >= Duration::from_secs(1));
    assert!(received[1].at - received[0].at >= Duration::from_millis(990));
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert_eq!(scratch.everything(), before);
}

#[test]
fn probe_excludes_other_options() {
    let scratch = Scratch::new();
    for other in [
        &["--full"][..],
        &["--limit", "1"],
        &["--since", "2024-01-01"],
        &["--until", "2024-01-01"],
        &["--from-files", "x"],
        &["--dry-run"],
    ] {
        let command = [&["mine", "codeforces", "--probe"], other].concat();
        scratch.run(&command).exits(2).says("cannot be used with");
    }
}

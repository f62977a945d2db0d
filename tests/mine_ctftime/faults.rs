//! Every kind of site failure affects only the data it is about.

use ranklore_test_support::Reply;
use serde_json::json;

use super::site::{
    CtftimeSite, events_request, last_year, mine, mine_with_interval, this_year, year_request,
    years,
};
use crate::support::Scratch;

/// Returns half a response.
pub(crate) fn truncated_reply() -> Reply {
    Reply::new(200, "application/json", "{\"5001\":{\"title\":")
}

fn challenge_reply() -> Reply {
    let page = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>";
    Reply::new(403, "text/html", page)
}

fn count_contests(scratch: &Scratch) -> i64 {
    scratch.count("SELECT count(*) FROM contest WHERE entrants > 0")
}

#[test]
fn failed_year_costs_one_year_and_is_retried() {
    let all = years().count() as i64 + 2;
    for (bad, fault) in [
        (truncated_reply(), "half an answer"),
        (Reply::new(200, "application/json", ""), "nothing"),
        (Reply::new(200, "application/json", "{}"), "no events"),
        (
            Reply::new(200, "text/html", "<!DOCTYPE html><html>Sign in</html>"),
            "a login wall",
        ),
        (Reply::new(404, "text/html", "<html>Not found</html>"), "not found"),
        (Reply::new(503, "text/html", "<html>Too busy</html>"), "too busy"),
    ] {
        let site = CtftimeSite::new();
        let scratch = Scratch::new();
        site.set_replies(&year_request(2013), [bad.clone()]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        assert!(done.err.contains("results/2013/"), "{fault}: {}", done.err);
        assert_eq!(count_contests(&scratch), all - 1, "{fault}");
        site.set_result(2013, 2013, &[701, 702, 703]);
        site.take_targets();
        scratch.ok(&mine(&site, &[]));
        let requests = site.take_targets();
        assert!(requests.contains(&year_request(2013)), "{fault}: {requests:?}");
        assert!(!requests.contains(&year_request(2014)), "{fault}: {requests:?}");
        assert_eq!(count_contests(&scratch), all, "{fault}");
    }
}

#[test]
fn results_survive_empty_or_failed_responses() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    for (target, bad) in [
        (year_request(last_year()), truncated_reply()),
        (year_request(last_year()), Reply::new(503, "text/html", "busy")),
        (events_request(last_year()), truncated_reply()),
        (events_request(2013), Reply::new(500, "text/html", "oh")),
        (year_request(2013), Reply::new(200, "application/json", "[]")),
    ] {
        let good = site.server.next_reply(&target);
        site.set_replies(&target, [bad]);
        scratch.run(&mine(&site, &["--full"])).exits(3);
        assert_eq!(scratch.content_hash(), before, "{target}");
        site.set_replies(&target, [good]);
    }
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn changed_layout_is_reported_and_changes_nothing() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let mut results = site.results(last_year());
    for event in results.as_object_mut().unwrap().values_mut() {
        for score in event["scores"].as_array_mut().unwrap() {
            score["rank"] = score["place"].take();
            score.as_object_mut().unwrap().remove("place");
        }
    }
    site.set_replies(&year_request(last_year()), [Reply::json(&results)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    done.says(r#"the field "place" is missing"#);
    assert_eq!(scratch.content_hash(), before);
    let refused = scratch.json(&["status"])["sources"][0]["refused"].clone();
    assert_eq!(refused.as_array().unwrap().len(), 1, "{refused}");
    // The document is archived; a rebuild reports it once and gives the same otherwise.
    let done = scratch.run(&["rebuild"]);
    assert_eq!(done.err.matches(r#"the field "place" is missing"#).count(), 1);
    assert_eq!(scratch.content_hash(), before);
    // One event in another format costs only itself.
    let mut results = site.results(last_year());
    results["5002"]["scores"][0]["place"] = json!("first");
    site.set_replies(&year_request(last_year()), [Reply::json(&results)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    done.says("5002.scores[0].place");
    assert_eq!(scratch.content_hash(), before);
    site.set_result(last_year(), 5001, &[704, 703, 702, 701]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
}

#[test]
fn unreadable_older_year_is_retried_until_fixed() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let mut results = site.results(2013);
    results["2013"]["scores"] = json!("none");
    site.set_replies(&year_request(2013), [Reply::json(&results)]);
    scratch.run(&mine(&site, &["--full"])).exits(3);
    site.take_targets();
    scratch.run(&mine(&site, &[])).exits(3);
    assert!(site.take_targets().contains(&year_request(2013)));
    assert_eq!(scratch.content_hash(), before);
    site.set_result(2013, 2013, &[701, 703, 702]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
    site.take_targets();
    scratch.ok(&mine(&site, &[]));
    assert!(!site.take_targets().contains(&year_request(2013)));
}

#[test]
fn challenge_page_stops_the_sync() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.set_replies(&year_request(2013), [challenge_reply()]);
    let done = scratch.run(&mine(&site, &[])).exits(4);
    assert!(done.err.contains("a challenge page"), "{}", done.err);
    // Requested twice, then no more requests.
    let requests = [
        year_request(2011),
        year_request(2012),
        year_request(2013),
        year_request(2013),
    ];
    assert_eq!(site.take_targets(), requests);
    site.set_result(2013, 2013, &[701, 702, 703]);
    scratch.ok(&mine(&site, &[]));
    let requests = site.take_targets();
    assert!(!requests.contains(&year_request(2011)), "{requests:?}");
    assert_eq!(count_contests(&scratch), years().count() as i64 + 2);
}

#[test]
fn retry_after_is_obeyed() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let patience = Reply::new(429, "text/html", "slowly").header("Retry-After", "3600");
    site.set_replies(&year_request(2012), [patience]);
    scratch.run(&mine(&site, &[])).exits(4);
    assert_eq!(site.take_targets(), [year_request(2011), year_request(2012)]);
    scratch.run(&mine(&site, &[])).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
}

#[test]
fn busy_site_is_left_alone_after_three_failures() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    for year in years() {
        site.set_replies(&year_request(year), [Reply::new(503, "text/html", "busy")]);
    }
    scratch.run(&mine_with_interval(&site, "0.001")).exits(4);
    let requests = site.take_targets();
    assert!(requests.contains(&year_request(2013)), "{requests:?}");
    assert!(!requests.contains(&year_request(2014)), "{requests:?}");
}

#[test]
fn slow_site_is_awaited() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let slow = site.server.next_reply(&year_request(this_year())).slowly();
    site.set_replies(&year_request(this_year()), [slow]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(count_contests(&scratch), years().count() as i64 + 2);
}

//! Every kind of site failure affects only the round it is about.

use ranklore_test_support::Reply;

use super::site::{
    LIST, NEWEST, ROBOTS, TopcoderSite, first_division, mine, results_request, xml_reply,
};
use crate::support::Scratch;

fn html_page(title: &str) -> String {
    format!("<!DOCTYPE html><html><head><title>{title}</title></head><body>{title}</body></html>")
}

fn count_contests(scratch: &Scratch) -> i64 {
    scratch.count("SELECT count(*) FROM contest WHERE entrants > 0")
}

#[test]
fn failed_round_costs_one_round_and_is_retried() {
    let feed = TopcoderSite::new().results_feed(102);
    let login = html_page("<form><input type=\"password\" name=\"p\"></form>");
    for (bad, fault) in [
        (xml_reply(feed[..feed.len() / 2].to_vec()), "half an answer"),
        (xml_reply(Vec::new()), "nothing"),
        (xml_reply(feed.clone()).cut_after(200), "a connection that ends"),
        (Reply::new(200, "text/html", html_page("Moved")), "another page"),
        (Reply::new(404, "text/html", html_page("Not found")), "not found"),
        (Reply::new(503, "text/html", html_page("Too busy")), "too busy"),
        (Reply::new(200, "text/html", login), "a login wall"),
    ] {
        let site = TopcoderSite::new();
        let scratch = Scratch::new();
        let good = site.server.next_reply(&results_request(102));
        site.set_replies(&results_request(102), [bad]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        let report_count = done.err.matches("GET tc?c=dd_round_results").count();
        assert_eq!(report_count, 1, "{fault}: {}", done.err);
        assert_eq!(count_contests(&scratch), 5, "{fault}");
        // The other division does not repeat the failed request.
        let first = site.take_targets();
        site.set_replies(&results_request(102), [good]);
        scratch.ok(&mine(&site, &[]));
        let requests = [
            ROBOTS,
            LIST,
            &results_request(102),
            &results_request(NEWEST),
        ]
        .map(str::to_owned);
        let mut again = site.take_targets();
        again.sort();
        let mut expected = requests.to_vec();
        expected.sort();
        assert_eq!(again, expected, "{fault}");
        assert_eq!(count_contests(&scratch), 7, "{fault}");
        let tries = first.iter().filter(|request| **request == results_request(102)).count();
        assert!(tries <= 5, "{fault}: {tries}");
    }
}

#[test]
fn results_survive_empty_or_failed_responses() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let empty = || xml_reply(b"<?xml version=\"1.0\"?><dd_round_list></dd_round_list>".to_vec());
    for (target, bad) in [
        (LIST.to_owned(), empty()),
        (LIST.to_owned(), xml_reply(site.list_feed()[..300].to_vec())),
        (LIST.to_owned(), Reply::new(404, "text/html", html_page("Gone"))),
        (results_request(101), Reply::new(404, "text/html", html_page("Gone"))),
        (results_request(NEWEST), xml_reply(site.results_feed(NEWEST)[..300].to_vec())),
    ] {
        let good = site.server.next_reply(&target);
        site.set_replies(&target, [bad]);
        let done = scratch.run(&mine(&site, &["--full"]));
        assert!(matches!(done.code, Some(1 | 3)), "{target}: {}", done.err);
        assert_eq!(scratch.content_hash(), before, "{target}");
        site.set_replies(&target, [good]);
    }
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(scratch.content_hash(), before);
    scratch.run(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn changed_layout_is_reported_and_changes_nothing() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let text: String = site.results_feed(NEWEST).iter().map(|byte| *byte as char).collect();
    let changed = text.replace("division_placed", "place_in_division");
    let changed: Vec<u8> = changed.chars().map(|char| char as u8).collect();
    site.set_replies(&results_request(NEWEST), [xml_reply(changed)]);
    // Once, although the response is shared by both divisions.
    let question = format!("GET tc?c=dd_round_results&module=BasicData&rd={NEWEST}: ");
    for command in [&mine(&site, &[])[..], &["rebuild"]] {
        let done = scratch.run(command);
        let questions = done.err.lines().filter(|line| line.contains("division_placed"));
        let questions: Vec<&str> = questions.collect();
        assert!(questions.len() == 1 && questions[0].starts_with(&question), "{}", done.err);
        assert_eq!(scratch.content_hash(), before);
    }
    scratch.run(&mine(&site, &[])).exits(3).says("1 item");
    site.set_round(NEWEST, &site.date(NEWEST), [first_division(), Vec::new()]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
}

#[test]
fn omitted_rows_are_reported_once() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let text: String = site.results_feed(101).iter().map(|byte| *byte as char).collect();
    let surplus = text.replacen("<division_placed>3</division_placed>", "<division_placed/>", 1);
    let surplus: Vec<u8> = surplus.chars().map(|char| char as u8).collect();
    site.set_replies(&results_request(101), [xml_reply(surplus)]);
    let done = scratch.ok(&mine(&site, &[]));
    let message_count = done.err.matches("1 row without a place left out").count();
    assert_eq!(message_count, 1, "{}", done.err);
}

#[test]
fn challenge_page_stops_the_sync() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let challenge = Reply::new(403, "text/html", html_page("Just a moment..."));
    site.set_replies(&results_request(101), [challenge]);
    let done = scratch.run(&mine(&site, &[]));
    assert!(done.err.contains("a challenge page"), "{}", done.err);
    let good = xml_reply(site.results_feed(101));
    site.set_replies(&results_request(101), [good]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(count_contests(&scratch), 7);
}

#[test]
fn retry_after_is_obeyed() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let patience = Reply::new(429, "text/html", "slowly").header("Retry-After", "3600");
    site.set_replies(&results_request(101), [patience]);
    scratch.run(&mine(&site, &[])).exits(4);
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(101)]);
    scratch.run(&mine(&site, &[])).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
}

#[test]
fn shifting_list_loses_no_round() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    // One round was added and one removed before the next request of the list.
    scratch.ok(&mine(&site, &["--limit", "2"]));
    site.set_round(99, "2004-01-01 12:00", [first_division(), Vec::new()]);
    site.remove_round(101);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(count_contests(&scratch), 8);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn slow_site_is_awaited() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let slow = site.server.next_reply(&results_request(NEWEST)).slowly();
    site.set_replies(&results_request(NEWEST), [slow]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(count_contests(&scratch), 7);
}

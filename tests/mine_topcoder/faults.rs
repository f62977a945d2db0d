//! Every kind of site failure affects only the round it is about.

use ranklore_test_support::Reply;

use crate::site::{LIST, NEWEST, ROBOTS, Site, mine, results, top, xml};
use crate::support::Scratch;

fn page(title: &str) -> String {
    format!("<!DOCTYPE html><html><head><title>{title}</title></head><body>{title}</body></html>")
}

fn contests(scratch: &Scratch) -> i64 {
    scratch.count("SELECT count(*) FROM contest WHERE entrants > 0")
}

#[test]
fn a_round_that_cannot_be_had_costs_that_round_and_is_asked_for_again() {
    let whole = Site::new().results(102);
    let login = page("<form><input type=\"password\" name=\"p\"></form>");
    for (bad, what) in [
        (xml(whole[..whole.len() / 2].to_vec()), "half an answer"),
        (xml(Vec::new()), "nothing"),
        (xml(whole.clone()).cut_after(200), "a connection that ends"),
        (Reply::new(200, "text/html", page("Moved")), "another page"),
        (Reply::new(404, "text/html", page("Not found")), "not found"),
        (Reply::new(503, "text/html", page("Too busy")), "too busy"),
        (Reply::new(200, "text/html", login), "a login wall"),
    ] {
        let (site, scratch) = (Site::new(), Scratch::new());
        let good = site.server.next_reply(&results(102));
        site.set_replies(&results(102), [bad]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        let told = done.err.matches("GET tc?c=dd_round_results").count();
        assert_eq!(told, 1, "{what}: {}", done.err);
        assert_eq!(contests(&scratch), 5, "{what}");
        // The other division does not repeat the failed request.
        let first = site.take_targets();
        site.set_replies(&results(102), [good]);
        scratch.ok(&mine(&site, &[]));
        let asked = [ROBOTS, LIST, &results(102), &results(NEWEST)].map(str::to_owned);
        let mut again = site.take_targets();
        again.sort();
        let mut expected = asked.to_vec();
        expected.sort();
        assert_eq!(again, expected, "{what}");
        assert_eq!(contests(&scratch), 7, "{what}");
        let tries = first.iter().filter(|of| **of == results(102)).count();
        assert!(tries <= 5, "{what}: {tries}");
    }
}

#[test]
fn what_was_there_stays_where_nothing_comes_any_more() {
    let (site, scratch) = (Site::new(), Scratch::new());
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let empty = || xml(b"<?xml version=\"1.0\"?><dd_round_list></dd_round_list>".to_vec());
    for (target, bad) in [
        (LIST.to_owned(), empty()),
        (LIST.to_owned(), xml(site.list()[..300].to_vec())),
        (LIST.to_owned(), Reply::new(404, "text/html", page("Gone"))),
        (results(101), Reply::new(404, "text/html", page("Gone"))),
        (results(NEWEST), xml(site.results(NEWEST)[..300].to_vec())),
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
fn a_changed_layout_is_told_and_touches_nothing() {
    let (site, scratch) = (Site::new(), Scratch::new());
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let text: String = (site.results(NEWEST).iter())
        .map(|byte| *byte as char)
        .collect();
    let changed = text.replace("division_placed", "place_in_division");
    let changed: Vec<u8> = changed.chars().map(|char| char as u8).collect();
    site.set_replies(&results(NEWEST), [xml(changed)]);
    // Once, although the response is shared by both divisions.
    let question = format!("GET tc?c=dd_round_results&module=BasicData&rd={NEWEST}: ");
    for command in [&mine(&site, &[])[..], &["rebuild"]] {
        let done = scratch.run(command);
        let told = done.err.lines().filter(|of| of.contains("division_placed"));
        let told: Vec<&str> = told.collect();
        assert!(
            told.len() == 1 && told[0].starts_with(&question),
            "{}",
            done.err
        );
        assert_eq!(scratch.content_hash(), before);
    }
    scratch.run(&mine(&site, &[])).exits(3).says("1 item");
    site.round(NEWEST, &site.date(NEWEST), [top(), Vec::new()]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
}

#[test]
fn what_is_left_out_of_a_round_is_said_once() {
    let (site, scratch) = (Site::new(), Scratch::new());
    let text: String = (site.results(101).iter())
        .map(|byte| *byte as char)
        .collect();
    let surplus = text.replacen(
        "<division_placed>3</division_placed>",
        "<division_placed/>",
        1,
    );
    let surplus: Vec<u8> = surplus.chars().map(|char| char as u8).collect();
    site.set_replies(&results(101), [xml(surplus)]);
    let done = scratch.ok(&mine(&site, &[]));
    let said = done.err.matches("1 row without a place left out").count();
    assert_eq!(said, 1, "{}", done.err);
}

#[test]
fn a_site_that_checks_for_people_is_left_alone() {
    let (site, scratch) = (Site::new(), Scratch::new());
    let challenge = Reply::new(403, "text/html", page("Just a moment..."));
    site.set_replies(&results(101), [challenge]);
    let done = scratch.run(&mine(&site, &[]));
    assert!(done.err.contains("a challenge page"), "{}", done.err);
    let good = xml(site.results(101));
    site.set_replies(&results(101), [good]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(contests(&scratch), 7);
}

#[test]
fn a_site_that_wants_peace_gets_it() {
    let (site, scratch) = (Site::new(), Scratch::new());
    let patience = Reply::new(429, "text/html", "slowly").header("Retry-After", "3600");
    site.set_replies(&results(101), [patience]);
    scratch.run(&mine(&site, &[])).exits(4);
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results(101)]);
    scratch.run(&mine(&site, &[])).exits(4).says("left alone");
    assert!(site.take_targets().is_empty());
}

#[test]
fn a_list_that_shifts_while_it_is_gone_through_loses_nothing() {
    let (site, scratch) = (Site::new(), Scratch::new());
    // One round was added and one removed before the next request of the list.
    scratch.ok(&mine(&site, &["--limit", "2"]));
    site.round(99, "2004-01-01 12:00", [top(), Vec::new()]);
    site.without(101);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(contests(&scratch), 8);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn a_slow_site_is_waited_for() {
    let (site, scratch) = (Site::new(), Scratch::new());
    let slow = site.server.next_reply(&results(NEWEST)).slowly();
    site.set_replies(&results(NEWEST), [slow]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(contests(&scratch), 7);
}

//! Invalid responses, changed pages, and a site that refuses requests.

use ranklore_test_support::Reply;

use super::ball::page;
use super::*;

#[test]
fn invalid_responses_cost_one_competition_and_are_retried() {
    let site = site();
    let scratch = Scratch::new();
    let good = site.site.next_reply(&O2cmSite::competition_request("mid1"));
    let text = String::from_utf8(good.body.clone()).unwrap();
    for (bad, reason) in [
        (Reply::new(200, "text/html", ""), "empty"),
        (page(&text[..text.len() / 2]), "half a page"),
        (page("<html><body>Please sign in</body></html>"), "a login"),
        (Reply::new(200, "application/json", "{}"), "another kind"),
        (Reply::new(500, "text/html", "<font>error 80040e14</font>"), "a failure"),
    ] {
        site.site.set_replies(&O2cmSite::competition_request("mid1"), [bad]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        assert!(
            done.err.contains("event=mid1") || done.err.contains("event3.asp"),
            "{reason}: {}",
            done.err
        );
        assert_eq!(scratch.count("SELECT count(*) FROM contest"), 3, "{reason}");
    }
    site.take_targets();
    // Slow, truncated and early responses are retried at once.
    site.site.set_replies(
        &O2cmSite::competition_request("mid1"),
        [
            good.clone().cut_after(500),
            Reply::new(503, "text/html", "<html>busy</html>"),
            good.slowly(),
        ],
    );
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 2);
    let requests = site.take_targets();
    let times = |id: &str| {
        let target = O2cmSite::competition_request(id);
        requests.iter().filter(|one| **one == target).count()
    };
    assert_eq!((times("old1"), times("mid1"), times("new1")), (0, 3, 1));
    assert_eq!(scratch.store().check().unwrap(), []);
}

#[test]
fn changed_layout_is_refused_and_changes_nothing() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let heats = [heat(
        "3A",
        "Amateur Silver Waltz (W)",
        &["Cyd Oar & Dot Fen"],
    )];
    let changed = O2cmSite::heats_page("new1", &heats).replace("class=t2n>1)", "class=entry>1)");
    site.site.set_replies(&O2cmSite::competition_request("new1"), [page(&changed)]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    done.says("table 2, row ");
    assert_eq!(scratch.content_hash(), before);
    scratch.run(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    // Requested until it can be read.
    site.publish_heats("new1", &heats);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
}

#[test]
fn unreadable_heat_costs_itself_alone() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let heats = [
        heat("3A", "Amateur Silver Waltz (W)", &["Cyd Oar alone"]),
        heat("3B", "Amateur Silver Tango (T)", &["Ada Vale & Bea Moor", "Cyd Oar & Dot Fen"]),
    ];
    site.publish_heats("new1", &heats);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    let done = done.says("heat 3A, row ");
    assert!(!done.err.contains("Cyd"), "{}", done.err);
    let states = "SELECT external_id, state, entrants FROM contest
        WHERE external_id LIKE 'new1/%' ORDER BY external_id";
    assert_eq!(scratch.rows(states), ["new1/3A|provisional|3", "new1/3B|provisional|2"]);
    let status = scratch.run(&["status"]).out;
    assert!(status.contains("1 contest read in part, the first is new1 ("), "{status}");
    let before = scratch.content_hash();
    scratch.run(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn unreadable_month_costs_itself_alone() {
    let site = site();
    let scratch = Scratch::new();
    site.site.set_replies(&site.month_request(4), [page("<html>Wartung</html>")]);
    let done = scratch.run(&mine(&site, &[])).exits(3);
    assert!(done.err.contains("default.asp"), "{}", done.err);
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 3);
    site.publish_month(4, &[("mid1", "Ball mid1")]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 2);
}

#[test]
fn refusing_site_is_left_alone() {
    let challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>";
    for (answer, code) in [
        (Reply::new(404, "text/html", "<html>Not found</html>"), 4),
        (Reply::new(403, "text/html", challenge), 4),
        (
            Reply::new(429, "text/html", "<html>slow down</html>").header("Retry-After", "7200"),
            4,
        ),
    ] {
        let site = site();
        let scratch = Scratch::new();
        site.site.set_replies("GET /default.asp", [answer]);
        scratch.run(&mine(&site, &[])).exits(code);
        assert_eq!(scratch.count("SELECT count(*) FROM contest"), 0);
        let requests = site.take_targets();
        assert!(requests.iter().all(|target| target == "GET /default.asp"), "{requests:?}");
        assert!(requests.len() <= 5, "{requests:?}");
    }
}

#[test]
fn competition_in_two_months_is_requested_once() {
    let site = site();
    let scratch = Scratch::new();
    // The competition is in both months, as if moved in between.
    site.publish_month(1, &[("new1", "Ball new1")]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 5);
    let target = O2cmSite::competition_request("new1");
    let requests = site.take_targets();
    assert_eq!(requests.iter().filter(|one| **one == target).count(), 1);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn busy_site_is_left_alone_after_three_failures() {
    let site = site();
    let scratch = Scratch::new();
    let ids = ["one", "two", "three", "four"];
    site.publish_month(4, &ids.map(|id| (id, "Harbour Open")));
    for id in ids.into_iter().chain(["old1", "new1"]) {
        let unavailable = Reply::new(503, "text/html", "<html>busy</html>");
        site.site.set_replies(&O2cmSite::competition_request(id), [unavailable]);
    }
    let done = scratch.run(&mine_with_interval(&site, "0.001", &[])).exits(4);
    done.says("3 contests in a row could not be fetched");
    let requests = site.take_targets();
    assert!(!requests.contains(&O2cmSite::competition_request("new1")), "{requests:?}");
}

//! A limited sync sends only the requests that it needs.

use serde_json::Value;

use super::ball::{O2cmSite, heat, mine, site};
use crate::support::{Scratch, key_of};

/// The maximum requests for one competition.
const MAX_REQUESTS: usize = 15;

#[test]
fn window_requests_only_its_months() {
    let site = site();
    let scratch = Scratch::new();
    site.set_first_year(2005);
    let march = site.months_ago(2013, 3);
    site.publish_month(march, &[("mar13", "Ball mar13")]);
    let couples = ["Ada Vale & Bea Moor", "Cyd Oar & Dot Fen"];
    site.publish_heats("mar13", &[heat("4A", "Amateur Bronze Waltz (W)", &couples)]);
    let window = ["--since", "2013-03-01", "--until", "2013-04-01"];
    scratch.ok(&mine(&site, &window));
    let requests = site.site.take_targets();
    assert!(requests.len() <= MAX_REQUESTS, "{requests:#?}");
    assert_eq!(
        requests,
        [
            "GET /robots.txt".to_owned(),
            "GET /default.asp".to_owned(),
            site.month_request(march),
            O2cmSite::competition_request("mar13"),
        ]
    );
    assert_eq!(scratch.rows("SELECT external_id FROM contest"), ["mar13/4A"]);
}

#[test]
fn limit_requests_months_until_reached() {
    let site = site();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &["--limit", "1"]));
    assert_eq!(report["left"], 1);
    let oldest = site.month_count() as i64 - 1;
    let mut expected = vec!["GET /default.asp".to_owned()];
    // Until a second competition is known, four months ago.
    expected.extend((4..=oldest).rev().map(|ago| site.month_request(ago)));
    expected.push(O2cmSite::competition_request("old1"));
    assert_eq!(site.take_targets(), expected);
    // Two more are known once the last month is read.
    scratch.ok(&mine(&site, &["--limit", "1"]));
    let mut expected = vec!["GET /default.asp".to_owned()];
    expected.extend((0..4).rev().map(|ago| site.month_request(ago)));
    expected.push(O2cmSite::competition_request("mid1"));
    assert_eq!(site.take_targets(), expected);
}

#[test]
fn competitions_of_unrequested_months_stay() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    let (day, new_day) = (site.competition_day("mid1"), site.competition_day("new1"));
    for narrow in [
        &["--since", &day, "--until", &new_day, "--full"][..],
        &["--until", &day, "--full"],
        &["--limit", "1", "--full"],
    ] {
        scratch.ok(&mine(&site, narrow));
        assert_eq!(scratch.content_hash(), before, "{narrow:?}");
    }
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn dry_run_names_the_lists_of_the_sync() {
    let site = site();
    let complete = Scratch::new();
    assert_full_sync(&site, &complete);
    let empty = Scratch::new();
    let day = site.competition_day("mid1");
    let narrow: [&[&str]; 4] = [
        &[],
        &["--limit", "1"],
        &["--full", "--until", &day],
        &["--full", "--since", &day],
    ];
    for (scratch, is_known) in [(&empty, false), (&complete, true)] {
        for narrow in narrow {
            let scratch = scratch.copy();
            let dry = scratch.json(&mine(&site, &[narrow, &["--dry-run"]].concat()));
            site.take_targets();
            scratch.ok(&mine(&site, narrow));
            let mut sent = site.take_targets();
            sent.retain(|target| target.contains("default.asp"));
            let sent: Vec<Value> = sent.iter().map(|target| key_of(target).into()).collect();
            // The first response lists the months.
            let begin = if is_known { &sent[..] } else { &sent[..1] };
            assert_eq!(dry["first"].as_array().unwrap(), begin, "{narrow:?}");
        }
    }
}

fn assert_full_sync(site: &O2cmSite, scratch: &Scratch) {
    let report = scratch.json(&mine(site, &[]));
    assert_eq!(report["contests"]["added"], 5);
}

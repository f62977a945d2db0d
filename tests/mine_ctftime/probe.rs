//! The probe of CTFtime.

use ranklore_test_support::Reply;
use serde_json::json;

use super::site::{self, CtftimeSite, last_year, mine, this_year, year_request};
use crate::support::Scratch;

#[test]
fn probe_reads_current_year_and_newest_events() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &["--probe"]));
    assert_eq!(
        site.take_targets(),
        [year_request(this_year()), site::events_request(this_year())]
    );
    assert_eq!(report["requests"], 2);
    assert_eq!((&report["listed"], &report["results"]), (&json!(1), &json!(3)));
    assert_eq!(report["documents"][1]["described"], 2);
    assert_eq!(scratch.list("."), [""; 0]);
}

#[test]
fn probe_falls_back_to_last_year() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    site.remove_result(this_year(), this_year() as u32);
    let report = scratch.json(&mine(&site, &["--probe"]));
    assert_eq!(
        site.take_targets(),
        [
            year_request(this_year()),
            year_request(last_year()),
            site::events_request(last_year())
        ]
    );
    assert_eq!(report["listed"], 3);
}

#[test]
fn probe_reports_unknown_layout() {
    let now = this_year();
    let event = json!({"title": "Harbour CTF", "time": 1.0, "board": []});
    for (target, reply) in [
        (year_request(now), Reply::json(&json!({"5001": event}))),
        (year_request(now), Reply::json(&json!([event]))),
        (site::events_request(now), Reply::json(&json!([{"id": "x"}]))),
    ] {
        let site = CtftimeSite::new();
        let scratch = Scratch::new();
        site.server.set_replies(&target, [reply]);
        let done = scratch.run(&mine(&site, &["--probe"])).exits(1);
        done.says("the layout of ctftime is unknown: GET api/v1/");
        assert!(site.take_targets().len() <= 3);
        assert_eq!(scratch.list("."), [""; 0]);
    }
}

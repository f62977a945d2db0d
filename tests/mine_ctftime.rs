//! Mining CTFtime, against an imitation of the site on this machine.

mod faults;
#[cfg(unix)]
mod killed;
mod names;
mod probe;
mod requests;
pub(crate) mod site;

use crate::support::Scratch;
use crate::support::moment;
use requests::{list_requests, request_keys};
use serde_json::json;
use site::{CtftimeSite, DAY, TEAMS, last_year, mine, this_year, year_request, years};

const STATES: &str = "SELECT external_id, state, entrants, revision FROM contest
    WHERE external_id >= '5000' ORDER BY external_id";

#[test]
fn sync_fetches_all_once_then_only_changes() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    let events = years().count() + 2;
    assert_eq!(
        report["contests"],
        json!({
            "added": events, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 0,
        })
    );
    assert_eq!(report["left"], 0);
    // Every year, then the month of each, then the teams until there are none.
    let mut expected: Vec<String> = years().map(year_request).collect();
    expected.extend(years().map(site::events_request));
    expected.extend([TEAMS.to_owned(), site::teams_request(4)]);
    assert_eq!(site.take_targets(), expected);
    assert_eq!(
        scratch.rows(STATES),
        ["5001|final|4|1", "5002|final|4|1"],
        "those of the last year"
    );
    scratch.ok(&["rate", "ctftime"]);
    let board = scratch.ok(&["leaderboard", "ctftime"]).out;
    assert!(board.contains("Segfault Gulls"), "{board}");

    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 0);
    assert_eq!(report["contests"]["revised"], 0);
    assert_eq!(site.take_targets(), site::recent_requests());
    assert_eq!(scratch.content_hash(), before);
    let rated = scratch.json(&["rate", "ctftime"]);
    assert_eq!(rated[0]["replayed"], 0);

    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before, "a rebuild says the same");
    assert_eq!(scratch.rows("SELECT DISTINCT reading FROM document"), [r#"{"site":"ctftime"}"#]);
}

#[test]
fn events_add_dates_formats_and_weights() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let start = site::event_start(last_year());
    assert_eq!(
        scratch.rows(
            "SELECT external_id, name, division, starts_at, ends_at, site_weight, url
             FROM contest WHERE external_id IN ('5001', '5002', '9999') ORDER BY 1"
        ),
        [
            format!(
                "5001|Harbour CTF|Jeopardy|{start}|{}|25|https://ctftime.org/event/5001",
                start + 2 * DAY
            ),
            // It is in no list of events.
            format!("5002|Tide Table CTF|-|{start}|{start}|-|https://ctftime.org/event/5002"),
        ]
    );
    let rated = scratch.json(&["rate", "ctftime", "--division", "Jeopardy"]);
    assert_eq!(rated[0]["contests"], 1 + years().count());
}

#[test]
fn results_are_corrected_and_events_withdrawn() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.set_result(last_year(), 5001, &[702, 701, 703, 704]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
    assert_eq!(scratch.rows(STATES), ["5001|final|4|2", "5002|final|4|1"]);
    site.remove_result(last_year(), 5002);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(STATES), ["5001|final|4|2", "5002|withdrawn|4|1"]);
    // Present again.
    site.set_result(last_year(), 5002, &[701, 702, 703, 704]);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(STATES), ["5001|final|4|2", "5002|final|4|1"]);
    site.remove_result(last_year(), 5002);
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn older_years_are_requested_monthly_or_by_full() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    site.set_result(2013, 2013, &[703, 702, 701]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 0);
    assert_eq!(site.take_targets(), site::recent_requests());
    let report = scratch.json(&mine(&site, &["--full"]));
    assert_eq!(report["contests"]["revised"], 1);
    assert!(site.take_targets().contains(&year_request(2013)));
    // A month later.
    site.set_result(2014, 2014, &[703, 702, 701]);
    let month = "UPDATE document SET fetched_at = fetched_at - 40 * 86400";
    scratch.alter(month);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
    let requests = site.take_targets();
    assert!(years().all(|year| requests.contains(&year_request(year))), "{requests:?}");
    assert!(!requests.contains(&site::events_request(2013)), "{requests:?}");
}

#[test]
fn selection_and_dry_run_limit_requests() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    assert_eq!(dry["first"].as_array().unwrap().len(), years().count());
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
    let report = scratch.json(&mine(&site, &["--limit", "3"]));
    assert_eq!(report["contests"]["added"], 3);
    // One more event is known, so that the sync reports a remainder.
    assert_eq!(report["left"], 1);
    assert_eq!(site.take_list_requests(), list_requests(2011..=2014));
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    let missing: Vec<String> = (2015..=this_year()).map(year_request).collect();
    assert_eq!(dry["first"], request_keys(&missing));
    assert_eq!(dry["contests"], json!([]));
    let last = last_year();
    let since = format!("{last}-01-01");
    let report = scratch.json(&mine(&site, &["--since", &since]));
    assert_eq!(report["contests"]["added"], 4);
    // An event of the previous year may have ended in this one.
    let mut expected: Vec<String> = (last - 1..=last + 1).map(year_request).collect();
    expected.extend([last, last + 1].map(site::events_request));
    assert_eq!(site.take_list_requests(), expected);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], years().count() + 2 - 7);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn site_weight_is_shown_with_the_contest() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["rate", "ctftime"]);
    for (event, weight, text) in [
        ("5001", json!(25.0), Some(" site weight  25\n")),
        ("2013", json!(0.0), Some(" site weight  0\n")),
        ("5002", json!(null), None),
    ] {
        let command = ["contest", "ctftime", event];
        let view = scratch.json(&command);
        assert_eq!(view["site_weight"], weight, "{event}");
        assert_eq!(view["weight"], 1.0, "{event}");
        let out = scratch.ok(&command).out;
        match text {
            Some(line) => assert!(out.contains(line), "{event}: {out}"),
            None => assert!(!out.contains("site weight"), "{event}: {out}"),
        }
    }
}

#[test]
fn site_weight_is_applied_on_request() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let rate = |weight: &str| {
        let weight = format!("weight={weight}");
        scratch.json(&["rate", "ctftime", "--set", &weight])[0].clone()
    };
    let plain = scratch.json(&["rate", "ctftime"])[0].clone();
    assert_eq!(plain["without_order"], 0);
    let weighed = rate("site");
    // Events of odd years have weight 0.
    let odd = years().filter(|year| year % 2 == 1).count();
    assert_eq!(weighed["without_order"], odd);
    assert_ne!(weighed["run_id"], plain["run_id"]);
    assert_eq!(rate("own")["run_id"], plain["run_id"]);
    // All weights of 25 become 1, and the contest without a weight counts as 1.
    let even = rate("site/25");
    let rows = |run: &serde_json::Value, from: &str| -> Vec<String> {
        let rows = scratch.ratings(run["run_id"].as_i64().unwrap());
        let rows = rows.into_iter();
        rows.filter(|row| row.starts_with(from)).collect()
    };
    assert_eq!(rows(&even, "2011 ").len(), 0);
    assert_eq!(rows(&even, "2012 ").len(), 3);
    assert_ne!(rows(&even, "2014 "), rows(&weighed, "2014 "));
    let weighed = ["--system", "elo-mmr:weight=site/25"];
    let contest = scratch.json(&[&["contest", "ctftime", "2011"], &weighed[..]].concat());
    assert_eq!(contest["unrated"], "no weight");
    // Incremental rating equals a full replay.
    site.set_result(last_year(), 5002, &[704, 703, 702, 701]);
    scratch.ok(&mine(&site, &[]));
    let went_on = rate("site/25");
    assert_ne!(went_on["continued_at"], json!(null));
    let before = scratch.ratings(went_on["run_id"].as_i64().unwrap());
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.ratings(went_on["run_id"].as_i64().unwrap()), before);
    scratch.ok(&["evaluate", "ctftime"]);
    let command = "ranklore rate ctftime --system elo-mmr:weight=site/25";
    site.set_result(last_year(), 5002, &[701, 703, 702, 704]);
    scratch.ok(&mine(&site, &[]));
    let status = scratch.ok(&["status"]).out;
    assert!(status.contains(command), "{status}");
    scratch
        .run(&[
            "rate",
            "ctftime",
            "--system",
            "elo-r",
            "--set",
            "weight=site",
        ])
        .exits(2)
        .says("ignores weights");
}

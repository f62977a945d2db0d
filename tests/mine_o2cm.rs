//! Mining ballroom results, against an imitation of the site on this machine.

pub(crate) mod ball;
mod faults;
#[cfg(unix)]
mod killed;
mod probe;
mod pseudonyms;
mod requests;

use crate::support::Scratch;
use crate::support::moment;
use ball::{O2cmSite, heat, mine, mine_with_interval, site};
use serde_json::json;

const HEATS: &str = "SELECT external_id, state, rated, entrants FROM contest ORDER BY event,
    ordinal";

#[test]
fn sync_fetches_all_once_then_only_changes() {
    let site = site();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 5, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 0,
        })
    );
    assert_eq!((&report["results"], &report["left"]), (&json!(13), &json!(0)));
    let requests = site.take_targets();
    let months = site.month_count();
    assert_eq!(requests.len(), 1 + months + 3, "{requests:#?}");
    // The oldest competition first.
    assert_eq!(
        requests[1 + months..],
        ["old1", "mid1", "new1"].map(O2cmSite::competition_request)
    );
    assert_eq!(
        scratch.rows(HEATS),
        [
            "mid1/2A|final|1|3",
            "mid1/2B|final|0|2",
            "new1/3A|provisional|1|3",
            "old1/1A|final|1|3",
            "old1/1B|final|1|2",
        ]
    );
    let about =
        "SELECT event, ordinal, contest.name, url FROM contest WHERE external_id = 'old1/1B'";
    assert_eq!(
        scratch.rows(about),
        ["Ball old1|2|Amateur Gold Tango (T)|https://results.o2cm.com/event3.asp?event=old1"]
    );
    let couples = "SELECT competitor.external_id, kind, place FROM standing
        JOIN competitor USING (competitor_id) JOIN contest USING (contest_id)
        WHERE contest.external_id = 'old1/1A' ORDER BY place";
    assert_eq!(
        scratch.rows(couples),
        [
            "Ada Vale & Bea Moor|couple|1",
            "Cyd Oar & Dot Fen|couple|2",
            "Eve Lock & Fay Weir|couple|3"
        ]
    );
    assert_eq!(scratch.count("SELECT count(*) FROM member"), 2 * 13);

    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["unchanged"], 1);
    // This month and the last, and their competitions.
    assert_eq!(
        site.take_targets(),
        [
            "GET /default.asp".to_owned(),
            site.month_request(1),
            site.month_request(0),
            O2cmSite::competition_request("new1")
        ]
    );
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.store().check().unwrap(), []);
    let rebuilt = scratch.ok(&["rebuild"]).out;
    assert!(rebuilt.contains("5 contests with 13 results"), "{rebuilt}");
    assert_eq!(scratch.content_hash(), before, "a rebuild says the same");
}

#[test]
fn only_counting_heats_are_rated() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let rated = scratch.json(&["rate", "o2cm"]);
    // One is a team match.
    assert_eq!(rated[0]["contests"], 4);
    let board = scratch.json(&["leaderboard", "o2cm"]);
    assert_eq!(board["total"], 3);
}

#[test]
fn selection_and_dry_run_limit_requests() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &["--limit", "1"]));
    let requests = site.take_targets();
    assert_eq!(requests.last(), Some(&O2cmSite::competition_request("old1")));
    assert_eq!(scratch.rows(HEATS), ["old1/1A|final|1|3", "old1/1B|final|1|2"]);
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    let due: Vec<&str> = dry["contests"]
        .as_array()
        .unwrap()
        .iter()
        .map(|contest| contest["contest"].as_str().unwrap())
        .collect();
    // Later months were not requested.
    assert_eq!(due, ["mid1"]);
    assert_eq!(site.take_targets(), [""; 0]);
    let since = site.competition_day("new1");
    scratch.ok(&mine(&site, &["--since", &since]));
    assert!(site.take_targets().contains(&O2cmSite::competition_request("new1")));
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 3);
    // Only a full sync requests older months again.
    scratch.ok(&mine(&site, &[]));
    site.take_targets();
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(site.take_targets().len(), 1 + site.month_count() + 3);
}

#[test]
fn heats_are_corrected_and_withdrawn() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let heats = [
        heat("3A", "Amateur Silver Waltz (W)", &["Cyd Oar & Dot Fen", "Ada Vale & Bea Moor"]),
        heat("3B", "Amateur Silver Tango (T)", &["Ada Vale & Bea Moor", "Cyd Oar & Dot Fen"]),
    ];
    site.publish_heats("new1", &heats);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 1);
    assert_eq!(report["contests"]["revised"], 1);
    site.publish_heats("new1", &heats[1..]);
    scratch.ok(&mine(&site, &[]));
    let states = "SELECT external_id, state, revision, entrants FROM contest
        WHERE external_id LIKE 'new1/%' ORDER BY external_id";
    assert_eq!(scratch.rows(states), ["new1/3A|withdrawn|2|2", "new1/3B|provisional|2|2"]);
    // Renamed to a blank.
    site.publish_month(0, &[("new1", "The Ball by the Sea")]);
    scratch.ok(&mine(&site, &[]));
    let events = "SELECT DISTINCT event FROM contest WHERE external_id LIKE 'new1/%'";
    assert_eq!(scratch.rows(events), ["The Ball by the Sea"]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn competition_in_old_format_is_skipped_and_named() {
    let site = site();
    let scratch = Scratch::new();
    site.publish_old_competition(1, "oar05");
    let done = scratch.ok(&mine(&site, &[]));
    assert!(done.err.contains("oar05"), "{}", done.err);
    assert!(site.take_targets().iter().all(|target| !target.contains("oar05")));
    let state = "SELECT state, rated, entrants FROM contest WHERE external_id = 'oar05'";
    assert_eq!(scratch.rows(state), ["unrated|0|0"]);
}

#[test]
fn forgotten_name_is_in_no_response_and_stays_forgotten() {
    let site = site();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    scratch.ok(&["forget", "--yes", "o2cm", "Ada Vale"]);
    scratch.ok(&mine(&site, &["--full"]));
    let named = "SELECT count(*) FROM competitor WHERE external_id LIKE '%Ada Vale%'
        OR name LIKE '%Ada Vale%'";
    assert_eq!(scratch.count(named), 0);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    assert_eq!(scratch.store().check().unwrap(), []);
}

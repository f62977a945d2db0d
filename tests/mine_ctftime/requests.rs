//! A limited sync sends only the requests that it needs.

use serde_json::{Value, json};

use super::site::{
    CtftimeSite, DAY, TEAMS, events_request, last_year, mine, this_year, year_request, years,
};
use crate::support::{Scratch, key_of};

/// The maximum requests for one contest.
const MAX_REQUESTS: usize = 15;

/// Returns the requests of these years, each followed by its events.
pub(crate) fn list_requests(years: impl IntoIterator<Item = i64>) -> Vec<String> {
    let lists = years.into_iter();
    lists.flat_map(|year| [year_request(year), events_request(year)]).collect()
}

/// Returns these requests as printed by a dry run.
pub(crate) fn request_keys(targets: &[String]) -> Value {
    targets.iter().map(|target| key_of(target)).collect()
}

/// Moves all documents a month into the past.
fn age_lists(scratch: &Scratch) {
    let sql = format!("UPDATE document SET fetched_at = fetched_at - {}", 40 * DAY);
    scratch.alter(&sql);
}

/// Returns a site with a thousand teams.
fn large_site() -> CtftimeSite {
    let site = CtftimeSite::new();
    let names: Vec<String> = (1..=1000).map(|id| format!("Team {id}")).collect();
    let teams: Vec<(u32, &str)> = (1..).zip(names.iter().map(String::as_str)).collect();
    site.set_teams(&teams);
    site
}

#[test]
fn limit_requests_years_until_reached() {
    let site = large_site();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &["--limit", "1"]));
    assert_eq!(report["contests"]["added"], 1);
    assert_eq!(report["left"], 1);
    let requests = site.take_targets();
    assert!(requests.len() <= MAX_REQUESTS, "{requests:#?}");
    // One page has all names needed.
    assert_eq!(requests[..4], list_requests([2011, 2012]));
    assert_eq!(requests[4..], [TEAMS]);
    // The second contest is known already.
    scratch.ok(&mine(&site, &["--limit", "1"]));
    assert_eq!(site.take_list_requests(), list_requests([2013]));
    assert_eq!(scratch.rows("SELECT external_id FROM contest ORDER BY 1"), ["2011", "2012"]);
}

#[test]
fn limited_syncs_converge_to_a_full_sync() {
    let site = CtftimeSite::new();
    let complete = Scratch::new();
    assert_full_sync(&site, &complete);
    let scratch = Scratch::new();
    while scratch.json(&mine(&site, &["--limit", "5"]))["left"] != 0 {}
    assert_full_sync(&site, &scratch);
    assert_eq!(scratch.content_hash(), complete.content_hash());
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), complete.content_hash());
}

/// Asserts that everything is stored, after a last sync for the names.
fn assert_full_sync(site: &CtftimeSite, scratch: &Scratch) {
    scratch.ok(&mine(site, &[]));
    let contests = scratch.count("SELECT count(*) FROM contest WHERE state != 'withdrawn'");
    assert_eq!(contests, years().count() as i64 + 2);
}

#[test]
fn window_requests_only_its_lists() {
    let site = large_site();
    let scratch = Scratch::new();
    let window = ["--since", "2013-01-01", "--until", "2013-02-01"];
    let report = scratch.json(&mine(&site, &window));
    assert_eq!(report["contests"]["added"], 1);
    let requests = site.take_targets();
    assert!(requests.len() <= MAX_REQUESTS, "{requests:#?}");
    // An event of December may have ended in January.
    assert_eq!(requests[..3], [year_request(2012), year_request(2013), events_request(2013)]);
    assert_eq!(scratch.rows("SELECT external_id FROM contest"), ["2013"]);
    let ends = "SELECT ends_at - starts_at FROM contest";
    assert_eq!(scratch.count(ends), 2 * DAY, "the list of events came too");
}

#[test]
fn contests_of_unrequested_lists_stay() {
    let site = CtftimeSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    for narrow in [
        &["--since", "2013-01-01", "--until", "2013-02-01"][..],
        &["--until", "2012-01-01"],
        &["--limit", "1"],
        &["--full", "--limit", "1", "--since", "2020-01-01"],
    ] {
        age_lists(&scratch);
        site.take_targets();
        let report = scratch.json(&mine(&site, narrow));
        assert_eq!(report["refused"], json!([]));
        assert!(!site.take_list_requests().is_empty(), "{narrow:?}");
        assert_eq!(scratch.content_hash(), before, "{narrow:?}");
    }
    // An event missing from a requested list is withdrawn.
    age_lists(&scratch);
    site.set_result(2013, 2113, &[701, 702]);
    site.remove_result(2013, 2013);
    let elsewhere = ["--since", "2016-01-01"];
    scratch.ok(&mine(&site, &elsewhere));
    assert_eq!(scratch.content_hash(), before);
    scratch.ok(&mine(&site, &["--until", "2014-01-01"]));
    let states = "SELECT external_id, state FROM contest WHERE state = 'withdrawn'";
    assert_eq!(scratch.rows(states), ["2013|withdrawn"]);
}

#[test]
fn dry_run_names_the_lists_of_the_sync() {
    let narrow: [&[&str]; 5] = [
        &[],
        &["--limit", "1"],
        &["--since", "2013-01-01", "--until", "2013-02-01"],
        &["--since", "2019-06-01", "--limit", "2"],
        &["--full", "--until", "2012-01-01"],
    ];
    let site = CtftimeSite::new();
    let (empty, outdated, complete) = (Scratch::new(), Scratch::new(), Scratch::new());
    assert_full_sync(&site, &complete);
    assert_full_sync(&site, &outdated);
    age_lists(&outdated);
    for (scratch, is_known) in [(&empty, false), (&complete, true), (&outdated, true)] {
        for narrow in narrow {
            let scratch = scratch.copy();
            let dry = scratch.json(&mine(&site, &[narrow, &["--dry-run"]].concat()));
            site.take_targets();
            scratch.ok(&mine(&site, narrow));
            let sent = site.take_list_requests();
            let foretold = dry["first"].as_array().unwrap().len();
            // A dry run does not know the contests of lists that were never received.
            let begin = if is_known {
                &sent[..]
            } else {
                &sent[..foretold]
            };
            assert_eq!(dry["first"], request_keys(begin), "{narrow:?}");
            assert!(is_known || foretold > 0, "{narrow:?}");
        }
    }
    let [this, last] = [this_year(), last_year()].map(year_request);
    let dry = complete.json(&mine(&site, &["--dry-run"]));
    let first = dry["first"].as_array().unwrap();
    assert_eq!(first[..2], *request_keys(&[last, this]).as_array().unwrap());
}

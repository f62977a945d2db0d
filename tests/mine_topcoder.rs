//! Mining Topcoder, against an imitation of the site on this machine.

mod faults;
#[cfg(unix)]
mod killed;
mod names;
mod pages;
mod probe;
mod saved;
pub(crate) mod site;

use crate::support::Scratch;
use crate::support::moment;
use serde_json::json;
use site::{
    LIST, NEWEST, ROBOTS, TopcoderSite, all_requests, first_division, mine, results_request,
};

const STATES: &str = "SELECT external_id, state, entrants, revision FROM contest ORDER BY 1";

/// The contests of the site's rounds.
const ALL: [&str; 8] = [
    "101/1|final|3|1",
    "101/2|final|2|1",
    "102/1|final|3|1",
    "102/2|final|2|1",
    "103/1|final|3|1",
    "103/2|unrated|0|1",
    "104/1|provisional|3|1",
    "104/2|provisional|2|1",
];

#[test]
fn sync_fetches_all_once_then_only_changes() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 7, "revised": 0, "unchanged": 0, "withdrawn": 0, "restored": 0,
            "without_results": 1,
        })
    );
    assert_eq!((&report["left"], &report["results"]), (&json!(0), &json!(18)));
    // Both divisions of a round share a request.
    assert_eq!(site.take_targets(), all_requests());
    assert_eq!(scratch.rows(STATES), ALL);
    assert_eq!(
        scratch.rows(
            "SELECT name, event, division, ordinal, starts_at, url FROM contest
             WHERE external_id = '101/2'"
        ),
        // Nine in the evening in New York, in winter.
        ["LM 101|LM 101|Div. 2|2|1109901600|\
          https://community.topcoder.com/stat?c=round_stats&rd=101&dn=2"]
    );
    assert_eq!(scratch.count("SELECT count(*) FROM document WHERE body LIKE '%paid%'"), 0);

    let before = scratch.content_hash();
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(
        report["contests"],
        json!({
            "added": 0, "revised": 0, "unchanged": 2, "withdrawn": 0, "restored": 0,
            "without_results": 0,
        })
    );
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(NEWEST)]);
    assert_eq!(scratch.content_hash(), before);

    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before, "a rebuild says the same");
    assert_eq!(
        scratch.rows("SELECT DISTINCT reading FROM document"),
        [r#"{"site":"topcoder"}"#]
    );
    assert_eq!(scratch.rows(STATES), ALL);
}

#[test]
fn rounds_are_rated_and_shown() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let rated = scratch.json(&["rate", "topcoder"]);
    assert_eq!(rated[0]["contests"], 7);
    let rated = scratch.json(&["rate", "topcoder", "--division", "Div. 1"]);
    assert_eq!(rated[0]["contests"], 4);
    let board = scratch.ok(&["leaderboard", "topcoder"]).out;
    assert!(board.contains("möwe") && !board.contains("40000012"), "{board}");
}

#[test]
fn official_ratings_and_volatilities_are_a_separate_run() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let official = "SELECT contest.external_id, competitor.external_id, mu_before, mu, volatility
        FROM rating JOIN rating_run USING (run_id) JOIN contest USING (contest_id)
            JOIN competitor USING (competitor_id)
        WHERE system = 'official' AND contest.external_id LIKE '101/%' ORDER BY 1, mu DESC";
    let expected = [
        "101/1|40000011|1500|1520|301",
        "101/1|40000012|1500|1510|302",
        "101/1|40000013|1500|1500|303",
        "101/2|40000021|1500|1520|301",
        "101/2|40000022|1500|1510|302",
    ];
    assert_eq!(scratch.rows(official), expected);
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.rows(official), expected);
}

#[test]
fn rounds_are_corrected_and_withdrawn() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let mut swapped = first_division();
    let week = site.date(NEWEST);
    swapped.swap(0, 1);
    swapped[0].2 = 901.0;
    site.set_round(NEWEST, &week, [swapped, Vec::new()]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["revised"], 1);
    let states = scratch.rows(STATES);
    // A contest keeps its results.
    assert_eq!(&states[6..], ["104/1|provisional|3|2", "104/2|withdrawn|2|1"]);
    // A shorter list withdraws nothing.
    site.remove_round(102);
    scratch.ok(&mine(&site, &[]));
    assert_eq!(scratch.rows(STATES)[2..4], ALL[2..4]);
    let before = scratch.content_hash();
    scratch.ok(&["rebuild"]);
    assert_eq!(scratch.content_hash(), before);
    // A full sync requests an old round again.
    site.set_round(
        101,
        "2005-03-03 21:00",
        [
            first_division()[..2].to_vec(),
            first_division()[2..].to_vec(),
        ],
    );
    let report = scratch.json(&mine(&site, &["--full"]));
    assert_eq!(report["contests"]["revised"], 2);
}

#[test]
fn selection_and_dry_run_limit_requests() {
    let site = TopcoderSite::new();
    let scratch = Scratch::new();
    let dry = scratch.json(&mine(&site, &["--dry-run"]));
    assert_eq!(dry["first"], json!(["GET tc?c=dd_round_list&module=BasicData"]));
    assert!(site.take_targets().is_empty() && scratch.list(".").is_empty());
    let report = scratch.json(&mine(&site, &["--since", "2012-01-01", "--until", "2013-01-01"]));
    assert_eq!(report["contests"]["added"], 2);
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(102)]);
    let dry = scratch.ok(&mine(&site, &["--dry-run"]));
    assert!(dry.out.contains("3 requests for 6 contests"), "{}", dry.out);
    scratch.ok(&mine(&site, &["--limit", "2"]));
    assert_eq!(site.take_targets(), [ROBOTS, LIST, &results_request(101)]);
    let report = scratch.json(&mine(&site, &[]));
    assert_eq!(report["contests"]["added"], 3);
}

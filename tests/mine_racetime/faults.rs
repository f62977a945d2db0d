//! Every kind of site failure affects only the data it is about.

use ranklore_test_support::Reply;
use serde_json::{Value, json};

use super::site::{FIRST_PAGE, RacetimeSite, mine};
use super::{assert_rebuild_unchanged, stored};
use crate::support::Scratch;

const SECOND_PAGE: &str = "GET /smr/races/data?show_entrants=true&page=2&per_page=95";

/// Spoils a race of a page.
type RaceChange = fn(&mut Value);

fn bad_replies() -> [(Reply, &'static str); 7] {
    let json = "application/json";
    [
        (Reply::new(200, json, "{\"count\":250,\"races\":[{"), "half an answer"),
        (Reply::new(200, json, ""), "nothing"),
        (Reply::new(200, json, "{\"detail\":\"oh\"}"), "no races"),
        (
            Reply::json(&json!({"count": 250, "num_pages": 3, "races": []})),
            "an empty page",
        ),
        (
            Reply::html(200, "<!DOCTYPE html><html>Log in with Twitch</html>"),
            "a login page",
        ),
        (Reply::html(404, "<html>Not found</html>"), "not found"),
        (Reply::html(503, "<html>Too busy</html>"), "too busy"),
    ]
}

#[test]
fn failed_page_costs_later_pages_and_is_retried() {
    for (bad, fault) in bad_replies() {
        let site = RacetimeSite::new(250);
        let scratch = Scratch::new();
        site.server.set_replies(SECOND_PAGE, [bad]);
        let done = scratch.run(&mine(&site, &[])).exits(3);
        assert!(done.err.contains("page=2"), "{fault}: {}", done.err);
        assert_eq!(stored(&scratch), 100, "{fault}");
        let whole = RacetimeSite::new(250);
        let rest = mine(&whole, &[]);
        scratch.ok(&rest);
        assert_eq!(stored(&scratch), 250, "{fault}");
        assert_rebuild_unchanged(&scratch);
    }
}

#[test]
fn stored_races_survive_failed_answers() {
    let site = RacetimeSite::new(250);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &[]));
    let before = scratch.content_hash();
    for (bad, fault) in bad_replies() {
        let site = RacetimeSite::new(250);
        site.server.set_replies(FIRST_PAGE, [bad.clone()]);
        site.server.set_replies(SECOND_PAGE, [bad]);
        let done = scratch.run(&mine(&site, &["--full"]));
        assert_ne!(done.code, Some(0), "{fault}");
        assert_eq!(scratch.content_hash(), before, "{fault}");
    }
    scratch.ok(&mine(&site, &["--full"]));
    assert_eq!(scratch.content_hash(), before);
}

#[test]
fn invalid_race_costs_only_itself() {
    let changes: [(&str, RaceChange); 4] = [
        ("races[7].ended_at", |race| race["ended_at"] = json!("2001-01-01T00:00:00Z")),
        ("races[7].entrants[0].score", |race| {
            race["entrants"][0]["score"] = json!("many");
        }),
        ("races[7].status.value", |race| race["status"]["value"] = json!("pending")),
        ("races[7].entrants[1].place", |race| {
            race["entrants"][1] = race["entrants"][0].clone();
            race["entrants"][1]["user"]["id"] = json!("Zz9QqXw9TnPz3bKd");
        }),
    ];
    for (place, change) in changes {
        let site = RacetimeSite::new(20);
        let scratch = Scratch::new();
        let mut page = site.first_page();
        change(&mut page["races"][7]);
        site.server.set_replies(FIRST_PAGE, [Reply::json(&page)]);
        scratch.run(&mine(&site, &[])).exits(3).says(place);
        assert_eq!(stored(&scratch), 19, "{place}");
        let whole = RacetimeSite::new(20);
        scratch.ok(&mine(&whole, &[]));
        assert_eq!(stored(&scratch), 20, "{place}");
    }
}

#[test]
fn refusing_site_is_left_alone() {
    let challenge = "<!DOCTYPE html><html><head><title>Just a moment...</title></head></html>";
    for reply in [
        Reply::html(403, challenge),
        Reply::html(429, "<html>slow down</html>").header("Retry-After", "7200"),
    ] {
        let site = RacetimeSite::new(250);
        let scratch = Scratch::new();
        site.server.set_replies(SECOND_PAGE, [reply]);
        scratch.run(&mine(&site, &[])).exits(4);
        let targets = site.take_targets();
        assert!(targets.len() <= 3, "{targets:?}");
    }
}

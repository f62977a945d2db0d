//! Goals, unrecorded races, dry runs and the probe.

use ranklore_test_support::Reply;
use serde_json::json;

use super::site::{FIRST_PAGE, RacetimeSite, mine};
use super::{assert_rebuild_unchanged, state, stored};
use crate::support::Scratch;

#[test]
fn only_races_of_selected_goals_are_stored() {
    let site = RacetimeSite::new(250);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &["--goal", "Bridge Run"]));
    let goals = "SELECT DISTINCT division FROM contest";
    assert_eq!(scratch.rows(goals), ["Bridge Run"]);
    assert_eq!(stored(&scratch), 50);
    assert_rebuild_unchanged(&scratch);
    site.take_targets();
    // The pages are archived; only the first is requested for another goal.
    scratch.ok(&mine(&site, &["--goal", "Lantern Walk"]));
    assert_eq!(site.take_targets(), [format!("{FIRST_PAGE}&goal=Lantern+Walk")]);
    assert_eq!(stored(&scratch), 250);
    assert_rebuild_unchanged(&scratch);
}

#[test]
fn goal_that_nobody_raced_offers_others() {
    let site = RacetimeSite::new(20);
    let scratch = Scratch::new();
    let done = scratch.ok(&mine(&site, &["--goal", "Lantern walk"]));
    done.says("has the goal \"Lantern walk\"; they have \"Bridge Run\", \"Lantern Walk\"");
    assert_eq!(scratch.count("SELECT count(*) FROM contest"), 0);
}

#[test]
fn unrecorded_races_are_rated_on_request() {
    let site = RacetimeSite::new(30);
    let scratch = Scratch::new();
    scratch.ok(&mine(&site, &["--with", "unrecorded"]));
    assert_eq!(state(&scratch, "lantern-0003"), ["provisional|1|4|1"]);
    assert_rebuild_unchanged(&scratch);
    let rated = scratch.json(&["rate", "racetime"]);
    let contests = rated.as_array().unwrap().iter().map(|run| run["contests"].as_u64().unwrap());
    assert_eq!(contests.sum::<u64>(), 30);
}

#[test]
fn unknown_categories_and_options_are_named() {
    let site = RacetimeSite::new(20);
    let scratch = Scratch::new();
    let done = scratch.run(&mine(&site, &["--category", "smz"])).exits(3);
    done.says("the site has no \"smz\"");
    assert_eq!(stored(&scratch), 20);
    let done = scratch.run(&mine(&site, &["--category", "Super Metroid"])).exits(2);
    done.says("is not a category: use the word in its URL");
    scratch
        .run(&["mine", "racetime", "--goal", "Bridge Run"])
        .exits(2)
        .says("--category CATEGORY");
    let new = Scratch::new();
    new.run(&["mine", "racetime"]).exits(2).says("--category CATEGORY is missing");
}

#[test]
fn probe_reads_two_pages() {
    let site = RacetimeSite::new(250);
    let scratch = Scratch::new();
    let report = scratch.json(&mine_probe(&site));
    assert_eq!(report["unknown"], json!(null));
    assert!(report["listed"].as_u64().unwrap() >= 100, "{report}");
    assert!(site.take_targets().len() <= 3);
    assert_eq!(scratch.list("."), [""; 0]);
    let mut page = site.first_page();
    for race in page["races"].as_array_mut().unwrap() {
        race["runners"] = race["entrants"].take();
        race.as_object_mut().unwrap().remove("entrants");
    }
    site.server.set_replies(FIRST_PAGE, [Reply::json(&page)]);
    let done = scratch.run(&mine_probe(&site)).exits(1);
    done.says("the layout of racetime is unknown: GET smr/races/data");
}

fn mine_probe(site: &RacetimeSite) -> Vec<&str> {
    mine(site, &["--probe"])
}

//! Races and their special cases.

use ranklore_contest::{EntrantKind, EntrantOutcome, Place};
use ranklore_source::{ContestOutcome, ItemCounts, Stage};
use serde_json::{Value, json};

use crate::fixtures::{entrants, first_page, json, official, races, read_json, results};

const FIRST: &str = "smr/first-light-0001";
const EARLY: &str = "smr/early-tide-0002";
const CUSTOM: &str = "smr/brisk-heron-0077";
const TEAMS: &str = "smr/twin-barge-4410";
const QUIET: &str = "smr/quiet-lantern-1201";

fn finished(place: u32) -> EntrantOutcome {
    EntrantOutcome::Finished(Place::new(place).unwrap())
}

/// Returns competitor, outcome and score of each entrant.
fn rows(race: &str) -> Vec<(String, EntrantOutcome, Option<f64>)> {
    let reading = races();
    let entrants = entrants(&reading, race).iter();
    entrants.map(|e| (e.competitor.clone(), e.outcome, e.score)).collect()
}

#[test]
fn listing_has_goal_times_and_page() {
    let reading = races();
    assert_eq!((reading.refused.len(), reading.lists_all), (0, false));
    assert_eq!(reading.listed.len(), 6);
    let first = reading.listed.last().unwrap();
    assert_eq!(first.external_id, FIRST);
    assert_eq!(first.stage, Stage::Finished);
    assert_eq!(first.url.as_deref(), Some("https://racetime.gg/smr/first-light-0001"));
    assert_eq!(first.starts_at.unwrap().to_string(), "2024-06-01T18:00:00Z");
    assert_eq!(first.ends_at.unwrap().to_string(), "2024-06-01T19:20:00Z");
    assert_eq!(first.results[0].key(), first_page().key());
    let divisions: Vec<_> =
        reading.listed.iter().map(|race| race.division.as_deref().unwrap()).collect();
    assert_eq!(
        divisions,
        [
            "Lantern Walk",
            "First to the mill (custom goal)",
            "Bridge Run",
            "Bridge Run",
            "Lantern Walk",
            "Lantern Walk",
        ]
    );
}

#[test]
fn unrecorded_race_has_no_weight_on_the_site() {
    let weights: Vec<_> = races().listed.iter().map(|race| race.site_weight).collect();
    assert_eq!(weights, [Some(0.0), Some(0.0), None, Some(0.0), None, None]);
}

#[test]
fn status_decides_whatever_time_an_entrant_has() {
    let deleted = format!("deleted account 5 of {EARLY}");
    assert_eq!(
        rows(EARLY),
        [
            ("C3sZu7RlRx5dMf5P".to_owned(), finished(1), Some(5280.25)),
            ("A1qXw9TnPz3bKd7M".to_owned(), finished(2), Some(6_010.999_999)),
            ("E5uVs5PjTv7fPh3R".to_owned(), EntrantOutcome::DidNotFinish, None),
            ("F6vUr4NiUu8gQj2S".to_owned(), EntrantOutcome::Disqualified, None),
            (deleted, EntrantOutcome::DidNotFinish, None),
        ]
    );
}

#[test]
fn deleted_accounts_are_entrants_of_their_race_alone() {
    let reading = races();
    let ids = |race| {
        let entrants = entrants(&reading, race).iter();
        let deleted = entrants.filter(|e| e.competitor.contains("deleted"));
        deleted.map(|e| e.competitor.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        ids(QUIET),
        [
            format!("deleted account 3 of {QUIET}"),
            format!("deleted account 4 of {QUIET}")
        ]
    );
    assert_eq!(ids(EARLY), [format!("deleted account 5 of {EARLY}")]);
    assert!(reading.named.iter().all(|name| !name.competitor.contains("deleted")));
}

#[test]
fn team_race_ranks_teams_by_mean_time() {
    let reading = races();
    let teams = entrants(&reading, TEAMS);
    let named: Vec<_> = teams.iter().map(|e| (&*e.competitor, e.outcome, e.kind)).collect();
    let moths = format!("Moths of June of {TEAMS}");
    assert_eq!(
        named,
        [
            ("harbour-gulls", finished(1), EntrantKind::Team),
            (&*moths, finished(2), EntrantKind::Team),
        ]
    );
    assert_eq!(teams[0].members, ["A1qXw9TnPz3bKd7M", "B2rYv8SmQy4cLe6N"]);
    assert_eq!((teams[0].score, teams[1].score), (Some(4800.0), Some(4920.0)));
    let ratings: Vec<_> = official(&reading, TEAMS).iter().map(|r| (r.before, r.after)).collect();
    assert_eq!(
        ratings,
        [
            (Some(1100.0), 1140.0),
            (Some(900.0), 888.0),
            (Some(870.0), 858.0),
            (Some(640.0), 695.0)
        ]
    );
    let name = reading.named.iter().find(|name| name.kind == EntrantKind::Team).unwrap();
    assert_eq!((&*name.competitor, &*name.name), ("harbour-gulls", "Harbour Gulls"));
}

#[test]
fn team_with_an_unfinished_member_does_not_finish() {
    let mut body = json("races.json");
    body["races"][2]["entrants"][3]["status"]["value"] = json!("dnf");
    let reading = read_json(&first_page(), &body).unwrap();
    let outcomes: Vec<_> = entrants(&reading, TEAMS).iter().map(|e| e.outcome).collect();
    assert_eq!(outcomes, [finished(1), EntrantOutcome::DidNotFinish]);
    body["races"][2]["entrants"][3]["status"]["value"] = json!("dq");
    let reading = read_json(&first_page(), &body).unwrap();
    let outcomes: Vec<_> = entrants(&reading, TEAMS).iter().map(|e| e.outcome).collect();
    assert_eq!(outcomes, [finished(1), EntrantOutcome::Disqualified]);
}

#[test]
fn newcomers_start_at_833_points() {
    let reading = races();
    let ratings: Vec<_> = official(&reading, FIRST).iter().map(|r| (r.before, r.after)).collect();
    assert_eq!(
        ratings,
        [
            (None, 1742.0),
            (None, 1233.0),
            (None, 1234.0),
            (None, 1233.0)
        ]
    );
    assert_eq!(official(&reading, QUIET), []);
}

#[test]
fn recorded_race_without_all_changes_is_noted() {
    let reading = races();
    let noted = "race smr/early-tide-0002 is recorded, but 1 of 5 entrants have no rating change";
    assert_eq!(reading.warnings, [noted]);
    assert_eq!(official(&reading, EARLY).len(), 4);
}

#[test]
fn cancelled_race_is_gone() {
    let reading = races();
    let outcome = &results(&reading, "smr/sunken-quay-3005").outcome;
    assert_eq!(*outcome, ContestOutcome::Gone);
}

#[test]
fn entrants_are_counted() {
    let reading = races();
    let counts = results(&reading, QUIET).counts.clone();
    assert_eq!(
        counts,
        Some(ItemCounts {
            items: "entrants".to_owned(),
            announced: Some(4),
            arrived: 4,
        })
    );
}

#[test]
fn invalid_race_is_refused_with_its_location() {
    let in_race = |race: usize, change: fn(&mut Value)| {
        let mut body = json("races.json");
        change(&mut body["races"][race]);
        let reading = read_json(&first_page(), &body).unwrap();
        assert_eq!((reading.listed.len(), reading.refused.len()), (5, 1));
        let error = &reading.refused[0];
        format!("{}: {}", error.at, error.expected)
    };
    for (message, error) in [
        (
            "races[5].ended_at: a time after the start at 2024-06-01T18:00:00Z, not \
             2024-06-01T17:00:00Z",
            in_race(5, |race| race["ended_at"] = json!("2024-06-01T17:00:00.000Z")),
        ),
        (
            "races[4].entrants[1].place: 2, as finishers come first and no two share a place, not 1",
            in_race(4, |race| race["entrants"][1]["place"] = json!(1)),
        ),
        (
            "races[4].entrants[1].finish_time: 5280.25 s or more, the time of the place before, \
             not 60 s",
            in_race(4, |race| race["entrants"][1]["finish_time"] = json!("P0DT00H01M00S")),
        ),
        (
            "races[4].entrants[0].place: 1, as finishers come first and no two share a place, not null",
            in_race(4, |race| race["entrants"][0]["place"] = json!(null)),
        ),
        (
            "races[5].name: a race of smr as smr/SLUG, not \"ootr/first-light-0001\"",
            in_race(5, |race| race["name"] = json!("ootr/first-light-0001")),
        ),
        (
            "races[2].entrants[0].team: a team, since others of this race have one",
            in_race(2, |race| race["entrants"][0]["team"] = json!(null)),
        ),
        (
            "races[5].entrants: at least one entrant",
            in_race(5, |race| race["entrants"] = json!([])),
        ),
        (
            "races[5].entrants[1].user.id: each user once, not A1qXw9TnPz3bKd7M again",
            in_race(5, |race| {
                race["entrants"][1] = {
                    let mut twin = race["entrants"][0].clone();
                    twin["place"] = json!(2);
                    twin
                }
            }),
        ),
    ] {
        assert_eq!(error, message);
    }
}

#[test]
fn custom_goal_is_a_division_of_its_own() {
    let mut body = json("races.json");
    body["races"][1]["goal"]["name"] = json!("Lantern Walk");
    let reading = read_json(&first_page(), &body).unwrap();
    let race = reading.listed.iter().find(|race| race.external_id == CUSTOM).unwrap();
    assert_eq!(race.division.as_deref(), Some("Lantern Walk (custom goal)"));
}

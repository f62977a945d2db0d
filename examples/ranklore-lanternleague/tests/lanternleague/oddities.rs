//! The peculiarities of this site, one test each.

use ranklore_contest::{EntrantOutcome, Place};
use ranklore_lanternleague::Lanternleague;
use ranklore_source::{Classification, ContestOutcome, SiteReading, Source, Stage};

use crate::fixtures::{NO_RESULTS, ROUND_1, ROUNDS, list, read, round};

/// The competitors and their places; no place for those who gave up.
fn places(reading: &SiteReading) -> Vec<(&str, Option<u32>)> {
    let ContestOutcome::Standings { entrants, .. } = &reading.results[0].outcome else {
        panic!("no standings: {reading:?}");
    };
    let places = entrants.iter().map(|entrant| {
        let place = entrant.outcome.place().map(Place::get);
        (entrant.competitor.as_str(), place)
    });
    places.collect()
}

#[test]
fn running_and_upcoming_rounds_are_listed() {
    let rounds = read(&list(), ROUNDS).unwrap().listed;
    let ends: Vec<_> = rounds.iter().map(|round| round.ends_at.unwrap()).collect();
    assert_eq!(ends[0].to_string(), "2025-01-01T14:00:00Z");
    let stages: Vec<_> = rounds.iter().map(|round| round.stage).collect();
    let over = [Stage::Finished; 2];
    assert_eq!(stages[..2], over);
    assert_eq!(stages[2..], [Stage::Running, Stage::Announced]);
}

#[test]
fn ties_share_place_and_retired_have_none() {
    let reading = read(&round("1"), ROUND_1).unwrap();
    let expected = [
        ("wren", Some(1)),
        ("otto_k", Some(2)),
        ("Ada Bell", Some(2)),
        ("miró", Some(4)),
        ("finch", None),
        ("juniper", None),
    ];
    assert_eq!(places(&reading), expected);
    let ContestOutcome::Standings { entrants, .. } = &reading.results[0].outcome else {
        panic!("no standings");
    };
    assert_eq!(entrants[5].outcome, EntrantOutcome::DidNotFinish);
    assert_eq!(entrants[0].score, Some(410.0));
}

#[test]
fn round_without_rows_has_no_result() {
    let reading = read(&round("3"), NO_RESULTS).unwrap();
    assert_eq!(reading.results[0].outcome, ContestOutcome::NothingYet);
}

#[test]
fn changed_layout_error_names_field() {
    for (from, to, at) in [
        (r#""rank": 1"#, r#""position": 1"#, "rows[0]"),
        (r#""rank": 4"#, r#""rank": 3"#, "rows"),
        (r#""rank": 4"#, r#""rank": 0"#, "rows[3].rank"),
        (r#""rank": null, "name": "finch""#, r#""rank": 5, "name": "wren""#, "rows"),
        (
            r#""rank": 2, "name": "Ada Bell""#,
            r#""rank": null, "name": "Ada Bell""#,
            "rows",
        ),
        (r#""round": 1"#, r#""round": 2"#, "round"),
        (r#""rows": ["#, r#""standings": ["#, "the whole"),
    ] {
        let changed = ROUND_1.replacen(from, to, 1);
        let error = read(&round("1"), &changed).unwrap_err();
        assert_eq!(error.at, at, "{to}: {error}");
    }
    let no_state = ROUNDS.replacen("running", "postponed", 1);
    assert_eq!(read(&list(), &no_state).unwrap_err().at, "rounds[2].state");
    let twice = ROUNDS.replacen(r#""id": 2"#, r#""id": 1"#, 1);
    assert_eq!(read(&list(), &twice).unwrap_err().at, "rounds");
    let milliseconds = ROUNDS.replacen("1735740000", "1735740000000", 1);
    let error = read(&list(), &milliseconds).unwrap_err();
    assert_eq!(error.at, "rounds[0].ends");
    let none = read(&list(), r#"{"rounds": []}"#).unwrap_err();
    assert_eq!(none.at, "rounds");
}

#[test]
fn archive_omits_cities_and_counts() {
    let minimise = |request: &ranklore_source::Request, body: &'static str| {
        let minimised = Lanternleague.minimise(&request.key(), body.as_bytes());
        String::from_utf8(minimised.into_owned()).unwrap()
    };
    let rounds = minimise(&list(), ROUNDS);
    assert!(!rounds.contains("views") && !rounds.contains("Quay") && rounds.contains("ends"));
    let rows = minimise(&round("1"), ROUND_1);
    assert!(!rows.contains("Saltmere") && rows.contains("otto_k"));
}

#[test]
fn every_response_is_classified() {
    let word = |verdict| match verdict {
        Classification::Answer => "answer",
        Classification::RetryLater(_) | Classification::Failed(_) => "later",
        Classification::Blocked(_) => "blocked",
        Classification::Invalid(_) => "bad",
    };
    for (status, body, expected) in [
        (200, ROUNDS, "answer"),
        (200, ROUND_1, "answer"),
        (200, r#"{"error": "no such round"}"#, "bad"),
        (200, r#"{"rounds": ["#, "bad"),
        (200, "<html>Sign in</html>", "bad"),
        (404, "", "bad"),
        (403, "<html>Forbidden</html>", "blocked"),
        (429, "", "later"),
        (503, r#"{"rounds": []}"#, "later"),
    ] {
        let verdict = Lanternleague.classify(&list(), status, body.as_bytes());
        assert_eq!(word(verdict), expected, "{status} {body}");
    }
}

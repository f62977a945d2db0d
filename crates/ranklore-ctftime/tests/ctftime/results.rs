//! Results of a year, with all known irregularities.

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{Classification, ContestOutcome, Request, Source, Stage};

use crate::fixtures::{entrants, places, read, results_2024, results_of, source};

/// Returns a year with this event and a valid one.
fn year_with(event: &str) -> Vec<u8> {
    let good = r#""1":{"title":"a","time":1717243200.0,"scores":[{"team_id":5,"points":"1.0000","place":1}]}"#;
    format!("{{{good},{event}}}").into_bytes()
}

fn scores(rows: &[(u32, &str, i64)]) -> String {
    let rows: Vec<String> = rows
        .iter()
        .map(|(team, points, place)| {
            format!(r#"{{"team_id":{team},"points":"{points}","place":{place}}}"#)
        })
        .collect();
    format!(r#""9":{{"title":"b","time":1717243200.0,"scores":[{}]}}"#, rows.join(","))
}

/// Returns the only refusal of a year with this event; the valid one is read.
fn refusal(event: &str) -> (String, String) {
    let reading = read(&results_of(2024), &year_with(event)).unwrap();
    assert_eq!(reading.results.len(), 1);
    assert!(!reading.lists_all);
    assert_eq!(reading.refused.len(), 1, "{:?}", reading.refused);
    let refused = &reading.refused[0];
    (refused.at.clone(), refused.expected.clone())
}

fn warnings_of(event: u32) -> Vec<String> {
    let start = format!("event {event}: ");
    let warnings = results_2024().warnings;
    warnings
        .iter()
        .filter_map(|warning| warning.strip_prefix(&start).map(str::to_owned))
        .collect()
}

#[test]
fn year_lists_events_with_scoreboards() {
    let reading = results_2024();
    assert!(reading.lists_all && reading.refused.is_empty());
    assert_eq!(reading.listed.len(), 9);
    assert_eq!(reading.results.len(), 9);
    let listed = &reading.listed[0];
    assert_eq!(listed.external_id, "1401");
    assert_eq!(listed.name, "Harbour CTF 2024");
    assert_eq!(listed.url.as_deref(), Some("https://ctftime.org/event/1401"));
    assert_eq!(listed.stage, Stage::Finished);
    let keys: Vec<String> = listed.results.iter().map(Request::key).collect();
    assert_eq!(keys, [results_of(2024).key()]);
    let first = &entrants(&reading, "1401")[0];
    assert_eq!(first.competitor, "701");
    assert_eq!(first.kind, EntrantKind::Team);
    assert_eq!(first.score, Some(5075.0));
    assert!(warnings_of(1401).is_empty());
}

#[test]
fn event_start_is_provisional_end() {
    let listed = &results_2024().listed[0];
    let start = UnixSeconds::new(1_717_243_200);
    assert_eq!((listed.starts_at, listed.ends_at), (start, start));
}

#[test]
fn only_months_with_events_are_requested() {
    let keys: Vec<String> =
        results_2024().follow.iter().map(ranklore_source::Request::key).collect();
    assert_eq!(
        keys,
        [
            // June, July and December 2024, each with a week of the next month.
            "GET api/v1/events/?finish=1720396800&limit=100&start=1717200000",
            "GET api/v1/events/?finish=1723075200&limit=100&start=1719792000",
            "GET api/v1/events/?finish=1736294400&limit=100&start=1733011200",
        ]
    );
}

#[test]
fn equal_points_on_distinct_places_do_not_tie() {
    assert_eq!(places(&results_2024(), "1401")[1..3], [("702", 2), ("703", 3)]);
}

#[test]
fn tied_places_are_ranked_1224() {
    assert_eq!(
        places(&results_2024(), "1402"),
        [
            ("703", 1),
            ("701", 1),
            ("706", 1),
            ("702", 4),
            ("704", 4),
            ("705", 4),
            ("707", 7)
        ]
    );
    let warnings = warnings_of(1402);
    assert!(warnings[0].contains("team 702 (place 2, expected 4)"));
    assert!(warnings[1].contains("4 teams share a place"));
}

#[test]
fn gaps_in_places_are_closed_with_warning() {
    let reading = results_2024();
    let numbers: Vec<u32> = places(&reading, "1403").into_iter().map(|(_, place)| place).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let warnings = warnings_of(1403);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("team 703 (place 5, expected 4)"));
}

#[test]
fn places_override_rising_points() {
    assert_eq!(places(&results_2024(), "1404")[1..3], [("701", 2), ("702", 3)]);
    let warnings = warnings_of(1404);
    assert_eq!(
        warnings,
        ["team 702 has more points than team 701 above it; the places are used"]
    );
}

#[test]
fn unsorted_rows_are_sorted_by_place() {
    assert_eq!(places(&results_2024(), "1405"), [("704", 1), ("702", 2), ("706", 3)]);
}

#[test]
fn events_with_same_title_stay_separate() {
    let reading = results_2024();
    let called = |name: &str| reading.listed.iter().filter(|contest| contest.name == name).count();
    assert_eq!(called("Harbour CTF 2024"), 2);
}

#[test]
fn single_team_is_a_result() {
    assert_eq!(places(&results_2024(), "1406"), [("709", 1)]);
}

#[test]
fn empty_scoreboard_has_no_standings() {
    let reading = results_2024();
    let results = &reading.results[6];
    assert_eq!(results.external_id, "1407");
    assert_eq!(results.outcome, ContestOutcome::NothingYet);
}

#[test]
fn duplicate_team_keeps_better_row() {
    assert_eq!(places(&results_2024(), "1408"), [("701", 1), ("702", 2), ("703", 3)]);
    let warnings = warnings_of(1408);
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].contains("team 701 is listed twice, again with place 3"));
}

#[test]
fn unknown_score_fields_are_ignored() {
    assert_eq!(entrants(&results_2024(), "1404").len(), 4);
}

#[test]
fn empty_current_year_withdraws_nothing() {
    let reading = read(&results_of(2026), b"{}").unwrap();
    assert!(reading.listed.is_empty() && !reading.lists_all);
    let error = read(&results_of(2024), b"{}").unwrap_err();
    assert!(error.expected.contains("2024"), "{error}");
}

#[test]
fn invalid_event_is_refused_alone() {
    for (event, at, expected) in [
        (r#""9":{"title":"b","time":1717243200.0}"#.to_owned(), "9", "scores"),
        (r#""9":{"title":"b","time":1.0,"scores":[]}"#.to_owned(), "9.time", "2024"),
        (
            r#""9":{"title":"b","time":1717243200.5,"scores":[]}"#.to_owned(),
            "9.time",
            "whole seconds",
        ),
        (
            r#""9":{"title":"b","time":1717243200000.0,"scores":[]}"#.to_owned(),
            "9.time",
            "2024",
        ),
        (
            r#""9":{"title":" ","time":1717243200.0,"scores":[]}"#.to_owned(),
            "9.title",
            "name of the event",
        ),
        (
            r#""1":{"title":"b","time":1717243200.0,"scores":[]}"#.to_owned(),
            "1",
            "1 again",
        ),
        (scores(&[(7, "1.0000", 0)]), "9.scores[0].place", "from 1"),
        (scores(&[(7, "1.0000", 2)]), "9.scores", "first place"),
        (scores(&[(0, "1.0000", 1)]), "9.scores[0].team_id", "number"),
        (scores(&[(7, "NaN", 1)]), "9.scores[0].points", "NaN"),
        (
            scores(&[(7, "1.0000", 1), (8, "1.0000", 70_000)]),
            "9.scores[1].place",
            "from 1 to 24",
        ),
        (scores(&[(7, "1.0000", -1)]), "9.scores[0].place", "-1"),
    ] {
        let (path, reason) = refusal(&event);
        assert_eq!(path, at, "{event}");
        assert!(reason.contains(expected), "{event}: {reason}");
    }
}

#[test]
fn unknown_members_are_ignored() {
    let body = year_with(r#""next":{"page":2}"#);
    let reading = read(&results_of(2024), &body).unwrap();
    assert!(reading.lists_all && reading.listed.len() == 1);
    let error = read(&results_of(2024), br#"{"events":{}}"#).unwrap_err();
    assert!(error.expected.contains("events by id"), "{error}");
    for year in [2024, 2026] {
        let verdict = source().classify(&results_of(year), 200, br#"{"events":{}}"#);
        assert!(matches!(verdict, Classification::Invalid(_)), "{verdict:?}");
    }
}

#[test]
fn unreadable_year_is_an_error() {
    let body = br#"{"1":{"title":"a","time":1717243200.0,"rows":[]}}"#;
    let error = read(&results_of(2024), body).unwrap_err();
    assert_eq!(error.at, "1");
    assert_eq!(error.document, "GET api/v1/results/2024/");
}

#[test]
fn results_are_archived_unchanged() {
    let body = year_with(&scores(&[(7, "1.0000", 1)]));
    let minimised = source().minimise(&results_of(2024).key(), &body).into_owned();
    assert_eq!(minimised, body);
}

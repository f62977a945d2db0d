//! Standings.

use ranklore_contest::{EntrantKind, UnixSeconds};
use ranklore_source::{ContestOutcome, Source};

use crate::fixtures::{
    bytes, entrants, places, read, read_file, single_result, source, standings_of,
};

#[test]
fn only_official_participants_are_entrants() {
    let reading = read_file(&standings_of(1001), "contest.standings-1001.json");
    assert!(reading.warnings.is_empty());
    let results = single_result(&reading);
    let expected = [
        ("brass.lamp", 1),
        ("Tide_Table", 2),
        ("old-pier", 2),
        ("gull7", 4),
        ("NorthQuay", 5),
        ("mudflat", 5),
        ("keel_haul", 7),
        ("never_rated", 8),
    ];
    assert_eq!(places(results), expected);
    assert_eq!(results.stood_at, UnixSeconds::new(1_743_007_200));
    let first = &entrants(results)[0];
    assert_eq!((first.score, first.penalty), (Some(1432.5), Some(0.0)));
    assert_eq!(first.kind, EntrantKind::Person);
}

#[test]
fn team_is_identified_by_members() {
    let reading = read_file(&standings_of(1005), "contest.standings-1005.json");
    let results = single_result(&reading);
    let expected = [
        ("brass.lamp + gull7", 1),
        ("Tide_Table + old-pier", 2),
        ("team mudflat", 3),
        ("jetty + oarlock", 4),
    ];
    assert_eq!(places(results), expected);
    for team in entrants(results) {
        assert_eq!(team.kind, EntrantKind::Team);
    }
    assert_eq!(entrants(results)[0].members, ["brass.lamp", "gull7"]);
    assert_eq!(entrants(results)[2].members, ["mudflat"]);
    assert_eq!(entrants(results)[1].penalty, Some(88.0));
}

#[test]
fn unfinished_contest_has_no_standings() {
    let reading = read_file(&standings_of(1009), "contest.standings-1009.json");
    assert_eq!(single_result(&reading).outcome, ContestOutcome::NothingYet);
    let reading = read_file(&standings_of(1098), "contest.standings-1098.json");
    assert_eq!(single_result(&reading).outcome, ContestOutcome::Closed);
}

#[test]
fn minimised_standings_omit_names_and_relative_time() {
    let key = standings_of(1001).key();
    let body = bytes("contest.standings-1001.json");
    let minimised = String::from_utf8(source().minimise(&key, &body).into_owned()).unwrap();
    assert!(!minimised.contains("Guest Rower") && !minimised.contains("relativeTimeSeconds"));
    assert!(minimised.contains("problemResults") && minimised.contains("\"name\":\"Wick\""));
}

#[test]
fn invalid_values_are_refused_with_path() {
    let text = String::from_utf8(bytes("contest.standings-1005.json")).unwrap();
    for (from, to, at) in [
        ("\"id\":1005", "\"id\":1006", "result.contest.id"),
        ("\"rank\":2", "\"rank\":-2", "result.rows[1].rank"),
        ("\"penalty\":88", "\"penalty\":8.5", "result.rows[1].penalty"),
        ("\"points\":2.0", "\"points\":1e300", "result.rows[0].points"),
        (
            "\"handle\":\"old-pier\"",
            "\"handle\":\"\"",
            "result.rows[1].party.members[0].handle",
        ),
        ("\"CONTESTANT\"", "\"CAPTAIN\"", "result.rows[0].party.participantType"),
        ("[{\"handle\":\"mudflat\"}]", "[]", "result.rows[2].party.members"),
        ("\"gull7\"", "\"brass.lamp\"", "result.rows[0].party.members"),
        ("\"FINISHED\"", "\"OVER\"", "result.contest.phase"),
    ] {
        let body = text.replacen(from, to, 1);
        assert_ne!(body, text, "{from}");
        let error = read(&standings_of(1005), body.as_bytes()).unwrap_err();
        assert_eq!(error.at, at, "{error}");
    }
}

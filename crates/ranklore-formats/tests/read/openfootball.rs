//! Matches in the JSON of openfootball.

use ranklore_contest::{EntrantKind, Side};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};
use serde_json::{Value, json};

use super::{contest_lines, refused};

fn matches(document: &Value) -> FileReading {
    let bytes = document.to_string().into_bytes();
    assert_eq!(FileFormat::of_json(&bytes), FileFormat::Openfootball);
    read(FileFormat::Openfootball, bytes, "2023-24/en.1.json", &ReadOptions::default()).unwrap()
}

fn league() -> Value {
    json!({
        "name": "Harbour League 2023/24",
        "matches": [
            {"round": "Matchday 1", "date": "2023-08-11", "time": "20:00", "team1": "Gulls FC",
             "team2": "Lantern Town", "score": {"ht": [0, 2], "ft": [0, 3]}},
            {"round": "Matchday 1", "date": "2023-08-12", "team1": "Brass United",
             "team2": "Ropewalk", "score": {"ft": [1, 1]},
             "goals1": [{"name": "A. Lark", "minute": 7}]},
            {"round": "Matchday 2", "date": "2023-08-19", "team1": "Gulls FC",
             "team2": "Ropewalk"}
        ]
    })
}

#[test]
fn league_matches_have_home_and_away() {
    let reading = matches(&league());
    assert_eq!(
        contest_lines(&reading),
        [
            "Gulls FC – Lantern Town 2023-08-11: 1 Lantern Town (3), 2 Gulls FC (0)",
            "Brass United – Ropewalk 2023-08-12: 1 Brass United (1), 1 Ropewalk (1)",
        ]
    );
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!(contest.external_id, "2023-08-11 Gulls FC – Lantern Town");
    assert_eq!(contest.event.as_deref(), Some("Harbour League 2023/24"));
    assert_eq!(contest.ordinal, Some(1));
    let sides = contest.entrants.iter().map(|entrant| (entrant.kind, entrant.side));
    let sides: Vec<_> = sides.collect();
    let team = EntrantKind::Team;
    assert_eq!(sides, [(team, Some(Side::Away)), (team, Some(Side::Home))]);
    assert_eq!(refused(&reading), [""; 0]);
    assert_eq!(reading.warnings, ["matches without a score are left out: 1"]);
}

#[test]
fn older_form_has_rounds_and_objects_for_teams() {
    let reading = matches(&json!({
        "name": "Harbour Cup 2014",
        "rounds": [
            {"name": "Matchday 3", "matches": [
                {"num": 5, "date": "2014-06-12", "team1": {"name": "Gulls FC", "code": "GUL"},
                 "team2": {"name": "Ropewalk", "code": "ROP"}, "score1": 3, "score2": 1,
                 "score1i": 1, "score2i": 1}]},
            {"name": "Final", "matches": [
                {"date": "2014-07-13", "team1": {"name": "Gulls FC"}, "team2": {"name": "Ropewalk"},
                 "score1": 0, "score2": 0, "score1et": 0, "score2et": 1}]},
            {"name": "Matchday 4", "matches": [
                {"date": "2014-07-14", "team1": {"name": "Gulls FC"}, "team2": {"name": "Ropewalk"},
                 "score1": null, "score2": null}]}
        ]
    }));
    assert_eq!(
        contest_lines(&reading),
        [
            "Gulls FC – Ropewalk 2014-06-12: 1 Gulls FC (3), 2 Ropewalk (1)",
            "Gulls FC – Ropewalk 2014-07-13: 1 Ropewalk (1), 2 Gulls FC (0)",
        ]
    );
    let ordinals: Vec<_> = reading.contests.iter().map(|contest| contest.ordinal).collect();
    assert_eq!(ordinals, [Some(5), None]);
}

#[test]
fn tournament_has_no_sides_and_penalties_are_a_draw() {
    let reading = matches(&json!({
        "name": "Lantern Cup 2022",
        "matches": [
            {"round": "Matchday 1", "num": 1, "date": "2022-11-20", "group": "Group A",
             "ground": "Harbour Park", "team1": "North", "team2": "South", "score": {"ft": [0, 2]}},
            {"round": "Final", "num": 64, "date": "2022-12-18", "team1": "North", "team2": "South",
             "score": {"p": [4, 2], "et": [3, 3], "ft": [2, 2]}}
        ]
    }));
    assert_eq!(contest_lines(&reading)[1], "North – South 2022-12-18: 1 North (3), 1 South (3)");
    assert!(
        reading
            .contests
            .iter()
            .all(|contest| { contest.entrants.iter().all(|entrant| entrant.side.is_none()) })
    );
    assert_eq!(reading.warnings, ["matches decided by penalties count as draws: 1"]);
}

#[test]
fn bad_matches_are_refused_by_path() {
    for (edit, expected) in [
        (
            json!({"team2": "Gulls FC"}),
            "matches[0].team2: contest \"Gulls FC – Gulls FC\": \"Gulls FC\" plays against itself",
        ),
        (
            json!({"team1": " "}),
            "matches[0].team1: contest \" – Lantern Town\": the name of the team is missing",
        ),
        (json!({"team1": 7}), "matches[0].team1: "),
        (
            json!({"date": "2023-02-30"}),
            "matches[0].date: contest \"Gulls FC – Lantern Town\": \"2023-02-30\" is not a date",
        ),
        (
            json!({"date": null}),
            "matches[0].date: contest \"Gulls FC – Lantern Town\": the date is missing",
        ),
        (json!({"score": {"ft": [1, -1]}}), "matches[0].score.ft"),
        (
            json!({"date": "2023-08-12", "team1": "Brass United", "team2": "Ropewalk"}),
            "matches[1]: contest \"Brass United – Ropewalk\": \"2023-08-12 Brass United – Ropewalk\" is already the id",
        ),
    ] {
        let mut document = league();
        for (field, value) in edit.as_object().unwrap() {
            document["matches"][0][field] = value.clone();
        }
        let reading = matches(&document);
        let reasons = refused(&reading);
        assert_eq!((reading.contests.len(), reasons.len()), (1, 1), "{reasons:?}");
        assert!(reasons[0].starts_with(expected), "{}: {expected}", reasons[0]);
    }
}

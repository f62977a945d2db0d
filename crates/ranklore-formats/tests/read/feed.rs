//! Scoreboard feeds.

use ranklore_contest::{ContestTime, EntrantKind};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

const FEED: &str = r#"{
  "tasks": ["lamp", "fog"],
  "standings": [
    {"pos": 1, "team": "Segfault Gulls", "score": 1234, "taskStats": {"lamp": {"points": 100}}},
    {"pos": 3, "team": "Off By None", "score": 900.5},
    {"pos": 3, "team": "Brass Lamp", "score": 900.5, "lastAccept": 1375544540},
    {"pos": 7, "team": "тихая гавань"}
  ]
}"#;

fn feed(text: &str, file_name: &str, start: Option<i64>) -> Result<FileReading, String> {
    let options = ReadOptions {
        start: start.and_then(ContestTime::new),
        ..ReadOptions::default()
    };
    let read = read(FileFormat::CtftimeFeed, text.as_bytes(), file_name, &options);
    read.map_err(|error| error.to_string())
}

fn refusal(text: &str) -> String {
    let reading = feed(text, "x.json", Some(0)).unwrap();
    assert!(reading.contests.is_empty());
    reading.refused[0].to_string()
}

#[test]
fn feed_is_one_team_contest() {
    let reading = feed(FEED, "in/Harbour CTF 2024-06-01.json", None).unwrap();
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!(contest.name, "Harbour CTF 2024-06-01");
    assert_eq!(contest.ends_at.to_string(), "2024-06-01");
    assert_eq!(contest.external_id, "Harbour CTF 2024-06-01@1717200000");
    let rows: Vec<(&str, u32, Option<f64>)> = contest
        .entrants
        .iter()
        .map(|entrant| {
            (&*entrant.competitor, entrant.outcome.place().unwrap().get(), entrant.score)
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("Segfault Gulls", 1, Some(1234.0)),
            ("Off By None", 2, Some(900.5)),
            ("Brass Lamp", 2, Some(900.5)),
            ("тихая гавань", 4, None),
        ]
    );
    let teams = contest.entrants.iter();
    assert!(teams.clone().all(|entrant| entrant.kind == EntrantKind::Team));
}

#[test]
fn date_comes_from_name_or_start() {
    let at = |name: &str, start| {
        let reading = feed(FEED, name, start).unwrap();
        let contest = reading.contests.get(0);
        contest.map(|contest| contest.ends_at.get())
    };
    assert_eq!(at("Harbour.json", Some(5)), Some(5));
    assert_eq!(at("Harbour 2024-06-01.json", Some(5)), Some(1_717_200_000));
    assert_eq!(at("Harbour.json", None), None);
    let reading = feed(FEED, "Harbour.json", None).unwrap();
    assert!(reading.refused[0].why.contains("--start"));
    let unclear = feed(FEED, "Harbour 03/04/2024.json", None).unwrap();
    assert!(unclear.contests.is_empty());
}

/// Returns the entrants, in order, and the warnings of a feed with these rows.
fn read_rows(rows: &str) -> (Vec<String>, Vec<String>) {
    let reading = feed(&format!("{{\"standings\":[{rows}]}}"), "x.json", Some(0)).unwrap();
    assert_eq!(reading.refused, [], "{rows}");
    let entrants = reading.contests.get(0).unwrap().entrants;
    let names = entrants.into_iter().map(|entrant| entrant.competitor).collect();
    (names, reading.warnings)
}

#[test]
fn text_score_is_read_with_warning() {
    let text = r#"{"standings":[{"pos":1,"team":"a","score":9},{"pos":2,"team":"b","score":" 1234.50"},
        {"pos":3,"team":"c","score":"7"},{"pos":4,"team":"d","score":null},{"pos":5,"team":"e","score":""}]}"#;
    let reading = feed(text, "x.json", Some(0)).unwrap();
    let entrants = reading.contests.get(0).unwrap().entrants;
    let scores = entrants.iter().map(|entrant| entrant.score);
    assert_eq!(scores.collect::<Vec<_>>(), [Some(9.0), Some(1234.5), Some(7.0), None, None]);
    assert_eq!(
        reading.warnings,
        ["2 of 5 scores are text, such as \" 1234.50\" in standings[1], and are read as numbers"]
    );
    let as_numbers = text.replace("\" 1234.50\"", "1234.5").replace("\"7\"", "7");
    let numbers = feed(&as_numbers, "x.json", Some(0)).unwrap();
    assert_eq!(numbers.contests, reading.contests);
    assert_eq!(numbers.warnings, [] as [String; 0]);
}

#[test]
fn same_named_teams_are_told_apart_by_id() {
    let (names, warnings) = read_rows(
        r#"{"pos":1,"team":"Gulls","id":9},{"pos":2,"team":"Lamp","id":1},{"pos":3,"team":"Gulls","id":7}"#,
    );
    assert_eq!(names, ["Gulls (id 9)", "Lamp", "Gulls (id 7)"]);
    assert_eq!(
        warnings,
        ["2 teams are called \"Gulls\" and were renamed: \"Gulls (id 9)\", \"Gulls (id 7)\""]
    );
    // Places may change; names do not.
    let (names, _) = read_rows(
        r#"{"pos":1,"team":"Gulls","team_id":"7"},{"pos":2,"team":"Gulls","account_id":9},{"pos":3,"team":"Fog"}"#,
    );
    assert_eq!(names, ["Gulls (id 7)", "Gulls (id 9)", "Fog"]);
    // Invalid ids are ignored without an error.
    let (names, _) = read_rows(
        r#"{"pos":1,"team":"Gulls","id":null},{"pos":2,"team":"Gulls","id":[7]},{"pos":3,"team":"Gulls","id":""},
           {"pos":4,"team":"Gulls","id":7}"#,
    );
    assert_eq!(names, ["Gulls (1)", "Gulls (2)", "Gulls (3)", "Gulls (id 7)"]);
}

#[test]
fn same_named_teams_without_ids_are_numbered() {
    let (names, _) =
        read_rows(r#"{"pos":3,"team":"Gulls"},{"pos":1,"team":"Gulls"},{"pos":2,"team":"Lamp"}"#);
    assert_eq!(names, ["Gulls (1)", "Lamp", "Gulls (2)"]);
    // Other rows may be added, removed or moved.
    let (names, _) = read_rows(
        r#"{"pos":1,"team":"Fog"},{"pos":2,"team":"Gulls"},{"pos":3,"team":"Gulls"},{"pos":4,"team":"Lamp"}"#,
    );
    assert_eq!(names, ["Fog", "Gulls (1)", "Gulls (2)", "Lamp"]);
}

#[test]
fn suffix_never_collides_with_other_team() {
    let (names, _) = read_rows(
        r#"{"pos":1,"team":"Gulls"},{"pos":2,"team":"Gulls"},{"pos":3,"team":"Gulls (2)"},
           {"pos":4,"team":"Gulls (1)"},{"pos":5,"team":"Gulls (1)"}"#,
    );
    assert_eq!(
        names,
        [
            "Gulls (1) (1)",
            "Gulls (2) (2)",
            "Gulls (2)",
            "Gulls (1) (1) (1)",
            "Gulls (1) (2)"
        ]
    );
}

#[test]
fn feed_warnings_are_bounded() {
    let rows: Vec<String> = (0..90)
        .map(|row| format!(r#"{{"pos":{},"team":"t{}"}}"#, row + 1, row % 30))
        .chain((90..120).map(|row| format!(r#"{{"pos":{row},"team":"a"}}"#)))
        .collect();
    let (names, warnings) = read_rows(&rows.join(","));
    assert_eq!(names.len(), 120);
    assert_eq!(warnings.len(), 11);
    assert!(
        warnings[0].starts_with("30 teams are called \"a\"")
            && warnings[0].ends_with("\"a (10)\", …")
    );
    assert_eq!(warnings[10], "and 21 more shared team names");
}

#[test]
fn invalid_feed_error_names_location() {
    for (text, expected) in [
        (r#"{"standings":[{"pos":0,"team":"a"}]}"#, "standings[0].pos"),
        (r#"{"standings":[{"pos":-1,"team":"a"}]}"#, "standings[0].pos"),
        (r#"{"standings":[{"pos":1,"team":7}]}"#, "standings[0].team"),
        (r#"{"standings":[{"pos":1,"team":""}]}"#, "names no competitor"),
        (
            r#"{"standings":[{"pos":1,"team":"a","score":"x"}]}"#,
            "standings[0].score: contest \"x\": score \"x\" is not a number",
        ),
        (r#"{"standings":[{"pos":1,"team":"a","score":"inf"}]}"#, "standings[0].score"),
        (
            r#"{"standings":[{"pos":1,"team":"a","score":true}]}"#,
            "standings[0].score: contest \"x\": a score is a number",
        ),
        (r#"{"standings":[{"team":"a"}]}"#, r#"the field "pos" is missing"#),
        (
            r#"{"standings":[{"pos":1,"team":"a","id":7},{"pos":2,"team":"a","id":7}]}"#,
            "\"a (id 7)\" stands twice",
        ),
        (
            r#"{"standings":[{"pos":1,"team":""},{"pos":2,"team":""}]}"#,
            "names no competitor",
        ),
        (r#"{"standings":[]}"#, "the standings are empty"),
        (r#"{"scoreboard":[]}"#, r#"the field "standings" is missing"#),
        (r#"[{"pos":1,"team":"a"}]"#, "an object with standings"),
    ] {
        let refusal = refusal(text);
        assert!(refusal.contains(expected), "{text}: {refusal}");
    }
    for broken in ["", "{", r#"{"standings":[{"pos":1"#, "{\"standings\":[]} x"] {
        let error = feed(broken, "x.json", Some(0)).unwrap_err();
        assert!(error.contains("not JSON"), "{broken}: {error}");
    }
}

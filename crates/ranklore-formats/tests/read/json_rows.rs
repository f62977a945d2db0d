//! The rows of a JSON document: games with arrays, several arrays, objects by key.

use super::{contest_lines, from_2024, notes, refused, standings};
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, StatedLayout, read};

fn json_with(text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    read(FileFormat::JsonTable, text.as_bytes(), "in/Club night.json", options)
        .map_err(|error| error.to_string())
}

fn json(text: &str) -> Result<FileReading, String> {
    json_with(text, &ReadOptions::default())
}

fn rows(path: &str) -> ReadOptions {
    ReadOptions {
        rows: Some(path.to_owned()),
        ..ReadOptions::default()
    }
}

const GAMES: &str = r#"[
    {"date": "2024-05-01", "home_team": "Otters", "away_team": "Herons", "home_score": 1, "away_score": 3,
     "scorers": [{"player": "Ada", "points": 1}, {"player": "Bea", "points": 3}], "cards": [{"player": "Cy", "minute": 7}]},
    {"scorers": [{"player": "Cy", "points": 2}],
     "date": "2024-05-02", "home_team": "Quarry", "away_team": "Otters", "home_score": 2, "away_score": 2}]"#;

#[test]
fn arrays_within_games_are_parts_of_them() {
    let lines = GAMES.replace('\n', " ").replace("}, {\"scorers", "}\n{\"scorers");
    let lines = lines.replace("},     {\"scorers", "}\n{\"scorers");
    let lines = lines.trim().trim_start_matches('[').trim_end_matches(']');
    let jsonl = read(FileFormat::JsonLines, lines.as_bytes(), "x.jsonl", &ReadOptions::default());
    let within = format!(
        "{{\"season\": \"2024\", \"matches\": {GAMES}, \"teams\": [{{\"name\": \"Otters\"}}]}}"
    );
    let nested = GAMES
        .replace("\"home_team\": \"Otters\"", "\"home\": {\"name\": \"Otters\"}")
        .replace("\"home_team\": \"Quarry\"", "\"home\": {\"name\": \"Quarry\"}")
        .replace("\"away_team\": \"Herons\"", "\"away\": {\"name\": \"Herons\"}")
        .replace("\"away_team\": \"Otters\"", "\"away\": {\"name\": \"Otters\"}");
    for reading in [
        json(GAMES).unwrap(),
        json(&within).unwrap(),
        json(&nested).unwrap(),
        jsonl.unwrap(),
    ] {
        assert_eq!(refused(&reading), [""; 0]);
        assert_eq!(
            contest_lines(&reading),
            [
                "Otters – Herons 2024-05-01: 1 Herons (3), 2 Otters (1)",
                "Quarry – Otters 2024-05-02: 1 Quarry (2), 1 Otters (2)"
            ]
        );
        let note = "arrays within a row are not read: \"cards\", \"scorers\"";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
    }
    let reading = json_with(GAMES, &rows("scorers")).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "2024-05-01 2024-05-01: 1 Bea (3), 2 Ada (1)",
            "2024-05-02 2024-05-02: 1 Cy (2)"
        ]
    );
}

#[test]
fn array_with_names_and_results_is_taken() {
    let results = r#"[{"rank": 1, "screen_name": "ada", "total": {"score": 900}},
                      {"rank": 2, "screen_name": "bea", "total": {"score": 500}}]"#;
    let text = format!(
        r#"{{"date": "2024-05-01", "tasks": [{{"task": "A", "title": "Rope"}}], "standings": {results}}}"#
    );
    let mut options = rows("standings");
    options.columns = [("screen_name".to_owned(), ColumnMeaning::Competitor)].into();
    let stated = json_with(&text, &options).unwrap();
    options.rows = None;
    let chosen = json_with(&text, &options).unwrap();
    for reading in [&stated, &chosen] {
        assert_eq!(contest_lines(reading), ["2024-05-01 2024-05-01: 1 ada (900), 2 bea (500)"]);
        assert!(notes(reading).contains("other arrays are not read: \"tasks\""));
    }
    let error = json(&text.replace("\"task\"", "\"rank\"")).unwrap_err();
    assert_eq!(
        error,
        "\"tasks\" and \"standings\" are arrays of objects: choose the one that has the results, with --rows tasks or --rows standings"
    );
    let error = json_with(&text, &rows("ranking")).unwrap_err();
    assert!(
        error.starts_with("no array of objects is at \"ranking\", as --rows says"),
        "{error}"
    );
    // Arrays of each race.
    let races = r#"{"races": [{"race": "Cup", "date": "2024-05-01",
        "results": [{"place": 1, "player": "Ada"}, {"place": 2, "player": "Bea"}],
        "marshals": [{"post": 1}]},
        {"race": "Bowl", "date": "2024-05-02", "results": [], "marshals": [{"post": 2}]}]}"#;
    let expected = ["Cup 2024-05-01: 1 Ada, 2 Bea"];
    assert_eq!(contest_lines(&json(races).unwrap()), expected);
    assert_eq!(contest_lines(&json_with(races, &rows("races.results")).unwrap()), expected);
    let error =
        json(&races.replace("\"post\"", "\"place\"").replace("\"player\"", "\"p\"")).unwrap_err();
    assert!(error.ends_with("with --rows races.results or --rows races.marshals"), "{error}");
}

#[test]
fn objects_by_key_are_rows() {
    let members = r#"{"101": {"id": 101, "name": "ada", "points": 57, "days": {"1": {"1": {"at": 7}}}},
                      "102": {"id": 102, "name": "bea", "points": 44, "days": {}}}"#;
    let by_name = r#"{"ada": {"points": 57, "stars": 1}, "bea": {"points": 44}}"#;
    for (text, path) in [
        (format!(r#"{{"event": "2024", "owner": 1, "members": {members}}}"#), "members"),
        (format!(r#"{{"data": {{"members": {members}}}}}"#), "data.members"),
        (members.to_owned(), "."),
        (by_name.to_owned(), "."),
        (members.replace("\"bea\"", "null").replace("\"102\"", "\"bea\""), "."),
    ] {
        for path in [None, Some(path.to_owned())] {
            let mut options = from_2024(1);
            options.every_days = None;
            options.rows = path;
            let reading = json_with(&text, &options).unwrap();
            assert_eq!(refused(&reading), [""; 0], "{text}");
            let lines = contest_lines(&reading);
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].ends_with(": 1 ada (57), 2 bea (44)"), "{lines:?}");
        }
    }
    // Games by id.
    let games = r#"{"m1": {"date": "2024-05-01", "home": "Otters", "away": "Herons", "score": "2-1"},
                    "m2": {"date": "2024-05-02", "home": "Otters", "away": "Herons", "score": "0-1"}}"#;
    assert_eq!(super::games::ids(&json(games).unwrap()), ["m1", "m2"]);
    // One object is no table, nor are objects of several kinds.
    for text in [
        r#"{"a": {"x": 1}}"#,
        r#"{"a": {"x": 1}, "b": {"y": 2}}"#,
        r#"{"a": {"x": 1}, "b": 2}"#,
    ] {
        assert!(json(text).unwrap_err().starts_with("this is neither a contest file"), "{text}");
    }
}

#[test]
fn tournaments_with_names_are_contests_of_their_results() {
    let text = r#"{"tournaments": [
        {"name": "Spring Cup", "date": "2024-03-01", "results": [{"place": 1, "player": "Ada"}, {"place": 2, "player": "Bea"}]},
        {"name": "Summer Cup", "date": "2024-06-01", "results": [{"place": 1, "player": "Bea"}, {"place": 2, "player": "Cy"}]}]}"#;
    let expected = [
        "Spring Cup 2024-03-01: 1 Ada, 2 Bea",
        "Summer Cup 2024-06-01: 1 Bea, 2 Cy",
    ];
    for text in [text.to_owned(), text.replace("player", "name")] {
        assert_eq!(contest_lines(&json(&text).unwrap()), expected);
    }
    // A player has no date.
    let players = r#"[{"name": "Ada", "results": [{"name": "Spring Cup", "date": "2024-03-01", "place": 1}]},
        {"name": "Bea", "results": [{"name": "Spring Cup", "date": "2024-03-01", "place": 2}]}]"#;
    let error = json(players).unwrap_err();
    assert!(error.contains("--column name=contest, or --column results=ignore"), "{error}");
}

#[test]
fn keys_of_keys_are_contests_or_competitors() {
    let text = r#"{"results": {"e7": {"Ada": 1, "Bea": 2, "Cy": 3}, "e8": {"Bea": 1, "Ada": 2, "Cy": 3}}}"#;
    let error = json_with(text, &from_2024(1)).unwrap_err();
    for option in [
        "--layout contests --column name=contest",
        "--layout players",
    ] {
        assert!(error.contains(option), "{error}");
    }
    let options = ReadOptions {
        layout: Some(StatedLayout::Contests),
        columns: [("name".to_owned(), ColumnMeaning::Contest)].into(),
        ..from_2024(1)
    };
    assert_eq!(
        contest_lines(&json_with(text, &options).unwrap()),
        [
            "e7 2024-01-01: 1 Ada, 2 Bea, 3 Cy",
            "e8 2024-01-02: 1 Bea, 2 Ada, 3 Cy"
        ]
    );
}

#[test]
fn members_and_results_of_people_are_no_contests() {
    for text in [
        r#"[{"name":"Lions","date":"2024-01-01","players":[{"name":"Ada","score":1},{"name":"Bea","score":2}]},
            {"name":"Tigers","date":"2024-01-01","players":[{"name":"Cid","score":3},{"name":"Dan","score":4}]}]"#,
        r#"[{"name":"Ada","event":"100 m","results":[{"name":"Cup","place":1},{"name":"Open","place":2}]},
            {"name":"Bea","event":"200 m","results":[{"name":"Cup","place":1},{"name":"Open","place":2}]}]"#,
    ] {
        let reason = json(text).unwrap_err();
        assert!(reason.contains("the rows name competitors"), "{reason}");
    }
}

#[test]
fn arrays_of_arrays_of_rows_are_read() {
    let results = r#"[{"place": 1, "player": "Ada"}, {"place": 2, "player": "Bea"}]"#;
    let round = |name: &str, date: &str| {
        format!(r#"{{"round": "{name}", "date": "{date}", "results": {results}}}"#)
    };
    let [one, two, three] = [
        ("A", "2023-05-01"),
        ("B", "2023-05-08"),
        ("A", "2024-05-01"),
    ]
    .map(|(name, date)| round(name, date));
    let seasons = format!(
        r#"[{{"season": "2023", "rounds": [{one}, {two}]}}, {{"season": "2024", "rounds": [{three}]}}]"#
    );
    let expected = [
        "A 2023-05-01: 1 Ada, 2 Bea",
        "A 2024-05-01: 1 Ada, 2 Bea",
        "B 2023-05-08: 1 Ada, 2 Bea",
    ];
    let within = format!(r#"{{"seasons": {seasons}}}"#);
    for (text, path) in [
        (&seasons, None),
        (&within, None),
        (&seasons, Some("rounds.results")),
        (&within, Some("seasons.rounds.results")),
    ] {
        let options = path.map(rows).unwrap_or_default();
        let reading = json_with(text, &options).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{text}");
        assert_eq!(contest_lines(&reading), expected, "{text}");
    }
    let lines = format!(
        "{{\"season\": \"2023\", \"rounds\": [{one}, {two}]}}\n{{\"season\": \"2024\", \"rounds\": [{three}]}}"
    );
    let jsonl = read(FileFormat::JsonLines, lines.as_bytes(), "x.jsonl", &ReadOptions::default());
    assert_eq!(contest_lines(&jsonl.unwrap()), expected, "{lines}");
    let wrong = within.replacen("\"place\": 2", "\"place\": \"x\"", 2);
    let refusals = refused(&json(&wrong).unwrap()).join("\n");
    assert!(refusals.contains("seasons[0].rounds[1].results[1].place: "), "{refusals}");
    // Two arrays of rounds: each path works.
    let both = within.replace("\"results\"", &format!(r#""heats": {results}, "results""#));
    let error = json(&both).unwrap_err();
    for path in ["seasons.rounds.heats", "seasons.rounds.results"] {
        assert!(error.contains(&format!("--rows {path}")), "{error}");
        assert_eq!(contest_lines(&json_with(&both, &rows(path)).unwrap()), expected);
    }
}

#[test]
fn arrays_by_day_are_one_table() {
    let text = r#"{"7_16": [{"winner": "Ann", "loser": "Bob"}], "7_17": [],
        "7_18": [{"winner": "Ann", "loser": "Bob"}, {"winner": "Bob", "loser": "Cay"}]}"#;
    // Days without a year could be users as well.
    let error = json_with(text, &from_2024(1)).unwrap_err();
    assert!(error.contains("--rows ."), "{error}");
    let refusal =
        read(FileFormat::JsonTable, text.as_bytes(), "a.json", &from_2024(1)).unwrap_err();
    assert_eq!(refusal.options[0].to_string(), "--rows .");
    let all = ReadOptions {
        rows: Some(".".into()),
        ..from_2024(1)
    };
    let reading = json_with(text, &all).unwrap();
    assert_eq!((reading.contests.len(), refused(&reading)), (3, Vec::new()));
    let events: Vec<_> = reading.contests.iter().map(|c| c.event.unwrap().clone()).collect();
    assert_eq!(events, ["7_16", "7_18", "7_18"]);
    assert!(notes(&reading).contains("the key as their event"));
    // Whole dates are those of the games.
    let dated = text.replace("7_1", "2024-07-1");
    let lines = contest_lines(&json(&dated).unwrap());
    let days = ["2024-07-16", "2024-07-18", "2024-07-18"];
    assert!(
        lines.len() == 3 && lines.iter().zip(days).all(|(l, day)| l.contains(day)),
        "{lines:?}"
    );
    // One of them can still be chosen, and a row is located in its array.
    assert_eq!(
        json_with(
            text,
            &ReadOptions {
                rows: Some("7_18".into()),
                ..from_2024(1)
            }
        )
        .unwrap()
        .contests
        .len(),
        2
    );
    let error = refused(&json_with(&text.replace("Cay", "Bob"), &all).unwrap());
    assert!(error[0].contains("7_18[1]"), "{error:?}");
}

#[test]
fn other_arrays_beside_days_are_not_dropped() {
    let day = r#"[{"name": "Ann", "place": 1}, {"name": "Bob", "place": 2}]"#;
    let days = format!(r#"{{"2024-01-01": {day}, "2024-01-08": {day}}}"#);
    for text in [
        format!(r#"{{"men": {days}, "women": {{"2024-01-01": {day}}}}}"#),
        format!(r#"{{"results": {days}, "finals": {day}}}"#),
        format!(r#"{{"results": {days}, "other": {{"a": {days}}}}}"#),
        format!(r#"{{"page1": {day}, "page2": {day}}}"#),
    ] {
        let reading = json(&text);
        assert!(reading.is_err() || reading.unwrap().contests.is_empty(), "{text}");
    }
    assert_eq!(json(&format!(r#"{{"year": 2024, "days": {days}}}"#)).unwrap().contests.len(), 2);
    // More keys than a table has columns.
    let many: Vec<String> =
        (0..2_001).map(|n| format!(r#""{}-01-01": {day}"#, 1_000 + n)).collect();
    assert!(json(&format!("{{{}}}", many.join(", "))).is_err());
}

#[test]
fn first_and_second_of_other_objects_are_no_places() {
    for (object, beside) in [
        ("seeds", ""),
        ("prediction", ""),
        ("team", r#""score": 10, "#),
    ] {
        let row = |contest: &str| {
            format!(
                r#"{{"date": "2024-01-01", "contest": "{contest}", {beside}"{object}": {{"first": "Ann", "second": "Bob", "third": "Cay"}}}}"#
            )
        };
        let text = format!("[{}, {}]", row("A"), row("B"));
        let reading = json(&text);
        assert!(reading.is_err() || reading.unwrap().contests.is_empty(), "{text}");
    }
}

#[test]
fn arrays_by_name_are_read_as_stated() {
    let text = r#"{"season": 3, "classes": {"men": [{"name": "Ann", "place": 1}, {"name": "Bob", "place": 2}],
        "women": [{"name": "Ann", "place": 2}, {"name": "Cay", "place": 1}]}}"#;
    let error = json_with(text, &from_2024(1)).unwrap_err();
    assert!(error.contains("--rows classes"), "{error}");
    let options = ReadOptions {
        rows: Some("classes".into()),
        ..from_2024(1)
    };
    let reading = json_with(text, &options).unwrap();
    let lines = contest_lines(&reading);
    assert_eq!(
        lines,
        [
            "men 2024-01-01: 1 Ann, 2 Bob",
            "women 2024-01-02: 1 Cay, 2 Ann"
        ]
    );
    // Rows of different kinds are not one table.
    let mixed = r#"{"a1": [{"name": "Ann", "score": 1}], "a2": [{"url": "x"}], "a3": [{"name": "Bob", "score": 1}]}"#;
    assert!(!json(mixed).unwrap_err().contains("--rows ."));
}

#[test]
fn places_in_an_object_are_columns_of_names() {
    let text = r#"[{"contest": "Chess", "results": {"first": "Red", "second": "Blue", "third": "Green"}},
        {"contest": "Relay", "results": {"first": "Blue", "second": "Green", "third": ""}},
        {"contest": "Cup", "results": {"first": "", "second": "", "third": ""}}]"#;
    let lines = contest_lines(&json_with(text, &from_2024(1)).unwrap());
    assert_eq!(
        lines,
        [
            "Chess 2024-01-01: 1 Red, 2 Blue, 3 Green",
            "Relay 2024-01-02: 1 Blue, 2 Green"
        ]
    );
    let twice = refused(&json_with(&text.replace("Green\"}}", "Red\"}}"), &from_2024(1)).unwrap());
    assert!(twice[0].contains("[0]"), "{twice:?}");
    // Two columns tell contests apart where no single one does.
    let classes = r#"[{"id": 1, "sport": "Run", "sex": "m", "results": {"first": "Red", "second": "Blue", "third": "Green"}},
        {"id": 2, "sport": "Run", "sex": "f", "results": {"first": "Blue", "second": "Red", "third": "Green"}},
        {"id": 3, "sport": "Jump", "sex": "f", "results": {"first": "Red", "second": "Green", "third": ""}}]"#;
    let error = json_with(classes, &from_2024(1)).unwrap_err();
    assert!(error.contains("--column sport=contest --column sex=division"), "{error}");
    // Beside a known division, one is enough.
    let error = json_with(&classes.replace("sex", "category"), &from_2024(1)).unwrap_err();
    assert!(error.contains("pass --column sport=contest if"), "{error}");
    let columns = [
        ("sport", ColumnMeaning::Contest),
        ("sex", ColumnMeaning::Division),
    ];
    let stated = ReadOptions {
        columns: columns.map(|(heading, meaning)| (heading.to_owned(), meaning)).into(),
        ..from_2024(1)
    };
    assert_eq!(json_with(classes, &stated).unwrap().contests.len(), 3);
    // Places of two objects are no columns of one contest.
    let two = text.replace("\"third\"", "\"x\": 1}, \"b\": {\"third\"");
    assert!(json_with(&two, &from_2024(1)).is_err());
}

#[test]
fn id_of_the_object_around_rows_is_that_of_the_contest() {
    let race = |id: &str, heat: &str, names: [&str; 2]| {
        format!(
            r#"{{"id":"{id}","heat":"{heat}","date":"2024-03-01","results":[{{"position":1,"name":"{}"}},{{"position":2,"name":"{}"}}]}}"#,
            names[0], names[1]
        )
    };
    let races = [
        race("r1", "Heat 1", ["Ann", "Bo"]),
        race("r2", "Heat 2", ["Bo", "Ann"]),
    ];
    let documents = [
        (
            FileFormat::JsonTable,
            format!(r#"{{"event":"Town Prix","races":[{}]}}"#, races.join(",")),
        ),
        (FileFormat::JsonTable, format!("[{}]", races.join(","))),
        (FileFormat::JsonLines, races.join("\n")),
    ];
    for (format, text) in documents {
        let reading = read(format, text.as_bytes(), "races", &ReadOptions::default()).unwrap();
        let ids: Vec<String> = reading.contests.iter().map(|contest| contest.external_id).collect();
        assert_eq!(ids, ["r1", "r2"], "{text}");
        assert_eq!(standings(&reading), ["1 Ann, 2 Bo", "1 Bo, 2 Ann"]);
    }
    let single = json(&races[0]).unwrap();
    assert_eq!(single.contests.to_vec()[0].external_id, "r1");
}

#[test]
fn id_of_other_objects_is_no_contest() {
    // Teams hold their members.
    let teams = r#"{"date":"2024-03-01","squads":[{"id":7,"riders":[{"name":"Ann","position":1},{"name":"Bo","position":4}]},{"id":8,"riders":[{"name":"Cy","position":2},{"name":"Di","position":3}]}]}"#;
    assert!(json(teams).unwrap_err().contains("--column 'id=contest id'"));
    // Ids within the rows.
    let rows = r#"{"results":[{"id":1,"race":"R1","date":"2024-03-01","position":1,"name":"Ann"},{"id":2,"race":"R1","date":"2024-03-01","position":2,"name":"Bo"}]}"#;
    assert_eq!(standings(&json(rows).unwrap()), ["1 Ann, 2 Bo"]);
}

#[test]
fn constant_beside_the_amounts_of_competitors_competes_not() {
    let text = r#"{"version":2,"days":[
        {"date":"2024-09-01","amounts":{"ann":-35.2,"bob":40,"cy":-3}},
        {"date":"2024-09-02","amounts":{"ann":12,"bob":-18.5,"cy":7}}]}"#;
    let options = ReadOptions {
        layout: Some(StatedLayout::Contests),
        ..super::scores(ReadOptions::default())
    };
    let read_with =
        |text: &str| read(FileFormat::JsonTable, text.as_bytes(), "days.json", &options);
    let reading = read_with(text).unwrap();
    assert_eq!(standings(&reading), ["1 bob, 2 cy, 3 ann", "1 ann, 2 cy, 3 bob"]);
    assert!(notes(&reading).contains("columns that describe contests are not read: \"version\""));
    // A number that changes is asked for.
    let turns = text.replace(r#""date":"2024-09-02""#, r#""date":"2024-09-02","turn":9"#);
    let turns = turns.replace(r#""date":"2024-09-01""#, r#""date":"2024-09-01","turn":4"#);
    let error = read_with(&turns).unwrap_err();
    let options: Vec<String> = error.options.iter().map(ToString::to_string).collect();
    assert_eq!(options, ["--column turn=ignore", "--column turn=competitor"]);
}

#[test]
fn players_within_named_contests_are_rows_by_option() {
    let games = r#"{"games": [
        {"name": "Game 1", "date": "2024-03-01", "players": [{"name": "Ann", "place": 1}, {"name": "Bo", "place": 2}]},
        {"name": "Game 2", "date": "2024-03-08", "players": [{"name": "Bo", "place": 1}, {"name": "Ann", "place": 2}]}]}"#;
    let error = json(games).unwrap_err();
    assert!(error.contains("pass --rows games.players if each row is a contest"), "{error}");
    let options = ReadOptions {
        rows: Some("games.players".to_owned()),
        ..ReadOptions::default()
    };
    assert_eq!(
        contest_lines(&json_with(games, &options).unwrap()),
        [
            "Game 1 2024-03-01: 1 Ann, 2 Bo",
            "Game 2 2024-03-08: 1 Bo, 2 Ann"
        ]
    );
}

#[test]
fn names_beside_winners_are_those_of_contests() {
    let cups = r#"[{"name": "Spring Cup", "date": "2024-03-01", "winner": "Ann", "runner_up": "Bo"},
        {"name": "Summer Cup", "date": "2024-06-08", "winner": "Bo", "runner_up": "Cy"}]"#;
    let error = json(cups).unwrap_err();
    assert!(error.contains("pass --column name=contest if each row is a contest"), "{error}");
    let options = ReadOptions {
        columns: [("name".to_owned(), ColumnMeaning::Contest)].into(),
        ..ReadOptions::default()
    };
    assert_eq!(
        contest_lines(&json_with(cups, &options).unwrap()),
        [
            "Spring Cup 2024-03-01: 1 Ann, 2 Bo",
            "Summer Cup 2024-06-08: 1 Bo, 2 Cy"
        ]
    );
}

#[test]
fn names_with_results_beside_winners_are_competitors() {
    for rows in [
        r#"[{"name": "Ann", "date": "2024-03-01", "winner": "Ann", "runner_up": "Bo", "score": 5},
            {"name": "Bo", "date": "2024-03-01", "winner": "Ann", "runner_up": "Bo", "score": 4}]"#,
        r#"[{"name": "Ann", "date": "2024-03-01", "winner": "Cy", "runner_up": "Di", "score": 5},
            {"name": "Bo", "date": "2024-03-01", "winner": "Cy", "runner_up": "Di", "score": 4}]"#,
    ] {
        assert_eq!(
            contest_lines(&json(rows).unwrap()),
            ["2024-03-01 2024-03-01: 1 Ann (5), 2 Bo (4)"]
        );
    }
    let players = r#"[{"name": "Ann", "date": "2024-03-01", "winner": "Ann", "runner_up": "Bo"},
        {"name": "Bo", "date": "2024-03-01", "winner": "Ann", "runner_up": "Bo"}]"#;
    assert!(!json(players).unwrap_err().contains("name=contest"));
}

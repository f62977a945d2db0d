//! JSON and JSON Lines as tables.

use super::{contest_lines, notes, refused, table};
use ranklore_formats::{ColumnMeaning, FileFormat, FileReading, ReadOptions, read};

fn read_with(format: FileFormat, text: &str, options: &ReadOptions) -> Result<FileReading, String> {
    read(format, text.as_bytes(), "in/Club night.json", options).map_err(|error| error.to_string())
}

fn json(text: &str) -> Result<FileReading, String> {
    read_with(FileFormat::JsonTable, text, &ReadOptions::default())
}

fn lines(text: &str) -> Result<FileReading, String> {
    read_with(FileFormat::JsonLines, text, &ReadOptions::default())
}

fn columns(options: &[(&str, ColumnMeaning)]) -> ReadOptions {
    ReadOptions {
        columns: options
            .iter()
            .map(|(heading, meaning)| ((*heading).to_owned(), *meaning))
            .collect(),
        ..ReadOptions::default()
    }
}

const ROWS: &str = r#"
{"contest": "Spring Run", "date": "2024-03-01", "place": 1, "player": "Zoë Alder", "score": 1.10}
{"place": 2, "player": "Bram \"B\" Okoro", "date": "2024-03-01", "contest": "Spring Run", "score": 1e0}
{"contest": "Spring Run", "date": "2024-03-01", "player": "Dov", "status": "DNF", "score": null}

{"contest": "Summer Run", "date": "2024-06-02", "place": "1", "player": "Dov", "score": -0.125}
{"contest": "Summer Run", "date": "2024-06-02", "place": 2, "player": 7}
"#;

#[test]
fn csv_json_and_json_lines_give_same_reading() {
    let csv = "contest,date,place,player,score,status\n\
               Spring Run,2024-03-01,1,Zoë Alder,1.10,\n\
               Spring Run,2024-03-01,2,\"Bram \"\"B\"\" Okoro\",1,\n\
               Spring Run,2024-03-01,,Dov,,DNF\n\
               Summer Run,2024-06-02,1,Dov,-0.1250,\n\
               Summer Run,2024-06-02,2,7,,\n";
    let csv = table(csv).unwrap();
    assert_eq!(csv.contests.len(), 2);
    let rows: Vec<&str> = ROWS.trim().lines().filter(|row| !row.is_empty()).collect();
    let array = format!("\u{feff}\n[{}]\n", rows.join(",\n"));
    let object = format!("{{\"results\": [{}], \"count\": 5}}", rows.join(","));
    for reading in [
        lines(ROWS),
        lines(&ROWS.replace('\n', "\r\n")),
        json(&array),
        json(&object),
    ] {
        let reading = reading.unwrap();
        assert_eq!(refused(&reading), [""; 0]);
        assert_eq!(reading.contests, csv.contests);
        assert_eq!(reading.layout.unwrap().header_line, None);
    }
}

#[test]
fn fields_around_rows_describe_all() {
    let reading = json(
        r#"{"meta": {"status": "ok", "total": 2}, "name": "Ada", "date": "2024-03-01",
            "division": "Open", "rows": [{"name": "Zoë", "place": 1}, {"name": "Bram", "place": 2}],
            "contest": "Spring Run"}"#,
    )
    .unwrap();
    assert_eq!(contest_lines(&reading), ["Spring Run 2024-03-01: 1 Zoë, 2 Bram"]);
    assert_eq!(reading.contests.get(0).unwrap().division.as_deref(), Some("Open"));
    let layout = reading.layout.unwrap();
    let headings: Vec<&str> = layout.columns.iter().map(|column| column.heading.as_str()).collect();
    assert_eq!(
        headings,
        [
            "meta.status",
            "meta.total",
            "outer.name",
            "date",
            "division",
            "contest",
            "name",
            "place"
        ]
    );
    // The fields beside the rows are headed without the path of their object.
    let reading = json(
        r#"{"status": "DNF", "data": {"race": "Cup", "date": "2024-03-01", "place": 3,
            "rows": [{"name": "Zoë", "place": 1}, {"name": "Bram", "place": 2}]}}"#,
    )
    .unwrap();
    assert_eq!(contest_lines(&reading), ["Cup 2024-03-01: 1 Zoë, 2 Bram"]);
    // Stated columns keep their headings, also those that are ignored.
    let text = r#"{"total": 2, "date": "2024-03-01", "rows": [{"name": "Zoë", "place": 1}]}"#;
    let options = columns(&[("total", ColumnMeaning::Ignore)]);
    let reading = read_with(FileFormat::JsonTable, text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Zoë"]);
    // Columns of a name that rows have too can be stated.
    let text = r#"{"name": "Cup", "rows": [{"name": "Zoë", "place": 1, "date": "2024-03-01"}]}"#;
    let options = columns(&[("outer.name", ColumnMeaning::Contest)]);
    let reading = read_with(FileFormat::JsonTable, text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["Cup 2024-03-01: 1 Zoë"]);
}

/// The layout of ergast.
const ERGAST: &str = r#"{"MRData": {"series": "f1", "total": "4", "RaceTable": {"season": "2024", "Races": [
    {"round": "1", "raceName": "Harbour Grand Prix", "Circuit": {"circuitName": "Harbour"}, "date": "2024-03-02",
     "time": "15:00:00Z", "Results": [
      {"number": "7", "position": "1", "positionText": "1", "points": "25",
       "Driver": {"driverId": "alder", "givenName": "Zoë", "familyName": "Alder"},
       "Constructor": {"name": "Reds"}, "status": "Finished", "Time": {"time": "1:34:50.616"}, "laps": []},
      {"number": "9", "position": "2", "positionText": "R", "points": "18",
       "Driver": {"driverId": "okoro", "givenName": "Bram", "familyName": "Okoro"},
       "Constructor": {"name": "Blues"}, "status": "+1 Lap", "FastestLap": {"rank": "1"}}]},
    {"round": "2", "raceName": "Castle Grand Prix", "date": "2024-03-09", "Results": [
      {"position": "1", "Driver": {"driverId": "okoro", "givenName": "Bram", "familyName": "Okoro"}},
      {"position": "x", "Driver": {"driverId": "alder", "givenName": "Zoë", "familyName": "Alder"}}]}]}}}"#;

#[test]
fn arrays_within_elements_are_rows() {
    let options = columns(&[("round", ColumnMeaning::Ordinal)]);
    let reading = read_with(FileFormat::JsonTable, ERGAST, &options).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["Harbour Grand Prix 2024-03-02: 1 alder (25), 2 okoro (18)"]
    );
    let refused = refused(&reading);
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].starts_with(
            "MRData.RaceTable.Races[1].Results[1].position: contest \"Castle Grand Prix\": place \"x\""
        ),
        "{refused:?}"
    );
    // Lines are such elements, too.
    let groups = "{\"race\":\"A\",\"date\":\"2024-03-01\",\"results\":[{\"name\":\"Zoë\",\"place\":1},{\"name\":\"Bram\",\"place\":2}]}\n\
                  {\"race\":\"B\",\"date\":\"2024-03-02\",\"results\":[]}\n\
                  {\"race\":\"C\",\"date\":\"2024-03-03\",\"results\":[{\"name\":\"Zoë\",\"place\":\"y\"}]}\n";
    let reading = lines(groups).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-03-01: 1 Zoë, 2 Bram"]);
    assert!(super::refused(&reading)[0].starts_with("line 3: contest \"C\""));
}

#[test]
fn nested_name_is_that_of_its_object() {
    let reading = json(
        r#"[{"name": "Cup", "date": "2024-03-01", "place": 1, "driver": {"name": "Zoë", "club": {"name": "Reds"}}},
            {"name": "Cup", "date": "2024-03-01", "place": 2, "driver": {"name": "Bram", "club": {"name": "Reds"}}}]"#,
    )
    .unwrap();
    let meanings: Vec<_> = reading
        .layout
        .as_ref()
        .unwrap()
        .columns
        .iter()
        .map(|column| (column.heading.as_str(), column.meaning))
        .collect();
    assert_eq!(
        meanings,
        [
            ("name", None),
            ("date", Some("date")),
            ("place", Some("place")),
            ("driver.name", Some("competitor")),
            ("driver.club.name", None)
        ]
    );
    assert_eq!(reading.contests.get(0).unwrap().entrants[0].competitor, "Zoë");
    assert!(notes(&reading).contains("columns not used: \"name\", \"driver.club.name\""));
}

#[test]
fn ids_within_the_object_of_a_competitor_identify_it() {
    for object in [
        r#""Driver": {"driverId": 7, "givenName": "Zoë", "familyName": "Alder"}"#,
        r#""player": {"player_id": 7, "name": "Zoë"}"#,
        r#""player": {"fideId": 7, "name": "Zoë"}"#,
        r#""player": {"uid": 7, "name": "Zoë"}"#,
        r#""player": {"id": 7, "name": "Zoë"}"#,
        r#""runner": {"licence": 7, "name": "Zoë"}"#,
        r#""user": {"user_id": 7, "handle": "zoe"}"#,
        r#""person": {"wcaId": 7, "name": "Zoë"}"#,
        r#""team": {"teamId": 7, "name": "Reds"}"#,
        r#""squad": {"id": 7, "name": "Reds"}, "team": "Reds""#,
    ] {
        let text = format!(r#"[{{"date": "2024-03-01", "place": 1, {object}}}]"#);
        let lines = contest_lines(&json(&text).unwrap());
        assert_eq!(lines, ["2024-03-01 2024-03-01: 1 7"], "{object}");
    }
    // An object of something else identifies nobody.
    let text = r#"[{"date": "2024-03-01", "place": 1, "player": "Zoë", "club": {"clubId": 7, "playerId": null}}]"#;
    assert_eq!(contest_lines(&json(text).unwrap()), ["2024-03-01 2024-03-01: 1 Zoë"]);
}

#[test]
fn object_of_a_contest_describes_it_alone() {
    // The time is that of the start, not the score.
    let row = |place, name| {
        format!(
            r#"{{"race": {{"name": "A", "date": "2024-01-01", "time": "1{place}:00:00"}}, "position": {place}, "driver": {{"name": "{name}"}}}}"#
        )
    };
    let reading = json(&format!("[{}, {}]", row(1, "Ada"), row(2, "Bo"))).unwrap();
    assert_eq!(contest_lines(&reading), ["A 2024-01-01: 1 Ada, 2 Bo"]);
    assert!(notes(&reading).contains("columns not used: \"race.time\""));
    for (object, expected) in [
        (r#"{"name": "Cup", "date": "2024-03-01"}"#, "Cup 2024-03-01"),
        (
            r#"{"title": "Cup", "startDate": "2024-03-01", "endDate": "2024-03-03"}"#,
            "Cup 2024-03-03",
        ),
        (r#"{"id": "c", "name": "Cup", "day": "2024-03-01"}"#, "Cup 2024-03-01"),
    ] {
        for word in ["tournament", "competition", "meet"] {
            let rows = format!(r#"[{{"{word}": {object}, "place": 1, "player": "Ada"}}]"#);
            let around =
                format!(r#"{{"{word}": {object}, "rows": [{{"place": 1, "player": "Ada"}}]}}"#);
            for text in [rows, around] {
                let lines = contest_lines(&json(&text).unwrap());
                assert_eq!(lines, [format!("{expected}: 1 Ada")], "{text}");
            }
        }
    }
}

#[test]
fn name_around_rows_with_names_is_that_of_the_contest() {
    let rows = r#""date": "2024-05-01", "results": [{"place": 1, "player": "Ada"}, {"place": 2, "player": "Bo"}]"#;
    for around in [
        format!(r#"{{"name": "Monaco", {rows}}}"#),
        format!(r#"{{"name": "Season", "race": {{"name": "Monaco", {rows}}}}}"#),
        format!(r#"{{"name": "Season", "races": [{{"title": "Monaco", {rows}}}]}}"#),
        format!(r#"{{"meta": {{"name": "API"}}, "Title": "Monaco", {rows}}}"#),
    ] {
        let lines = contest_lines(&json(&around).unwrap());
        assert_eq!(lines, ["Monaco 2024-05-01: 1 Ada, 2 Bo"], "{around}");
    }
    // Another column names the contest.
    for (heading, name) in [("contest", "Cup"), ("race", "Cup")] {
        let text = format!(r#"{{"name": "Monaco", "{heading}": "{name}", {rows}}}"#);
        let lines = contest_lines(&json(&text).unwrap());
        assert_eq!(lines, ["Cup 2024-05-01: 1 Ada, 2 Bo"]);
    }
    let text = format!(r#"{{"name": "Monaco", {rows}}}"#);
    let options = columns(&[("contest.name", ColumnMeaning::Ignore)]);
    let reading = read_with(FileFormat::JsonTable, &text, &options).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-05-01 2024-05-01: 1 Ada, 2 Bo"]);
}

#[test]
fn arrays_of_names_are_members() {
    let rows = r#"[
        {"date": "2024-03-01", "place": 1, "team": "Reds", "members": ["Ann", "Bo Li"], "laps": [{"s": 1}], "tags": ["a;b", 1]},
        {"date": "2024-03-01", "place": 2, "team": "Blues", "members": ["Cy Jr"], "laps": [[1]]},
        {"date": "2024-03-01", "place": 3, "team": "Greens", "members": []}]"#;
    let reading = json(rows).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 Reds [Ann Bo Li], 2 Blues [Cy Jr], 3 Greens"]
    );
    assert!(notes(&reading).contains("arrays within a row are not read: \"laps\""));
    let error = json(&rows.replace("Cy Jr", "Cy; Jr")).unwrap_err();
    assert!(error.starts_with("[1].members: \"Cy; Jr\" has a semicolon"), "{error}");
}

#[test]
fn results_within_rows_with_names_are_refused() {
    // "name" is a heading of competitors.
    let rounds = r#"[{"name": "Spring", "date": "2024-03-01", "place": 1, "results": []},
        {"name": "Summer", "date": "2024-06-01", "place": 2,
         "results": [{"place": 1, "player": "Ann"}, {"place": 2, "player": "Bo"}]}]"#;
    let refused = json(rounds).unwrap_err();
    assert!(refused.starts_with("[1].results: "), "{refused}");
    for option in ["--column name=contest", "--column results=ignore"] {
        assert!(refused.contains(option), "{refused}");
    }
    let read = |text: &str, heading, meaning| {
        let reading = read_with(FileFormat::JsonTable, text, &columns(&[(heading, meaning)]));
        contest_lines(&reading.unwrap())
    };
    assert_eq!(
        read(rounds, "results", ColumnMeaning::Ignore),
        [
            "2024-03-01 2024-03-01: 1 Spring",
            "2024-06-01 2024-06-01: 1 Summer"
        ]
    );
    let rounds = r#"[{"name": "Spring", "date": "2024-03-01", "results": [
            {"place": 1, "player": "Bo"}, {"place": 2, "player": "Ann"}]},
        {"name": "Summer", "date": "2024-06-01", "results": [
            {"place": 1, "player": "Ann"}, {"place": 2, "player": "Bo"}]}]"#;
    let expected = [
        "Spring 2024-03-01: 1 Bo, 2 Ann",
        "Summer 2024-06-01: 1 Ann, 2 Bo",
    ];
    assert_eq!(contest_lines(&json(rounds).unwrap()), expected);
    let undated = rounds.replace("\"date\"", "\"held\"");
    assert!(json(&undated).unwrap_err().starts_with("[0].results: "));
    assert_eq!(read(rounds, "name", ColumnMeaning::Contest), expected);
}

#[test]
fn values_are_kept_as_written() {
    let reading = json(
        r#"[{"contest id": 90071992547409931234, "player": 1.10, "date": "2024-03-01", "score": 1.234},
            {"contest id": 90071992547409931234, "player": true, "date": "2024-03-01", "score": 2.5E+3},
            {"contest id": 90071992547409931234, "player": "\u005a\u006f\u00eb\t", "date": "2024-03-01", "score": -1}]"#,
    )
    .unwrap();
    assert_eq!(reading.contests.get(0).unwrap().external_id, "90071992547409931234");
    assert_eq!(
        contest_lines(&reading),
        ["90071992547409931234 2024-03-01: 1 true (2500), 2 1.10 (1.234), 3 Zoë (-1)"]
    );
}

#[test]
fn refusals_name_path_or_line() {
    for (text, expected) in [
        (
            ROWS,
            "this is JSON Lines, an object on each line: pass --format jsonl, or end the file name with .jsonl",
        ),
        (
            r#"[{"place":1,"player":"a"},{"place":2,"player":"b","place":3}]"#,
            "[1].place: the object has this key twice: remove one",
        ),
        (
            r#"{"x":{"rows":[{"player":{"name":"a","name ":"b"}}]}}"#,
            "x.rows[0].player.name: the object has this key twice: remove one",
        ),
        (
            r#"{"date":1,"date":2,"rows":[{"player":"a"}]}"#,
            "date: the object has this key twice: remove one",
        ),
        (
            r#"{"rows":[{"player":"a"}],"others":[{"player":"b"}]}"#,
            "\"rows\" and \"others\" are arrays of objects: choose the one that has the results, with --rows rows or --rows others",
        ),
        (
            r#"[{"player":"a","place":1},["b",2]]"#,
            "line 1: expected an object, found an array (column 26)",
        ),
        (r#"[{"player":"\ud800","place":1}]"#, "[0].player: "),
        (
            r#"[{"players":["a",{}]}]"#,
            "[0].players: the array has values and objects: write one kind",
        ),
        (
            r#"[{"place":1,"meneur":"a"}]"#,
            "no field is called competitor, player, name or the like; name it with --column FIELD=competitor; the fields are place | meneur",
        ),
        ("[{\"place\":1},\n{\"place\" 2}]", "line 2: this is not JSON"),
        ("[{\"place\":1}] x", "line 1: this is not JSON"),
        ("{\"a\":1}", "this is neither a contest file"),
        ("{\"rows\":[]}", "this is neither a contest file"),
        ("[1,2]", "this is neither a contest file"),
        ("[]", "this is neither a contest file"),
        ("7", "this is neither a contest file"),
        ("", "line 1: this is not JSON"),
        ("[1,", "line 1: this is not JSON"),
    ] {
        let error = json(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    for (text, expected) in [
        (
            "{\"player\":\"a\",\"place\":1}\n\n{\"player\":\"b\",\"player\":\"b\"}",
            "line 3: the object has this key twice: remove one",
        ),
        (
            "{\"player\":\"a\",\"place\":1}\n[1]",
            "line 2: expected an object: each line of JSON Lines is one",
        ),
        ("{\"player\":\"a\"}\n{\"player\":\n\"b\"}", "line 2: this is not JSON"),
        ("{\"player\":\"a\"} {}", "line 1: this is not JSON"),
        ("", "the table is empty"),
    ] {
        let error = lines(text).unwrap_err();
        assert!(error.starts_with(expected), "{text}: {error}");
    }
    let latin_1 = b"[{\"player\":\"a\"},\n{\"player\":\"Zo\xeb\"}]";
    let error = read(FileFormat::JsonTable, latin_1, "x", &ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().starts_with("line 2: this is not JSON: it is not UTF-8"),
        "{error}"
    );
}

#[test]
fn refused_rows_are_named_by_index() {
    let reading = json(
        r#"{"rows": [{"player":"a","place":1,"date":"2024-03-01"},
            {"player":"a","place":2,"date":"2024-03-01"},
            {"player":"c","place":1,"date":"2024-03-02"}]}"#,
    )
    .unwrap();
    assert_eq!(
        refused(&reading),
        [
            "rows[1]: contest \"2024-03-01\": \"a\" stands twice, on rows[0] and rows[1]; if these are different competitors, add a column of ids headed \"competitor id\", or pass --same-name-by with a column that tells them apart"
        ]
    );
}

#[test]
fn nested_objects_and_columns_are_bounded() {
    let nested = |depth: usize| {
        let (open, close) = ("{\"a\":".repeat(depth), "}".repeat(depth));
        json(&format!("[{{\"player\":\"x\",\"place\":1,\"a\":{open}1{close}}}]"))
    };
    let named = |error: Result<FileReading, String>| error.unwrap_err();
    assert!(nested(15).is_err_and(|error| !error.contains("within each other")));
    assert!(named(nested(16)).contains("more than 16 objects within each other"));
    assert!(named(nested(100_000)).contains("more than 16 objects within each other"));
    let wide = |columns: usize| {
        let fields = (0..columns).map(|column| format!(",\"c{column}\":1"));
        json(&format!("[{{\"player\":\"x\"{}}}]", fields.collect::<String>()))
    };
    assert!(!named(wide(1_999)).contains("2000 columns"));
    assert!(named(wide(2_000)).contains("more than 2000 columns"));
    let long = format!("[{{\"player\":\"{}\"}}]", "x".repeat(1 << 20));
    assert_eq!(named(json(&long)), "[0].player: a text has more than 1 MiB: shorten it");
    let deep = format!(
        "[{{\"player\":\"x\",\"laps\":{}{}}}]",
        "[".repeat(1_000_000),
        "]".repeat(1_000_000)
    );
    assert!(!named(json(&deep)).is_empty());
}

#[test]
fn many_groups_repeat_cells_up_to_the_limit() {
    let name = "x".repeat(1 << 19);
    let rows = vec!["{\"player\":\"a\"}"; 1_000].join(",");
    let error = json(&format!("{{\"contest\":\"{name}\",\"rows\":[{rows}]}}")).unwrap_err();
    assert!(
        error.starts_with("rows[255]: the cells have more than 128 MiB of text"),
        "{error}"
    );
}

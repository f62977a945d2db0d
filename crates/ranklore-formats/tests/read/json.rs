//! Contest files in JSON.

use super::{contest_line, refused};
use proptest::prelude::*;
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

fn read_json(text: &str) -> Result<FileReading, String> {
    let options = ReadOptions::default();
    read(FileFormat::Json, text.as_bytes(), "x.json", &options).map_err(|e| e.to_string())
}

/// A contest with these standings.
fn contest_with_standings(standings: &str) -> String {
    format!("{{\"name\":\"R\",\"time_seconds\":5,\"standings\":{standings}}}")
}

#[test]
fn contest_id_falls_back_to_url_then_name() {
    for (fields, expected) in [
        ("", "R@5"),
        (r#""id":null,"url":null,"weight":null,"perf_ceiling":null,"#, "R@5"),
        (r#""url":"https://x.example/1","#, "https://x.example/1"),
        (r#""url":"https://x.example/1","id":12,"#, "12"),
        (r#""id":-3,"#, "-3"),
        (r#""id":"a/b","#, "a/b"),
        (r#""id":"","#, "R@5"),
        (r#""extra":{"deep":[1,2]},"#, "R@5"),
    ] {
        let text = contest_with_standings("[[\"a\",0,0]]").replacen('{', &format!("{{{fields}"), 1);
        let reading = read_json(&text).unwrap();
        assert_eq!(reading.contests.get(0).unwrap().external_id, expected, "{fields}");
    }
}

#[test]
fn invalid_contest_is_refused_with_reason() {
    let field = |fields: &str| format!("{{\"name\":\"R\",{fields},\"standings\":[[\"a\",0,0]]}}");
    for (text, expected) in [
        (
            contest_with_standings("[]"),
            "standings: contest \"R\": the standings are empty",
        ),
        (
            contest_with_standings(r#"[["a",0,1],["b",1,1]]"#),
            "standings[0]: contest \"R\": \"a\" has the range 0 to 1, but it is the only row with lo 0: hi 0 is expected",
        ),
        (
            contest_with_standings(r#"[["a",0,0],["b",2,2]]"#),
            "standings[1]: contest \"R\": \"b\" has lo 2, but 1 is expected: 1 entrants are above, and the ranges must cover 0 to 1 without gaps",
        ),
        (
            contest_with_standings(r#"[["c",1,2],["a",0,0],["b",1,1]]"#),
            "standings[2]: contest \"R\": \"b\" has the range 1 to 1, but there are 2 rows with lo 1: hi 2 is expected",
        ),
        (
            contest_with_standings(r#"[["a",0,1],["a",0,1]]"#),
            "contest \"R\": \"a\" stands twice, in rows 1 and 2",
        ),
        (
            contest_with_standings(r#"[["a",1,1],["b",0,0],["a",2,2]]"#),
            "standings[2]: contest \"R\": \"a\" stands twice, in standings[0] and standings[2]",
        ),
        (
            contest_with_standings(r#"[["",0,0]]"#),
            "contest \"R\": row 1 names no competitor",
        ),
        (
            contest_with_standings("[[\"a\",0,0],\n[\"b\",\"1\",1]]"),
            "standings[1][1]: expected a whole number, found the text \"1\" (line 2 column 8)",
        ),
        (
            contest_with_standings(r#"[["a",0]]"#),
            "standings[0]: expected [handle, lo, hi], found an array of 2 (line 1 column 49)",
        ),
        (
            contest_with_standings(r#"[["a",-1,0]]"#),
            "standings[0][1]: expected a whole number, found -1 (line 1 column 49)",
        ),
        (
            field("\"time_seconds\":1709251200000"),
            "time_seconds: contest \"R\": time 1709251200000 lies outside 1583 to 2199 in seconds since 1970; it looks like milliseconds: 2024-03-01 is 1709251200",
        ),
        (
            field("\"time_seconds\":-12212553601"),
            "time_seconds: contest \"R\": time -12212553601 lies outside 1583 to 2199 in seconds since 1970",
        ),
        (
            field("\"time_seconds\":5,\"weight\":0"),
            "weight: contest \"R\": weight 0.0 lies outside 0.000001 to 1000000",
        ),
        (
            field("\"time_seconds\":5,\"weight\":1e306"),
            "weight: contest \"R\": weight 1e306 lies outside 0.000001 to 1000000",
        ),
        (
            field("\"time_seconds\":5,\"weight\":1e-320"),
            "weight: contest \"R\": weight 1e-320 lies outside 0.000001 to 1000000",
        ),
        (
            field("\"time_seconds\":5,\"perf_ceiling\":-1e7"),
            "perf_ceiling: contest \"R\": performance ceiling -10000000.0 lies outside -1000000 to 1000000",
        ),
        (
            "[\n [\"R\",null,null,5,null,null,[[\"a\",0,0]]]]".to_owned(),
            "[0]: expected an object, found an array (line 2 column 2)",
        ),
        (
            r#"{"name":"R","time_seconds":5,"standings":[["a",0,0]],"entrants":[{"members":["b"]}]}"#.to_owned(),
            "contest \"R\": \"a\" in row 1 is a person with members; give it the kind team or couple, or remove the members",
        ),
        (
            r#"{"name":"R"}"#.to_owned(),
            "the field \"time_seconds\" is missing (line 1 column 12)",
        ),
    ] {
        let reading = read_json(&text).unwrap();
        assert_eq!(refused(&reading), [expected], "{text}");
        assert_eq!(reading.contests.to_vec(), [], "{text}");
    }
}

#[test]
fn non_json_document_is_an_error() {
    for text in ["", "{", "[1,", "[] x", "name,place", "\u{1}"] {
        let error = read_json(text).unwrap_err();
        assert!(error.contains("this is not JSON"), "{text}: {error}");
    }
}

#[test]
fn deep_nesting_does_not_overflow_stack() {
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read_json(&"[".repeat(1_000_000)).is_err());
    assert!(read_json(&format!("[{}", deep(1_000_000))).is_err());
    let name = format!("{{\"name\":{}}}", deep(1_000_000));
    assert!(
        refused(&read_json(&name).unwrap())[0]
            .starts_with("name: expected a string, found an array")
    );
    let unknown = contest_with_standings(&format!("[[\"a\",0,0]],\"x\":{}", deep(1_000_000)));
    assert_eq!(read_json(&unknown).unwrap().contests.len(), 1, "unknown fields are skipped");
}

#[test]
fn bad_array_element_leaves_other_contests() {
    let good = |name: &str| {
        contest_with_standings("[[\"],{\\\"\",0,0]]").replace("\"R\"", &format!("\"{name}\""))
    };
    let text = format!("\u{feff} [{},\n {{\"name\":1}},{},{} ]", good("A"), good("B"), good("A"));
    let reading = read_json(&text).unwrap();
    let names: Vec<_> = reading.contests.iter().map(|c| c.name).collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(
        refused(&reading),
        [
            "[1].name: expected a string, found 1 (line 2 column 10)",
            "[3]: contest \"A\": \"A@5\" is already the id of an earlier contest ([0]); give each contest its own id",
        ]
    );
    assert_eq!(read_json("[]").unwrap().contests.to_vec(), []);
}

#[test]
fn long_names_are_refused() {
    let name = |n: usize| contest_with_standings(&format!("[[\"{}\",0,0]]", "ä".repeat(n)));
    assert_eq!(read_json(&name(1000)).unwrap().contests.len(), 1);
    let reading = read_json(&name(1001)).unwrap();
    assert!(refused(&reading)[0].contains("the name in row 1 has 1001 characters"));
}

#[test]
fn refusals_are_capped() {
    let good = contest_with_standings("[[\"a\",0,0]]");
    let text = format!("[{}{good}]", "{\"name\":\"x\"},\n".repeat(100_000));
    let start = std::time::Instant::now();
    let reading = read_json(&text).unwrap();
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(reading.contests.len(), 1);
    let refused = refused(&reading);
    assert_eq!(refused.len(), 1_000);
    assert_eq!(
        refused[999],
        "[999]: the field \"time_seconds\" is missing (line 1000 column 12)"
    );
    assert_eq!(reading.omitted_refusals, 99_000);
}

proptest! {
    #[test]
    fn standings_round_trip(
        ties in prop::collection::vec(1_usize..4, 1..8),
        shuffle in any::<u64>(),
        time in 0_i64..7_258_118_399,
        weight in prop::option::of(0.001_f64..1000.0),
        name in "\\PC{1,20}",
    ) {
        let mut rows = Vec::new();
        for tie in ties {
            let lo = rows.len();
            for _ in 0..tie {
                rows.push(serde_json::json!([format!("{name}{}", rows.len()), lo, lo + tie - 1]));
            }
        }
        let expected: Vec<(String, u64)> = rows
            .iter()
            .map(|row| (row[0].as_str().unwrap().to_owned(), row[1].as_u64().unwrap() + 1))
            .collect();
        let count = rows.len();
        rows.rotate_left((shuffle % count as u64) as usize);
        let text = serde_json::json!({
            "name": name, "time_seconds": time, "weight": weight, "standings": rows,
        });
        let reading = read_json(&text.to_string()).unwrap();
        prop_assert_eq!(refused(&reading), Vec::<String>::new());
        let contest = &reading.contests.get(0).unwrap();
        prop_assert_eq!(contest.ends_at.get(), time);
        prop_assert_eq!(contest.weight.to_bits(), weight.unwrap_or(1.0).to_bits());
        let mut got: Vec<(String, u64)> = contest
            .entrants
            .iter()
            .map(|e| (e.competitor.clone(), u64::from(e.outcome.place().unwrap().get())))
            .collect();
        got.sort_unstable();
        let mut expected = expected;
        expected.sort_unstable();
        prop_assert_eq!(got, expected, "{}", contest_line(contest));
    }
}

//! Scoreboard feeds.

use ranklore_contest::{EntrantKind, Format, ReadOptions, Reading, UnixSeconds, read};

const FEED: &str = r#"{
  "tasks": ["lamp", "fog"],
  "standings": [
    {"pos": 1, "team": "Segfault Gulls", "score": 1234, "taskStats": {"lamp": {"points": 100}}},
    {"pos": 3, "team": "Off By None", "score": 900.5},
    {"pos": 3, "team": "Brass Lamp", "score": 900.5, "lastAccept": 1375544540},
    {"pos": 7, "team": "тихая гавань"}
  ]
}"#;

fn feed(text: &str, file_name: &str, start: Option<i64>) -> Result<Reading, String> {
    let options = ReadOptions {
        start: start.and_then(UnixSeconds::new),
        ..ReadOptions::default()
    };
    let read = read(Format::CtftimeFeed, text.as_bytes(), file_name, &options);
    read.map_err(|error| error.to_string())
}

fn refusal(text: &str) -> String {
    let reading = feed(text, "x.json", Some(0)).unwrap();
    assert!(reading.contests.is_empty());
    reading.refused[0].to_string()
}

#[test]
fn a_feed_is_one_contest_of_teams() {
    let reading = feed(FEED, "in/Harbour CTF 2024-06-01.json", None).unwrap();
    let contest = &reading.contests[0];
    assert_eq!(contest.name, "Harbour CTF 2024-06-01");
    assert_eq!(contest.ends_at.to_string(), "2024-06-01");
    assert_eq!(contest.external_id, "Harbour CTF 2024-06-01@1717200000");
    let rows: Vec<(&str, u32, Option<f64>)> = (contest.entrants.iter())
        .map(|of| (&*of.competitor, of.outcome.place().unwrap().get(), of.score))
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
    assert!(teams.clone().all(|of| of.kind == EntrantKind::Team));
}

#[test]
fn the_date_is_in_the_name_or_the_start() {
    let at = |name: &str, start| {
        let reading = feed(FEED, name, start).unwrap();
        let contest = reading.contests.first();
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

#[test]
fn what_is_wrong_with_a_feed_is_named() {
    for (text, expected) in [
        (
            r#"{"standings":[{"pos":0,"team":"a"}]}"#,
            "standings[0].pos",
        ),
        (
            r#"{"standings":[{"pos":-1,"team":"a"}]}"#,
            "standings[0].pos",
        ),
        (r#"{"standings":[{"pos":1,"team":7}]}"#, "standings[0].team"),
        (
            r#"{"standings":[{"pos":1,"team":""}]}"#,
            "names no competitor",
        ),
        (
            r#"{"standings":[{"pos":1,"team":"a","score":"x"}]}"#,
            "standings[0].score",
        ),
        (r#"{"standings":[{"team":"a"}]}"#, "missing field `pos`"),
        (
            r#"{"standings":[{"pos":1,"team":"a"},{"pos":2,"team":"a"}]}"#,
            "\"a\" stands twice",
        ),
        (r#"{"standings":[]}"#, "the standings are empty"),
        (r#"{"scoreboard":[]}"#, "missing field `standings`"),
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

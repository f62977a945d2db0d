//! Scores of games in objects whose keys are the ids of the competitors.

use super::{contest_lines, notes};
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};

fn games(rows: &[(u8, u8, &str)]) -> Result<FileReading, String> {
    let players = r#"{"id":1,"name":"Ivy"},{"id":2,"name":"Max"},{"id":14,"name":"Pia"}"#;
    let rows = rows.iter().zip(1..).map(|((one, two, score), day)| {
        format!(
            r#"{{"id":10{day},"player1Id":{one},"player2Id":{two},"date":"2024-05-0{day}","score":{{{score}}}}}"#
        )
    });
    let rows: Vec<String> = rows.collect();
    let text = format!(r#"{{"players":[{players}],"matches":[{}]}}"#, rows.join(","));
    let reading =
        read(FileFormat::JsonTable, text.as_bytes(), "club.json", &ReadOptions::default());
    reading.map_err(|error| error.to_string())
}

#[test]
fn keys_that_are_ids_of_competitors_name_their_scores() {
    let reading = games(&[
        (1, 14, r#""1":11,"14":7"#),
        (14, 2, r#""2":4,"14":11"#),
        (2, 1, r#""1":9,"2":11"#),
    ])
    .unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Ivy – Pia 2024-05-01: 1 1 (11), 2 14 (7)",
            "Max – Pia 2024-05-02: 1 14 (11), 2 2 (4)",
            "Ivy – Max 2024-05-03: 1 2 (11), 2 1 (9)"
        ]
    );
    // No row needs the key 1.
    let others = games(&[(2, 14, r#""2":11,"14":7"#), (14, 2, r#""2":4,"14":11"#)]).unwrap();
    assert_eq!(contest_lines(&others)[1], "Max – Pia 2024-05-02: 1 14 (11), 2 2 (4)");
    let note = "the keys of \"score\" are the ids of the competitors";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
}

#[test]
fn keys_that_may_be_sides_are_refused() {
    let error = games(&[(1, 2, r#""1":11,"2":7"#), (2, 1, r#""1":11,"2":7"#)]).unwrap_err();
    assert!(error.contains("\"score1\" and \"score2\""), "{error}");
    // Where the readings agree, nothing is in doubt.
    let reading = games(&[(1, 2, r#""1":11,"2":7"#), (1, 2, r#""1":5,"2":7"#)]).unwrap();
    assert_eq!(contest_lines(&reading)[1], "Ivy – Max 2024-05-02: 1 2 (7), 2 1 (5)");
    // Another id than the keys: they are the sides.
    let reading = games(&[(1, 14, r#""1":11,"2":7"#), (14, 1, r#""1":11,"2":7"#)]).unwrap();
    assert_eq!(contest_lines(&reading)[1], "Ivy – Pia 2024-05-02: 1 14 (11), 2 1 (7)");
}

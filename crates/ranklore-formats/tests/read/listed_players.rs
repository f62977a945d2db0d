//! Games whose players stand in one cell, beside the winner.

use super::{contest_lines, notes, refused, table};
use ranklore_formats::{FileFormat, ReadOptions, read};

#[test]
fn winner_of_listed_players_is_first() {
    let text = "Date,Game,Players,Winner\n2024-03-01,Harbour,\"Ada, Bea, Cy\",Bea\n2024-03-02,Harbour,\"Ada, Cy\",Ada\n";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), Vec::<String>::new());
    assert_eq!(
        contest_lines(&reading),
        [
            "Harbour 2024-03-01: 1 Bea, 2 Ada, 2 Cy",
            "Harbour 2024-03-02: 1 Ada, 2 Cy"
        ]
    );
    assert!(
        notes(&reading).contains("the others share the second place"),
        "{}",
        notes(&reading)
    );
    let json = r#"[{"date":"2024-03-01","players":["Ada","Bea","Cy"],"winner":"Cy"},
        {"date":"2024-03-01","players":["Ada","Bea","Dov"],"winner":"Ada"}]"#;
    let reading =
        read(FileFormat::JsonTable, json.as_bytes(), "games.json", &ReadOptions::default());
    let reading = reading.unwrap();
    assert_eq!(refused(&reading), Vec::<String>::new());
    // Games of one day are numbered.
    assert_eq!(
        contest_lines(&reading),
        [
            "2024-03-01 #1 2024-03-01: 1 Cy, 2 Ada, 2 Bea",
            "2024-03-01 #2 2024-03-01: 1 Ada, 2 Bea, 2 Dov"
        ]
    );
}

#[test]
fn lists_without_their_winner_are_refused() {
    let rest = "2024-03-02,Ada;Cy;Dov,Ada\n2024-03-03,Ada;Bea;Dov,Bea\n";
    for (row, reason) in [
        ("Ada;Bea;Cy,Dov", "the winner \"Dov\" is none of the players \"Ada;Bea;Cy\""),
        ("Ada;Bea;Cy,", "the game has no winner"),
    ] {
        let error = table(&format!("date,players,winner\n2024-03-01,{row}\n{rest}")).unwrap_err();
        assert!(error.contains(reason), "{error}");
    }
    // A person in a game twice, and lists of two.
    for rows in [
        "2024-03-01,Ada;Ada;Cy,Ada\n2024-03-02,Ada;Cy;Dov,Ada\n",
        "2024-03-01,Ada;Cy,Ada\n2024-03-02,Cy;Dov,Dov\n",
    ] {
        let reading = table(&format!("date,players,winner\n{rows}"));
        let lines = reading.map(|reading| contest_lines(&reading)).unwrap_or_default();
        assert_eq!(lines, Vec::<String>::new(), "{rows}");
    }
}

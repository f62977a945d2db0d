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

#[test]
fn array_of_a_podium_ranks_its_names() {
    let json = r#"[{"race":"Japan GP","podium":["Ada","Bea","Cy"],"fastestLap":["Cy"]},
        {"race":"Italy GP","podium":["Ada","Dov","Bea"],"fastestLap":["Ada"]},
        {"race":"Japan GP","podium":["Bea","Ada","Cy"],"fastestLap":["Ada"]}]"#;
    let read_with = |json: &str| {
        read(FileFormat::JsonTable, json.as_bytes(), "races.json", &super::from_2024(7))
    };
    let reading = read_with(json).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "Japan GP 2024-01-01: 1 Ada, 2 Bea, 3 Cy",
            "Italy GP 2024-01-08: 1 Ada, 2 Dov, 3 Bea",
            "Japan GP 2024-01-15: 1 Bea, 2 Ada, 3 Cy"
        ]
    );
    assert!(notes(&reading).contains("\"podium\" lists its competitors from the first"));
    // Numbers, names beside a competitor, and repeated names rank nobody.
    for other in [
        json.replace(r#""podium":["Ada","Bea","Cy"]"#, r#""podium":[3,1,2]"#),
        json.replace(r#"{"race":"#, r#"{"driver":"Eve","race":"#),
        json.replace(r#""podium":["Ada","Bea","Cy"]"#, r#""podium":["Ada","Ada","Cy"]"#),
        json.replace("podium", "entries"),
    ] {
        let read = read_with(&other);
        assert!(read.is_err() || read.unwrap().contests.is_empty(), "{other}");
    }
}

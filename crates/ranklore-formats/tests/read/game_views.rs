//! Rows that repeat a game: equal in every cell with its sets, or as the other player saw it.

use super::games::ids;
use super::{from_2024, notes, proposals, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, FileFormat, ReadOptions, StatedLayout, read};

fn games_of(names: [(&str, ColumnMeaning); 2]) -> ReadOptions {
    ReadOptions {
        layout: Some(StatedLayout::Games),
        columns: names.map(|(heading, meaning)| (heading.to_owned(), meaning)).into(),
        ..ReadOptions::default()
    }
}

#[test]
fn equal_rows_with_the_scores_of_sets_are_one_game() {
    for (headings, sets) in [
        ("Date,Player 1,Player 2,Result,Winner", "\"21/15,21/13\""),
        ("Date,Player 1,Player 2,Result,Winner", "6-4 3-6 7-6(4)"),
        ("Date,Player 1,Player 2,Set 1,Set 2,Winner", "21-15,21-13"),
        ("Date,Team 1,Team 2,Result,Winner", "25:20; 25:22"),
    ] {
        let game = format!("2024-03-01,Ada,Bea,{sets},Ada\n");
        let other = format!("2024-03-01,Cy,Di,{sets},Cy\n");
        let reading = table(&format!("{headings}\n{game}{other}{game}")).unwrap();
        assert_eq!(ids(&reading), ["2024-03-01 Ada – Bea", "2024-03-01 Cy – Di"], "{sets}");
        let note = "1 row that is equal to another in every cell left out, on line 4";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
        // A later day is another game.
        let later = game.replace("03-01", "03-02");
        let reading = table(&format!("{headings}\n{game}{other}{later}")).unwrap();
        assert_eq!(reading.contests.len(), 3, "{sets}");
        // In a season without days they can meet twice.
        let undated = |line: &str| line.split_once(',').unwrap().1.to_owned();
        let season = [&format!("{headings}\n"), &game, &other, &game].map(|line| undated(line));
        let start = ReadOptions {
            every_days: None,
            ..from_2024(1)
        };
        let reading = table_with(&season.concat(), &start).unwrap();
        assert_eq!(reading.contests.len(), 3, "{sets}");
    }
    // Won games can recur.
    let text = "Date,Player 1,Player 2,Result,Winner\n2024-03-01,Ada,Bea,\"1-0, 1-0\",Ada\n2024-03-01,Ada,Bea,\"1-0, 1-0\",Ada\n";
    assert_eq!(table(text).unwrap().contests.len(), 2);
}

#[test]
fn equal_rows_of_pairs_are_one_game() {
    let text = "Tournament,Date,Team 1 Player 1,Team 1 Player 2,Team 2 Player 1,Team 2 Player 2,Result,Winner\n\
        Open,30.07.2022,,Ada Lark,,Bea Sand,\"21/15,21/13\",Ada Lark\n\
        Open,30.07.2022,,Cy Roe,,Di Fox,\"21/13,21/13\",Cy Roe\n\
        Open,30.07.2022,,Ada Lark,,Bea Sand,\"21/15,21/13\",Ada Lark\n\
        Open,30.07.2022,Ada Lark,Bea Sand,Cy Roe,Di Fox,\"21/17,21/10\",Ada Lark Bea Sand\n";
    assert_eq!(table(text).unwrap().contests.len(), 3);
}

#[test]
fn sets_from_the_other_side_are_one_game() {
    let text = "Date,Player 1,Player 2,Result,Winner\n2024-03-01,Ada,Bea,21-15 21-13,Ada\n2024-03-01,Bea,Ada,15-21 13-21,Ada\n2024-03-01,Cy,Ada,21-19 21-18,Cy\n";
    let reading = table(text).unwrap();
    assert_eq!(ids(&reading), ["2024-03-01 Ada – Bea", "2024-03-01 Ada – Cy"]);
    assert!(notes(&reading).contains("1 row with a game seen from the other side left out"));
}

#[test]
fn game_that_both_players_list_is_one() {
    let text = "Date,Name,Opponent,Result\n2024-03-01,Ada,Bea,W\n2024-03-01,Bea,Ada,L\n2024-03-01,Cy,Di,\n";
    let names = |second| {
        [
            ("Name", ColumnMeaning::Player1),
            (second, ColumnMeaning::Player2),
        ]
    };
    for opponent in ["Opponent", "Vs", "gegner", "round.vs"] {
        let text = text.replace("Opponent", opponent);
        let options = games_of(names(opponent));
        let proposed = proposals(&text, &ReadOptions::default()).join("; ");
        assert!(proposed.contains("--layout games"), "{opponent}: {proposed}");
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(ids(&reading), ["2024-03-01 Ada – Bea"], "{opponent}");
        // Each won once.
        let both = format!("{text}2024-03-01,Ada,Bea,L\n");
        assert_eq!(table_with(&both, &options).unwrap().contests.len(), 3, "{opponent}");
    }
}

#[test]
fn rows_of_one_board_are_one_game() {
    let stated = games_of([
        ("Name", ColumnMeaning::Player1),
        ("Opponent", ColumnMeaning::Player2),
    ]);
    for heading in ["Board", "table", "Tisch"] {
        let text = format!(
            "Date,Round,{heading},Name,Opponent,Result\n2024-03-01,1,3,Ada,Bea,W\n2024-03-01,1,3,Bea,Ada,L\n2024-03-01,1,4,Cy,Di,D\n"
        );
        assert_eq!(table_with(&text, &stated).unwrap().contests.len(), 2, "{heading}");
        let elsewhere = text.replace("1,3,Bea", "1,5,Bea");
        assert_eq!(table_with(&elsewhere, &stated).unwrap().contests.len(), 3, "{heading}");
    }
    let json = r#"{"date":"2024-02-04","round":"17","data":[
        {"name":"Ada","record":{"wins":13},"now":{"table":3,"vs":"Bea","result":"W"}},
        {"name":"Bea","record":{"wins":12},"now":{"table":3,"vs":"Ada","result":"L"}},
        {"name":"Cy","record":{"wins":11},"now":[]}]}"#;
    let options = ReadOptions {
        columns: [
            ("name".to_owned(), ColumnMeaning::Player1),
            ("now.vs".to_owned(), ColumnMeaning::Player2),
            ("now.result".to_owned(), ColumnMeaning::Outcome),
        ]
        .into(),
        ..stated
    };
    let reading = read(FileFormat::JsonTable, json.as_bytes(), "a.json", &options).unwrap();
    assert_eq!(reading.contests.len(), 1);
}

#[test]
fn scores_of_both_sides_are_proposed_with_their_names() {
    let rows = "2024-03-01,Ada,Bea,2,1\n2024-03-01,Bea,Ada,1,2\n2024-03-02,Cy,Ada,3,0\n2024-03-02,Ada,Cy,0,3\n";
    for (headings, [one, two], [own, opposing]) in [
        ("date,team,opponent,gf,ga", ["team", "opponent"], ["gf", "ga"]),
        (
            "Datum,Verein,Gegner,Tore,Gegentore",
            ["Verein", "Gegner"],
            ["Tore", "Gegentore"],
        ),
        (
            "fecha,equipo,rival,goles_favor,goles_contra",
            ["equipo", "rival"],
            ["goles_favor", "goles_contra"],
        ),
        (
            "data,squadra,avversario,gol fatti,gol subiti",
            ["squadra", "avversario"],
            ["gol fatti", "gol subiti"],
        ),
        ("Date,Club,Opp,Score,Opp Score", ["Club", "Opp"], ["Score", "Opp Score"]),
    ] {
        let text = format!("{headings}\n{rows}");
        let mut options = games_of([(one, ColumnMeaning::Player1), (two, ColumnMeaning::Player2)]);
        options.columns.insert(own.to_owned(), ColumnMeaning::Score1);
        options.columns.insert(opposing.to_owned(), ColumnMeaning::Score2);
        let proposed = proposals(&text, &ReadOptions::default());
        for option in [format!("{own}=score 1"), format!("{opposing}=score 2")] {
            assert!(proposed[0].contains(&option), "{proposed:?}");
        }
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(ids(&reading), ["2024-03-01 Ada – Bea", "2024-03-02 Ada – Cy"], "{headings}");
    }
    // Ranks are no scores, and two pairs of scores leave it open.
    for headings in [
        "date,team,opponent,rank,opponent_rank",
        "date,team,opponent,gf,opp",
    ] {
        let proposed = proposals(&format!("{headings}\n{rows}"), &ReadOptions::default());
        assert!(!proposed.iter().any(|option| option.contains("score 1")), "{proposed:?}");
    }
    // The club of a person does not compete.
    let people = "Platz,Name,Verein\n1,Ada,Hill\n2,Bea,Bay\n";
    let start = ReadOptions {
        start: from_2024(1).start,
        ..ReadOptions::default()
    };
    assert_eq!(standings(&table_with(people, &start).unwrap()), ["1 Ada, 2 Bea"]);
}

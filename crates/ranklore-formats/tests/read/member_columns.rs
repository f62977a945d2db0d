//! Members of a team in one column each, and the opponents of games, who are none.

use ranklore_formats::{ColumnMeaning, ReadOptions};

use crate::{contest_lines, notes, table, table_with};

fn stated(columns: &[(&str, ColumnMeaning)]) -> ReadOptions {
    ReadOptions {
        columns: columns
            .iter()
            .map(|&(heading, meaning)| (heading.to_owned(), meaning))
            .collect(),
        ..ReadOptions::default()
    }
}

#[test]
fn numbered_columns_name_the_members_of_a_team() {
    for noun in [
        "Player ", "Member ", "Swimmer ", "Rower", "Driver ", "P", "Spieler ",
    ] {
        let text = format!(
            "Date,Team,{noun}1,{noun}2,{noun}3,Place\n2024-03-01,Foxes,Cy Roe,Ann Lee,Bo,1\n\
             2024-03-01,Owls,Eli Sand,-,Flo Ray,2\n2024-03-01,Terns,,,,3\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            contest_lines(&reading),
            [
                "2024-03-01 2024-03-01: 1 Foxes [Ann Lee Bo Cy Roe], 2 Owls [Eli Sand Flo Ray], 3 Terns"
            ],
            "{noun}"
        );
        let notes = notes(&reading);
        assert!(notes.contains("name the members of a team"), "{notes}");
        assert!(!notes.contains("columns not used"), "{notes}");
    }
}

#[test]
fn members_in_columns_are_the_team_without_a_team_column() {
    let text = "Date,Contest,Driver 1,Driver 2,Pos\n2024-03-01,R1,Ann Lee,Bo & Co,1\n2024-03-01,R1,Eli Sand,Flo Ray,2\n\
                2024-03-08,R2,Flo Ray,Eli Sand,1\n2024-03-08,R2,Bo & Co,Ann Lee,2\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        [
            "R1 2024-03-01: 1 Ann Lee / Bo & Co [Ann Lee Bo & Co], 2 Eli Sand / Flo Ray [Eli Sand Flo Ray]",
            "R2 2024-03-08: 1 Eli Sand / Flo Ray [Eli Sand Flo Ray], 2 Ann Lee / Bo & Co [Ann Lee Bo & Co]",
        ]
    );
    let four = "Date,Player 1,Player 2,Player 3,Player 4,Score\n2024-03-01,Ann,Bo,Cy,Di,12\n2024-03-01,Ed,Flo,Gus,Hal,10\n";
    assert_eq!(
        contest_lines(&table(four).unwrap()),
        [
            "2024-03-01 2024-03-01: 1 Ann / Bo / Cy / Di [Ann Bo Cy Di] (12), 2 Ed / Flo / Gus / Hal [Ed Flo Gus Hal] (10)"
        ]
    );
}

#[test]
fn number_of_a_pair_is_no_member() {
    let text = "Date,Rank,Pair,Player 1,Player 2\n2024-03-01,1,7,Ann,Bo\n2024-03-01,2,3,Cy,Di\n";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-03-01 2024-03-01: 1 Ann / Bo [Ann Bo], 2 Cy / Di [Cy Di]"]
    );
}

#[test]
fn opponents_of_games_are_no_members() {
    for (result, winner) in [
        ("Score 1,Score 2\n2024-03-01,Ann,Bo,1,2\n", "Bo (2)"),
        ("Winner\n2024-03-01,Ann,Bo,Bo\n", "Bo"),
        ("Result,Place\n2024-03-01,Ann,Bo,0-1,Berlin\n", "Bo"),
        ("Score\n2024-03-01,Ann,Bo,0\n", "Bo"),
    ] {
        let reading = table(&format!("Date,Player 1,Player 2,{result}")).unwrap();
        let lines = contest_lines(&reading);
        let line = format!("Ann – Bo 2024-03-01: 1 {winner}, 2 Ann");
        assert!(lines.len() == 1 && lines[0].starts_with(&line), "{lines:?}");
    }
}

#[test]
fn two_persons_with_points_are_refused_until_stated() {
    let text = "Date,Player 1,Player 2,Points\n2024-03-01,Ann,Bo,12\n2024-03-01,Cy,Di,10\n";
    let columns = text.replace("Points", "Score");
    let error = table(&columns).unwrap_err();
    for message in [
        "can name the members of a team or the opponents of a game",
        "--column 'Player 1=members' --column 'Player 2=members'",
        "--column 'Player 1=player 1' --column 'Player 2=player 2'",
    ] {
        assert!(error.contains(message), "{error}");
    }
    let members = stated(&[
        ("Player 1", ColumnMeaning::Members),
        ("Player 2", ColumnMeaning::Members),
    ]);
    let expected = ["2024-03-01 2024-03-01: 1 Ann / Bo [Ann Bo] (12), 2 Cy / Di [Cy Di] (10)"];
    assert_eq!(contest_lines(&table_with(&columns, &members).unwrap()), expected);
    assert_eq!(contest_lines(&table_with(text, &members).unwrap()), expected);
    let doubles = "Date,Player 1,Player 2,Player 3,Player 4,Result\n2024-03-01,Ann,Bo,Cy,Di,1\n2024-03-02,Ann,Cy,Bo,Di,2\n";
    let error = table(doubles).unwrap_err();
    assert!(error.contains("--column 'Player 4=members' if they are one team"), "{error}");
    // Venues are no places.
    let venues = "Date,Player 1,Player 2,Place\n2024-03-01,Ann,Bo,Berlin\n2024-03-01,Cy,Di,Ulm\n";
    assert!(table(venues).unwrap_err().contains("opponents of a game"));
}

#[test]
fn further_persons_of_a_game_are_refused() {
    let text =
        "Date,Player 1,Player 2,Player 3,Player 4,Score 1,Score 2\n2024-03-01,Ann,Bo,Cy,Di,12,10\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("\"Player 3\" (D) names a further person"), "{error}");
    let heads = "Date,T1P1,T1P2,T2P1,T2P2,Score 1,Score 2";
    let teams = text.replace("Date,Player 1,Player 2,Player 3,Player 4,Score 1,Score 2", heads);
    assert_eq!(
        contest_lines(&table(&teams).unwrap()),
        ["Ann / Bo – Cy / Di 2024-03-01: 1 Ann / Bo [Ann Bo] (12), 2 Cy / Di [Cy Di] (10)"]
    );
}

#[test]
fn numbered_results_are_no_members() {
    for cells in [["10", "12"], ["AC", "WA"]] {
        let [first, second] = cells;
        let text = format!(
            "Date,Place,Team,P1,P2\n2024-03-01,1,Foxes,{first},{second}\n2024-03-01,2,Owls,{second},{first}\n2024-03-01,3,Terns,{second},{first}\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Foxes, 2 Owls, 3 Terns"]);
    }
    let error = table("Date,Player 1,Player 2,Player 3\n2024-03-01,5,7,9\n").unwrap_err();
    assert!(error.contains("--column HEADING=competitor"), "{error}");
}

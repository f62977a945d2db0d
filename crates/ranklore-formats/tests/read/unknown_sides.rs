//! Tables of games whose headings are not known: two columns name the sides.

use super::games::places;
use super::{from_2024, notes, table, table_with};
use ranklore_formats::{ColumnMeaning, CommandOptions, ReadOptions, StatedLayout, TableShape};

/// Returns the options that the refusal of a table names first, as words.
pub(super) fn first_option(text: &str, options: &ReadOptions) -> Vec<String> {
    let format = ranklore_formats::FileFormat::Table;
    let error = ranklore_formats::read(format, text.as_bytes(), "in/a.csv", options).unwrap_err();
    error.options.first().map(CommandOptions::words).unwrap_or_default().to_vec()
}

/// Returns the options of words such as `--layout games --column heading=meaning`.
pub(super) fn to_options(words: &[String]) -> ReadOptions {
    let mut options = from_2024(1);
    options.every_days = None;
    for option in words.chunks(2) {
        match &*option[0] {
            "--layout" => options.layout = Some(StatedLayout::from_word(&option[1]).unwrap()),
            "--column" => {
                let (heading, meaning) = option[1].rsplit_once('=').unwrap();
                let meaning = ColumnMeaning::from_word(meaning).unwrap();
                options.columns.insert(heading.to_owned(), meaning);
            }
            other => panic!("{other}"),
        }
    }
    options
}

/// Three games below these headings.
fn games_below(headings: &str) -> String {
    format!("{headings}\n2024-03-01,Ada,Bea,3,1\n2024-03-02,Cy,Ada,2,3\n2024-03-03,Bea,Cy,0,3\n")
}

const PLACES: [&str; 3] = [
    "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
    "2024-03-02 Ada – Cy: 1 Ada, 2 Cy",
    "2024-03-03 Bea – Cy: 1 Cy, 2 Bea",
];

#[test]
fn sides_of_unknown_headings_are_proposed_first_and_read() {
    for headings in [
        "date,id1,id2,k1,k2",
        "date,wizard_a,wizard_b,keys_a,keys_b",
        "date,Green Wing,Purple Wing,Green Tally,Purple Tally",
        "date,p1 wizard,p2 wizard,p1 duels,p2 duels",
        "date,t1_name,t2_name,ft1,ft2",
    ] {
        let text = games_below(headings);
        let words = first_option(&text, &ReadOptions::default());
        assert_eq!(
            words.get(..2),
            Some(&["--layout".to_owned(), "games".to_owned()][..]),
            "{text}"
        );
        let reading = table_with(&text, &to_options(&words)).unwrap();
        assert_eq!(places(&reading), PLACES, "{headings}");
        let error = table(&text).unwrap_err();
        assert!(!error.contains("Name=competitor") && !error.contains("1=competitor"), "{error}");
    }
}

#[test]
fn sides_with_scores_under_known_headings_are_read() {
    for headings in [
        "date,nickOne,nickTwo,goalsOne,goalsTwo",
        "date,N Name,S Name,N Points,S Points",
        "date,n.pilot,s.pilot,n.sets,s.sets",
        "date,T1,T2,Score T1,Score T2",
        "date,team1_code,team2_code,team1_final_score,team2_final_score",
    ] {
        let text = games_below(headings);
        let reading = table(&text).unwrap();
        assert_eq!(places(&reading), PLACES, "{headings}");
        assert!(notes(&reading).contains("the columns are two sides of a game"), "{headings}");
        // Names that stand on one side only may be something else.
        let apart = text.replace("Cy,Ada", "Cy,Di").replace("Bea,Cy", "Ed,Flo");
        assert!(table(&apart).is_err(), "{headings}");
        let stated = ReadOptions {
            layout: Some(StatedLayout::Rows),
            ..ReadOptions::default()
        };
        assert!(table_with(&text, &stated).is_err(), "{headings}");
    }
}

#[test]
fn right_side_before_left_one_keeps_its_scores() {
    let text = "date,hue_n,hue_s,runs_s,runs_n\n2024-03-01,Ada,Bea,1,3\n2024-03-02,Bea,Cy,0,4\n";
    let reading = table(text).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
            "2024-03-02 Bea – Cy: 1 Bea, 2 Cy"
        ]
    );
}

#[test]
fn points_of_a_game_are_certain_without_names_that_recur() {
    let text = "day,rank1,rikishi1,win1,win2,rank2,rikishi2\n1,M1,Aoba,0,1,O2,Beni\n2,M3,Chido,1,0,K1,Daina\n";
    let words = first_option(text, &from_2024(1));
    let reading = table_with(text, &to_options(&words)).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-01-01 1 Aoba – Beni: 1 Beni, 2 Aoba",
            "2024-01-01 2 Chido – Daina: 1 Chido, 2 Daina"
        ]
    );
}

#[test]
fn partners_are_read_with_the_sides() {
    let text = "date,n_1,n_2,s_1,s_2,n_score,s_score\n2024-03-01,ada,bea,cy,dov,7,10\n2024-03-02,cy,ada,bea,eli,10,3\n";
    let reading = table(text).unwrap();
    let contests = reading.contests.to_vec();
    assert_eq!(contests[0].entrants[0].members, ["cy", "dov"]);
    assert_eq!(contests[1].entrants[0].members, ["ada", "cy"]);
}

#[test]
fn teams_and_players_of_a_side_are_both_proposed() {
    let error = table(
        "date,Teal Team,Teal Player,Teal Score,Pink Team,Pink Player,Pink Score\n2024-03-01,Gulls,Ada,5,Larks,Bea,1\n2024-03-02,Larks,Bea,5,Gulls,Cy,2\n",
    )
    .unwrap_err();
    assert!(error.contains("'Teal Team=team 1' --column 'Pink Team=team 2'"), "{error}");
    assert!(
        error.contains("'Teal Player=player 1' --column 'Pink Player=player 2'"),
        "{error}"
    );
}

#[test]
fn columns_that_are_no_sides_keep_the_present_refusal() {
    for text in [
        // Nothing recurs, and no other columns have the same words.
        "date,deck_a,deck_b,price\n2024-03-01,Ada,Bea,3\n2024-03-02,Cy,Dov,2\n",
        // The numbers decide no game.
        "date,wizard_a,wizard_b,elo_a,elo_b\n2024-03-01,Ada,Bea,1500,1600\n2024-03-02,Bea,Ada,1510,1590\n",
        // The headings have different words.
        "date,start_pier,end_pier,start_km,end_km\n2024-03-01,Ada,Bea,3,1\n2024-03-02,Bea,Ada,2,3\n",
    ] {
        let error = table(text).unwrap_err();
        assert!(error.contains("no column is headed competitor"), "{error}");
        assert!(!error.contains("--layout games"), "{error}");
    }
}

#[test]
fn columns_of_three_players_are_no_two_sides() {
    let two = "date,AlmCorp,AlmScore,BirCorp,BirScore";
    let rows = [
        "2024-05-01,Vitor,113,Mars,153",
        "2024-05-02,Mars,100,Vitor,75",
        "2024-05-03,Luna,77,Mars,66",
    ];
    let has_sides = |text: &str| match table(text) {
        Ok(reading) => reading.layout.is_some_and(|layout| layout.shape == TableShape::Games),
        Err(error) => error.contains("two sides of a game"),
    };
    assert!(has_sides(&format!("{two}\n{}\n", rows.join("\n"))));
    let three = rows.map(|row| format!("{row},Vitor,99"));
    assert!(!has_sides(&format!("{two},CydCorp,CydScore\n{}\n", three.join("\n"))));
    // Neither other names nor other scores are those of a third side.
    for third in [["Spring", "9"], ["2", "9"], ["Vitor", "1-0"]] {
        let headings = format!("{two},CydCorp,CydScore");
        let rows = rows.map(|row| format!("{row},{}", third.join(",")));
        assert!(has_sides(&format!("{headings}\n{}\n", rows.join("\n"))), "{third:?}");
    }
    // A winner is none of the sides.
    let winners = "date,AlmTeam,AlmScore,BirTeam,BirScore,WinnerTeam,WinnerScore";
    let winners_rows = ["Mars,153", "Mars,100", "Luna,77"];
    let rows: Vec<String> = rows
        .iter()
        .zip(winners_rows)
        .map(|(row, winner)| format!("{row},{winner}"))
        .collect();
    assert!(has_sides(&format!("{winners}\n{}\n", rows.join("\n"))));
}

#[test]
fn result_of_the_first_side_is_proposed_as_outcome() {
    let text = "date,player_a,player_b,resultado_a\n2024-03-01,Ann,Bo,1\n2024-03-02,Ann,Cy,0\n";
    assert_eq!(first_option(text, &ReadOptions::default()), ["--column", "resultado_a=outcome"]);
    for other in [
        text.replace("do_a", "do_b"),
        text.replace("resultado", "sets"),
        text.replace("resultado", "goals"),
        text.replace("Bo,1", "Bo,3"),
    ] {
        assert_eq!(first_option(&other, &ReadOptions::default()), [""; 0], "{other}");
    }
}

#[test]
fn outcomes_name_home_and_visitors_of_nested_sides() {
    let text = "date,homeTeam.p1,homeTeam.p2,visitingTeam.p1,visitingTeam.p2,scoreHome,scoreVisiting,result\n\
                2024-03-01,Ann,Bo,Cy,Di,1,0,HOME\n2024-03-02,Cy,Bo,Ann,Ed,0,1,VISITING\n";
    let words = first_option(text, &ReadOptions::default());
    assert!(words.contains(&"visitingTeam.p1=away".to_owned()), "{words:?}");
    let reading = table_with(text, &to_options(&words)).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-03-01 Ann / Bo – Cy / Di: 1 Ann / Bo, 2 Cy / Di",
            "2024-03-02 Ann / Ed – Bo / Cy: 1 Ann / Ed, 2 Bo / Cy"
        ]
    );
}

//! Tables that are told to be games by their columns, and the order of their rounds.

use super::games::places;
use super::{contest_lines, from_2024, notes, refused, standings, table, table_with};
use ranklore_formats::{ColumnMeaning, FileFormat, ReadOptions, StatedLayout, TableShape, read};

#[test]
fn counted_teams_are_no_competitors() {
    for count in ["teams", "Players", "Competitors"] {
        let text = format!(
            "team1_name,team2_name,best_of,date,{count},team1_points,team2_points\nGulls,Larks,Best of 3,2024-03-01,20,2,0\nLarks,Millers,Best of 3,2024-03-02,20,1,2\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            places(&reading),
            [
                "2024-03-01 Gulls – Larks: 1 Gulls, 2 Larks",
                "2024-03-02 Larks – Millers: 1 Millers, 2 Larks"
            ],
            "{count}"
        );
    }
}

#[test]
fn numbers_of_teams_stay_competitors() {
    // A single team can have a number as its name.
    let text = "team,player1,player2,score,date\n11,Ada,Bea,9,2024-03-01\n12,Cy,Dov,7,2024-03-01\n";
    let shape = table(text).map(|reading| reading.layout.unwrap().shape);
    assert_ne!(shape, Ok(TableShape::Games));
}

#[test]
fn rounds_without_order_are_refused_with_the_option() {
    let text = "EVENT,BOUT,OUTCOME,ROUND\nHarbour Night,Ada vs. Bea,W/L,1\nHarbour Night,Cy vs. Dov,L/W,3\nHarbour Night,Eli vs. Flo,W/L,2\n";
    let mut options = from_2024(1);
    let error = table_with(text, &options).unwrap_err();
    assert!(error.contains("\"3\" stands before \"2\" in \"ROUND\" (D)"), "{error}");
    assert!(error.contains("--column ROUND=ignore"), "{error}");
    options.columns.insert("ROUND".to_owned(), ColumnMeaning::Ignore);
    assert_eq!(table_with(text, &options).unwrap().contests.to_vec().len(), 3);
}

#[test]
fn rounds_from_the_final_back_are_refused() {
    let text =
        "Stage,Home,Away,HG,AG\nFinal,Ivy,Max,1,2\nSemi-final,Max,Pia,2,0\nSemi-final,Ivy,Cy,3,0\n";
    let error = table_with(text, &from_2024(1)).unwrap_err();
    assert!(error.contains("\"Final\" stands before \"Semi-final\""), "{error}");
    for rounds in [
        ["Semi-final", "Final"],
        ["Opening", "Final"],
        ["Final", "Final"],
    ] {
        let text = text.replace("Semi-final", "LAST").replace("Final", rounds[0]);
        let reading = table_with(&text.replace("LAST", rounds[1]), &from_2024(1)).unwrap();
        assert_eq!(reading.contests.iter().count(), 3, "{rounds:?}");
    }
}

#[test]
fn weeks_start_again_with_a_season() {
    for season in ["season", "league"] {
        let text = format!(
            "{season},week,home,away,home_score,away_score\n2022,1,A,B,1,0\n2022,2,B,A,1,0\n2023,1,A,B,2,0\n2023,2,B,A,3,0\n"
        );
        let reading = table_with(&text, &from_2024(7)).unwrap();
        let lines = contest_lines(&reading);
        let dates = ["2024-01-01", "2024-01-08", "2024-01-15", "2024-01-22"];
        assert_eq!(lines.len(), 4, "{season}");
        for (line, date) in lines.iter().zip(dates) {
            assert!(line.contains(date), "{line}");
        }
    }
}

#[test]
fn weeks_of_seasons_without_order_are_refused() {
    for rows in [
        // The newest season first.
        "2023,1,A,B,1,0\n2023,2,B,A,1,0\n2022,1,A,B,2,0\n2022,2,B,A,2,0\n",
        // The first weeks of all seasons first.
        "2022,1,A,B,1,0\n2023,1,B,A,1,0\n2022,2,A,B,2,0\n2023,2,B,A,1,0\n2022,1,C,B,2,0\n2023,1,C,A,2,0\n2024,1,A,B,1,0\n",
        "2022,2,A,B,1,0\n2022,1,B,A,1,0\n2023,1,A,B,2,0\n",
        // Names say nothing of their order.
        "Cup,1,A,B,1,0\nCup,2,B,A,1,0\nBowl,1,A,B,2,0\n",
    ] {
        let text = format!("season,week,home,away,home_score,away_score\n{rows}");
        let error = table_with(&text, &from_2024(7)).map(|reading| contest_lines(&reading));
        assert!(error.is_err_and(|error| error.contains("--column week=ignore")), "{rows}");
    }
}

#[test]
fn keys_of_an_object_are_names_without_their_path() {
    let contests = ReadOptions {
        layout: Some(StatedLayout::Contests),
        ..super::scores(ReadOptions::default())
    };
    for (document, names) in [
        (
            r#"[{"date":"2024-03-01","result":{"Ada":0,"Bea":3}},{"date":"2024-03-02","result":{"Bea":3,"Cy":1}}]"#,
            ["1 Bea (3), 2 Ada (0)", "1 Bea (3), 2 Cy (1)"],
        ),
        (
            r#"[{"date":"2024-03-01","game":{"sets":{"J. Lark":0,"J. Moss":3}}},{"date":"2024-03-02","game":{"sets":{"J. Moss":3,"J. Reed":1}}}]"#,
            [
                "1 J. Moss (3), 2 J. Lark (0)",
                "1 J. Moss (3), 2 J. Reed (1)",
            ],
        ),
    ] {
        let reading =
            read(FileFormat::JsonTable, document.as_bytes(), "a.json", &contests).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new());
        let lines = contest_lines(&reading);
        for (line, names) in lines.iter().zip(names) {
            assert!(line.ends_with(&format!(": {names}")), "{line}");
        }
    }
}

#[test]
fn winner_that_is_not_known_yet_is_left_out() {
    let head = "match_id,home_team,away_team,winner,date\n1,Gulls,Larks,Gulls,2024-03-01\n";
    let later = table(&format!("{head}2,Larks,Gulls,,2024-03-08\n")).unwrap();
    assert_eq!(refused(&later), Vec::<String>::new());
    assert!(super::notes(&later).contains("1 game without a result left out, on line 3"));
    // A game before the last decided one may have been drawn.
    let text = format!("{head}2,Larks,Gulls,,2024-02-08\n");
    let earlier = refused(&table(&text).unwrap());
    assert!(
        earlier[0].contains("line 3") && earlier[0].contains("names no winner"),
        "{earlier:?}"
    );
    let same_day = format!("{head}2,Larks,Gulls,,2024-03-01\n");
    assert_eq!(refused(&table(&same_day).unwrap()).len(), 1);
}

#[test]
fn blank_winner_beside_a_game_without_result_is_left_out() {
    for word in ["no result", "No Contest", "Cancelled", "postponed"] {
        let text = format!(
            "id,date,team1,team2,result,winner\n1,2024-03-01,Gulls,Larks,{word},\n2,2024-03-02,Larks,Gulls,tie,Gulls\n3,2024-03-03,Larks,Gulls,normal,Larks\n"
        );
        let options = ReadOptions {
            columns: [("result".to_owned(), ColumnMeaning::Ignore)].into(),
            ..ReadOptions::default()
        };
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{word}");
        assert_eq!(places(&reading), ["2: 1 Gulls, 2 Larks", "3: 1 Larks, 2 Gulls"], "{word}");
    }
}

#[test]
fn text_that_a_side_won_decides_and_contradicts_equal_scores() {
    let game = |scores: &str, text: &str| {
        format!(
            "id,date,team1,team1_full_name,team1_score,team2,team2_score,match_result\n\
             1,2024-03-01,Owls,Oak Owls,32,Elms,24,Owls won by 8 pts\n\
             2,2024-03-02,Owls,Oak Owls,{scores},{text}\n"
        )
    };
    let plain = table(&game("30,Elms,30", "")).unwrap();
    assert_eq!(standings(&plain)[1], "1 Elms, 1 Owls");
    assert!(notes(&plain).contains("\"match_result\" (H) says who won, and how"));
    for text in ["Owls won by 0 pts", "Oak Owls Won by 0 Pts"] {
        let refusal = refused(&table(&game("36,Elms,36", text)).unwrap()).join("; ");
        assert!(refusal.contains("--column match_result=ignore"), "{refusal}");
        assert!(refusal.contains("\"Owls\" won"), "{refusal}");
    }
    // Nobody has this name.
    let unnamed = game("36,Elms,36", "Oaks Won by 0 Pts");
    let refusal = refused(&table(&unnamed).unwrap()).join("; ");
    for option in [
        "--status 'Oaks Won by 0 Pts=dns'",
        "--column match_result=ignore",
    ] {
        assert!(refusal.contains(option), "{refusal}");
    }
    for drawn in ["Match tied (Owls won the shootout)", "Won by nobody"] {
        let reading = table(&game("36,Elms,36", drawn)).unwrap();
        assert_eq!(standings(&reading)[1], "1 Elms, 1 Owls", "{drawn}");
    }
    let other = game("36,Elms,34", "Oaks Won by 2 Pts");
    assert_eq!(standings(&table(&other).unwrap())[1], "1 Owls, 2 Elms");
}

#[test]
fn zero_scores_beside_an_excluded_winner_are_asked_for() {
    let text = "date,Team 1,Team 2,Winner,Team1Score,Team2Score,Replay\n\
                2024-03-01,Foxes,Owls,Foxes,4,0,r1\n2024-03-02,Hawks,Ravens,Hawks,0,2,r2\n\
                2024-03-03,Foxes,Hawks,,0,0,Both Teams Forfeit\n2024-03-04,Owls,Ravens,Ravens,0,3,r3\n";
    let reading = table(text).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(notes(&reading).contains("not played left out"));
    let refusal = refused(&reading).join("; ");
    for option in ["--column Winner=ignore", "--column Team1Score=ignore"] {
        assert!(refusal.contains(option), "{refusal}");
    }
    let ignoring = |headings: &[&str]| ReadOptions {
        columns: headings
            .iter()
            .map(|heading| ((*heading).to_owned(), ColumnMeaning::Ignore))
            .collect(),
        ..ReadOptions::default()
    };
    let error = table_with(text, &ignoring(&["Winner"])).unwrap_err();
    assert!(
        error.contains("--status 0-0=dns") && error.contains("--status 0-0=finished"),
        "{error}"
    );
    let by_winner = table_with(text, &ignoring(&["Team1Score", "Team2Score"])).unwrap();
    let refusal = refused(&by_winner).join("; ");
    assert!(refusal.contains("--where 'Winner!='"), "{refusal}");
    // Other games have no winner, too.
    let drawn = text.replace("Ravens,Ravens,0,3", "Ravens,,3,3");
    assert_eq!(table_with(&drawn, &ignoring(&["Winner"])).unwrap().contests.len(), 4);
}

#[test]
fn blank_shootout_beside_zero_scores_is_a_draw() {
    let text = "date,home_team,away_team,home_score,away_score,home_pens,away_pens\n\
                2024-03-01,Otters,Foxes,2,0,,\n2024-03-02,Owls,Foxes,0,0,,\n";
    assert_eq!(standings(&table(text).unwrap()), ["1 Otters, 2 Foxes", "1 Owls, 1 Foxes"]);
}

//! Tables of games: the cells and the other columns decide what a column means.

use super::games::{ids, places};
use super::{contest_lines, from_2024, notes, proposals, refused, standings, table, table_with};
use ranklore_contest::EntrantKind;
use ranklore_formats::{CellStatus, ColumnMeaning, ReadOptions, StatedLayout};

#[test]
fn winner_of_a_tie_does_not_decide_its_games() {
    for heading in [
        "tiewinner",
        "Tie winner",
        "winner_agg",
        "series_winner",
        "Aggregate winner",
    ] {
        let reading = table(&format!(
            "date,round,leg,home,visitor,FT,hgoal,vgoal,{heading}\n\
             2024-05-01,1,1,Otters,Herons,2-2,2,2,Herons\n\
             2024-05-08,1,2,Herons,Otters,3-1,3,1,Herons\n\
             2024-05-01,1,1,Quarry,Kiln,1-0,1,0,Kiln\n\
             2024-06-01,2,,Herons,Kiln,4-0,4,0,NA\n"
        ))
        .unwrap();
        assert_eq!(refused(&reading), [""; 0], "{heading}");
        assert_eq!(
            contest_lines(&reading),
            [
                "Otters – Herons 2024-05-01: 1 Otters (2), 1 Herons (2)",
                "Herons – Otters 2024-05-08: 1 Herons (3), 2 Otters (1)",
                "Quarry – Kiln 2024-05-01: 1 Quarry (1), 2 Kiln (0)",
                "Herons – Kiln 2024-06-01: 1 Herons (4), 2 Kiln (0)",
            ],
            "{heading}"
        );
    }
    // A text of the score that differs is refused.
    let reading =
        table("date,home,away,FT,home_goals,away_goals\n2024-05-01,Otters,Herons,1-2,2,1\n");
    assert_eq!(
        refused(&reading.unwrap()),
        [
            "line 2: contest \"Otters – Herons\": by \"home_goals\" (E), \"away_goals\" (F) \"Otters\" won, and by \"FT\" (D) \"Herons\" won: correct the row, or pass --column home_goals=ignore --column away_goals=ignore or --column FT=ignore"
        ]
    );
}

#[test]
fn two_pairs_of_results_must_agree() {
    for (headings, columns) in [
        ("result1,result2,score1,score2", "\"score1\" (F), \"score2\" (G)"),
        (
            "team1_sets,team2_sets,team1_points,team2_points",
            "\"team1_points\" (F), \"team2_points\" (G)",
        ),
    ] {
        let reading = table(&format!(
            "date,team1,team2,{headings}\n\
             2024-05-01,Otters,Herons,2,1,16,12\n\
             2024-05-02,Otters,Kiln,2,0,0,0\n\
             2024-05-03,Kiln,Herons,0,2,,\n"
        ))
        .unwrap();
        assert_eq!(
            places(&reading),
            [
                "2024-05-01 Herons – Otters: 1 Otters, 2 Herons",
                "2024-05-03 Herons – Kiln: 1 Herons, 2 Kiln"
            ]
        );
        let refused = refused(&reading);
        assert_eq!(refused.len(), 1);
        assert!(
            refused[0].contains(&format!("by {columns} the game was drawn, and by")),
            "{refused:?}"
        );
        assert!(refused[0].contains("=ignore or --column"), "{refused:?}");
    }
    // Words beside a winner are no numbers.
    let reading = table(
        "date,white,black,white_result,black_result,winner\n2024-05-01,Ada,Bea,resigned,win,black\n",
    )
    .unwrap();
    assert_eq!(places(&reading), ["2024-05-01 Ada – Bea: 1 Bea, 2 Ada"]);
}

#[test]
fn unequal_scores_contradict_a_shootout() {
    let shootout = |rows: &str| {
        table(&format!(
            "date,home,away,home_goals,away_goals,home_penalties,away_penalties,winner\n{rows}"
        ))
        .unwrap()
    };
    let reading = shootout(
        "2024-05-01,Otters,Herons,6,4,4,2,\n2024-05-02,Otters,Kiln,2,1,,,\n2024-05-03,Kiln,Herons,1,0,0,0,\n",
    );
    assert_eq!(reading.contests.len(), 2);
    assert_eq!(
        refused(&reading),
        [
            "line 2: contest \"Otters – Herons\": the scores differ, but \"home_penalties\" (F) says that a shootout followed, as it does after equal scores: write the scores before the shootout, or pass --column home_penalties=ignore --column away_penalties=ignore if these scores decide"
        ]
    );
    // The winner says that the shootout counts.
    let reading = shootout(
        "2024-05-01,Otters,Herons,2,2,4,2,Otters\n2024-05-02,Otters,Kiln,1,1,3,4,Otters\n",
    );
    assert_eq!(places(&reading), ["2024-05-01 Herons – Otters: 1 Otters, 2 Herons"]);
    assert!(
        refused(&reading)[0]
            .contains("by \"home_penalties\" (F), \"away_penalties\" (G) \"Kiln\" won")
    );
    // Penalties of both that can be equal are no shootouts.
    let reading =
        shootout("2024-05-01,Otters,Herons,22,14,3,3,\n2024-05-02,Otters,Kiln,15,18,5,6,\n");
    assert_eq!((reading.contests.len(), reading.refused.len()), (2, 0));
}

#[test]
fn games_without_goals_beside_each_other_are_asked_for() {
    let schedule = |zeros: [&str; 3]| {
        let [one, two, three] = zeros;
        format!(
            "date,home,away,home_goals,away_goals\n2024-05-01,Otters,Herons,3,1\n\
             2024-05-02,Otters,Kiln,{one}\n2024-05-03,Kiln,Herons,{two}\n\
             2024-05-04,Kiln,Otters,{three}\n"
        )
    };
    let last = schedule(["2,1", "0,0", "0,0"]);
    let error = table(&last).unwrap_err();
    assert!(error.contains("2 games of 0–0"), "{error}");
    assert!(error.contains("--status 0-0=dns"), "{error}");
    assert!(error.contains("--status 0-0=finished"), "{error}");
    let count = |text: &str, status: CellStatus| {
        let options = ReadOptions {
            statuses: [("0-0".to_owned(), status)].into(),
            ..ReadOptions::default()
        };
        table_with(text, &options).unwrap().contests.len()
    };
    assert_eq!(count(&last, CellStatus::Finished), 4);
    assert_eq!(count(&last, CellStatus::DidNotStart), 2);
    // The newest games can stand first.
    let rows: Vec<&str> = last.lines().collect();
    let first = [rows[0], rows[4], rows[3], rows[2], rows[1]].join("\n");
    table(&first).unwrap_err();
    // One may be a draw, and among others they are.
    for zeros in [["2,1", "1,0", "0,0"], ["0,0", "1,0", "0,0"]] {
        assert_eq!(table(&schedule(zeros)).unwrap().contests.len(), 4, "{zeros:?}");
    }
}

#[test]
fn negative_scores_of_both_are_not_played() {
    let reading = table(
        "date,red,blue,red_score,blue_score\n2024-05-01,r1,b1,31,12\n2024-05-02,r2,b2,-1,-1\n2024-05-03,r3,b3,0,0\n",
    )
    .unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-05-01 b1 – r1: 1 r1, 2 b1",
            "2024-05-03 b3 – r3: 1 b3, 1 r3"
        ]
    );
    assert!(notes(&reading).contains("1 game without a result left out, on line 3"));
    assert!(
        notes(&reading).contains("a negative score of both means that the game was not played")
    );
    // Where one alone has a negative score, scores can be negative.
    let cards = table(
        "date,player1,player2,score1,score2\n2024-05-01,Ada,Bea,-1,-1\n2024-05-02,Ada,Bea,-5,3\n",
    );
    assert_eq!(cards.unwrap().contests.len(), 2);
}

#[test]
fn result_beside_a_winner_may_be_the_kind_of_victory() {
    let reading = table(
        "id,date,team1,team2,winner,result\n\
         1,2024-05-01,Otters,Herons,Herons,runs\n\
         2,2024-05-02,Otters,Kiln,Otters,wickets\n\
         3,2024-05-03,Kiln,Herons,,no result\n\
         4,2024-05-04,Kiln,Otters,Otters,tie\n",
    )
    .unwrap();
    assert_eq!(places(&reading), ["1: 1 Herons, 2 Otters", "2: 1 Otters, 2 Kiln"]);
    assert!(notes(&reading).contains("1 game that was not played left out, on line 4"));
    let reasons = refused(&reading);
    assert_eq!(reasons.len(), 1);
    assert!(
        reasons[0].contains("--column result=ignore or --column winner=ignore"),
        "{reasons:?}"
    );
    for kinds in [["KO", "SD"], ["Fall", "Decision"], ["checkmate", "resign"]] {
        let reading = table(&format!(
            "date,red,blue,winner,result\n2024-05-01,Ada,Bea,red,{}\n2024-05-02,Ada,Cy,blue,{}\n2024-05-03,Ada,Cy,,NC\n",
            kinds[0], kinds[1]
        ))
        .unwrap();
        assert_eq!((reading.contests.len(), reading.refused.len()), (2, 0), "{kinds:?}");
    }
}

#[test]
fn rounds_in_words_follow_numbered_rounds() {
    let reading = table(
        "date,event,round,player1,player2,winner\n\
         2024-05-01,Cup,Grand Final,Ada,Bea,Ada\n\
         2024-05-01,Cup,Semis,Ada,Cy,Ada\n\
         2024-05-01,Cup,Quarters,Ada,Dov,Ada\n\
         2024-05-01,Cup,Round 1,Ada,Eva,Ada\n",
    )
    .unwrap();
    let mut rounds: Vec<_> =
        reading.contests.iter().map(|contest| (contest.ordinal, contest.name)).collect();
    rounds.sort();
    let names: Vec<_> = rounds.into_iter().map(|(_, name)| name).collect();
    assert_eq!(names, ["Ada – Eva", "Ada – Dov", "Ada – Cy", "Ada – Bea"]);
    assert!(!notes(&reading).contains("without a number"));
}

#[test]
fn nobody_plays_no_game() {
    for nobody in ["BYE", "Freilos", "descansa", "NN", "N.N."] {
        let reading = table(&format!(
            "date,home,away,result\n2024-05-01,Ada,{nobody},1-0\n2024-05-01,Bea,Cy,0-1\n2024-05-02,Ada,,\n"
        ))
        .unwrap();
        assert_eq!(places(&reading), ["2024-05-01 Bea – Cy: 1 Cy, 2 Bea"], "{nobody}");
        assert_eq!(refused(&reading), [""; 0], "{nobody}");
        assert!(notes(&reading).contains("1 bye or game of an unknown player left out"));
        assert!(notes(&reading).contains("1 game without a result left out, on line 4"));
    }
}

#[test]
fn game_seen_from_both_sides_is_one() {
    for headings in [
        "date,home,home_score,away_score,away",
        "Date,Team 1,Score 1,Score 2,Team 2",
        "kickoff,HomeTeam,FTHG,FTAG,AwayTeam",
    ] {
        let headings = headings.replace("kickoff", "date");
        let reading = table(&format!(
            "{headings}\n2024-05-01,Otters,4,1,Herons\n2024-05-01,Herons,1,4,Otters\n\
             2024-05-02,Quarry,2,2,Otters\n2024-05-02,Otters,2,2,Quarry\n2024-05-03,Kiln,5,0,Herons\n\
             2024-05-03,Herons,5,0,Kiln\n2024-05-04,Herons,5,0,Kiln\n"
        ))
        .unwrap();
        assert_eq!(
            ids(&reading),
            [
                "2024-05-01 Herons – Otters",
                "2024-05-02 Otters – Quarry",
                "2024-05-03 Herons – Kiln",
                "2024-05-03 Herons – Kiln #2",
                "2024-05-04 Herons – Kiln"
            ]
        );
        let note = "2 rows with a game seen from the other side left out, first on line 3";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
    }
    let text = table(
        "date,home,away,result\n2024-05-01,Otters,Herons,4-1\n2024-05-01,Herons,Otters,1-4\n",
    );
    assert_eq!(text.unwrap().contests.len(), 1);
    // Persons can play twice on a day, but not at one time.
    let persons =
        "date,player1,player2,score1,score2\n2024-05-01,Ada,Bea,3,1\n2024-05-01,Bea,Ada,1,3\n";
    let reading = table(persons).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(notes(&reading).contains("1 row counts that may repeat a game of the same day"));
    // Each game from both sides is no chance.
    let mirrored =
        table(&format!("{persons}2024-05-01,Cy,Ada,2,0\n2024-05-01,Ada,Cy,0,2\n")).unwrap();
    assert_eq!(mirrored.contests.len(), 2);
    assert!(notes(&mirrored).contains("2 rows with a game seen from the other side left out"));
    let timed = table(&persons.replace("05-01", "05-01 19:30")).unwrap();
    assert_eq!(timed.contests.len(), 1);
    let chess = "date,white,black,result\n2024-05-01,Ada,Bea,1-0\n2024-05-01,Bea,Ada,0-1\n";
    let reading = table(chess).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(!notes(&reading).contains("may repeat"));
}

#[test]
fn equal_rows_are_one_game() {
    let reading = table(
        "id,date,white,black,winner\ng1,2024-05-01,Ada,Bea,white\ng2,2024-05-01,Cy,Ada,draw\ng1,2024-05-01,Ada,Bea,white\ng1,2024-05-01,Ada,Bea,white\n",
    )
    .unwrap();
    assert_eq!(ids(&reading), ["g1", "g2"]);
    assert_eq!(refused(&reading), [""; 0]);
    let note = "2 rows that are equal to another in every cell left out, first on line 4";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let teams = "date,home,away,goals_home,goals_away\n2024-05-01,Otters,Herons,2,1\n2024-05-01,Otters,Herons,2,1\n";
    let reading = table(teams).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(notes(&reading).contains("1 row counts that may repeat a game of the same day"));
    assert_eq!(table(&teams.replace("05-01", "05-01 15:00")).unwrap().contests.len(), 1);
    // Persons can win twice on a day.
    let persons = "date,player1,player2,winner\n2024-05-01,Ada,Bea,Ada\n2024-05-01,Ada,Bea,Ada\n";
    assert_eq!(table(persons).unwrap().contests.len(), 2);
    // Rows that differ elsewhere still need ids of their own.
    let differ = "id,date,white,black,winner,room\ng1,2024-05-01,Ada,Bea,white,1\ng1,2024-05-01,Ada,Bea,white,2\n";
    assert_eq!(refused(&table(differ).unwrap()).len(), 2);
}

#[test]
fn one_cell_can_name_both_competitors() {
    let rows = |between: &str, outcomes: [&str; 4]| {
        let [a, b, c, d] = outcomes;
        format!(
            "Show 1,2024-05-01,Ada Lark{between}Bea Sand,{a}\nShow 1,2024-05-01,Cy Roe{between}Dov Fox,{b}\n\
             Show 2,2024-06-01,Ada Lark{between}Cy Roe,{c}\nShow 2,2024-06-01,Bea Sand{between}Dov Fox,{d}\n"
        )
    };
    let words = ["W/L", "L/W", "D/D", "NC/NC"];
    let names = ["Ada Lark", "Dov Fox", "draw", "no contest"];
    let scores = ["3-1", "0-2", "1-1", ""];
    for (headings, between, outcomes) in [
        ("EVENT,DATE,BOUT,OUTCOME", " vs. ", words),
        ("event,date,match,result", " v ", words),
        ("event,date,Fight,Winner", " VS ", names),
        ("event,date,players,winner", " vs ", names),
        ("event,date,game,score", " - ", scores),
        ("event,date,fixture,result", " – ", scores),
    ] {
        let reading = table(&format!("{headings}\n{}", rows(between, outcomes))).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{headings}");
        assert_eq!(
            places(&reading),
            [
                "2024-05-01 Show 1 Ada Lark – Bea Sand: 1 Ada Lark, 2 Bea Sand",
                "2024-05-01 Show 1 Cy Roe – Dov Fox: 1 Dov Fox, 2 Cy Roe",
                "2024-06-01 Show 2 Ada Lark – Cy Roe: 1 Ada Lark, 1 Cy Roe",
            ],
            "{headings}"
        );
        assert_eq!(reading.contests.get(0).unwrap().entrants[0].kind, EntrantKind::Person);
    }
    // One cell without a separator: the column names something else.
    let reading = table("date,bout,winner\n2024-05-01,Ada vs Bea,Ada\n2024-05-01,final,Ada\n");
    assert!(reading.is_err());
}

#[test]
fn unknown_status_beside_equal_scores_is_no_draw() {
    let text = "date,home,away,home_score,away_score,status\n\
        2024-05-01,Otters,Herons,2,1,Final\n2024-05-02,Herons,Kiln,0,0,RAINED\n";
    assert_eq!(
        table(text).unwrap_err(),
        "line 1: \"RAINED\" in \"status\" (F) is not a known status, and the scores beside it are equal in 1 game: pass --status RAINED=finished if such games were drawn, or --status RAINED=dns to leave them out"
    );
    // A game that was put off is known, and so is one that ended.
    for (word, games) in [("PPD", 1), ("Postponed", 1), ("FT", 2), ("AET", 2), ("", 2)] {
        let reading = table(&text.replace("RAINED", word)).unwrap();
        assert_eq!(contest_lines(&reading).len(), games, "{word}");
    }
    // A winner says that nobody drew.
    let winner = text.replace(",status", ",status,winner").replace(",Final", ",Final,Otters");
    let winner = winner.replace(",RAINED", ",PENS,draw");
    assert_eq!(refused(&table(&winner).unwrap()), [""; 0]);
}

#[test]
fn colour_before_a_plus_won() {
    let reading = table(
        "date,white,black,result\n2024-05-01,Ada,Bea,W+R\n2024-05-02,Bea,Ada,W+0.5\n\
         2024-05-03,Ada,Cy,B+12.5\n",
    )
    .unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-05-01 Ada – Bea: 1 Ada, 2 Bea",
            "2024-05-02 Ada – Bea: 1 Bea, 2 Ada",
            "2024-05-03 Ada – Cy: 1 Cy, 2 Ada"
        ]
    );
}

#[test]
fn game_day_is_a_round_or_a_date() {
    let dated = table(
        "gameday,home,away,home_score,away_score\n2024-05-01,Otters,Herons,2,1\n\
         2024-05-08,Herons,Otters,3,1\n",
    )
    .unwrap();
    assert_eq!(
        places(&dated),
        [
            "2024-05-01 Herons – Otters: 1 Otters, 2 Herons",
            "2024-05-08 Herons – Otters: 1 Herons, 2 Otters"
        ]
    );
}

#[test]
fn zero_scores_without_the_winner_are_not_played() {
    let games = |text: &str| {
        let reading = table(text).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{text}");
        let left_out = notes(&reading).contains("not played left out");
        (reading.contests.len(), left_out)
    };
    let open = "date,player1,player2,winner,score1,score2\n2024-05-01,Ann,Bo,Ann,6,2\n\
                2024-05-01,Cy,Dov,,0,0\n2024-05-08,Ann,Cy,,0,0\n";
    assert_eq!(games(open), (1, true));
    // A draw is said, or 0–0 is not the only draw.
    assert_eq!(games(&format!("{open}2024-05-08,Bo,Dov,draw,0,0\n")), (2, true));
    assert_eq!(games(&format!("{open}2024-05-08,Bo,Dov,draw,2,2\n")), (2, true));
    assert_eq!(
        games(&format!("{open}2024-05-09,Bo,Dov,Bo,3,1\n2024-05-08,Cy,Bo,,2,2\n")),
        (5, false)
    );
    // After the last winner, games are to come.
    assert_eq!(games(&format!("{open}2024-05-01,Cy,Bo,,2,2\n")), (3, true));
    // The column names few winners, or another one says that the game was played.
    assert_eq!(games(&format!("{open}2024-05-08,Cy,Bo,,2,1\n")), (4, false));
    let finished = open.replace(",score2", ",score2,status").replace(",0,0", ",0,0,Finished");
    assert_eq!(games(&finished.replace(",6,2", ",6,2,Finished")), (3, false));
}

#[test]
fn outcome_seen_from_both_sides_is_one_game() {
    let options = ReadOptions {
        layout: Some(StatedLayout::Games),
        columns: [
            ("Verein".to_owned(), ColumnMeaning::Team1),
            ("Gegner".to_owned(), ColumnMeaning::Team2),
            ("Ausgang".to_owned(), ColumnMeaning::Outcome),
        ]
        .into(),
        ..from_2024(7)
    };
    let mirrored = |marks: [&str; 3], row: &str| {
        let [won, drawn, lost] = marks;
        let text = format!(
            "Spieltag,Verein,Ausgang,Heim,Gegner,Saison\n1,Reds,{lost},1,Greens,2014/15\n\
             1,Greens,{won},0,Reds,2014/15\n1,Blues,{drawn},1,Golds,2014/15\n\
             1,Golds,{drawn},0,Blues,2014/15\n2,Reds,{won},1,Greens,2014/15\n\
             2,Greens,{lost},0,Reds,2014/15\n3,Reds,,1,Golds,2014/15\n{row}"
        );
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(refused(&reading), [""; 0], "{text}");
        contest_lines(&reading)
    };
    for marks in [
        ["1", "0", "-1"],
        ["1", "0.5", "0"],
        ["W", "D", "L"],
        ["win", "draw", "loss"],
    ] {
        assert_eq!(
            mirrored(marks, ""),
            [
                "Greens – Reds 2024-01-01: 1 Greens, 2 Reds",
                "Blues – Golds 2024-01-01: 1 Blues, 1 Golds",
                "Greens – Reds 2024-01-08: 1 Reds, 2 Greens",
            ],
            "{marks:?}"
        );
        // Some games have one row: those with two may be two games.
        let row = format!("3,Reds,{},1,Blues,2014/15\n", marks[0]);
        assert_eq!(mirrored(marks, &row).len(), 7, "{marks:?}");
    }
    // The sides of two games can change.
    for [one, two] in [["home", "away"], ["red", "blue"], ["left", "right"]] {
        let sides = format!(
            "date,{one},{two},result\n2024-05-01,Reds,Greens,1\n2024-05-01,Greens,Reds,0\n\
             2024-05-01,Blues,Golds,1\n2024-05-01,Golds,Blues,0\n"
        );
        assert_eq!(table(&sides).unwrap().contests.len(), 4, "{one}");
    }
}

#[test]
fn zeros_in_one_cell_are_asked_for_as_in_two() {
    let games = |cells: [&str; 7]| {
        let mut text = "date,home,away,score\n".to_owned();
        for (index, (teams, score)) in ["A,B", "C,D", "B,C", "D,A", "A,C", "B,D", "C,A"]
            .into_iter()
            .zip(cells)
            .enumerate()
        {
            text += &format!("2024-05-0{},{teams},{score}\n", index + 1);
        }
        [
            text.clone(),
            text.replace('-', ":").replace("2024:05:", "2024-05-"),
        ]
        .into_iter()
        .chain([text
            .replace("score", "home_score,away_score")
            .replace('-', ",")
            .replace("2024,05,", "2024-05-")])
    };
    // The last games are to come, also after a draw, and if all games are.
    for cells in [
        ["2-1", "3-1", "1-0", "0-2", "2-2", "0-0", "0-0"],
        ["2-1", "0-0", "1-0", "0-2", "2-2", "0-0", "0-0"],
        ["0-0", "0-0", "1-0", "0-2", "2-2", "1-0", "0-3"],
        ["0-0", "0-0", "0-0", "0-0", "0-0", "0-0", "0-0"],
        // Among games of many points, one cannot be a draw.
        ["72-61", "80-75", "66-70", "0-0", "91-88", "77-64", "70-71"],
    ] {
        for text in games(cells) {
            let options = proposals(&text, &ReadOptions::default());
            assert_eq!(options, ["--status 0-0=dns", "--status 0-0=finished"], "{text}");
            let zeros = cells.iter().filter(|cell| **cell == "0-0").count();
            for (status, left_out) in [(CellStatus::DidNotStart, zeros), (CellStatus::Finished, 0)]
            {
                let stated = ReadOptions {
                    statuses: [("0-0".to_owned(), status)].into(),
                    ..ReadOptions::default()
                };
                let reading = table_with(&text, &stated).unwrap();
                assert_eq!(reading.contests.len(), 7 - left_out, "{text}");
            }
        }
    }
    for cells in [
        ["2-1", "0-0", "1-0", "0-2", "2-2", "1-0", "0-0"],
        ["0-0", "1-0", "0-0", "0-0", "2-2", "0-0", "0-0"],
    ] {
        for text in games(cells) {
            assert_eq!(table(&text).unwrap().contests.len(), 7, "{text}");
        }
    }
}

#[test]
fn unread_numbers_that_agree_with_all_winners_are_the_scores() {
    for headings in ["gh,ga", "Mandante Placar,Visitante Placar"] {
        let text = format!(
            "Data,Mandante,Visitante,Vencedor,{headings}\n2024-03-29,Foxes,Owls,Foxes,4,2\n\
             2024-03-30,Hares,Voles,-,1,1\n2024-03-31,Owls,Hares,Hares,0,3\n"
        );
        let reading = table(&text).unwrap();
        let expected = ["1 Foxes, 2 Owls", "1 Hares, 1 Voles", "1 Hares, 2 Owls"];
        assert_eq!(standings(&reading), expected, "{headings}");
    }
    // Numbers that disagree once are no scores: the game without a winner has no result.
    let text = "date,home,away,winner,x,y\n2024-03-29,Foxes,Owls,Foxes,1,2\n\
                2024-03-30,Hares,Voles,Hares,3,1\n2024-03-31,Owls,Hares,-,1,1\n";
    assert_eq!(standings(&table(text).unwrap()), ["1 Foxes, 2 Owls", "1 Hares, 2 Voles"]);
}

#[test]
fn unread_numbers_of_winners_beside_scores_are_refused() {
    let text = "date,P1,P2,set winner,P1Score,P2Score\n2024-08-06,Ivy,Max,1,-1,0\n\
                2024-08-06,Pia,Tom,0,2,0\n2024-08-06,Lea,Ben,1,-2,-2\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("--column 'set winner=ignore'"), "{error}");
    let toss = text.replace("set winner", "toss winner");
    assert_eq!(table(&toss).unwrap().contests.len(), 3);
}

#[test]
fn totals_of_many_games_are_asked_for() {
    for heading in ["wins", "Games", "Count"] {
        let text = format!("winner,loser,{heading}\nAda,Bea,36\nBea,Ada,16\nAda,Cy,9\n");
        let choice = [format!("--column {heading}=ignore")];
        assert_eq!(proposals(&text, &super::from_2024(1)), choice);
        // Games of one pair in two rows are single ones.
        let again = format!("{text}Ada,Bea,37\n");
        assert!(super::table_with(&again, &super::from_2024(1)).is_ok(), "{heading}");
    }
    let minutes = "winner,loser,minutes\nAda,Bea,36\nBea,Ada,16\nAda,Cy,9\n";
    assert!(super::table_with(minutes, &super::from_2024(1)).is_ok());
}

#[test]
fn scores_that_contradict_the_words_are_asked_for() {
    let text =
        "day,team1,team2,score,result\n2024-10-17,Ada,Bea,2-3,loss\n2024-10-18,Cy,Ada,0-3,win\n";
    let choice = ["--column result=ignore", "--column score=ignore"];
    assert_eq!(proposals(text, &from_2024(1)), choice);
    let agreed = text.replace("0-3,win", "3-0,win");
    assert_eq!(refused(&table(&agreed).unwrap()), [""; 0]);
    // A shootout may have followed.
    let level = text.replace("0-3,win", "1-1,win");
    assert_eq!(refused(&table(&level).unwrap()), [""; 0]);
}

#[test]
fn results_of_games_that_are_not_finished_are_asked_for() {
    let text = "date,team1,team2,score1,score2,Completed\n2024-10-17,Ada,Bea,2,3,true\n2024-10-18,Cy,Ada,0,0,false\n";
    let choice = ["--where 'Completed!=false'", "--column Completed=ignore"];
    assert_eq!(proposals(text, &from_2024(1)), choice);
    let open = text.replace("0,0,false", ",,false");
    assert_eq!(table(&open).unwrap().contests.len(), 1);
}

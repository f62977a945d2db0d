//! Outcomes in tables of games, and the rows that are refused.

use super::games::{ids, places};
use super::{
    contest_lines, lower_is_better, notes, proposals, refused, standings, table, table_with,
};
use proptest::prelude::*;
use ranklore_formats::{CellStatus, ColumnMeaning, OutcomeNumbers, ReadOptions, StatedLayout};

fn with_outcome(outcome: OutcomeNumbers) -> ReadOptions {
    ReadOptions {
        outcome: Some(outcome),
        ..ReadOptions::default()
    }
}

fn with_status(word: &str, status: CellStatus) -> ReadOptions {
    ReadOptions {
        statuses: [(word.to_owned(), status)].into(),
        ..ReadOptions::default()
    }
}

#[test]
fn scores_are_recorded() {
    let lines = |text: &str, options: &ReadOptions| {
        let reading = table_with(text, options).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
        contest_lines(&reading).join("; ")
    };
    let default = ReadOptions::default();
    let goals = "date,home,away,goals_home,goals_away\n2024-03-01,A,B,1,3\n";
    assert_eq!(lines(goals, &default), "A – B 2024-03-01: 1 B (3), 2 A (1)");
    let lower = lower_is_better();
    assert_eq!(lines(goals, &lower), "A – B 2024-03-01: 1 A (1), 2 B (3)");
    for (text, expected) in [
        ("date,home,away,result\n2024-03-01,A,B,1-0\n", "1 A (1), 2 B (0)"),
        ("date,home,away,result\n2024-03-01,A,B,0-0\n", "1 A (0), 1 B (0)"),
        ("date,home,away,score\n2024-03-01,A,B,102:99\n", "1 A (102), 2 B (99)"),
        ("date,home,away,score\n2024-03-01,A,B,2:1 (0:1)\n", "1 A (2), 2 B (1)"),
        ("date,home,away,score\n2024-03-01,A,B,3-4 OT\n", "1 B (4), 2 A (3)"),
        ("date,p1,p2,p1_score,p2_score\n2024-03-01,A,B,21,15\n", "1 A (21), 2 B (15)"),
        ("date,p1,p2,score1,score2\n2024-03-01,A,B,1.5,2.5\n", "1 B (2.5), 2 A (1.5)"),
        ("date,white,black,result\n2024-03-01,A,B,2½-1½\n", "1 A (2.5), 2 B (1.5)"),
        ("date,white,black,result\n2024-03-01,A,B,1-0\n", "1 A, 2 B"),
        (
            "date,winner,loser,winner_score,loser_score\n2024-03-01,A,B,7,3\n",
            "1 A (7), 2 B (3)",
        ),
        (
            "Date,Winner/tie,Loser/tie,PtsW,PtsL\n2024-03-01,A,B,20,20\n",
            "1 A (20), 1 B (20)",
        ),
        (
            "date,WTeamID,LTeamID,WScore,LScore\n2024-03-01,1104,1328,80,64\n",
            "1 1104 (80), 2 1328 (64)",
        ),
    ] {
        let names = if text.contains("1104") {
            "1104 – 1328"
        } else {
            "A – B"
        };
        let expected = format!("{names} 2024-03-01: {expected}");
        assert_eq!(lines(text, &default), expected, "{text}");
    }
}

#[test]
fn numbers_with_several_readings_need_option() {
    let text = |values: [&str; 3], heading: &str| {
        let [a, b, c] = values;
        format!(
            "date,p1,p2,{heading}\n2024-03-01,A,B,{a}\n2024-03-02,A,B,{b}\n2024-03-03,A,B,{c}\n"
        )
    };
    let refusal = "line 1: the numbers of \"outcome\" (D) have several readings: pass --outcome points if 1, 0.5 and 0 are the points of \"p1\" (B), --outcome points-of-2 if 2, 1 and 0 are, or --outcome winner if 1 and 2 number the winner and 0 is a draw";
    for values in [
        ["0", "1", "2"],
        ["1", "2", "1"],
        ["2", "0.5", "0"],
        ["2", "-1", "0"],
    ] {
        assert_eq!(table(&text(values, "outcome")).unwrap_err(), refusal);
    }
    let error = table(&text(["0", "1", "0"], "winner")).unwrap_err();
    assert!(error.contains("of \"winner\" (D) have several readings"), "{error}");
    let outcomes = |values, heading: &str, options: &ReadOptions| {
        let reading = table_with(&text(values, heading), options).unwrap();
        assert_eq!(refused(&reading), Vec::<String>::new());
        let places = places(&reading);
        let place = |line: &String| match line.split_once(": ").unwrap().1 {
            "1 A, 2 B" => '1',
            "1 B, 2 A" => '2',
            _ => '=',
        };
        places.iter().map(place).collect::<String>()
    };
    let none = ReadOptions::default();
    for (values, heading, options, expected) in [
        (["0", "1", "2"], "outcome", with_outcome(OutcomeNumbers::PointsOfTwo), "2=1"),
        (["0", "1", "2"], "outcome", with_outcome(OutcomeNumbers::Winner), "=12"),
        (["0", "1", "2"], "winner", none.clone(), "=12"),
        (["1", "X", "2"], "result", none.clone(), "1=2"),
        (["1", "0", "½"], "result", none.clone(), "12="),
        (["1.0", "0.0", "0.5"], "result", none.clone(), "12="),
        (["1", "0", "1"], "result", none.clone(), "121"),
        (["1", "0", "−1"], "result", none.clone(), "1=2"),
        (["W", "L", "D"], "result", none.clone(), "12="),
        (["A", "B", "draw"], "winner", none, "12="),
    ] {
        assert_eq!(outcomes(values, heading, &options), expected, "{values:?}");
    }
    let reading =
        table_with(&text(["0", "1", "2"], "outcome"), &with_outcome(OutcomeNumbers::Points));
    assert_eq!(
        refused(&reading.unwrap()),
        [
            "line 4: contest \"A – B\": \"2\" in \"outcome\" (D) is not a result such as 1-0, 0.5, 3:1 or draw"
        ]
    );
}

#[test]
fn sides_numbered_from_zero_win_by_their_numbers_if_asked() {
    let text = |values: [&str; 3], heading: &str| {
        let [a, b, c] = values;
        format!(
            "date,0_team,1_team,{heading}\n2024-03-01,A,B,{a}\n2024-03-02,B,C,{b}\n2024-03-03,C,A,{c}\n"
        )
    };
    let teams = [
        ("0_team", ColumnMeaning::Team1),
        ("1_team", ColumnMeaning::Team2),
    ];
    let sides = ReadOptions {
        layout: Some(StatedLayout::Games),
        columns: teams.map(|(heading, meaning)| (heading.to_owned(), meaning)).into(),
        ..ReadOptions::default()
    };
    let with_winner = |heading: &str| {
        let mut options = sides.clone();
        options.columns.insert(heading.to_owned(), ColumnMeaning::Winner);
        options
    };
    // Both readings are named, and none is taken unasked.
    for (values, heading, by_numbers, by_points) in [
        (["1", "0", "0"], "winner_id", ["1 B, 2 A", "1 B, 2 C", "1 C, 2 A"], "1 A, 2 B"),
        (["1", "1", "1"], "winner", ["1 B, 2 A", "1 C, 2 B", "1 A, 2 C"], "1 A, 2 B"),
        (["1", "0", "0"], "result", ["1 B, 2 A", "1 B, 2 C", "1 C, 2 A"], "1 A, 2 B"),
    ] {
        let text = text(values, heading);
        let winner = format!("--column {heading}=winner");
        assert_eq!(proposals(&text, &sides), [winner.as_str(), "--outcome points"], "{heading}");
        let reading = table_with(&text, &with_winner(heading)).unwrap();
        assert_eq!(standings(&reading), by_numbers, "{heading}");
        let points = ReadOptions {
            outcome: Some(OutcomeNumbers::Points),
            ..sides.clone()
        };
        assert_eq!(standings(&table_with(&text, &points).unwrap())[0], by_points, "{heading}");
    }
    // Other numbers are none of headings.
    for (values, heading, expected) in [
        (["1", "0", "-1"], "result", ["1 A, 2 B", "1 B, 1 C", "1 A, 2 C"]),
        (["1", "0.5", "0"], "result", ["1 A, 2 B", "1 B, 1 C", "1 A, 2 C"]),
        (["1", "X", "2"], "result", ["1 A, 2 B", "1 B, 1 C", "1 A, 2 C"]),
        (["1", "2", "2"], "winner", ["1 A, 2 B", "1 C, 2 B", "1 A, 2 C"]),
    ] {
        let reading = table_with(&text(values, heading), &sides).unwrap();
        assert_eq!(standings(&reading), expected, "{values:?}");
    }
    // Scores show what results mean.
    let scored =
        "date,0_team,1_team,score 1,score 2,result\n2024-03-01,A,B,3,1,1\n2024-03-02,B,C,0,2,0\n";
    let reading = table_with(scored, &sides).unwrap();
    assert_eq!(standings(&reading), ["1 A, 2 B", "1 C, 2 B"]);
    // These can be ids.
    let ids = "date,0_team,1_team,0_team_id,1_team_id,winner_id\n2024-03-01,A,B,0,1,0\n2024-03-02,B,A,1,0,0\n";
    for options in [sides.clone(), with_winner("winner_id")] {
        let error = table_with(ids, &options).unwrap_err();
        assert!(
            error.ends_with("write the names of the winners in place of the numbers"),
            "{error}"
        );
    }
}

#[test]
fn unplayed_games_are_left_out_and_counted() {
    let reading = table(
        "date,white,black,result\n2024-03-01,Ada,Bea,*\n2024-03-01,Ada,Cy,\n2024-03-01,Bea,Cy,0-0\n2024-03-01,Cy,Bea,-/-\n2024-03-01,Dov,bye,1-0\n2024-03-01,Dov,Ada,1-0\n,,,\nSource: the club,,,\n",
    )
    .unwrap();
    assert_eq!(places(&reading), ["2024-03-01 Ada – Dov: 1 Dov, 2 Ada"]);
    assert_eq!(refused(&reading), Vec::<String>::new());
    let notes = notes(&reading);
    for note in [
        "2 games without a result left out, first on line 2",
        "2 games that were not played left out, first on line 4",
        "1 bye or game of an unknown player left out, on line 6",
        "1 row without competitors left out, on line 9",
    ] {
        assert!(notes.contains(note), "{note}: {notes}");
    }
    let later = table(
        "date,home,away,home_goals,away_goals,status\n2024-03-01,A,B,,,\n2024-03-02,A,B,0,0,Postponed\n2024-03-03,A,B,1,0,Finished\n",
    )
    .unwrap();
    assert_eq!(places(&later), ["2024-03-03 A – B: 1 A, 2 B"]);
}

#[test]
fn forfeits_and_walkovers_need_option() {
    let forfeits = "date,white,black,result\n2024-03-01,Ada,Bea,+/-\n2024-03-02,Ada,Bea,0-1F\n2024-03-03,Ada,Bea,1-0\n";
    let reading = table(forfeits).unwrap();
    assert_eq!(
        refused(&reading),
        [
            "line 2: contest \"Ada – Bea\": \"+/-\" is a forfeit: pass --status forfeit=finished if such games count, or --status forfeit=dns to leave them out",
            "line 3: contest \"Ada – Bea\": \"0-1F\" is a forfeit: pass --status forfeit=finished if such games count, or --status forfeit=dns to leave them out",
        ]
    );
    let counted = table_with(forfeits, &with_status("forfeit", CellStatus::Finished)).unwrap();
    assert_eq!(
        places(&counted)[..2],
        [
            "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
            "2024-03-02 Ada – Bea: 1 Bea, 2 Ada"
        ]
    );
    let left_out = table_with(forfeits, &with_status("forfeit", CellStatus::DidNotStart)).unwrap();
    assert_eq!((left_out.contests.len(), left_out.refused.len()), (1, 0));
    let tennis = "tourney_date,winner_name,loser_name,score\n20240301,Ada,Bea,6-4 3-0 RET\n20240302,Ada,Bea,W/O\n20240303,Bea,Ada,6-0 6-0\n";
    let reading = table(tennis).unwrap();
    assert_eq!(
        places(&reading),
        [
            "2024-03-01 Ada – Bea: 1 Ada, 2 Bea",
            "2024-03-03 Ada – Bea: 1 Bea, 2 Ada"
        ]
    );
    assert_eq!(
        refused(&reading),
        [
            "line 3: contest \"Ada – Bea\": \"W/O\" may mean that the game was not played: pass --status W/O=finished if such games count, or --status W/O=dns to leave them out"
        ]
    );
    let counted = table_with(tennis, &with_status("W/O", CellStatus::Finished)).unwrap();
    assert_eq!((counted.contests.len(), counted.refused.len()), (3, 0));
    let left_out = table_with(tennis, &with_status("w/o", CellStatus::DidNotStart)).unwrap();
    assert_eq!((left_out.contests.len(), left_out.refused.len()), (2, 0));
}

#[test]
fn goalless_games_and_forfeits_differ() {
    let text = "date,player_1,player_2,result\n2024-03-01,A,B,0-0\n2024-03-02,A,B,1-0\n";
    assert_eq!(
        refused(&table(text).unwrap()),
        [
            "line 2: contest \"A – B\": \"0-0\" may be a draw without points or a forfeit of both: pass --status 0-0=finished if such games are draws, or --status 0-0=dns to leave them out"
        ]
    );
    let drawn = table_with(text, &with_status("0-0", CellStatus::Finished)).unwrap();
    assert_eq!(places(&drawn)[0], "2024-03-01 A – B: 1 A, 1 B");
    let scores = table("date,player_1,player_2,result\n2024-03-01,A,B,0-0\n2024-03-02,A,B,3-0\n");
    assert_eq!(places(&scores.unwrap())[0], "2024-03-01 A – B: 1 A, 1 B");
}

#[test]
fn bad_rows_are_named_and_the_rest_is_read() {
    let reading = table(
        "id,date,white,black,result\n1,2024-03-01,Ada,Ada,1-0\n2,2024-03-01,Ada,,1-0\n3,2024-02-30,Ada,Bea,1-0\n4,2024-03-01,Ada,Bea,1-0\n5,2024-03-01,Ada,Bea,6-4 3-6 7-6\n4,2024-03-01,Bea,Ada,1-0\n,2024-03-01,Bea,Ada,1-0\n6,,Bea,Ada,1-0\n7,03.04.39,Bea,Ada,maybe\n8,2024-03-05,Bea,Ada,0-1\n",
    )
    .unwrap();
    assert_eq!(ids(&reading), ["8"]);
    assert_eq!(
        refused(&reading),
        [
            "line 2: contest \"Ada – Ada\": \"Ada\" plays against themselves",
            "line 3: \"black\" (D) is blank: a game has two competitors",
            "line 4: contest \"Ada – Bea\": \"2024-02-30\" is not a date; write it like 2024-03-01",
            "line 5: contest \"Ada – Bea\": lines 5 and 7 have the same id: give each game its own; if a match has several games, pass --column id=event; if it is no id of games, pass --column id=ignore",
            "line 6: contest \"Ada – Bea\": \"6-4 3-6 7-6\" in \"result\" (E) is not a result such as 1-0, 0.5, 3:1 or draw",
            "line 7: contest \"Bea – Ada\": lines 5 and 7 have the same id: give each game its own; if a match has several games, pass --column id=event; if it is no id of games, pass --column id=ignore",
            "line 8: contest \"Bea – Ada\": \"id\" (A) is blank: each game needs an id",
            "line 9: contest \"Bea – Ada\": the date is missing, but other contests of the table have one; add it here too",
            "line 10: contest \"Bea – Ada\": \"maybe\" in \"result\" (E) is not a result such as 1-0, 0.5, 3:1 or draw; line 10: date \"03.04.39\" has a year of two digits; write all four",
        ]
    );
}

#[test]
fn id_of_games_of_others_can_be_ignored() {
    let text = "id,date,time,player 1,player 2,winner\n1,2024-03-01,10:00,Ann,Bo,Ann\n7,2024-03-01,10:20,Cy,Di,Di\n\
                7,2024-03-01,11:00,Bo,Cy,Bo\n8,2024-03-02,10:00,Ann,Cy,Cy\n";
    let advice = "lines 3 and 4 have the same id: give each game its own; if it is no id of games, pass --column id=ignore";
    let undated = text.replace(",time", ",court");
    for two_games in [text, &undated, &undated.replace("11:00", "10:20")] {
        assert!(refused(&table(two_games).unwrap())[0].ends_with(advice), "{two_games}");
    }
    // Nobody plays twice at one time.
    let one_game = text.replace("11:00", "10:20");
    assert!(refused(&table(&one_game).unwrap())[0].ends_with("its own"));
}

#[test]
fn matches_with_ids_in_further_languages_are_asked_about() {
    for heading in ["kamp_id", "partido_id", "ID Partita", "jogo_id", "spiel_id"] {
        let text = format!(
            "date,{heading},player 1,player 2,points 1,points 2\n2024-03-01,1,Ann,Bo,21,13\n2024-03-01,1,Ann,Bo,16,21\n\
             2024-03-01,1,Ann,Bo,21,17\n2024-03-01,2,Ann,Cy,21,15\n2024-03-01,2,Ann,Cy,15,21\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(places(&reading), [""; 0], "{heading}");
        assert!(refused(&reading)[0].contains("if a match has several games"), "{heading}");
    }
    for heading in ["partido_id", "match_id"] {
        let legs = format!(
            "date,{heading},home,away,home goals,away goals\n2024-03-01,7,Ann,Bo,2,1\n2024-03-08,7,Bo,Ann,3,0\n"
        );
        let advice = format!(
            "if a match has several games, pass --column {heading}=event; if it is no id of games, pass --column {heading}=ignore"
        );
        assert!(refused(&table(&legs).unwrap())[0].ends_with(&advice), "{legs}");
    }
    // Blank ids and those beside an id of each row are none of games.
    let games = "date,partido_id,home,away,home goals,away goals\n2024-03-01,7,Ann,Bo,2,1\n2024-03-08,,Bo,Ann,3,0\n";
    let numbered = games.replace("date", "id,date").replace("-08,", "-08,7");
    let numbered = numbered
        .replace("\n2024-03-01", "\n1,2024-03-01")
        .replace("\n2024-03-08", "\n2,2024-03-08");
    for text in [games, &numbered] {
        assert_eq!(places(&table(text).unwrap()).len(), 2, "{text}");
    }
}

#[test]
fn winner_beside_one_score_is_proposed_to_decide() {
    let text = "date,red,blue,result,winner,red_points,blue_points\n2024-03-01,Ann,Bo,3-1,red,3,1\n\
                2024-03-02,Cy,Di,1-3,blue,1,3\n2024-03-03,Ann,Cy,walkover?,blue,,3\n";
    let advice = "pass --column red_points=ignore --column blue_points=ignore --column result=ignore if \"winner\" (E) decides";
    assert!(refused(&table(text).unwrap())[0].ends_with(advice));
    let scores = text.replace("walkover?", "0-3");
    let advice = "is not: pass --column red_points=ignore --column blue_points=ignore if \"winner\" (E) decides";
    assert!(refused(&table(&scores).unwrap())[0].ends_with(advice));
    // Without scores, draws would be left out.
    let drawn = text.replace("1-3,blue,1,3", "2-2,,2,2");
    for no_winner in [text.replace("blue,,3", ",,3"), drawn] {
        let reading = table(&no_winner).unwrap();
        assert!(refused(&reading)[0].ends_with("the other score is not"), "{no_winner}");
    }
}

#[test]
fn contradictions_are_refused() {
    let reading = table(
        "date,home,away,home_goals,away_goals,FTR\n2024-03-01,Ayr,Bury,2,1,A\n2024-03-02,Ayr,Bury,1,1,D\n2024-03-03,Ayr,Bury,1,,H\n",
    )
    .unwrap();
    assert_eq!(places(&reading), ["2024-03-02 Ayr – Bury: 1 Ayr, 1 Bury"]);
    assert_eq!(
        refused(&reading),
        [
            "line 2: contest \"Ayr – Bury\": by \"home_goals\" (D), \"away_goals\" (E) \"Ayr\" won, and by \"FTR\" (F) \"Bury\" won: correct the row, or pass --column home_goals=ignore --column away_goals=ignore or --column FTR=ignore",
            "line 4: contest \"Ayr – Bury\": \"away_goals\" (E) is blank, and the other score is not",
        ]
    );
    let winner = table(
        "date,player_1,player_2,winner\n2024-03-01,Ada,Bea,Zoe\n2024-03-02,Player 2,Bea,player 2\n2024-03-02,Player 2,Bea,Player 2\n2024-03-03,Ada,Bea,\n2024-03-04,Ada,Bea,player 1\n",
    )
    .unwrap();
    assert_eq!(
        refused(&winner),
        [
            "line 2: contest \"Ada – Bea\": \"Zoe\" in \"winner\" (D) is neither \"Ada\" nor \"Bea\", and no word for a result",
            "line 4: contest \"Player 2 – Bea\": \"Player 2\" is the name of a competitor and a word for a result; write the result in another way",
            "line 5: contest \"Ada – Bea\": \"winner\" (D) names no winner, and no cell of the column says draw: write draw if the game was drawn, or pass --where 'winner!=' to leave such games out",
        ]
    );
    let tied =
        table("date,winner,loser,winner_score,loser_score\n2024-03-01,Ayr,Bury,1,1\n").unwrap();
    assert_eq!(
        refused(&tied),
        [
            "line 2: contest \"Ayr – Bury\": by \"winner_score\" (D), \"loser_score\" (E) the game was drawn, and by \"winner\" (B) \"Ayr\" won: correct the row, or pass --column winner_score=ignore --column loser_score=ignore"
        ]
    );
    let shootout = table(
        "date,home,away,home_score,away_score,home_penalties,away_penalties\n2024-03-01,Ayr,Bury,1,1,4,2\n2024-03-02,Ayr,Bury,1,1,,\n",
    )
    .unwrap();
    assert_eq!(shootout.contests.len(), 1);
    assert_eq!(
        refused(&shootout),
        [
            "line 2: contest \"Ayr – Bury\": the scores are equal, and \"home_penalties\" (F) decides the game: pass --column home_penalties=ignore --column away_penalties=ignore if such games are draws, or add a column headed \"winner\""
        ]
    );
}

/// Ways to write a win of the first, a draw and a win of the second.
const WORDS: [(&str, [&str; 3]); 8] = [
    ("white,black,result", ["1-0", "1/2-1/2", "0-1"]),
    ("white,black,result", ["1:0", "½", "0:1"]),
    ("home,away,result", ["H", "D", "A"]),
    ("home,away,score", ["2-1", "1-1", "0-3"]),
    ("player_1,player_2,outcome", ["1", "0.5", "0"]),
    ("player_1,player_2,result", ["win", "draw", "loss"]),
    ("model_a,model_b,winner", ["model_a", "tie", "model_b"]),
    ("red,blue,winner", ["red", "draw", "blue"]),
];

proptest! {
    #[test]
    fn outcomes_survive_each_way_to_write_them(
        games in prop::collection::vec((0..5_usize, 1..5_usize, 0..3_usize, 1..28_u32), 1..20),
    ) {
        let names = ["Ada", "Bea", "Cy", "Dov", "Eva"];
        // A draw shows how the column writes draws.
        let games: Vec<_> = games.into_iter().chain([(0, 1, 1, 1)]).collect();
        // Teams that exchange their homes on a day, with the same score, played once.
        let sides = |&(one, step, _, day): &(usize, usize, usize, u32)| (one, (one + step) % 5, day);
        let is_mirrored = |game| {
            let (one, two, day) = sides(game);
            games.iter().any(|other| sides(other) == (two, one, day))
        };
        prop_assume!(!games.iter().any(is_mirrored));
        let mut expected: Option<Vec<String>> = None;
        for (headings, words) in WORDS {
            let mut text = format!("date,{headings}\n");
            for &(one, step, outcome, day) in &games {
                let (one, two) = (names[one], names[(one + step) % names.len()]);
                text.push_str(&format!("2024-03-{day:02},{one},{two},{}\n", words[outcome]));
            }
            let reading = table(&text).unwrap();
            prop_assert_eq!(refused(&reading), Vec::<String>::new());
            let lines = places(&reading);
            for (line, &(one, step, outcome, _)) in lines.iter().zip(&games) {
                let (one, two) = (names[one], names[(one + step) % names.len()]);
                let places = [(1, 2), (1, 1), (2, 1)][outcome];
                prop_assert!(line.contains(&format!("{} {one}", places.0)), "{line}");
                prop_assert!(line.contains(&format!("{} {two}", places.1)), "{line}");
            }
            prop_assert_eq!(&lines, expected.get_or_insert(lines.clone()));
        }
    }
}

#[test]
fn marks_in_scores_are_those_of_the_column() {
    let games = |scores: [&str; 2]| {
        let [one, two] = scores;
        format!("date,home,away,score\n2024-01-01,Ann,Bo,{one}\n2024-01-02,Bo,Ann,{two}\n")
    };
    let error = table(&games(["1.234-998", "950-1.050"])).unwrap_err();
    assert!(
        error.starts_with("line 2: score \"1.234\" may be a thousand or a fraction"),
        "{error}"
    );
    let options = ReadOptions {
        decimal_mark: Some(ranklore_formats::DecimalMark::Comma),
        ..ReadOptions::default()
    };
    let expected = ["Ann – Bo 2024-01-01: 1 Ann (1234), 2 Bo (998)"];
    let reading = table_with(&games(["1.234-998", "950-1.050"]), &options).unwrap();
    assert_eq!(contest_lines(&reading)[..1], expected);
    // 1.234.567 groups thousands, 97.5 has a decimal point.
    let reading = table(&games(["1.234-998", "1.234.567-9"])).unwrap();
    assert_eq!(contest_lines(&reading)[..1], expected);
    let reading = table(&games(["97.125-98.5", "98.375-98"])).unwrap();
    assert!(contest_lines(&reading)[0].ends_with("1 Bo (98.5), 2 Ann (97.125)"));
}

#[test]
fn slashes_separate_scores_beside_larger_numbers() {
    let games = |heading: &str, cells: [&str; 3]| {
        let [one, two, three] = cells;
        format!(
            "Date,Home,Away,{heading}\n2024-05-01,Ada,Bea,{one}\n2024-05-02,Bea,Cy,{two}\n2024-05-03,Cy,Ada,{three}\n"
        )
    };
    let reading = table(&games("Result", ["3/1", "1/2", "3/2"])).unwrap();
    assert_eq!(standings(&reading), ["1 Ada, 2 Bea", "1 Cy, 2 Bea", "1 Cy, 2 Ada"]);
    for cells in [["3/1", "0/3", "3/2"], ["3-1", "0-3", "3-2"]] {
        let proposed = proposals(&games("Sets", cells), &ReadOptions::default());
        assert_eq!(proposed, ["--column Sets=outcome"]);
    }
    // One half each is a draw.
    for cells in [["1/2", "1-0", "0-1"], ["1/2", "1/2", "1/2"]] {
        let reading = table(&games("Result", cells)).unwrap();
        assert_eq!(standings(&reading)[0], "1 Ada, 1 Bea", "{cells:?}");
    }
    // These can be points of which both have a half.
    let reading = table(&games("Result", ["1/2", "1/0", "0/1"])).unwrap();
    assert!(!refused(&reading).is_empty());
}

#[test]
fn ids_of_winners_are_no_numbers_of_sides() {
    let text = "date,player1_id,player2_id,winner_id\n2024-05-01,2,1,2\n2024-05-02,2,3,3\n2024-05-03,1,3,1\n";
    let reading = table(text).unwrap();
    assert_eq!(standings(&reading), ["1 2, 2 1", "1 3, 2 2", "1 1, 2 3"]);
    assert!(notes(&reading).contains("are ids"), "{}", notes(&reading));
    // The winner of some row is none of its ids: the numbers are those of the sides.
    let sides = "date,player1_id,player2_id,winner_id\n2024-05-01,11,12,2\n2024-05-02,12,13,1\n";
    assert_eq!(standings(&table(sides).unwrap()), ["1 12, 2 11", "1 12, 2 13"]);
    // Both are possible.
    let both = "date,player1_id,player2_id,winner_id\n2024-05-01,2,1,2\n2024-05-02,1,2,1\n";
    assert_eq!(refused(&table(both).unwrap()).len(), 1);
}

#[test]
fn repeated_ids_can_be_left_out() {
    let text = "match_id,date,player1,player2,score1,score2\n1,2024-05-01,Ada,Bea,2,1\n1,2024-05-01,Ada,Bea,3,1\n2,2024-05-02,Bea,Cy,0,1\n";
    let reading = table(text).unwrap();
    let reason = &refused(&reading)[0];
    assert!(reason.contains("pass --column match_id=event"), "{reason}");
    assert!(reason.contains("pass --column match_id=ignore"), "{reason}");
}

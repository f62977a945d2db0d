//! Wide tables: one row per player, one column per contest.

use super::{
    contest_lines, from_2024, lower_is_better, notes, proposals, refused, scored_table, scores,
    standings, table, table_with,
};
use ranklore_formats::{
    ArchivedBy, ColumnMeaning, DateOrder, FileFormat, ReadOptions, StatedCells, StatedLayout,
    read_archived,
};

const PLACES: &str = "player,2024-03-01,2024-03-08\na,1,2\nb,2,1\nc,2,3";

#[test]
fn cells_are_places_if_all_rounds_rank() {
    let ranked = [
        "2024-03-01 2024-03-01: 1 a, 2 b, 2 c",
        "2024-03-08 2024-03-08: 1 b, 2 a, 3 c",
    ];
    let reading = table(PLACES).unwrap();
    assert_eq!(contest_lines(&reading), ranked);
    assert!(notes(&reading).contains("the cells are places"));
    let higher = PLACES.replace("c,2,3", "c,3,3.5");
    let higher = scored_table(&higher).unwrap();
    assert_eq!(
        contest_lines(&higher),
        [
            "2024-03-01 2024-03-01: 1 c (3), 2 b (2), 3 a (1)",
            "2024-03-08 2024-03-08: 1 c (3.5), 2 a (2), 3 b (1)",
        ]
    );
    assert!(notes(&higher).contains("the cells are scores, highest first: as stated"));
    let low = table_with(PLACES, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&low)[0], "2024-03-01 2024-03-01: 1 a (1), 2 b (2), 2 c (2)");
    let ornamented = table("player,2024-03-01\na,T1\nb,T1\nc,5").unwrap();
    assert_eq!(contest_lines(&ornamented), ["2024-03-01 2024-03-01: 1 a, 1 b, 3 c"]);
}

#[test]
fn incomplete_ranking_is_not_read_as_scores() {
    let text = "player,2024-03-01,2024-03-08,2024-03-15\na,1,2,1\nb,2,1,4\nc,3,3,2";
    let error = table(text).unwrap_err();
    assert!(error.contains("\"2024-03-15\" (D) are not a ranking"), "{error}");
    let reading = table_with(text, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&reading)[2], "2024-03-15 2024-03-15: 1 a (1), 2 c (2), 3 b (4)");
}

#[test]
fn times_need_a_direction() {
    let text = "player,2024-03-01\na,12:34\nb,11:59";
    let error = table(text).unwrap_err();
    assert!(
        error.contains("\"2024-03-01\" (B) holds times: pass --lower-is-better"),
        "{error}"
    );
    assert_eq!(
        contest_lines(&table_with(text, &lower_is_better()).unwrap()),
        ["2024-03-01 2024-03-01: 1 b (719), 2 a (754)"]
    );
    let total = "player,total\na,12:34\nb,11:59";
    let error = table(total).unwrap_err();
    assert!(error.contains("\"total\" (B) holds times: pass --lower-is-better"), "{error}");
}

#[test]
fn absent_players_are_left_out() {
    let text = "name,A 2024-03-01,B 2024-03-08\na,-,3.5\nb,DNS,–\nc,12,\nd,DNF,1\ne,dq,0";
    assert_eq!(
        contest_lines(&scored_table(text).unwrap()),
        [
            "A 2024-03-01 2024-03-01: 1 c (12), dnf d, dq e",
            "B 2024-03-08 2024-03-08: 1 a (3.5), 2 d (1), 3 e (0)",
        ]
    );
}

#[test]
fn rounds_without_dates_are_numbered() {
    let text = "rank,name,R1,R2,total\n1,a,5,9,14\n2,b,4,8,12";
    let undated = ReadOptions {
        start: None,
        ..from_2024(14)
    };
    assert!(table_with(text, &undated).unwrap_err().contains("--start"));
    let reading = table_with(text, &from_2024(14)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "R1 2024-01-01: 1 a (5), 2 b (4)",
            "R2 2024-01-15: 1 a (9), 2 b (8)"
        ]
    );
    assert!(notes(&reading).contains("columns not used: \"rank\", \"total\""));
    assert!(notes(&reading).contains("dated from 2024-01-01, 14 days apart, from left to right"));
    let last_first = table_with(&text.replace("R1,R2", "R2,R1"), &from_2024(14)).unwrap_err();
    assert!(last_first.contains("\"R2\" stands before \"R1\""), "{last_first}");
}

#[test]
fn bad_cell_refuses_only_its_round() {
    let text = "name,A 2024-03-01,B 2024-03-08,C 03.04.39,D\na,5,x,7,1\nb,4,8,7,2\n,,9,,\na,1,,,";
    let reading = scored_table(text).unwrap();
    assert_eq!(reading.contests.to_vec(), []);
    let refused = refused(&reading);
    assert_eq!(refused.len(), 3);
    assert!(
        notes(&reading)
            .contains("columns left out, because only other columns have dates: \"D\" (E)")
    );
    assert_eq!(
        refused[0],
        "line 5: contest \"A 2024-03-01\": \"a\" stands twice, on lines 2 and 5; if these are different competitors, add a column of ids headed \"competitor id\", or pass --same-name-by with a column that tells them apart"
    );
    assert_eq!(
        refused[1],
        "line 2: contest \"B 2024-03-08\": score \"x\" is not a number; line 4: \"9\" has no competitor: the row names none; if \"x\" is a status, pass --status x=dnf (dnf, dq, dns or finished)"
    );
    assert!(refused[2].starts_with(
        "line 1: contest \"C 03.04.39\": date \"C 03.04.39\" has a year of two digits"
    ));
}

#[test]
fn same_named_rounds_need_different_dates() {
    let text =
        "name,Heat,Heat,Heat\nDate,2024-03-01,2024-03-08,2024-03-08\na,1.5,2.5,2.5\nb,9.5,1.5,3.5";
    let reading = scored_table(text).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert!(refused(&reading)[0].contains("is already the id of an earlier contest"));
}

#[test]
fn ranked_table_reads_only_round_columns() {
    let text = "rank,name,bib,Round 1,Round 2,bonus,Final\n1,a,31,5,9,7,3\n2,b,12,4,8,6,2";
    let reading = table_with(text, &from_2024(1)).unwrap();
    let names: Vec<_> = reading.contests.iter().map(|c| c.name).collect();
    assert_eq!(names, ["Round 1", "Round 2", "Final"]);
    assert!(notes(&reading).contains("columns not used: \"rank\", \"bib\", \"bonus\""));
    let by_dates = "rank,name,Ascona,Berlin\n,Date,2024-03-01,2024-03-08\n1,a,5,9\n2,b,4,8";
    assert_eq!(table(by_dates).unwrap().contests.len(), 2);
}

#[test]
fn dated_round_disables_numbering() {
    let text = "name,Round 1 (2024-05-01),Round 2,age,bonus\na,5,9,31,7\nb,4,8,12,6";
    for options in [scores(ReadOptions::default()), scores(from_2024(7))] {
        let reading = table_with(text, &options).unwrap();
        assert_eq!(contest_lines(&reading), ["Round 1 (2024-05-01) 2024-05-01: 1 a (5), 2 b (4)"]);
        assert_eq!(
            refused(&reading),
            [
                "line 1: contest \"Round 2\": the date is missing, but other contests of the table have one; add it here too"
            ]
        );
        assert!(notes(&reading).contains("other columns have dates: \"bonus\" (E)"));
    }
    let row = "name,Round 1,Round 2,Round 3 (2024-05-15)\nDate,2024-05-01,,\na,5,9,7\nb,4,8,6";
    let reading = table_with(row, &scores(from_2024(7))).unwrap();
    assert_eq!(reading.contests.len(), 2);
    assert_eq!(reading.contests.get(1).unwrap().ends_at.to_string(), "2024-05-15");
    assert!(refused(&reading)[0].starts_with("line 1: contest \"Round 2\""));
}

#[test]
fn places_that_are_no_ranking_are_refused() {
    let classes = "player,class,2024-01-01,2024-01-08\na,A,1,2\nb,A,2,1\nc,B,1,1\nd,B,2,3\ne,B,3,2";
    for options in [ReadOptions::default(), lower_is_better()] {
        let error = table_with(classes, &options).unwrap_err();
        assert!(error.contains("\"class\" (B) separates them into rankings"), "{error}");
    }
    let with_contest = |heading: &str| ReadOptions {
        columns: [(heading.to_owned(), ranklore_formats::ColumnMeaning::Ignore)].into(),
        lower_is_better: true,
        ..ReadOptions::default()
    };
    let reading = table_with(classes, &with_contest("class")).unwrap();
    assert_eq!(
        contest_lines(&reading)[0],
        "2024-01-01 2024-01-01: 1 a (1), 1 c (1), 3 b (2), 3 d (2), 5 e (3)"
    );
    let ties = "player,2024-01-01\na,1\nb,1\nc,2\nd,3";
    let error = table(ties).unwrap_err();
    assert!(error.contains("places with ties, or scores: pass --lower-is-better"), "{error}");
    let reading = table_with(ties, &lower_is_better()).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-01-01 2024-01-01: 1 a (1), 1 b (1), 3 c (2), 4 d (3)"]
    );
    // A number that is no place, or a gap, shows scores.
    for text in [
        "player,2024-01-01\na,0\nb,1\nc,1\nd,2",
        "player,2024-01-01\na,1\nb,1\nc,2\nd,7",
    ] {
        assert!(contest_lines(&scored_table(text).unwrap())[0].contains(": 1 d"), "{text}");
    }
}

#[test]
fn two_columns_of_one_round_are_refused() {
    for [place, score] in [
        ["R# Pos", "R# Pts"],
        ["R#", "R# (Pts)"],
        ["2024-01-0# Place", "2024-01-0# Points"],
        ["2024-01-0#", "2024-01-0# Score"],
        ["Place 2024-01-0#", "Points 2024-01-0#"],
    ] {
        let heading = |template: &str, round: &str| template.replace('#', round);
        let columns = [
            heading(place, "5"),
            heading(score, "5"),
            heading(place, "6"),
            heading(score, "6"),
        ];
        let text = format!("player,{}\na,1,10,2,8\nb,2,8,1,10\nc,3,6,3,6", columns.join(","));
        let message = table_with(&text, &from_2024(1)).unwrap_err();
        for part in [
            format!("{:?} (B) and {:?} (C)", columns[0], columns[1]),
            format!("--column '{}=ignore' --column '{}=ignore'", columns[1], columns[3]),
        ] {
            assert!(message.contains(&part), "no {part} in {message}");
        }
        let ignored = [&columns[1], &columns[3]];
        let options = ReadOptions {
            columns: ignored
                .into_iter()
                .map(|column| (column.clone(), ColumnMeaning::Ignore))
                .collect(),
            ..from_2024(1)
        };
        let reading = table_with(&text, &options).unwrap();
        assert_eq!(reading.contests.len(), 2, "{columns:?}");
    }
}

#[test]
fn places_and_points_of_rounds_are_not_mixed() {
    let text = "Driver,R1 Pos,R1 Pts,R2 Pts,R2 Pos,Total\nAda,1,25,18,2,43\nBea,2,18,25,1,43\n\
                Cy,3,15,15,3,30\n";
    let players = ReadOptions {
        layout: Some(StatedLayout::Players),
        ..from_2024(1)
    };
    let undecided = ReadOptions {
        every_days: None,
        ..from_2024(1)
    };
    let options = proposals(text, &undecided);
    assert!(options[0].starts_with("--layout single") && options[1] == "--layout players");
    assert_eq!(
        proposals(text, &players),
        [
            "--column 'R1 Pts=ignore' --column 'R2 Pts=ignore'",
            "--column 'R1 Pos=ignore' --column 'R2 Pos=ignore'"
        ]
    );
    let without = |columns: [&str; 2]| {
        let ignored = columns.map(|column| (column.to_owned(), ColumnMeaning::Ignore));
        ReadOptions {
            columns: ignored.into(),
            ..players.clone()
        }
    };
    let best = ["1 Ada, 2 Bea, 3 Cy", "1 Bea, 2 Ada, 3 Cy"];
    for columns in [["R1 Pos", "R2 Pos"], ["R1 Pts", "R2 Pts"]] {
        let reading = table_with(text, &without(columns)).unwrap();
        assert_eq!(standings(&reading), best, "{columns:?}");
    }
    let error = table_with(text, &without(["R1 Pos", "R2 Pts"])).unwrap_err();
    assert!(error.contains("are places and points"), "{error}");
}

const SAILING: &str = "\
Rank,Player,05/03/2024,12/03/2024,19/03/2024,Nett
1,Ivy,1.0,(6.0 DNC),2.0,3.0
2,Oda,2.0,1.0,(6.0 DNF),3.0
3,Pike,(6.0 OCS),3.0 OOD,1.0,4.0
4,Ros,3.0,2.0,(6.0 RET),5.0
5,Tarn,(6.0 DNC),4.0,3.0,7.0
";

#[test]
fn points_of_sailing_races_are_read_lowest_first() {
    let reading = table_with(SAILING, &super::dates(DateOrder::Dmy)).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "05/03/2024 2024-03-05: 1 Ivy (1), 2 Oda (2), 3 Ros (3), dq Pike",
            "12/03/2024 2024-03-12: 1 Oda (1), 2 Ros (2), 3 Tarn (4)",
            "19/03/2024 2024-03-19: 1 Pike (1), 2 Ivy (2), 3 Tarn (3), dnf Oda, dnf Ros",
        ]
    );
    let notes = notes(&reading);
    for note in [
        "cells in brackets, such as (6.0 OCS), are discards",
        "points without a finish (OOD, RDG) are left out: 1",
        "the cells are scores, lowest first",
    ] {
        assert!(notes.contains(note), "{notes}");
    }
}

#[test]
fn marked_points_tell_which_points_win() {
    // The discards of a high-point system are the lowest.
    let text = "player,2024-03-01,2024-03-08\na,9,(4)\nb,[5],7 SCP\nc,8.5,(0 DNF)\n";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "2024-03-01 2024-03-01: 1 a (9), 2 c (8.5), 3 b (5)",
            "2024-03-08 2024-03-08: 1 b (7), 2 a (4), dnf c",
        ]
    );
    assert!(notes(&reading).contains("points with a penalty (SCP, ZFP, DPI) count as they are: 1"));
    let contradictory = text.replace("(0 DNF)", "(9 DNF)");
    let error = table(&contradictory).unwrap_err();
    assert!(error.contains("pass --lower-is-better if the lowest points win"), "{error}");
    assert!(table_with(&contradictory, &lower_is_better()).is_ok());
    let unknown = text.replace("7 SCP", "7 XYZ");
    assert!(refused(&table(&unknown).unwrap())[0].contains("7 XYZ"));
}

/// A table of seven players, whose numbers are no ranking in any round.
fn numbers(headings: &str, row: impl Fn(usize) -> String) -> String {
    let rows = (0..7).map(|player| format!("{}\n", row(player)));
    format!("{headings}\n{}", rows.collect::<String>())
}

const ROUNDS: [[u32; 2]; 7] = [
    [75, 60],
    [77, 61],
    [73, 69],
    [79, 70],
    [81, 72],
    [80, 75],
    [90, 77],
];

#[test]
fn place_total_or_headings_tell_which_numbers_win() {
    let total = |player: usize| ROUNDS[player][0] + ROUNDS[player][1];
    let first = |text: &str| table(text).map(|reading| contest_lines(&reading)[0].clone());
    let cells = |player: usize| format!("P{player},{},{}", ROUNDS[player][0], ROUNDS[player][1]);
    let dated = "2024-01-01,2024-01-08";
    let strokes = "the cells are scores, lowest first";
    for (text, evidence) in [
        (
            numbers(&format!("name,{dated},total"), |p| format!("{},{}", cells(p), total(p))),
            "the rows follow \"total\" (D)",
        ),
        (
            numbers(&format!("name,{dated},rank"), |p| format!("{}.5,{}", cells(p), p + 1)),
            "\"rank\" (D) says which end is better",
        ),
    ] {
        assert!(first(&text).unwrap().contains(": 1 P2 (73), 2 P0 (75)"), "{text}");
        assert!(
            notes(&table(&text).unwrap()).contains(&format!("{strokes}: {evidence}")),
            "{text}"
        );
    }
    let points = "the cells are scores, highest first";
    for (text, evidence) in [
        (
            numbers(&format!("name,{dated},points"), |p| {
                let p = (p + 3) % 7;
                format!("{},{}", cells(p), total(p))
            }),
            "the highest value of \"points\" (D) is the best",
        ),
        (
            numbers("name,2024-01-01 points,Pts 2024-01-08", cells),
            "pass --lower-is-better if the lowest is the best",
        ),
        (numbers(&format!("name,{dated}"), |p| cells(6 - p)), "the highest stand first"),
        (
            numbers(&format!("name,{dated},total"), |p| match p {
                3 => "P3,20,,20".to_owned(),
                _ => format!("{},{}", cells(p), total(p)),
            }),
            "\"total\" (D) adds up all numbers",
        ),
    ] {
        assert!(first(&text).unwrap().contains(": 1 P6 (90), 2 P4 (81)"), "{text}");
        assert!(
            notes(&table(&text).unwrap()).contains(&format!("{points}: {evidence}")),
            "{text}"
        );
    }
}

#[test]
fn numbers_without_a_direction_are_refused() {
    let cells = |player: usize| format!("P{player},{},{}", ROUNDS[player][0], ROUNDS[player][1]);
    let dated = "2024-01-01,2024-01-08";
    let seconds = "name,2024-01-01,2024-01-08\nAda,97.1,98.25\nBea,99.5,96.75";
    let contradictory = numbers(&format!("name,{dated},points,rank"), |p| {
        let p = (p + 3) % 7;
        format!("{},{},{}", cells(p), ROUNDS[p][0] + ROUNDS[p][1], p + 1)
    });
    for text in [
        seconds.to_owned(),
        numbers(&format!("golfer,{dated}"), cells),
        // The rows stand in the order of low points.
        numbers(&format!("name,{dated},points"), |p| {
            format!("{},{}", cells(p), ROUNDS[p][0] + ROUNDS[p][1])
        }),
        contradictory,
        // The total stands in no order.
        numbers(&format!("golfer,{dated},total"), |p| {
            let p = (p + 3) % 7;
            format!("{},{}", cells(p), ROUNDS[p][0] + ROUNDS[p][1])
        }),
        "name,2024-01-01 time,2024-01-08 time\nAda,97.1,98.25\nBea,99.5,96.75".to_owned(),
    ] {
        let error = table(&text).unwrap_err();
        let options =
            "pass --cells scores if the highest is the best, or --lower-is-better if the lowest is";
        assert!(error.contains(options), "{text} {error}");
        let highest = contest_lines(&scored_table(&text).unwrap());
        let lowest = contest_lines(&table_with(&text, &lower_is_better()).unwrap());
        assert_ne!(highest, lowest);
        // What was imported before stays readable.
        let archived = read_archived(
            ArchivedBy::WithoutDoubts,
            FileFormat::Table,
            text.as_bytes(),
            "a.csv",
            &ReadOptions::default(),
        );
        assert_eq!(contest_lines(&archived.unwrap()), highest);
    }
}

#[test]
fn place_of_each_player_decides_times() {
    let text = "rank,name,2024-03-01,2024-03-08\n1,a,11:59,12:01\n2,b,12:34,12:30\n3,c,12:50,13:00";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading)[0],
        "2024-03-01 2024-03-01: 1 a (719), 2 b (754), 3 c (770)"
    );
    let held = table(&text.replace("1,a,", "9,a,").replace("3,c", "1,c")).unwrap();
    assert_eq!(
        contest_lines(&held)[0],
        "2024-03-01 2024-03-01: 1 c (770), 2 b (754), 3 a (719)"
    );
}

#[test]
fn unknown_status_hides_no_ranking() {
    let text = "name,2024-03-01,2024-03-08\na,1,2\nb,2,1\nc,sick,3\nd,3,4";
    let reading = table(text).unwrap();
    assert!(notes(&reading).contains("the cells are places: each round forms a ranking"));
    assert!(refused(&reading)[0].contains("--status sick=dnf"), "{:?}", refused(&reading));
    assert_eq!(contest_lines(&reading), ["2024-03-08 2024-03-08: 1 b, 2 a, 3 c, 4 d"]);
}

#[test]
fn minus_may_mark_a_discarded_place() {
    let text = "Name,R1,R2,R3\nAnn,1,-3,1\nBob,2,1,-4\nCy,3,2,3\nDi,-4,4,2\n";
    let options = proposals(text, &from_2024(1));
    assert_eq!(options, ["--cells places", "--cells scores", "--lower-is-better"]);
    let places = ReadOptions {
        cells: Some(StatedCells::Places),
        ..from_2024(1)
    };
    let lowest = ReadOptions {
        lower_is_better: true,
        ..from_2024(1)
    };
    let first = |options: &ReadOptions| standings(&table_with(text, options).unwrap())[0].clone();
    assert_eq!(first(&places), "1 Ann, 2 Bob, 3 Cy, 4 Di");
    assert_eq!(first(&scores(from_2024(1))), "1 Cy, 2 Bob, 3 Ann, 4 Di");
    assert_eq!(first(&lowest), "1 Di, 2 Ann, 3 Bob, 4 Cy");
    // Places are not missing.
    let below = "Name,R1,R2\nAnn,12,-3\nBob,-25,14\nCy,30,21\n";
    assert_eq!(standings(&table_with(below, &from_2024(1)).unwrap())[1], "1 Cy, 2 Bob, 3 Ann");
}

#[test]
fn numbers_that_can_be_places_of_a_larger_field_are_refused() {
    let larger = "Team,Race 1,Race 2,Race 3\nGulls,24,15,23\nTerns,25,22,14\nSkuas,12,19,21\n";
    let options = proposals(larger, &from_2024(1));
    assert_eq!(options, ["--cells scores", "--lower-is-better", "--cells places"]);
    let two_teams = "Team,Lauf 1,Lauf 2,Lauf 3\nGulls,24,15,23\nTerns,25,22,14\n";
    assert_eq!(proposals(two_teams, &from_2024(1)), options);
    // Rounds that are no races, numbers that repeat, 0, halves, hundreds, rows in the order of the sums (few if some lack rounds),
    // the points of each place, and headings of points are scores.
    for text in [
        "Team,R1,R2\nGulls,24,15\nTerns,25,22\nSkuas,12,19\n",
        "Team,Race 1,Race 2\nGulls,24,15\nTerns,25,22\nSkuas,24,15\n",
        "Team,Race 1,Race 2\nGulls,24,15\nTerns,25,22\nSkuas,0,19\n",
        "Team,Race 1,Race 2\nGulls,24,15.5\nTerns,25,22\nSkuas,12,19\n",
        "Team,Race 1,Race 2\nGulls,240,150\nTerns,250,220\nSkuas,120,190\n",
        "Team,Race 1,Race 2\nTerns,25,22\nGulls,24,16\nSkuas,12,19\nAuks,11,9\nKites,10,8\n",
        "Team,Race 1,Race 2\nTerns,25,22\nGulls,24,15\nSkuas,12,\n",
        "Team,Race 1,Race 2\nGulls,18,15\nTerns,25,18\nSkuas,15,25\n",
        "Team,R1 Pts,R2 Pts\nGulls,24,15\nTerns,25,22\nSkuas,12,19\n",
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        assert!(standings(&reading)[0].starts_with("1 Terns, 2 Gulls"), "{text}");
    }
}

#[test]
fn code_before_points_is_a_status() {
    let text = "Team,R1,R2,R3\nAda,1,DNC-39,2\nBea,2,1,(RET-39)\nCy,3,2,1\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Ada, 2 Bea, 3 Cy", "1 Bea, 2 Cy", "1 Cy, 2 Ada, - Bea"]);
    assert!(notes(&reading).contains("the cells are scores, lowest first"));
}

#[test]
fn cell_that_is_no_result_does_not_turn_the_other_rounds() {
    let text = "Team,R1,R2\nAda,1,XYZ-39\nBea,2,1\nCy,3,2\n";
    assert_eq!(proposals(text, &from_2024(1)), ["--cells places", "--cells scores"]);
    let places = ReadOptions {
        cells: Some(StatedCells::Places),
        ..from_2024(1)
    };
    let reading = table_with(text, &places).unwrap();
    assert_eq!(standings(&reading), ["1 Ada, 2 Bea, 3 Cy"]);
    assert!(refused(&reading)[0].contains("XYZ-39"));
    // Among scores, the cell refuses its round.
    let scored = "Team,R1,R2\nAda,120,XYZ-39\nBea,250,140\nCy,90,210\n";
    let reading = table_with(scored, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Bea, 2 Ada, 3 Cy"]);
}

#[test]
fn headings_of_places_yield_to_numbers_that_are_none() {
    for (text, leader) in [
        ("Player,Week 1 Rank,Week 2 Rank\nAnn,1500,1520\nBo,1480,1470\n", "1 Ann, 2 Bo"),
        ("Player,R1 Pos,R2 Pos\nAnn,12,25\nBo,30,14\nCy,21,7\n", "1 Ann, 2 Cy, 3 Bo"),
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        assert_eq!(standings(&reading)[0], leader, "{text}");
    }
    // The rank says that the highest is the best.
    let points = "Rank,Player,Race 1 Place,Race 2 Place,Total
1,Ann,100,97,197
2,Bo,99,96,195
3,Cy,97,95,192
";
    let options = proposals(points, &from_2024(1));
    assert_eq!(options, ["--cells places", "--cells scores"]);
}

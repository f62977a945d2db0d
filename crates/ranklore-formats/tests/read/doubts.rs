//! Tables that could be read in two ways are refused with the option that settles it.

use super::plausible::with_column;
use super::{contest_lines, from_2024, lower_is_better, refused, standings, table, table_with};
use ranklore_formats::{ArchivedBy, ColumnMeaning, FileFormat, ReadOptions, read_archived};

/// Returns what is said about a table that is refused, as a whole or in part.
fn refusal(text: &str, options: &ReadOptions) -> String {
    match table_with(text, options) {
        Err(error) => error,
        Ok(reading) => refused(&reading).join("\n"),
    }
}

fn with_columns(columns: &[(&str, ColumnMeaning)]) -> ReadOptions {
    ReadOptions {
        columns: columns.iter().map(|&(heading, column)| (heading.to_owned(), column)).collect(),
        ..from_2024(1)
    }
}

#[test]
fn doubtful_tables_are_refused_with_the_option() {
    use ColumnMeaning::{Competitor, Division, Ignore, Place, Score};
    for (text, message, settled, first) in [
        (
            "place,name,team,points\n1,ann,AC,9\n2,bo,BC,8\n3,cy,CC,7",
            "--column team=ignore if it is the club",
            with_columns(&[("team", Ignore)]),
            "1 ann (9), 2 bo (8)",
        ),
        (
            "place,name,points\n1,dan,9\n2,ed,8\n1,ann,7\n2,bea,6",
            "place 1 stands with different values of \"points\" (C)",
            with_columns(&[("points", Ignore)]),
            "1 dan, 1 ann, 3 ed",
        ),
        (
            "place,,name\n1,1,ann\n2,1,bo\n1,2,cy\n2,2,di",
            "pass --column =division",
            with_columns(&[("", Division)]),
            "1 ann, 2 bo",
        ),
        (
            "#,name,score\n12,ann,30\n7,bo,20\n3,cy,10",
            "are no ranking: pass --column '#=place'",
            with_columns(&[("#", Ignore)]),
            "1 ann (30), 2 bo (20)",
        ),
        (
            "#,name,score\n1,ann,10\n2,bo,20\n3,cy,5",
            "are no ranking by the scores",
            with_columns(&[("#", Place)]),
            "1 ann (10), 2 bo (20)",
        ),
        (
            "name,result\nann,1\nbo,2\ncy,3",
            "pass --column result=place if 1 is the best, or --column result=score if the highest is",
            with_columns(&[("result", Score)]),
            "1 cy (3), 2 bo (2)",
        ),
        (
            "place,name,score\nRome,ann,1\nParis,bo,2",
            "holds no place, but values such as \"Rome\": pass --column place=ignore",
            with_columns(&[("place", Ignore)]),
            "1 bo (2), 2 ann (1)",
        ),
        (
            "timestamp,score,name\n2024-03-01 10:00,5,ann\n2024-03-01 10:05,6,bo\n2024-03-01 10:07,7,cy",
            "a date of its own",
            with_columns(&[("timestamp", Ignore)]),
            "1 cy (7), 2 bo (6)",
        ),
        (
            "who,net\nann,1:10\nbo,1:05",
            "--column",
            ReadOptions {
                lower_is_better: true,
                ..with_columns(&[("who", Competitor), ("net", Score)])
            },
            "1 bo (65), 2 ann (70)",
        ),
    ] {
        let error = refusal(text, &from_2024(1));
        assert!(error.contains(message), "{text}:\n{error}");
        let reading = table_with(text, &settled).unwrap();
        let line = &contest_lines(&reading)[0];
        assert!(line.contains(first), "{text}: {line}");
        assert_eq!(refused(&reading), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn times_and_strokes_need_a_direction() {
    for (text, options) in [
        ("player,strokes\nann,68\nbo,70", from_2024(1)),
        ("player,net\nann,1:10\nbo,1:05", with_columns(&[("net", ColumnMeaning::Score)])),
    ] {
        let error = refusal(text, &options);
        assert!(error.contains("--lower-is-better"), "{text}:\n{error}");
    }
}

#[test]
fn rows_without_a_division_beside_others_are_refused() {
    let merged = "division,place,name\nmen,1,ann\n,2,bo\nwomen,1,cy\n,2,di";
    let error = refusal(merged, &from_2024(1));
    assert!(error.contains("the division is empty"), "{error}");
    // A ranking of its own may be that of everybody else.
    let open = "division,place,name\nmen,1,ann\nmen,2,bo\n,1,cy\n,2,di";
    assert_eq!(refusal(open, &from_2024(1)), "");
}

#[test]
fn boards_with_a_missing_row_are_refused() {
    let text = "place,board,name\n1,a,p1\n2,a,p2\n1,b,p3\n2,b,p4\n1,c,p5\n3,c,p6";
    let error = refusal(text, &from_2024(1));
    assert!(error.contains("--column board=division"), "{error}");
    // Clubs of one ranking with a tie.
    let clubs = "place,club,name\n1,a,p1\n1,b,p2\n3,a,p3\n4,b,p4\n5,c,p5";
    assert_eq!(refusal(clubs, &from_2024(1)), "");
}

#[test]
fn summaries_at_the_end_are_left_out() {
    let text = "name,score\nann,10\nbo,9\nAverage,9.5\nTotal,19";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(contest_lines(&reading), ["Club night 2024-01-01: 1 ann (10), 2 bo (9)"]);
}

#[test]
fn divisions_may_come_first_and_rounds_within_them() {
    let text =
        "division,round,place,name\nA,Round 1,1,a\nA,Round 2,1,a\nB,Round 1,1,b\nB,Round 2,1,b";
    assert_eq!(refusal(text, &from_2024(1)), "");
}

#[test]
fn long_headings_are_shortened_in_messages() {
    let text = format!("place,{},name\n1,a,p1\n2,a,p2\n1,b,p3\n2,b,p4", "x".repeat(100_000));
    assert!(refusal(&text, &from_2024(1)).len() < 1_000);
    let many = (0..1_999).map(|n| format!("heading {n}"));
    let many = many.collect::<Vec<_>>().join(",");
    let error = refusal(&format!("{many}\n1,2"), &from_2024(1));
    assert!(error.len() < 1_000, "{error}");
}

#[test]
fn times_that_break_ties_of_points_are_refused_until_stated() {
    use ColumnMeaning::{Ignore, Score};
    let text = "race,runner,time_s,points\nR1,Ann,324.4,25\nR1,Bo,324.5,18\nR1,Cy,336.5,0\n\
                R1,Di,338.4,0\nR1,Ed,NA,0";
    let message = refusal(text, &from_2024(1));
    for option in [
        "--column time_s=score --lower-is-better",
        "--column time_s=ignore",
    ] {
        assert!(message.contains(option), "{message}");
    }
    let by_time = ReadOptions {
        lower_is_better: true,
        ..with_columns(&[("time_s", Score)])
    };
    for (options, expected) in [
        (
            by_time,
            "R1 2024-01-01: 1 Ann (324.4), 2 Bo (324.5), 3 Cy (336.5), 4 Di (338.4)",
        ),
        (
            with_columns(&[("time_s", Ignore)]),
            "R1 2024-01-01: 1 Ann (25), 2 Bo (18), 3 Cy (0), 3 Di (0), 3 Ed (0)",
        ),
    ] {
        assert_eq!(contest_lines(&table_with(text, &options).unwrap()), [expected]);
    }
    // Times of another order, and points without ties, leave the points alone.
    for text in [
        text.replace("336.5", "300"),
        text.replace("336.5,0", "336.5,9"),
    ] {
        let before_end = text.rsplit_once('\n').unwrap().0;
        assert_eq!(refusal(before_end, &from_2024(1)), "", "{text}");
    }
    let file = "Club night.csv";
    let archived = |reader| {
        read_archived(reader, FileFormat::Table, text.as_bytes(), file, &from_2024(1)).is_ok()
    };
    assert!(archived(ArchivedBy::WithoutDoubts) && !archived(ArchivedBy::Current));
}

#[test]
fn teams_are_refused_beside_names_of_their_own_entrants() {
    use ColumnMeaning::{Competitor, Ignore};
    let text = "race,marble_name,team_name,points\nR1,Starry,Galaxy,9\nR1,Hazy,Hazers,8\n\
                R2,Cosmo,Galaxy,9\nR2,Hazy,Hazers,8";
    let message = refusal(text, &from_2024(1));
    assert!(message.contains("--column marble_name=competitor"), "{message}");
    for (options, expected) in [
        (
            with_columns(&[("marble_name", Competitor), ("team_name", Ignore)]),
            "R1 2024-01-01: 1 Starry (9), 2 Hazy (8)",
        ),
        (
            with_columns(&[("marble_name", Ignore)]),
            "R1 2024-01-01: 1 Galaxy (9), 2 Hazers (8)",
        ),
    ] {
        assert_eq!(contest_lines(&table_with(text, &options).unwrap())[0], expected);
    }
    // Names of places, and further names of the teams, name no entrants.
    for heading in ["city_name", "short_name", "Sponsor Name"] {
        let other = text.replace("marble_name", heading);
        assert_eq!(refusal(&other, &from_2024(1)), "", "{heading}");
    }
}

#[test]
fn results_of_something_that_break_ties_are_refused_until_stated() {
    let text = "team_name,CTF Score,CTF position,score,Date\nGulls,4646,7,40,2024-01-31\n\
                Terns,4591,8,40,2024-01-31\nLarks,0,0,0,2024-01-31\n";
    let error = table(text).unwrap_err();
    assert!(error.contains("\"CTF Score\" (B) has the order of \"score\" (D)"), "{error}");
    let decides = with_column("CTF Score", ColumnMeaning::Score);
    let stated = table_with(text, &decides).unwrap();
    assert_eq!(standings(&stated), ["1 Gulls, 2 Terns, 3 Larks"]);
    let places = text.replace("CTF Score", "Solves").replace("0,0,0,", "0,9,0,");
    let error = table(&places).unwrap_err();
    assert!(error.contains("'CTF position=place' if it is the place"), "{error}");
    // Another order, or none of those with equal scores.
    for text in [
        text.replace("0,0,0,", "9999,0,0,"),
        text.replace("4591,8", "4646,7"),
        text.replace("CTF Score", "Bonus points")
            .replace("CTF position", "Seed position"),
    ] {
        assert_eq!(standings(&table(&text).unwrap()), ["1 Gulls, 1 Terns, 3 Larks"], "{text}");
    }
}

#[test]
fn score_of_something_may_decide_before_time() {
    let text = "Rider,Date,Time,IKEqC Score\nIvan,2024-03-01,15.66,8\nDuncan,2024-03-01,13.00,6\n";
    for options in [ReadOptions::default(), lower_is_better()] {
        let error = table_with(text, &options).unwrap_err();
        assert!(error.contains("\"IKEqC Score\" (D) may decide before \"Time\" (C)"), "{error}");
    }
    let score = with_column("IKEqC Score", ColumnMeaning::Score);
    assert_eq!(standings(&table_with(text, &score).unwrap()), ["1 Ivan, 2 Duncan"]);
    let agreeing = text.replace(",6", ",9");
    let reading = table_with(&agreeing, &lower_is_better()).unwrap();
    assert_eq!(standings(&reading), ["1 Duncan, 2 Ivan"]);
    // Of equal times any order of rows is refused.
    for (first, second) in [("8", "6"), ("6", "8")] {
        let tied = format!(
            "Rider,Date,Time,Laps\nIvan,2024-03-01,15.66,{first}\nDuncan,2024-03-01,15.66,{second}\n"
        );
        let error = table_with(&tied, &lower_is_better()).unwrap_err();
        assert!(error.contains("\"Laps\" (D) may decide before \"Time\" (C)"), "{error}");
    }
}

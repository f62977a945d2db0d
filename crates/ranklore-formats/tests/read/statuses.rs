//! Words for statuses, known and stated.

use ranklore_formats::{CellStatus, ColumnMeaning, ReadOptions};

use super::plausible::with_column;
use super::{contest_lines, lower_is_better, notes, refused, standings, table, table_with};

fn with_statuses(words: &[(&str, CellStatus)]) -> ReadOptions {
    let words = words.iter().map(|&(word, status)| (word.to_owned(), status));
    ReadOptions {
        statuses: words.collect(),
        ..ReadOptions::default()
    }
}

#[test]
fn statuses_stand_instead_of_places() {
    for (word, outcome) in [
        ("RTD", ", dnf c"),
        ("WD", ", dnf c"),
        ("OTL", ", dnf c"),
        ("ab", ", dnf c"),
        ("EX", ", dq c"),
        ("DNQ", ""),
        ("HC", ""),
        ("*", ""),
        ("walkover", ""),
        ("w.o.", ""),
        ("W/O", ""),
        ("LAP", ", dnf c"),
        ("+1 lap", ", dnf c"),
        ("+2 Laps", ", dnf c"),
    ] {
        let text =
            format!("Date,Place,Player\n2024-03-01,1,a\n2024-03-01,2,b\n2024-03-01,{word},c\n");
        assert_eq!(
            contest_lines(&table(&text).unwrap()),
            [format!("2024-03-01 2024-03-01: 1 a, 2 b{outcome}")],
            "{word}"
        );
    }
}

#[test]
fn lapped_competitor_with_place_finished() {
    let text = "Date,Place,Player,Status,Time
2024-03-01,1,a,Finished,14:41
2024-03-01,2,b,+1 Lap,
2024-03-01,3,c,,LAP
2024-03-01,,d,+2 Laps,
2024-03-01,,e,,-3 LAP
";
    assert_eq!(
        contest_lines(&table(text).unwrap()),
        ["2024-03-01 2024-03-01: 1 a (881), 2 b, 3 c, dnf d, dnf e"]
    );
    let scores =
        "Date,Score,Player,Status\n2024-03-01,9,a,\n2024-03-01,7,b,+1 lap\n2024-03-01,LAP,c,\n";
    assert_eq!(
        contest_lines(&table(scores).unwrap()),
        ["2024-03-01 2024-03-01: 1 a (9), 2 b (7), dnf c"]
    );
}

#[test]
fn laps_and_marks_are_not_misread() {
    let text = "Date,Place,Player\n2024-03-01,1,a\n2024-03-01,3*,b\n";
    let reading = table(text).unwrap();
    assert!(refused(&reading)[0].ends_with("place \"3*\" is not a place such as 1, T3, 3= or dnf"));
    // A race of 24 hours has laps as the score.
    let laps = table("Date,Score,Player\n2024-03-01,12 laps,a\n2024-03-01,11 laps,b\n").unwrap();
    assert!(refused(&laps)[0].contains("score \"12 laps\" is not a number"));
}

#[test]
fn walkover_beside_place_is_refused_until_stated() {
    for word in ["walkover", "*", "w.o."] {
        for column in ["Status", "Score"] {
            let text = format!(
                "Date,Place,Player,{column}\n2024-03-01,1,a,{word}\n2024-03-01,2,b,{word}\n"
            );
            let reading = table(&text).unwrap();
            let reason = &refused(&reading)[0];
            assert!(reason.contains(&format!("{word:?} stands beside place 1")), "{reason}");
            let ranked =
                table_with(&text, &with_statuses(&[(word, CellStatus::Finished)])).unwrap();
            assert_eq!(contest_lines(&ranked), ["2024-03-01 2024-03-01: 1 a, 2 b"]);
            let absent = text.replace(&format!(",2,b,{word}"), ",2,b,");
            let absent =
                table_with(&absent, &with_statuses(&[(word, CellStatus::DidNotStart)])).unwrap();
            assert_eq!(contest_lines(&absent), ["2024-03-01 2024-03-01: 1 b"]);
        }
    }
}

#[test]
fn unknown_words_are_named_together() {
    let text = "Race,Date,Place,Player,Status
A,2024-03-01,1,a,Wetsuit
A,2024-03-01,,b,Pulled
B,2024-03-02,1,a,
B,2024-03-02,not there,b,
B,2024-03-02,2,c,
C,2024-03-03,1,a,
";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["C 2024-03-03: 1 a"]);
    let options = "if these are statuses, pass --status Wetsuit=finished --status Pulled=dnf --status 'not there=dnf' (dnf, dq, dns or finished)";
    for reason in refused(&reading) {
        assert!(reason.ends_with(options), "{reason}");
        assert_eq!(reason.matches("--status").count(), 3, "{reason}");
    }
    let words = with_statuses(&[
        ("WETSUIT", CellStatus::Finished),
        ("pulled", CellStatus::DidNotFinish),
        ("Not-there", CellStatus::DidNotStart),
    ]);
    assert_eq!(
        contest_lines(&table_with(text, &words).unwrap()),
        [
            "A 2024-03-01: 1 a, dnf b",
            "B 2024-03-02: 1 a, 2 c",
            "C 2024-03-03: 1 a"
        ]
    );
}

#[test]
fn unknown_word_in_place_of_the_time_is_named() {
    let text = "Date,Place,Player,Time\n2024-03-01,1,a,31:20\n2024-03-01,,b,xp\n";
    let reading = table(text).unwrap();
    let reason = &refused(&reading)[0];
    assert!(
        reason.contains("there is no place, and \"xp\" is not a known status"),
        "{reason}"
    );
    assert!(reason.contains("--status xp=dnf"), "{reason}");
    let reading = table_with(text, &with_statuses(&[("xp", CellStatus::Disqualified)])).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 a (1880), dq b"]);
}

#[test]
fn stated_words_take_precedence_and_can_be_marks() {
    let text = "Date,Place,Player\n2024-03-01,1,a\n2024-03-01,99,b\n2024-03-01,*,c\n2024-03-01,+3L,d\n2024-03-01,-,e\n2024-03-01,DNS,f\n";
    let words = with_statuses(&[
        ("99", CellStatus::DidNotFinish),
        ("*", CellStatus::Disqualified),
        ("+3L", CellStatus::DidNotFinish),
        ("-", CellStatus::DidNotFinish),
        ("d.n.s.", CellStatus::DidNotFinish),
    ]);
    assert_eq!(
        contest_lines(&table_with(text, &words).unwrap()),
        ["2024-03-01 2024-03-01: 1 a, dnf b, dq c, dnf d, dnf e, dnf f"]
    );
}

#[test]
fn stated_word_must_occur() {
    for text in [
        "Date,Place,Player\n2024-03-01,1,xp\n",
        "Player,A 2024-03-01\nmp,1\n",
    ] {
        let error =
            table_with(text, &with_statuses(&[("xp", CellStatus::DidNotFinish)])).unwrap_err();
        assert!(
            error.contains("no status, place or score is \"xp\", as --status says"),
            "{error}"
        );
    }
}

#[test]
fn statuses_stand_in_wide_tables() {
    let text = "Player,A 2024-03-01,B 2024-03-08\na,1,walkover\nb,2,1\nc,xp,LAP\n";
    let reading = table(text).unwrap();
    assert!(refused(&reading)[0].contains("if \"xp\" is a status, pass --status xp=dnf"));
    let reading = table_with(text, &with_statuses(&[("XP", CellStatus::Disqualified)])).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "A 2024-03-01 2024-03-01: 1 a, 2 b, dq c",
            "B 2024-03-08 2024-03-08: 1 b, dnf c"
        ]
    );
}

#[test]
fn entrant_without_status_and_result_is_left_out() {
    let text = "date,name,status,time\n2024-03-01,Ann,Finisher,31:10\n2024-03-01,Bo,,\n\
                2024-03-01,Cy,Finisher,33:10";
    let reading = table_with(text, &lower_is_better()).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann (1870), 2 Cy (1990)"]);
    let note = "a competitor with neither a status nor a result left out, on line 3";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    // Where some finishers have no status, an empty one says nothing.
    let unmarked = text.replace("Cy,Finisher", "Cy,");
    let reading = table_with(&unmarked, &lower_is_better()).unwrap();
    assert!(refused(&reading)[0].contains("there is no score"), "{:?}", refused(&reading));
}

#[test]
fn placed_competitor_whose_time_is_a_status_did_not_finish() {
    for heading in ["Time/Retired", "Time or retired"] {
        let text = format!(
            "Date,Position,Driver,{heading},Points\n2024-05-04,1,Ida,1:30:00,3\n2024-05-04,2,Ben,+1.2,2\n\
             2024-05-04,3,Kit,DNF,0\n2024-05-04,4,Lou,Retired,0"
        );
        let reading = table(&text).unwrap();
        let expected = "2024-05-04 2024-05-04: 1 Ida (3), 2 Ben (2), dnf Kit (0), dnf Lou (0)";
        assert_eq!(contest_lines(&reading), [expected], "{heading}");
        assert!(notes(&reading).contains(" holds statuses, which decide"), "{}", notes(&reading));
        // The places decide if the user excludes the column.
        let places = table_with(&text, &with_column(heading, ColumnMeaning::Ignore)).unwrap();
        assert!(contest_lines(&places)[0].ends_with("3 Kit (0), 4 Lou (0)"), "{heading}");
    }
    for text in [
        // Other times than that of the race.
        "Date,Position,Driver,Qualifying time,Points\n2024-05-04,1,Ida,30.1,3\n2024-05-04,2,Ben,DNF,2",
        // One of two runs.
        "Date,Position,Driver,Time 1,Time 2,Points\n2024-05-04,1,Ida,30.1,30.2,3\n2024-05-04,2,Ben,DNF,31.2,2",
        // A finisher stands below.
        "Date,Position,Driver,Time/Retired,Points\n2024-05-04,1,Ida,30.1,3\n2024-05-04,2,Ben,DNF,2\n2024-05-04,3,Kit,31.5,1",
    ] {
        assert!(contest_lines(&table(text).unwrap())[0].contains("2 Ben (2)"), "{text}");
    }
}

#[test]
fn status_in_place_of_finish_counts_beside_places_that_go_on() {
    let text = "Date,Skipper,Finish,Elapsed,Place\n2018-06-04,Ann,20:07:39,1:52:39,1\n\
                2018-06-04,Bob,20:17:26,2:02:26,2\n2018-06-04,Cat,DNF,,3\n2018-06-04,Dan,DNC,,4\n\
                2018-06-04,Eve,RAF,,5\n";
    for text in [
        text.to_owned(),
        // The winner's time and points are read in place of the elapsed time.
        text.replace("Finish,Elapsed", "Corrected,Elapsed"),
        // Some races know no other codes.
        text.replace("DNF", "RET"),
    ] {
        let lines = contest_lines(&table(&text).unwrap());
        assert!(lines[0].contains("1 Ann (6759), 2 Bob (7346), dnf Cat, dnf Eve"), "{lines:?}");
        assert!(!lines[0].contains("Dan"), "{lines:?}");
    }
    let below = text.replace("Cat,DNF,,3", "Cat,DNF,,2").replace("2:02:26,2", "2:02:26,3");
    let error = table(&below).unwrap_err();
    assert!(error.contains("\"Finish\" (C) says \"DNF\" beside the place 2"), "{error}");
    let error = table(&below.replace("DNF", "RET")).unwrap_err();
    assert!(error.contains("\"Finish\" (C) says \"RET\" beside the place 2"), "{error}");
    let finishers = text.replace("DNF", "20:20:20").replace("DNC", "20:21:20");
    let finishers = finishers.replace("RAF", "20:22:20");
    let lines = contest_lines(&table(&finishers).unwrap());
    assert!(lines[0].ends_with("3 Cat, 4 Dan, 5 Eve"), "{lines:?}");
}

#[test]
fn words_in_place_of_finish_leave_places_with_points() {
    let text = "Date,Place,Name,Points,Time\n2024-05-04,1,Ann,30,45:10\n2024-05-04,2,Bea,28,50:10\n\
                2024-05-04,3,Cat,25,RET\n";
    for word in ["guest", "HC", "OUT", "TLE", "SCR", "RDG", "WO", "RET"] {
        let reading = table(&text.replace("RET", word)).unwrap();
        assert!(contest_lines(&reading)[0].contains("3 Cat (25)"), "{word}");
    }
    // Redress has the points of a place, and a boat that retires more than any place.
    let boats = text.replace(",30,", ",1,").replace(",28,", ",2,");
    let redress = contest_lines(&table(&boats.replace("25,RET", "2.5,RDG")).unwrap()).join("");
    assert!(redress.contains("3 Cat (2.5)"), "{redress}");
    let retired = contest_lines(&table(&boats.replace("25,RET", "4,RET")).unwrap()).join("");
    assert!(retired.contains("dnf Cat (4)"), "{retired}");
}

#[test]
fn words_beside_complete_results_may_be_no_statuses() {
    for (rank, values) in [("Place", ["1", "2", "3"]), ("Points", ["9", "7", "5"])] {
        let rows = [
            ("Ann", "promotion"),
            ("Bo", "promotion"),
            ("Cy", "relegation"),
        ];
        let rows = rows.iter().zip(values);
        let rows = rows.map(|((name, word), value)| format!("2024-03-01,{value},{name},{word}\n"));
        let text = format!("Date,{rank},Team,Status\n{}", rows.collect::<String>());
        let reading = table(&text).unwrap();
        let advice = "if the results of all count, pass --column Status=ignore";
        match &reading.refused[..] {
            [reason] if rank == "Points" => {
                assert!(reason.to_string().ends_with(advice), "{reason}");
            }
            // The places of all decide.
            refused => assert!(refused.is_empty() && rank == "Place", "{refused:?}"),
        }
        let ignored = with_column("Status", ColumnMeaning::Ignore);
        assert_eq!(standings(&table_with(&text, &ignored).unwrap()), ["1 Ann, 2 Bo, 3 Cy"]);
        let words = [
            ("promotion", CellStatus::Finished),
            ("relegation", CellStatus::DidNotFinish),
        ];
        let reading = table_with(&text, &with_statuses(&words)).unwrap();
        assert_eq!(standings(&reading), ["1 Ann, 2 Bo, - Cy"]);
        // A known word makes the others statuses.
        let known = table(&text.replace("relegation", "DNF")).unwrap();
        let reason = &refused(&known)[0];
        assert!(reason.contains("--status promotion="), "{reason}");
        assert!(!reason.contains("Status=ignore"), "{reason}");
    }
}

#[test]
fn rows_without_a_name_are_left_out_as_stated() {
    for word in ["NA", "N/A", "NaN"] {
        let text =
            format!("Date,Points,Player\n2024-03-01,9,Ann\n2024-03-01,7,{word}\n2024-03-01,5,Cy\n");
        let reason = &refused(&table(&text).unwrap())[0];
        let option = format!("--status {word}=dns");
        assert!(reason.contains(&format!("{option} if such rows are left out")), "{reason}");
        let absent = with_statuses(&[(word, CellStatus::DidNotStart)]);
        let reading = table_with(&text, &absent).unwrap();
        assert_eq!(standings(&reading), ["1 Ann, 2 Cy"], "{word}");
        assert!(notes(&reading).contains("1 row of absent competitors left out"), "{word}");
        // Other meanings give nobody a name.
        let unnamed = table_with(&text, &with_statuses(&[(word, CellStatus::DidNotFinish)]));
        assert!(refused(&unnamed.unwrap())[0].contains("names no competitor"), "{word}");
    }
}

#[test]
fn missed_control_disqualifies() {
    for word in ["MSP", "mispunch"] {
        let text = format!(
            "Date,Pos.,Name,Time\n2024-03-01,1,a,12:14\n2024-03-01,2,b,15:03\n2024-03-01,,c,{word} 21:44\n"
        );
        let expected = ["2024-03-01 2024-03-01: 1 a (734), 2 b (903), dq c"];
        assert_eq!(contest_lines(&table(&text).unwrap()), expected, "{word}");
    }
}

#[test]
fn words_beside_all_times_stay_statuses() {
    let text = "Date,Pos.,Name,Time\n2024-03-01,,a,XP 14:07\n2024-03-01,,b,XP 44:50\n";
    let reason = refused(&table(text).unwrap()).join("; ");
    assert!(reason.contains("--status XP=dnf"), "{reason}");
    let reading = table_with(text, &with_statuses(&[("XP", CellStatus::Disqualified)])).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: dq a, dq b"]);
}

#[test]
fn blank_place_among_places_can_be_left_out() {
    let text = "Date,Contest,Name,Rank\n2024-03-01,R1,a,1\n2024-03-01,R1,b,2\n2024-03-01,R1,c,\n2024-03-02,R2,a,1\n2024-03-02,R2,b,2\n";
    let reason = refused(&table(text).unwrap()).join("; ");
    assert!(reason.contains("pass --where 'Rank!='"), "{reason}");
    // The blank place fills a gap: a tie, as some tables write it.
    let tied = text.replace("R1,c,", "R1,c,\n2024-03-01,R1,d,4");
    let reason = refused(&table(&tied).unwrap()).join("; ");
    assert!(!reason.contains("--where"), "{reason}");
}

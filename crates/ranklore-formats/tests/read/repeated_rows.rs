//! Rows of results that repeat others, and rows that sum up the others.

use crate::{contest_lines, from_2024, notes, refused, table, table_with};

#[test]
fn row_equal_in_every_cell_counts_once() {
    let text = "Contest,Date,Place,Name,Score\nR1,2024-03-01,1,Ann,10\nR1,2024-03-01,1,Ann,10\n\
                R1,2024-03-01,2,Bo,8\nR2,2024-03-02,1,Ann,10\nR1,2024-03-01,1,Ann,10\nR2,2024-03-02,2,Bo,8\n";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "R1 2024-03-01: 1 Ann (10), 2 Bo (8)",
            "R2 2024-03-02: 1 Ann (10), 2 Bo (8)"
        ]
    );
    let note =
        "a row equal to another of its contest in every cell left out, on 2 lines, first on line 3";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let members = "Contest,Date,Place,Team,Player\nR1,2024-03-01,1,Foxes,Ann\nR1,2024-03-01,1,Foxes,Bo\n\
                   R1,2024-03-01,1,Foxes,Bo\nR1,2024-03-01,2,Owls,Cy\n";
    assert_eq!(
        contest_lines(&table(members).unwrap()),
        ["R1 2024-03-01: 1 Foxes [Ann Bo], 2 Owls [Cy]"]
    );
}

#[test]
fn repeated_competitor_with_other_cells_is_refused() {
    let text =
        "Contest,Date,Place,Name\nR1,2024-03-01,1,Ann\nR1,2024-03-01,2,Bo\nR1,2024-03-01,3,Bo\n";
    assert!(refused(&table(text).unwrap())[0].contains("\"Bo\" stands twice, on lines 3 and 4"));
    // The places count both.
    let tied = "Contest,Date,Place,Name\nR1,2024-03-01,1,Ann\nR1,2024-03-01,2,Bo\nR1,2024-03-01,2,Bo\nR1,2024-03-01,4,Cy\n";
    assert!(refused(&table(tied).unwrap())[0].contains("\"Bo\" stands twice, on lines 3 and 4"));
}

#[test]
fn sums_and_averages_are_no_competitors() {
    for row in [
        "R1,2024-03-01,Total,18",
        ",2024-03-01,Total,18",
        ",,Total points,18",
        ",,Average score,9",
        "R1,2024-03-01,Sum:,18",
        "R1,2024-03-01,Average,9.0",
        "R1,2024-03-01,Gesamt,18\nR1,2024-03-01,Durchschnitt,9",
    ] {
        let text =
            format!("Contest,Date,Name,Score\nR1,2024-03-01,Ann,10\nR1,2024-03-01,Bo,8\n{row}\n");
        let reading = table(&text).unwrap();
        let expected = ["R1 2024-03-01: 1 Ann (10), 2 Bo (8)"];
        if row.starts_with(",2024") {
            assert!(!refused(&reading).is_empty(), "{row}");
        } else {
            assert_eq!(contest_lines(&reading), expected, "{row}");
            assert!(notes(&reading).contains("a summary or empty row left out"), "{row}");
        }
    }
    let placed =
        "Date,Place,Name,Score\n2024-03-01,1,Ann,10\n2024-03-01,2,Bo,8\n2024-03-01,3,Total,18\n";
    assert_eq!(
        contest_lines(&table(placed).unwrap()),
        ["2024-03-01 2024-03-01: 1 Ann (10), 2 Bo (8)"]
    );
}

#[test]
fn competitor_named_like_a_summary_is_noted() {
    let text = "Date,Name,Score\n2024-03-01,Ann,10\n2024-03-01,Bo,8\n2024-03-01,General,12\n";
    let reading = table(text).unwrap();
    assert_eq!(
        contest_lines(&reading),
        ["2024-03-01 2024-03-01: 1 General (12), 2 Ann (10), 3 Bo (8)"]
    );
    let note = "a competitor is named like a summary: remove the row if it is one, on line 4";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let names = "Date,Name,Score\n2024-03-01,Ann,10\n2024-03-01,Total Fitness,8\n";
    let reading = table(names).unwrap();
    assert!(!notes(&reading).contains("like a summary"), "{}", notes(&reading));
}

#[test]
fn summaries_above_footnotes_of_a_wide_table_are_no_players() {
    let text = "Name,R1,R2\nAnn,10,3\nBo,8,5\nTotals:,18,8\nAverage score,9,4\n* Bo was late,,\n";
    let reading = table_with(text, &super::scores(from_2024(1))).unwrap();
    assert_eq!(
        contest_lines(&reading),
        [
            "R1 2024-01-01: 1 Ann (10), 2 Bo (8)",
            "R2 2024-01-02: 1 Bo (5), 2 Ann (3)"
        ]
    );
    assert!(notes(&reading).contains("line 5 left out: it names no player"));
}

#[test]
fn footnotes_are_no_rows_of_results() {
    for note in [
        "* Bo started late,,",
        ",* Bo started late,",
        ",Source: club records,",
        "Tie break by wins,,",
    ] {
        let text = format!("Place,Name,Date\n1,Ann,2024-03-01\n2,Bo*,2024-03-01\n{note}\n");
        let reading = table(&text).unwrap();
        assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Bo*"], "{note}");
        assert!(notes(&reading).contains("a summary or empty row left out, on line 4"), "{note}");
    }
    // A competitor without a place.
    let unplaced = "Place,Name,Date\n1,Ann,2024-03-01\n,Bo Lee,2024-03-01\n";
    assert!(refused(&table(unplaced).unwrap())[0].contains("there is no place"));
}

#[test]
fn headings_that_stand_again_are_left_out() {
    let text = "Race\tRank\tRider\tDate\nShore\t1\tAda\t2024-03-01\nShore\t2\tBea\t2024-03-01\nRace\tRank\tRider\tDate\nDune\t1\tBea\t2024-03-02\nDune\t2\tAda\t2024-03-02\n";
    let reading = table(text).unwrap();
    assert_eq!(refused(&reading), Vec::<String>::new());
    assert_eq!(
        contest_lines(&reading),
        [
            "Shore 2024-03-01: 1 Ada, 2 Bea",
            "Dune 2024-03-02: 1 Bea, 2 Ada"
        ]
    );
    assert!(
        notes(&reading).contains("the headings stand again on line 4, left out"),
        "{}",
        notes(&reading)
    );
}

#[test]
fn row_without_a_place_beside_one_with_a_place_is_left_out() {
    let text = "Contest,Date,Place,Name,Club,Status\nR1,2024-03-01,1,Ann,Red,Finished\n\
                R1,2024-03-01,2,Bo,Red,Finished\nR1,2024-03-01,2,Cy,Blue,Finished\n\
                R1,2024-03-01,,Bo,Red,DNF\nR1,2024-03-01,,Di,Blue,DNF\n";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["R1 2024-03-01: 1 Ann, 2 Bo, 2 Cy, dnf Di"]);
    let note =
        "a row without a place of a competitor who has one in another row left out, on line 5";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    for other in [
        // Twice with a place, a namesake of another club, places with a gap, and no place at all.
        text.replace(",,Bo,Red,DNF", ",4,Bo,Red,Finished"),
        text.replace(",,Bo,Red", ",,Bo,Blue"),
        text.replace(",2,", ",3,"),
        text.replace(",2,Bo,Red,Finished", ",,Bo,Red,DQ"),
    ] {
        let refusals = refused(&table(&other).unwrap()).join("; ");
        assert!(refusals.contains("stands twice"), "{other}: {refusals}");
    }
}

#[test]
fn rows_of_zeros_at_the_end_are_left_out() {
    let text = "Player,Points,,Hits\nIvy,12,,3\nMax,9,,2\n0,0,,0\n0,0,,0\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(super::standings(&reading), ["1 Ivy, 2 Max"]);
    assert!(notes(&reading).contains("the last 2 rows have nothing but 0"));
    // One row may be that of a competitor.
    let one = text.replacen("0,0,,0\n", "", 1);
    let reading = table_with(&one, &super::from_2024(1)).unwrap();
    assert_eq!(super::standings(&reading), ["1 Ivy, 2 Max, 3 0"]);
}

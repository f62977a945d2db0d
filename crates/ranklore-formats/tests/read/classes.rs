//! Classes that some competitors of one ranking have.

use super::{contest_lines, from_2024, notes, proposals, table, table_with};
use ranklore_formats::ReadOptions;

#[test]
fn class_of_some_competitors_describes_them() {
    let ranked = |classes: [&str; 4]| {
        let rows = ["1,Ann", "2,Bo", "3,Cy", "4,Di"].iter().zip(classes);
        let rows = rows.map(|(row, class)| format!("2024-03-01,{row},{class}\n"));
        format!("Date,Position,Sailor,Division\n{}", rows.collect::<String>())
    };
    for classes in [
        ["Qualifier", "", "Qualifier", ""],
        ["", "Qualifier", "Qualifier", ""],
        ["Qualifier", "Qualifier", "", "Junior"],
        ["Qualifier", "", "", ""],
        ["", "", "", "Qualifier"],
    ] {
        let reading = table(&ranked(classes)).unwrap();
        assert_eq!(
            contest_lines(&reading),
            ["2024-03-01 2024-03-01: 1 Ann, 2 Bo, 3 Cy, 4 Di"],
            "{classes:?}"
        );
        let note = "pass --column Division=division if each is a contest of its own";
        assert!(notes(&reading).contains(note), "{}", notes(&reading));
    }
}

#[test]
fn incomplete_places_prove_no_ranking_of_all() {
    let rows = |places: [u32; 5]| {
        let people = [
            "Ava,U12 Girls",
            "Bea,U12 Girls",
            "Cal,U12 Boys",
            "Dora,U14 Girls",
            "Ed,U16 Boys",
        ];
        let rows = people.iter().zip(places);
        let rows = rows.map(|(row, place)| format!("{row},Hill Cup,{place},2025-03-01\n"));
        let rows = rows.collect::<String>();
        format!("Name,Category,RaceName,Rank,Date\n{rows}")
    };
    for places in [[2, 4, 9, 3, 7], [1, 4, 9, 3, 7], [11, 12, 13, 14, 15]] {
        let options = proposals(&rows(places), &ReadOptions::default());
        let expected = ["--column Category=division", "--column Category=ignore"];
        assert_eq!(options, expected, "{places:?}");
    }
    // The heading says so.
    let overall = rows([2, 4, 9, 3, 7]).replace("Rank,", "Rank All,");
    assert_eq!(table(&overall).unwrap().contests.len(), 1);
    for places in [[2, 4, 5, 3, 1], [2, 4, 6, 3, 1]] {
        let reading = table(&rows(places)).unwrap();
        assert_eq!(reading.contests.len(), 1, "{places:?}");
        assert!(notes(&reading).contains("are one ranking of all"), "{}", notes(&reading));
    }
}

#[test]
fn classes_that_alternate_in_the_order_of_scores_are_asked_for() {
    let times = "Name,Category,Time\nIvy,F,30:01\nMax,M40,30:20\nPia,F,31:00\nOle,M,32:00\nUma,F40,33:10\nKit,M40,33:11\n";
    let lowest = ReadOptions {
        lower_is_better: true,
        ..from_2024(1)
    };
    let choice = ["--column Category=ignore", "--column Category=division"];
    assert_eq!(proposals(times, &lowest), choice);
    let points = "Name,Class,Points\nIvy,9A,31\nMax,9B,30\nPia,8A,22\nOle,8B,20\nUma,7A,19\n";
    let choice = ["--column Class=ignore", "--column Class=division"];
    assert_eq!(proposals(points, &from_2024(1)), choice);
    // Lists of each class, rows in no order, few rows, and divisions are contests of their own.
    let apart = "Name,Class,Points\nIvy,A,31\nMax,B,30\nPia,A,22\nOle,B,20\nUma,A,19\nKit,B,18\n";
    for text in [
        "Name,Class,Points\nIvy,A,31\nMax,A,30\nPia,A,22\nOle,B,20\nUma,B,19\nKit,B,18\n",
        "Name,Class,Points\nIvy,A,31\nMax,B,30\nPia,A,32\nOle,B,20\nUma,A,19\nKit,B,18\n",
        "Name,Class,Points\nIvy,A,31\nMax,B,30\nPia,A,22\nOle,B,20\n",
        &apart.replace("Class", "Division"),
    ] {
        let reading = table_with(text, &from_2024(1)).unwrap();
        assert_eq!(reading.contests.len(), 2, "{text}");
    }
}

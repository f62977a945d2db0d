//! Classes that some competitors of one ranking have.

use super::{contest_lines, notes, proposals, table};
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

//! Columns headed as weights: of contests, or of people and fish.

use super::{contest_lines, notes, proposals, refused, table, table_with};
use ranklore_formats::{FileReading, ReadOptions};

/// Returns the weights of the contests.
fn weights(reading: &FileReading) -> Vec<String> {
    reading.contests.iter().map(|contest| contest.weight.to_string()).collect()
}

#[test]
fn weights_and_ratings_lie_in_usual_ranges() {
    let text = "Date,Place,Name,Weight,Start,Rating\n2024-03-01,1,Ana,57,3,1\n2024-03-01,2,Bo,61.5,1,3\n2024-03-01,3,Cy,70,2,2";
    let reading = table(text).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ana, 2 Bo, 3 Cy"]);
    assert_eq!(weights(&reading), ["1"]);
    assert_eq!(reading.starting_ratings, []);
    assert!(notes(&reading).contains("--column Weight=weight"), "{}", notes(&reading));
    let games =
        table("Date,Weight,Winner,Loser\n2024-03-01,57,Ana,Bo\n2024-03-01,86,Cy,Di").unwrap();
    assert_eq!(weights(&games), ["1", "1"]);
    let rated =
        table("Date,Place,Name,Rating,Weight\n2024-03-01,1,Ana,1510,2\n2024-03-01,2,Bo,1480,2")
            .unwrap();
    assert_eq!(rated.starting_ratings.len(), 2);
    assert_eq!(weights(&rated), ["2"]);
}

#[test]
fn weights_that_differ_within_a_contest_are_results() {
    let catch = "Date,Place,Angler,Weight\n2024-03-01,1,Ann,17.85\n2024-03-01,2,Bob,16.9\n2024-03-01,3,Cy,9.5\n";
    let reading = table(catch).unwrap();
    assert_eq!(contest_lines(&reading), ["2024-03-01 2024-03-01: 1 Ann, 2 Bob, 3 Cy"]);
    assert_eq!(weights(&reading), ["1"]);
    let unplaced = catch.replace("Place", "Boat");
    let options = proposals(&unplaced, &ReadOptions::default());
    assert_eq!(options, ["--column Weight=score", "--column Weight=ignore"]);
    // Equal weights are those of a contest with a mistake, and divisions have weights of their own.
    let equal = catch.replace("17.85", "1").replace("16.9", "1").replace("9.5", "0.5");
    assert!(refused(&table(&equal).unwrap())[0].contains("differs"));
    let mistake = catch.replace("17.85", "2").replace(",16.9", ",2") + "2024-03-01,4,Di,2\n";
    assert!(refused(&table(&mistake).unwrap())[0].contains("differs"));
    let divided = "Date,Division,Place,Name,Weight\n2024-03-01,A,1,Ann,2\n2024-03-01,A,2,Bob,2\n\
                   2024-03-01,A,3,Cy,2\n2024-03-01,B,1,Di,0.5\n2024-03-01,B,2,Ed,0.5\n";
    assert_eq!(weights(&table(divided).unwrap()), ["2", "0.5"]);
    // A column per round or date, and games, are no results with a weight.
    for other in [
        "Name,Weight,2024-01-01,2024-01-08,2024-01-15\nAnn,12.5,3,2,5\nBob,11.2,4,1,4\nCy,9,1,5,2\n",
        "Name,Weight,R1,R2,R3\nAnn,12.5,3,2,5\nBob,11.2,4,1,4\nCy,9,1,5,2\n",
        "Date,White,Black,Result,Weight\n2024-03-01,Ann,Bob,1-0,1\n2024-03-01,Cy,Di,0-1,2\n2024-03-01,Ed,Flo,1-0,3\n",
    ] {
        let is_dated = other.contains("2024");
        let options = if is_dated {
            ReadOptions::default()
        } else {
            super::from_2024(7)
        };
        if let Err(error) = table_with(other, &options) {
            assert!(!error.contains("differs within a contest"), "{error}");
        }
    }
}

//! Columns of times and rankings beside each other, and the handicaps of boats.

use super::{notes, table};

const BOATS: &str = "Boat Name,Skipper,Rating,Elapsed,Corrected,Place,Date
Heron,Ann,210,2:01:45,1:32:58,1,2024-03-01
Otter,Bo,252,2:10:19,1:35:47,2,2024-03-01
Kite,Cy,285,1:51:06,1:42:02,3,2024-03-01
";

#[test]
fn rating_of_a_boat_is_a_handicap() {
    let reading = table(BOATS).unwrap();
    assert!(reading.starting_ratings.is_empty());
    let note = "\"Rating\" (C) holds the handicaps of boats";
    assert!(notes(&reading).contains(note), "{}", notes(&reading));
    let players = "Name,Rating,Place,Date\nAnn,2100,1,2024-03-01\nBo,2520,2,2024-03-01\n";
    assert_eq!(table(players).unwrap().starting_ratings.len(), 2);
}

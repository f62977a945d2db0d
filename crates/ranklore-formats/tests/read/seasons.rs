//! Tables of a season: wins, losses, points, and what was scored for and against.

use super::{from_2024, notes, proposals, refused, standings, table_with};

#[test]
fn points_decide_under_headings_that_explain_them() {
    let text = "\
TEAM,GP Games Played,W Wins (3 points),L Losses or Forfeits,T Ties (1 point),PTS Points,GF Goals For
Gulls,10,4,6,0,12,14
Reef,10,4,4,2,14*,12
Tide,10,5,2,3,16,21
";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Tide, 2 Reef, 3 Gulls"]);
    assert!(notes(&reading).contains("is a footnote"));
}

#[test]
fn wins_are_proposed_and_never_points_for_and_against() {
    let text = "\
Team,Owner,Wins,Losses,Ties,Points For,Points Against
Gulls,Ivy,1,2,0,286.0,360.0
Reef,Max,3,0,0,380.0,310.0
Tide,Pia,2,1,0,300.5,310.5
";
    assert_eq!(proposals(text, &from_2024(1)), ["--column Wins=score"]);
    // Rounds beside wins and losses are still contests.
    let rounds = "Name,Wins,Losses,Round 1,Round 2\nIvy,1,1,9,5\nMax,1,1,7,8\nPia,0,2,5,5\n";
    assert_eq!(table_with(rounds, &from_2024(1)).unwrap().contests.len(), 2);
}

#[test]
fn star_that_is_no_footnote_is_refused() {
    let text = "Team,Score\nGulls,4*\nReef,3\nTide,x*\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert!(refused(&reading)[0].contains("x*"), "{:?}", reading.refused);
}

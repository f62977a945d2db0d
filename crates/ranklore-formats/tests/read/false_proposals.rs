//! Columns that are proposed for no meaning which their headings and cells exclude.

use super::games::places;
use super::{proposals, table};
use ranklore_formats::ReadOptions;

#[test]
fn names_that_meet_themselves_are_no_sides() {
    let text = "Date,FactionA,FactionB,ChefA,ChefB,PointsA,PointsB\n2024-03-01,Orks,Elves,Ada,Bo,10,5\n2024-03-02,Elves,Elves,Cy,Ada,3,7\n2024-03-03,Men,Dwarfs,Bo,Cy,8,6\n";
    let options = proposals(text, &ReadOptions::default());
    assert!(options[0].contains("'ChefA=player 1'"), "{options:?}");
    assert!(!options.concat().contains("Faction"), "{options:?}");
    // Sets of cards are no names.
    let sets = text.replace("Faction", "Set");
    assert_eq!(places(&table(&sets).unwrap())[0], "2024-03-01 Ada – Bo: 1 Ada, 2 Bo");
}

#[test]
fn numbers_are_proposed_as_no_statuses() {
    let text = "Date,Place,Name,faults,verdict\n2024-03-01,1,Ada,0,fine\n2024-03-01,2,Bo,0,fine\n2024-03-01,3,Cy,0,fine\n2024-03-01,,Di,100,gone home\n";
    let reading = table(text).unwrap();
    let options = reading.refused.iter().flat_map(|refused| refused.options.clone());
    let options: Vec<String> = options.map(|option| option.to_string()).collect();
    assert!(options.contains(&"--column verdict=status".to_owned()), "{options:?}");
    assert!(!options.concat().contains("faults"), "{options:?}");
}

#[test]
fn numbers_of_races_are_proposed_as_contests() {
    let text = "race_date,race_no,place,Name\n2024-03-01,1,1,Ada\n2024-03-01,1,2,Bo\n2024-03-01,2,1,Cy\n2024-03-01,2,2,Di\n";
    let reading = table(text).unwrap();
    let options = reading.refused.iter().flat_map(|refused| refused.options.clone());
    let options: Vec<String> = options.map(|option| option.to_string()).collect();
    assert!(options.contains(&"--column race_no=contest".to_owned()), "{options:?}");
    assert!(!options.contains(&"--column race_no=ignore".to_owned()), "{options:?}");
}

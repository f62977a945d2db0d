//! Places under compound headings: `SF_Place`, `Technical_Rank`, `R1 Pos`.

use super::{from_2024, proposals, standings, table_with};
use ranklore_formats::ReadOptions;

fn once() -> ReadOptions {
    ReadOptions {
        every_days: None,
        ..from_2024(1)
    }
}

#[test]
fn heading_that_ends_in_place_holds_the_places() {
    for heading in ["SF_Place", "Technical_Rank", "race position", "techRang"] {
        let text = format!("Name,{heading},Heat Points\nAnn,2,90\nBo,1,120\nCy,3,40\n");
        let reading = table_with(&text, &once()).unwrap();
        assert_eq!(standings(&reading), ["1 Bo, 2 Ann, 3 Cy"], "{heading}");
        let options = proposals(&text, &ReadOptions::default());
        assert!(!options.iter().any(|option| option.contains("=score")), "{options:?}");
    }
    // Other rankings are no results.
    for heading in ["start position", "World Rank", "Grid Pos"] {
        let text = format!("Name,{heading},Points\nAnn,2,90\nBo,1,40\nCy,3,120\n");
        let lines = table_with(&text, &once()).map(|reading| standings(&reading));
        assert_ne!(lines, Ok(vec!["1 Bo, 2 Ann, 3 Cy".to_owned()]), "{heading}");
    }
    // Scores decide beside numbers that are no ranking.
    let text = "Name,SF_Place,Points\nAnn,7,90\nBo,9,120\nCy,8,40\n";
    assert_eq!(standings(&table_with(text, &once()).unwrap()), ["1 Bo, 2 Ann, 3 Cy"]);
}

#[test]
fn episodes_are_the_contests_of_a_series() {
    let text = "Series,Episode,Contestant,Result,Technical_Rank\n5,1,Ann,HIGH,2.0\n5,1,Bo,SB,1.0\n\
                5,1,Cy,OUT,3.0\n5,2,Ann,SB,1.0\n5,2,Bo,OUT,2.0\n6,1,Di,SAFE,1.0\n6,1,Eve,SB,2.0\n";
    let reading = table_with(text, &from_2024(7)).unwrap();
    assert_eq!(standings(&reading), ["1 Bo, 2 Ann, 3 Cy", "1 Ann, 2 Bo", "1 Di, 2 Eve"]);
}

#[test]
fn rounds_headed_as_places_hold_places_also_with_gaps() {
    let rows = "Gulls,24,15,23\nTerns,25,22,14\nSkuas,12,19,21\n";
    let places = ["1 Skuas, 2 Gulls, 3 Terns", "1 Gulls, 2 Skuas, 3 Terns"];
    for heading in [
        "R# Pos",
        "Race # Place",
        "Pos. 2024-05-0#",
        "2024-05-0# Platz",
    ] {
        let headings = ["1", "2", "3"].map(|round| heading.replace('#', round)).join(",");
        let reading = table_with(&format!("Runner,{headings}\n{rows}"), &from_2024(1)).unwrap();
        assert_eq!(standings(&reading)[..2], places, "{heading}");
    }
    // Ties, points under headings of points, and means of shared places.
    let ties = "Runner,R1 Pos,R2 Pos\nAnn,1,2\nBo,1,1\nCy,2,DNF\n";
    let reading = table_with(ties, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 1 Bo, 3 Cy", "1 Bo, 2 Ann, - Cy"]);
    let points = format!("Runner,R1 Pts,R2 Pts,R3 Pts\n{rows}");
    let reading = table_with(&points, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading)[0], "1 Terns, 2 Gulls, 3 Skuas");
    let decimals = "Runner,R1 Pos,R2 Pos\nAnn,1.5,2\nBo,2,1\n";
    let reading = table_with(decimals, &from_2024(1)).unwrap();
    assert_eq!(standings(&reading), ["1 Ann, 2 Bo", "1 Bo, 2 Ann"]);
}

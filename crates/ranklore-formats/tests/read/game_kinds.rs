//! Tables that are told to be games by their columns, and the order of their rounds.

use super::games::places;
use super::table;
use ranklore_formats::TableShape;

#[test]
fn counted_teams_are_no_competitors() {
    for count in ["teams", "Players", "Competitors"] {
        let text = format!(
            "team1_name,team2_name,best_of,date,{count},team1_points,team2_points\nGulls,Larks,Best of 3,2024-03-01,20,2,0\nLarks,Millers,Best of 3,2024-03-02,20,1,2\n"
        );
        let reading = table(&text).unwrap();
        assert_eq!(
            places(&reading),
            [
                "2024-03-01 Gulls – Larks: 1 Gulls, 2 Larks",
                "2024-03-02 Larks – Millers: 1 Millers, 2 Larks"
            ],
            "{count}"
        );
    }
}

#[test]
fn numbers_of_teams_stay_competitors() {
    // A single team can have a number as its name.
    let text = "team,player1,player2,score,date\n11,Ada,Bea,9,2024-03-01\n12,Cy,Dov,7,2024-03-01\n";
    let shape = table(text).map(|reading| reading.layout.unwrap().shape);
    assert_ne!(shape, Ok(TableShape::Games));
}

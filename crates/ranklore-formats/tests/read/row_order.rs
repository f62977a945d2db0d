//! What the order of the rows says of places and times.

use super::{contest_lines, from_2024, notes, proposals, table_with};

#[test]
fn ranking_that_separates_equal_scores_is_asked_for() {
    let text = "Stelle,Player,Points\n1,Ada,13\n2,Bea,10\n3,Cy,10\n4,Dan,1\n";
    let choice = ["--column Stelle=place", "--column Stelle=ignore"];
    assert_eq!(proposals(text, &from_2024(1)), choice);
    // Ties in it tell nothing, nor do numbers of rows, nor one that does not follow the points.
    for other in [
        text.replace("3,Cy", "2,Cy"),
        text.replace("Stelle", "Row"),
        text.replace("Stelle", "Lp."),
        text.replace("Cy,10", "Cy,9"),
    ] {
        assert!(table_with(&other, &from_2024(1)).is_ok(), "{other}");
    }
}

#[test]
fn times_in_the_order_of_the_rows_win_lowest_first() {
    let text = "Name,Club,Time\nIvy,A,30:01\nMax,B,30:20\nPia,A,31:00\nOle,C,32:07\nUma,B,33:10\n";
    let reading = table_with(text, &from_2024(1)).unwrap();
    assert!(contest_lines(&reading)[0].contains("1 Ivy (1801), 2 Max (1820), 3 Pia"));
    assert!(notes(&reading).contains("the rows stand in that order"));
    let lowest = ["--lower-is-better"];
    for other in [
        // Times of starts, few rows, and another order.
        "Name,Time\nIvy,10:00\nMax,10:05\nPia,10:10\nOle,10:15\nUma,10:20\nKit,10:30\n",
        "Name,Time\nIvy,30:01\nMax,30:20\nPia,31:00\nOle,32:07\n",
        "Name,Time\nIvy,0:30\nMax,1:00\nPia,1:30\nOle,2:00\nUma,2:30\nKit,3:00\n",
        "Name,Time\nIvy,9:55\nMax,10:12\nPia,10:31\nOle,11:05\nUma,12:40\nKit,13:02\n",
        "Name,Time\nIvy,09:01:20\nMax,09:02:55\nPia,09:04:24\nOle,09:05:00\nUma,09:06:07\n",
        "Player,Time\nIvy,30:01\nMax,30:20\nPia,31:00\nOle,32:07\nUma,33:10\n",
        "Name,Hold,Time\nIvy,wall,30:01\nMax,bar,30:20\nPia,bar,31:00\nOle,wall,32:07\nUma,bar,33:10\n",
        "Time,Name\n30:01,Ivy\n30:20,Max\n31:00,Pia\n32:07,Ole\n33:10,Uma\n",
        "Name,Laps,Time\nIvy,9,30:01\nMax,9,30:20\nPia,8,31:00\nOle,8,32:07\nUma,7,33:10\n",
        "Name,Time\nIvy,30:01\nMax,30:20\nPia,31:00\nOle,32:07\nUma,30:10\n",
    ] {
        assert_eq!(proposals(other, &from_2024(1)), lowest, "{other}");
    }
}

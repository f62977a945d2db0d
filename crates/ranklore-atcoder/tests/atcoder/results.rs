//! Results: places and ratings.

use ranklore_source::ContestOutcome;

use crate::fixtures::{outcome, places, read, read_file, results_of};

#[test]
fn places_and_ratings_are_read() {
    let reading = read_file(&results_of("abc901"), "results-abc901.json");
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    let (entrants, official) = outcome(&reading);
    assert_eq!(
        places(entrants),
        [
            ("old_pike", 1),
            ("brass_lamp", 2),
            ("wren", 3),
            ("Otto_K", 3),
            ("tide7", 5),
            ("gone_gull", 6)
        ]
    );
    // The first is not rated in this contest.
    let ratings: Vec<(&str, Option<f64>, f64)> = official
        .iter()
        .map(|rating| (&*rating.competitor, rating.before, rating.after))
        .collect();
    assert_eq!(
        ratings,
        [
            ("brass_lamp", Some(1650.0), 1711.0),
            ("wren", Some(1203.0), 1260.0),
            ("Otto_K", Some(0.0), 402.0),
            ("tide7", Some(912.0), 890.0),
            ("gone_gull", Some(705.0), 640.0),
        ]
    );
}

#[test]
fn contest_without_rows_has_no_result_yet() {
    let reading = read_file(&results_of("agc901"), "results-agc901.json");
    assert_eq!(reading.results[0].outcome, ContestOutcome::NothingYet);
}

fn row(name: &str, place: u32) -> String {
    format!(
        r#"{{"IsRated":true,"Place":{place},"OldRating":1,"NewRating":2,"UserScreenName":"{name}","ContestScreenName":"abc901.contest.atcoder.jp"}}"#
    )
}

#[test]
fn rows_in_another_order_are_sorted() {
    let body = format!("[{},{},{}]", row("a", 2), row("b", 1), row("c", 2));
    let reading = read(&results_of("abc901"), body.as_bytes()).unwrap();
    assert_eq!(places(outcome(&reading).0), [("b", 1), ("a", 2), ("c", 2)]);
}

#[test]
fn gap_in_ranks_is_closed_with_a_warning() {
    let body = format!("[{},{},{}]", row("a", 1), row("b", 1), row("c", 5));
    let reading = read(&results_of("abc901"), body.as_bytes()).unwrap();
    assert_eq!(places(outcome(&reading).0), [("a", 1), ("b", 1), ("c", 3)]);
    assert_eq!(
        reading.warnings,
        ["contest abc901: ranks have gaps, first above \"c\" (rank 5); places were renumbered"]
    );
}

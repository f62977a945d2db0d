//! Standings: places, scores, times, teams.

use ranklore_contest::EntrantKind;
use ranklore_source::ContestOutcome;

use crate::fixtures::{outcome, places, read_file, standings_of};

#[test]
fn scores_and_times_are_read_in_points_and_seconds() {
    let reading = read_file(&standings_of("abc901"), "standings-abc901.json");
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    let (entrants, official) = outcome(&reading);
    // Their ratings are those of today.
    assert!(official.is_empty());
    assert_eq!(places(entrants)[2..4], [("wren", 3), ("Otto_K", 3)]);
    assert_eq!((entrants[0].score, entrants[0].penalty), (Some(650.0), Some(900.0)));
    assert_eq!((entrants[5].score, entrants[5].penalty), (Some(0.0), Some(0.0)));
}

#[test]
fn entrants_without_submission_are_left_out_and_counted() {
    let reading = read_file(&standings_of("abc901"), "standings-abc901.json");
    let names: Vec<&str> =
        outcome(&reading).0.iter().map(|entrant| entrant.competitor.as_str()).collect();
    // The last made submissions and has no points; the account is deleted.
    assert_eq!(names.last(), Some(&"gone_gull"));
    assert!(!names.contains(&"late_moth") && !names.contains(&"juniper"));
    let left_out: Vec<(&str, u64)> =
        reading.left_out.iter().map(|(kind, number)| (kind.as_str(), *number)).collect();
    assert_eq!(left_out, [("entrants without a submission", 2)]);
}

#[test]
fn heuristic_scores_are_exact() {
    let reading = read_file(&standings_of("ahc901"), "standings-ahc901.json");
    let (entrants, _) = outcome(&reading);
    assert_eq!(entrants[0].score, Some(91_234_567_890.0));
    assert_eq!(entrants[2].score, Some(123_456.0));
}

#[test]
fn teams_are_teams() {
    let contest = "harbour-2018-final";
    let reading = read_file(&standings_of(contest), "standings-harbour-2018-final.json");
    let (entrants, _) = outcome(&reading);
    assert!(entrants.iter().all(|entrant| entrant.kind == EntrantKind::Team));
    assert_eq!(places(entrants), [("Harbour Crew", 1), ("Lamp Trimmers", 2)]);
}

#[test]
fn standings_that_are_not_fixed_are_no_result_yet() {
    let reading = read_file(&standings_of("arc901"), "standings-arc901.json");
    assert_eq!(reading.results[0].outcome, ContestOutcome::NothingYet);
}

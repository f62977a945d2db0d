//! Rating changes.

use ranklore_contest::UnixSeconds;
use ranklore_source::{ContestOutcome, OfficialRating};

use crate::fixtures::{bytes, changes_of, places, read, read_file, single_result};

#[test]
fn ranks_are_places() {
    let reading = read_file(&changes_of(1001), "contest.ratingChanges-1001.json");
    assert!(reading.warnings.is_empty());
    let results = single_result(&reading);
    assert_eq!(results.external_id, "1001");
    assert_eq!(results.name.as_deref(), Some("Lantern Round 2 (Div. 1)"));
    assert_eq!(results.stood_at, UnixSeconds::new(1_743_009_000));
    let expected = [
        ("brass.lamp", 1),
        ("Tide_Table", 2),
        ("old-pier", 2),
        ("gull7", 4),
        ("NorthQuay", 5),
        ("mudflat", 5),
        ("keel_haul", 7),
    ];
    assert_eq!(places(results), expected);
    let ContestOutcome::Standings { official, .. } = &results.outcome else {
        panic!("{results:?}")
    };
    let rating = |index: usize| {
        let OfficialRating {
            competitor,
            before,
            after,
            volatility: None,
        } = &official[index]
        else {
            panic!("{official:?}")
        };
        (competitor.as_str(), before.unwrap(), *after)
    };
    assert_eq!(official.len(), 7);
    assert_eq!(rating(0), ("brass.lamp", 2301.0, 2390.0));
    // Ratings are as shown, including a newcomer's 0 and negative ones.
    assert_eq!(rating(4), ("NorthQuay", 0.0, 412.0));
    assert_eq!(rating(5), ("mudflat", -12.0, -40.0));
}

#[test]
fn duplicate_handle_keeps_better_rank() {
    let reading = read_file(&changes_of(1002), "contest.ratingChanges-1002.json");
    let expected = [
        ("reed_bed", 1),
        ("salt & \"brine\"", 2),
        ("oarlock", 3),
        ("jetty", 4),
        ("low_water", 5),
    ];
    assert_eq!(places(single_result(&reading)), expected);
    let ContestOutcome::Standings { official, .. } = &single_result(&reading).outcome else {
        panic!("{reading:?}")
    };
    assert_eq!(official.len(), 5);
    assert_eq!(official[0].after.to_string(), "1610");
    let warning = "contest 1002: \"reed_bed\" is listed twice, with ranks 1 and 4; the first counts, \
                   and places were renumbered";
    assert_eq!(reading.warnings, [warning]);
    // The latest of the differing times.
    assert_eq!(single_result(&reading).stood_at, UnixSeconds::new(1_743_009_600));
}

#[test]
fn ranks_with_gaps_are_renumbered() {
    let reading = read_file(&changes_of(1006), "contest.ratingChanges-1006.json");
    let expected = [("gull7", 1), ("oarlock", 2), ("jetty", 2), ("mudflat", 4)];
    assert_eq!(places(single_result(&reading)), expected);
    let warning = "contest 1006: ranks have gaps, first at \"oarlock\" (rank 3, expected 2); places \
                   were renumbered";
    assert_eq!(reading.warnings, [warning]);
}

#[test]
fn team_members_are_entrants_in_rating_changes() {
    let reading = read_file(&changes_of(1005), "contest.ratingChanges-1005.json");
    let expected = [
        ("brass.lamp", 1),
        ("gull7", 1),
        ("old-pier", 3),
        ("Tide_Table", 3),
        ("mudflat", 5),
        ("jetty", 6),
        ("oarlock", 7),
    ];
    assert_eq!(places(single_result(&reading)), expected);
    assert_eq!(reading.warnings.len(), 1);
}

#[test]
fn unrated_contests_have_no_standings() {
    for (contest, file, outcome) in [
        (1003, "contest.ratingChanges-1003.json", ContestOutcome::NothingYet),
        (1004, "contest.ratingChanges-1004.json", ContestOutcome::NotRated),
        (1010, "contest.ratingChanges-1010.json", ContestOutcome::NothingYet),
        (1099, "contest.ratingChanges-1099.json", ContestOutcome::Gone),
    ] {
        let reading = read_file(&changes_of(contest), file);
        assert_eq!(single_result(&reading).outcome, outcome, "{file}");
        assert_eq!(single_result(&reading).external_id, contest.to_string());
    }
}

#[test]
fn unsorted_rows_are_sorted_by_rank() {
    let text = String::from_utf8(bytes("contest.ratingChanges-1001.json")).unwrap();
    let mut answer: serde_json::Value = serde_json::from_str(&text).unwrap();
    answer["result"].as_array_mut().unwrap().reverse();
    let reading = read(&changes_of(1001), answer.to_string().as_bytes()).unwrap();
    let order: Vec<u32> = places(single_result(&reading)).iter().map(|(_, place)| *place).collect();
    assert_eq!(order, [1, 2, 2, 4, 5, 5, 7]);
    assert!(reading.warnings.is_empty());
}

#[test]
fn invalid_values_are_refused_with_path() {
    let text = String::from_utf8(bytes("contest.ratingChanges-1001.json")).unwrap();
    for (from, to, at, message) in [
        (
            "\"contestId\": 1001",
            "\"contestId\": 1002",
            "result[0].contestId",
            "1001, the contest asked for, not 1002",
        ),
        ("\"rank\": 4", "\"rank\": 0", "result[3].rank", "from 1 to 10000000, not 0"),
        ("\"rank\": 4", "\"rank\": -4", "result[3].rank", "-4"),
        ("\"rank\": 4", "\"rank\": 4.5", "result[3].rank", "4.5"),
        ("\"rank\": 4", "\"rank\": 4294967300", "result[3].rank", "4294967300"),
        (
            "\"oldRating\": 2301",
            "\"oldRating\": 1e400",
            "result[0].oldRating",
            "out of range",
        ),
        (
            "\"newRating\": 2390",
            "\"newRating\": 2147483647",
            "result[0].newRating",
            "within 100000 of 0",
        ),
        (
            "1743009000",
            "1743009000000",
            "result[0].ratingUpdateTimeSeconds",
            "1970 to 2199",
        ),
        ("\"gull7\"", "\"\"", "result[3].handle", "empty"),
    ] {
        let body = text.replacen(from, to, 1);
        let error = read(&changes_of(1001), body.as_bytes()).unwrap_err();
        assert_eq!(error.at, at, "{error}");
        assert!(error.expected.contains(message), "{error}");
        assert_eq!(error.document, changes_of(1001).key());
    }
}

#[test]
fn response_to_other_request_is_refused() {
    let body = bytes("contest.ratingChanges-1001.json");
    assert!(read(&changes_of(1002), &body).is_err());
    let mut foreign = changes_of(1001);
    foreign.path = "api/contest.hacks".to_owned();
    assert_eq!(read(&foreign, &body).unwrap_err().at, "the whole");
}

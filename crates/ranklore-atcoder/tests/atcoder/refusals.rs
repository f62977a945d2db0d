//! Irregular answers are errors with the path of the field.

use serde_json::{Value, json};

use crate::fixtures::{bytes, read, results_of, standings_of};

/// Reads a changed fixture; returns the path and the text of the error.
fn refuse(form: &str, change: impl FnOnce(&mut Value)) -> (String, String) {
    let request = match form {
        "results" => results_of("abc901"),
        _ => standings_of("abc901"),
    };
    let mut answer: Value = serde_json::from_slice(&bytes(&format!("{form}-abc901.json"))).unwrap();
    change(&mut answer);
    let error = read(&request, answer.to_string().as_bytes()).unwrap_err();
    (error.at, error.expected)
}

#[track_caller]
fn assert_refused(error: &(String, String), at: &str, word: &str) {
    assert_eq!(error.0, at, "{}", error.1);
    assert!(error.1.contains(word), "{}", error.1);
}

#[test]
fn duplicate_place_is_refused() {
    let error = refuse("results", |rows| rows[4]["Place"] = json!(4));
    assert_refused(&error, "[4].Place", "at least 5, since 4 entrants are above, not 4");
    let error = refuse("standings", |answer| {
        answer["StandingsData"][4]["Rank"] = json!(3);
    });
    assert_refused(&error, "StandingsData[4].Rank", "300 points and not 100");
}

#[test]
fn higher_score_on_a_lower_rank_is_refused() {
    let error = refuse("standings", |answer| {
        answer["StandingsData"][4]["TotalResult"]["Score"] = json!(50_000);
    });
    assert_refused(&error, "StandingsData[4].Rank", "a rank above");
}

#[test]
fn standing_without_a_task_is_refused() {
    let error = refuse("standings", |answer| {
        answer["StandingsData"][1]["TaskResults"] = json!({});
    });
    assert_refused(&error, "StandingsData[1].TaskResults", "a task, since the user made 3");
}

#[test]
fn score_of_null_is_refused() {
    let error = refuse("standings", |answer| {
        answer["StandingsData"][1]["TotalResult"]["Score"] = Value::Null;
    });
    assert_refused(&error, "StandingsData[1].TotalResult.Score", "null");
    let error = refuse("standings", |answer| {
        answer["StandingsData"][6]["TotalResult"]["Score"] = json!(100);
    });
    assert_refused(&error, "StandingsData[6].TotalResult.Score", "0 without a submission");
}

#[test]
fn user_twice_or_without_name_is_refused() {
    let error = refuse("results", |rows| rows[3]["UserScreenName"] = json!("brass_lamp"));
    assert_refused(&error, "[3].UserScreenName", "as at index 1");
    let error = refuse("standings", |answer| {
        answer["StandingsData"][3]["UserScreenName"] = json!("");
    });
    assert_refused(&error, "StandingsData[3].UserScreenName", "letters, digits");
}

#[test]
fn results_of_another_contest_are_refused() {
    let error = refuse("results", |rows| {
        rows[2]["ContestScreenName"] = json!("abc902.contest.atcoder.jp");
    });
    assert_refused(&error, "[2].ContestScreenName", "abc901.contest.atcoder.jp");
}

#[test]
fn implausible_numbers_are_refused() {
    for (field, value) in [
        ("Place", json!(0)),
        ("Place", json!(161)),
        ("OldRating", json!(100_001)),
        ("NewRating", json!(-100_001)),
    ] {
        let error = refuse("results", |rows| rows[5][field] = value);
        assert_refused(&error, &format!("[5].{field}"), "not ");
    }
    let error = refuse("standings", |answer| {
        answer["StandingsData"][1]["TotalResult"]["Elapsed"] = json!(u64::MAX);
    });
    assert_refused(&error, "StandingsData[1].TotalResult.Elapsed", "at most");
}

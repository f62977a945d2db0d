//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::{Classification, Source, Stage};
use serde_json::Value;

use crate::fixtures::{
    changes_of, list_request, places, read, single_result, source, standings_of,
};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("codeforces").join(name);
    Some(std::fs::read(path).unwrap())
}

#[test]
fn contest_list_of_2024_is_read() {
    let Some(array) = real_file("contest.list_2024-10_result_array.json") else {
        return;
    };
    let body = [b"{\"status\":\"OK\",\"result\":", &*array, b"}"].concat();
    let request = list_request();
    assert_eq!(source().classify(&request, 200, &body), Classification::Answer);
    let reading = read(&request, &body).unwrap();
    assert!(reading.lists_all && reading.warnings.is_empty() && reading.refused.is_empty());
    assert_eq!(reading.listed.len(), 1921);
    let in_stage = |stage| reading.listed.iter().filter(move |one| one.stage == stage);
    assert_eq!(in_stage(Stage::Announced).count(), 7);
    let waiting: Vec<&str> = in_stage(Stage::Running).map(|one| one.external_id.as_str()).collect();
    assert_eq!(waiting, ["1308", "1309"]);
    let divided = reading.listed.iter().filter(|one| one.division.is_some());
    assert_eq!(divided.count(), 1090);
    let events = reading.listed.iter().filter(|one| one.event.is_some());
    assert_eq!(events.count(), 531);

    let minimised = source().minimise(&request.key(), &body);
    assert_eq!(read(&request, &minimised).unwrap(), reading);
    // The same length as with the field removed by a regular expression.
    assert_eq!(minimised.len(), 457_559);
}

#[test]
fn first_round_is_read() {
    let Some(body) = real_file("contest.ratingChanges_1_first10.json") else {
        return;
    };
    let request = changes_of(1);
    let reading = read(&request, &body).unwrap();
    assert!(reading.warnings.is_empty());
    let places = places(single_result(&reading));
    assert_eq!(places.first(), Some(&("vepifanov", 1)));
    assert!(places.iter().zip(1..).all(|((_, place), due)| *place == due));
    conformance::check_fixture(
        &source(),
        &Fixture {
            name: "contest 1",
            request: &request,
            status: 200,
            body: &body,
            optional: &[],
        },
    );
}

#[test]
fn standings_of_one_handle_are_read() {
    let Some(body) = real_file("contest.standings_1474_one-handle_tiger2005_2021.json") else {
        return;
    };
    let request = standings_of(1474);
    let reading = read(&request, &body).unwrap();
    // One of thousands of rows: its rank is 36.
    assert_eq!(places(single_result(&reading)), [("tiger2005", 1)]);
    assert_eq!(reading.warnings.len(), 1);
    conformance::check_fixture(
        &source(),
        &Fixture {
            name: "standings of contest 1474",
            request: &request,
            status: 200,
            body: &body,
            optional: &["result.contest.startTimeSeconds"],
        },
    );
}

#[test]
fn error_bodies_are_classified() {
    let Some(bodies) = real_file("error_bodies.json") else {
        return;
    };
    let bodies: Vec<Value> = serde_json::from_slice(&bodies).unwrap();
    for refusal in bodies {
        let body = match &refusal["body"] {
            Value::String(text) => text.clone(),
            json => json.to_string(),
        };
        let status = u16::try_from(refusal["http"].as_u64().unwrap()).unwrap();
        let verdict = source().classify(&changes_of(9999), status, body.as_bytes());
        println!("{status} {body}: {verdict:?}");
        let expected = match body.as_str() {
            text if text.contains("unavailable") || text.contains("\"result\"") => "Answer",
            text if text.contains("Contest with") || text.contains("contestId: ") => "Answer",
            text if text.contains("Just a moment") => "Blocked",
            text if text.contains("limit") || text.contains("plain text") => "RetryLater",
            text if text.contains("temporarily") => "Failed",
            _ => "Invalid",
        };
        assert!(format!("{verdict:?}").starts_with(expected), "{body}: {verdict:?}");
    }
}

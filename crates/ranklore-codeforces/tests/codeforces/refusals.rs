//! Known API errors and non-answers.

use ranklore_codeforces::user_info_requests;
use ranklore_source::{Classification, ContestOutcome, Source};
use serde_json::Value;

use crate::fixtures::{bytes, changes_of, read, single_result, source, standings_of};

#[test]
fn known_errors_are_classified_and_read() {
    let refusals: Vec<Value> = serde_json::from_slice(&bytes("refusals.json")).unwrap();
    assert_eq!(refusals.len(), 15);
    for refusal in refusals {
        let request = match refusal["asked"].as_str().unwrap() {
            "changes" => changes_of(1000),
            "standings" => standings_of(1000),
            "info" => user_info_requests(["jetty", "no_such_gull"]).remove(0),
            other => panic!("{other}"),
        };
        let body = match &refusal["body"] {
            Value::String(text) => text.clone(),
            json => json.to_string(),
        };
        let status = u16::try_from(refusal["http"].as_u64().unwrap()).unwrap();
        let verdict = match source().classify(&request, status, body.as_bytes()) {
            Classification::Answer => "answer",
            Classification::RetryLater(_) | Classification::Failed(_) => "later",
            Classification::Blocked(_) => "blocked",
            Classification::Invalid(_) => "bad",
        };
        assert_eq!(refusal["verdict"], verdict, "{refusal}");
        let reading = read(&request, body.as_bytes());
        let reads = reading.as_ref().map(|reading| {
            if !reading.unknown.is_empty() {
                return "unknown";
            }
            match single_result(reading).outcome {
                ContestOutcome::Standings { .. } => "Stood",
                ContestOutcome::NothingYet => "NothingYet",
                ContestOutcome::NotRated => "NotRated",
                ContestOutcome::Gone => "Gone",
                ContestOutcome::Closed => "Closed",
            }
        });
        // A response that is not archived must not be readable either.
        assert_eq!(refusal["reads"].as_str(), reads.ok(), "{refusal}");
    }
}

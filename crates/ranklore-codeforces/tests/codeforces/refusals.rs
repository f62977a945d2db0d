//! Known API errors and non-answers.

use ranklore_codeforces::info_requests;
use ranklore_source::{ContestOutcome, Source, Verdict};
use serde_json::Value;

use crate::fixtures::{bytes, changes_of, only, read, source, standings_of};

#[test]
fn each_is_told_apart() {
    let refusals: Vec<Value> = serde_json::from_slice(&bytes("refusals.json")).unwrap();
    assert_eq!(refusals.len(), 15);
    for refusal in refusals {
        let request = match refusal["asked"].as_str().unwrap() {
            "changes" => changes_of(1000),
            "standings" => standings_of(1000),
            "info" => info_requests(["jetty", "no_such_gull"]).remove(0),
            other => panic!("{other}"),
        };
        let body = match &refusal["body"] {
            Value::String(text) => text.clone(),
            json => json.to_string(),
        };
        let status = u16::try_from(refusal["http"].as_u64().unwrap()).unwrap();
        let verdict = match source().classify(&request, status, body.as_bytes()) {
            Verdict::Answer => "answer",
            Verdict::RetryLater(_) => "later",
            Verdict::Blocked(_) => "blocked",
            Verdict::Invalid(_) => "bad",
        };
        assert_eq!(refusal["verdict"], verdict, "{refusal}");
        let reading = read(&request, body.as_bytes());
        let reads = reading.as_ref().map(|reading| {
            if !reading.unknown.is_empty() {
                return "unknown";
            }
            match only(reading).outcome {
                ContestOutcome::Stood { .. } => "Stood",
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

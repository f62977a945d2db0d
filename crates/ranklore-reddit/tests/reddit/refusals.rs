//! Error responses of the site.

use ranklore_source::{Classification, ContestOutcome, Source};

use crate::fixtures::{
    THREAD_ID, comment_tree_request, more_comments_request, read_with_status, source,
    thread_request, top_request,
};

fn classification_word(verdict: &Classification) -> &'static str {
    match verdict {
        Classification::Answer => "answer",
        Classification::RetryLater(_) | Classification::Failed(_) => "later",
        Classification::Blocked(_) => "blocked",
        Classification::Invalid(_) => "bad",
    }
}

fn classify_thread(status: u16, body: &str) -> &'static str {
    classification_word(&source().classify(&thread_request(), status, body.as_bytes()))
}

fn outcome(status: u16, body: &str) -> ContestOutcome {
    let reading = read_with_status(&thread_request(), status, body.as_bytes()).unwrap();
    assert_eq!(reading.results[0].external_id, THREAD_ID);
    reading.results[0].outcome.clone()
}

#[test]
fn missing_token_is_blocked() {
    let page = "<!DOCTYPE html><html><body>You've been blocked by network security.</body></html>";
    assert_eq!(classify_thread(403, page), "blocked");
}

#[test]
fn rejected_token_is_blocked() {
    let body = r#"{"message": "Unauthorized", "error": 401}"#;
    assert_eq!(classify_thread(401, body), "blocked");
}

#[test]
fn token_errors_with_status_200_are_invalid() {
    assert_eq!(classify_thread(200, r#"{"error":"unsupported_grant_type"}"#), "bad");
    assert_eq!(classify_thread(200, r#"{"message":"Unauthorized","error":401}"#), "bad");
}

#[test]
fn rate_limit_is_recognised_as_json_or_html() {
    assert_eq!(classify_thread(429, r#"{"message":"Too Many Requests","error":429}"#), "later");
    assert_eq!(classify_thread(429, "<html>Too Many Requests</html>"), "later");
}

#[test]
fn empty_server_errors_are_retried() {
    for status in [500, 502, 503, 504, 520, 522] {
        assert_eq!(classify_thread(status, ""), "later", "{status}");
    }
}

#[test]
fn broken_json_with_status_200_is_invalid() {
    assert_eq!(classify_thread(200, r#"[{"kind": "Listing", "data": {"modhash"#), "bad");
    assert_eq!(classify_thread(200, ""), "bad");
}

#[test]
fn forbidden_thread_is_closed() {
    for body in [
        r#"{"message":"Forbidden","error":403}"#,
        r#"{"reason":"private","message":"Forbidden","error":403}"#,
    ] {
        assert_eq!(classify_thread(403, body), "answer");
        assert_eq!(outcome(403, body), ContestOutcome::Closed);
    }
}

#[test]
fn missing_thread_is_gone() {
    for body in [
        r#"{"message":"Not Found","error":404}"#,
        r#"{"reason":"banned","message":"Not Found","error":404}"#,
    ] {
        assert_eq!(classify_thread(404, body), "answer");
        assert_eq!(outcome(404, body), ContestOutcome::Gone);
    }
}

#[test]
fn error_body_with_other_status_is_not_used() {
    let body = r#"{"message":"Not Found","error":404}"#;
    assert_eq!(classify_thread(403, body), "blocked");
    assert!(read_with_status(&thread_request(), 403, body.as_bytes()).is_err());
    assert!(read_with_status(&thread_request(), 200, body.as_bytes()).is_err());
}

#[test]
fn parts_of_a_thread_can_be_gone() {
    let body = br#"{"message":"Not Found","error":404}"#;
    for request in [comment_tree_request(), more_comments_request()] {
        assert_eq!(source().classify(&request, 404, body), Classification::Answer);
        let reading = read_with_status(&request, 404, body).unwrap();
        assert_eq!(reading.results[0].outcome, ContestOutcome::Gone);
    }
}

#[test]
fn closed_subreddit_is_named_with_reason() {
    for (status, reason) in [(403, "private"), (404, "banned"), (403, "quarantined")] {
        let body = format!(r#"{{"reason":"{reason}","message":"x","error":{status}}}"#);
        let verdict = source().classify(&top_request(), status, body.as_bytes());
        let Classification::Invalid(message) = &verdict else {
            panic!("{verdict:?}");
        };
        assert!(message.contains("r/LanternTales") && message.contains(reason), "{message}");
    }
}

#[test]
fn more_children_errors_come_with_status_200() {
    let limited =
        br#"{"json":{"errors":[["RATELIMIT","you are doing that too much","ratelimit"]]}}"#;
    let wrong = br#"{"json":{"errors":[["NO_THING_ID","id not specified","link_id"]]}}"#;
    assert_eq!(
        classification_word(&source().classify(&more_comments_request(), 200, limited)),
        "later"
    );
    assert_eq!(
        classification_word(&source().classify(&more_comments_request(), 200, wrong)),
        "bad"
    );
    assert!(read_with_status(&more_comments_request(), 200, wrong).is_err());
}

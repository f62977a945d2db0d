//! Property tests: classifying, minimising and reading arbitrary bytes never panics.

use std::sync::LazyLock;

use proptest::prelude::*;
use ranklore_conformance as conformance;
use ranklore_reddit::{DumpOptions, DumpReader};
use ranklore_source::Request;

use crate::fixtures::{all_answers, bytes, source, thread_json};

static REQUESTS: LazyLock<Vec<Request>> =
    LazyLock::new(|| all_answers().into_iter().map(|answer| answer.request).collect());

/// Processes the body as an answer to every kind of request.
fn check_all_requests(body: &[u8]) {
    for request in REQUESTS.iter() {
        conformance::check_any_answer(&source(), request, body);
    }
}

/// Reads the body as an archive: returns valid threads or an error.
fn check_as_archive(body: &[u8]) {
    let mut dump = DumpReader::new(DumpOptions::default());
    if dump.add_file("any", body).is_err() {
        return;
    }
    for thread in dump.into_threads().unwrap() {
        thread.unwrap().validate().unwrap();
    }
}

proptest! {
    #[test]
    fn random_body_does_not_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all_requests(&body);
        check_as_archive(&body);
    }

    #[test]
    fn json_fragments_do_not_panic(
        body in "(\\{\"kind\":\"Listing\",\"data\":\\{|\\[\\{\"kind\":|\\{\"json\":\\{\"errors\":)[\\[\\]{}\",:a-z0-9.\\\\ ]{0,80}"
    ) {
        check_all_requests(body.as_bytes());
    }

    #[test]
    fn mutated_fixture_does_not_panic(
        answer in prop::sample::select(all_answers()),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        check_all_requests(&conformance::corrupt_body(bytes(answer.file), &changes, conformance::JSON_BYTES));
    }

    #[test]
    fn mutated_archive_does_not_panic(
        file in prop::sample::select(&["RS_2024-06.ndjson", "RC_2024-06.ndjson"][..]),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        check_as_archive(&conformance::corrupt_body(bytes(file), &changes, conformance::JSON_BYTES));
    }

    #[test]
    fn random_key_does_not_panic(key in "((GET|POST) )?(r/|comments/|api/morechildren)?[0-9A-Za-z]{0,5}/?(top|new|_)?[?& ]?(children|after|limit)?=?\\PC{0,8}") {
        conformance::check_any_key(&source(), &key, b"{}");
    }
}

#[test]
fn deep_nesting_does_not_overflow() {
    for open in [
        "[",
        r#"{"a":"#,
        r#"[{"kind":"Listing","data":{"children":["#,
    ] {
        check_all_requests(open.repeat(20_000).as_bytes());
    }
    let mut replies = "\"\"".to_owned();
    for _ in 0..1_000 {
        let reply = crate::fixtures::comment_json("a", "Ada", 1, "t1_a", &replies);
        replies = crate::fixtures::listing_json(&[reply]);
    }
    let deep = crate::fixtures::comment_json("a", "Ada", 1, "t3_1a2b3c", &replies);
    check_all_requests(thread_json(&[deep]).as_bytes());
}

/// Serde refuses duplicate members only if it reads them, so this checks that dropped members are
/// not read.
#[test]
fn duplicate_dropped_members_change_nothing() {
    for (request, file, member, twice) in [
        (
            crate::fixtures::top_request(),
            "r-LanternTales-top.json",
            r#""created_utc":"#,
            r#""score":1,"score":2,"replies":"","replies":7,"created_utc":"#,
        ),
        (
            crate::fixtures::thread_request(),
            "comments-1a2b3c.json",
            r#""author":"#,
            r#""created_utc":1.0,"created_utc":2.0,"author":"#,
        ),
    ] {
        let body = String::from_utf8(bytes(file)).unwrap();
        let spoiled = body.replace(member, twice);
        assert_ne!(spoiled, body, "{file}");
        conformance::check_any_answer(&source(), &request, spoiled.as_bytes());
        let reading = crate::fixtures::read(&request, body.as_bytes()).unwrap();
        assert_eq!(
            format!("{:?}", crate::fixtures::read(&request, spoiled.as_bytes()).unwrap()),
            format!("{reading:?}")
        );
    }
}

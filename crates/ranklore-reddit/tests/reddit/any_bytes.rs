//! Property tests: classifying, minimising and reading arbitrary bytes never panics.

use std::sync::LazyLock;

use proptest::prelude::*;
use ranklore_reddit::{Dump, DumpOptions};
use ranklore_source::{Request, conformance};

use crate::fixtures::{all, bytes, source, whole};

static REQUESTS: LazyLock<Vec<Request>> =
    LazyLock::new(|| all().into_iter().map(|answer| answer.request).collect());

/// Processes the body as an answer to every kind of request.
fn every_way(body: &[u8]) {
    for request in REQUESTS.iter() {
        conformance::any_answer(&source(), request, body);
    }
}

/// Reads the body as an archive: returns valid threads or an error.
fn as_archive(body: &[u8]) {
    let mut dump = Dump::new(DumpOptions::default());
    if dump.take("any", body).is_err() {
        return;
    }
    for thread in dump.threads().unwrap() {
        thread.unwrap().validate().unwrap();
    }
}

proptest! {
    #[test]
    fn any_body(body in prop::collection::vec(any::<u8>(), 0..300)) {
        every_way(&body);
        as_archive(&body);
    }

    #[test]
    fn nearly_json(
        body in "(\\{\"kind\":\"Listing\",\"data\":\\{|\\[\\{\"kind\":|\\{\"json\":\\{\"errors\":)[\\[\\]{}\",:a-z0-9.\\\\ ]{0,80}"
    ) {
        every_way(body.as_bytes());
    }

    #[test]
    fn nearly_a_fixture(
        answer in prop::sample::select(all()),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        every_way(&conformance::spoiled(bytes(answer.file), &changes, conformance::OF_JSON));
    }

    #[test]
    fn nearly_an_archive(
        file in prop::sample::select(&["RS_2024-06.ndjson", "RC_2024-06.ndjson"][..]),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        as_archive(&conformance::spoiled(bytes(file), &changes, conformance::OF_JSON));
    }

    #[test]
    fn any_key(key in "((GET|POST) )?(r/|comments/|api/morechildren)?[0-9A-Za-z]{0,5}/?(top|new|_)?[?& ]?(children|after|limit)?=?\\PC{0,8}") {
        conformance::any_key(&source(), &key, b"{}");
    }
}

#[test]
fn nothing_is_so_deep_that_it_overflows() {
    for open in [
        "[",
        r#"{"a":"#,
        r#"[{"kind":"Listing","data":{"children":["#,
    ] {
        every_way(open.repeat(20_000).as_bytes());
    }
    let mut replies = "\"\"".to_owned();
    for _ in 0..1_000 {
        let reply = crate::fixtures::comment("a", "Ada", 1, "t1_a", &replies);
        replies = crate::fixtures::listing(&[reply]);
    }
    let deep = crate::fixtures::comment("a", "Ada", 1, "t3_1a2b3c", &replies);
    every_way(whole(&[deep]).as_bytes());
}

/// Serde refuses duplicate members only if it reads them, so this checks that dropped members are
/// not read.
#[test]
fn what_is_not_kept_spoils_nothing_by_standing_twice() {
    for (request, file, member, twice) in [
        (
            crate::fixtures::top(),
            "r-LanternTales-top.json",
            r#""created_utc":"#,
            r#""score":1,"score":2,"replies":"","replies":7,"created_utc":"#,
        ),
        (
            crate::fixtures::thread(),
            "comments-1a2b3c.json",
            r#""author":"#,
            r#""created_utc":1.0,"created_utc":2.0,"author":"#,
        ),
    ] {
        let body = String::from_utf8(bytes(file)).unwrap();
        let spoiled = body.replace(member, twice);
        assert_ne!(spoiled, body, "{file}");
        conformance::any_answer(&source(), &request, spoiled.as_bytes());
        let whole = crate::fixtures::read(&request, body.as_bytes()).unwrap();
        assert_eq!(
            format!(
                "{:?}",
                crate::fixtures::read(&request, spoiled.as_bytes()).unwrap()
            ),
            format!("{whole:?}")
        );
    }
}

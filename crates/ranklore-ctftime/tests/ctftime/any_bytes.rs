//! Whatever the bytes, judging, keeping and reading them ends with an answer and not with a panic.

use proptest::prelude::*;
use ranklore_contest::UnixSeconds;
use ranklore_source::{Document, Source, conformance};

use crate::fixtures::{all, bytes, source};

/// As an answer to every question there is.
fn every_way(body: &[u8]) {
    for answer in all() {
        conformance::any_answer(&source(), &answer.request, body);
    }
}

/// A fixture in which bytes are changed, left out or doubled.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    let files: Vec<Vec<u8>> = all().iter().map(|answer| bytes(answer.file)).collect();
    let changes = prop::collection::vec(any::<(usize, u8, u8)>(), 1..8);
    (prop::sample::select(files), changes).prop_map(|(body, changes)| {
        // What JSON is made of is likelier to matter.
        conformance::spoiled(body, &changes, b"\"\\{}[],:-0e.9n ")
    })
}

proptest! {
    #[test]
    fn any_body(body in prop::collection::vec(any::<u8>(), 0..300)) {
        every_way(&body);
    }

    #[test]
    fn nearly_json(
        body in "(\\{\"[0-9x]{1,4}\":\\{|\\[\\{\"id\":|\\{\"limit\":)[\\[\\]{}\",:a-z0-9.\\\\ ]{0,80}"
    ) {
        every_way(body.as_bytes());
    }

    #[test]
    fn nearly_a_fixture(body in mutated()) {
        every_way(&body);
    }

    #[test]
    fn any_key(key in "((GET|POST) )?(api/v1/)?(results/|events/|teams/)?[0-9]{0,5}/?[?& ]?(start|finish|offset)?=?\\PC{0,8}") {
        let document = Document {
            request_key: &key,
            fetched_at: UnixSeconds::MIN,
            status: 200,
            body: b"{}",
        };
        let _ = source().read(&document);
        source().kept(&key, document.body);
    }
}

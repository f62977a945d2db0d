//! No input makes classifying, minimising or reading panic.

use proptest::prelude::*;
use ranklore_source::conformance;

use crate::fixtures::{all, bytes, source};

/// Reads the body as the response to every request.
fn every_way(body: &[u8]) {
    for answer in all() {
        conformance::any_answer(&source(), &answer.request, body);
    }
}

proptest! {
    #[test]
    fn any_body(body in prop::collection::vec(any::<u8>(), 0..300)) {
        every_way(&body);
    }

    #[test]
    fn nearly_json(
        body in "(\\{\"[0-9x]{1,4}\":\\{|\\[\\{\"id\":|\\{\"limit\":|\\{\"id\":704,)[\\[\\]{}\",:a-z0-9.\\\\ ]{0,80}"
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
    fn any_key(key in "((GET|POST) )?(api/v1/)?(results/|events/|teams/)?[0-9]{0,5}/?[?& ]?(start|finish|offset)?=?\\PC{0,8}") {
        conformance::any_key(&source(), &key, b"{}");
    }
}

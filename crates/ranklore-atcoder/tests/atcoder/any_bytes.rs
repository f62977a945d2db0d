//! No input makes classifying, minimising or reading panic.

use proptest::prelude::*;
use ranklore_conformance as conformance;

use crate::fixtures::{all_answers, bytes, source};

/// Reads the body as the response to every request.
fn check_all_requests(body: &[u8]) {
    for answer in all_answers() {
        conformance::check_any_answer(&source(), &answer.request, body);
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_do_not_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all_requests(&body);
    }

    #[test]
    fn almost_json_does_not_panic(
        body in "(\\[\\{\"id\":|\\[\\{\"Place\":|\\{\"StandingsData\":\\[|\\{\"Fixed\":true,)[\\[\\]{}\",:a-zA-Z0-9.\\\\ ]{0,80}"
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
    fn arbitrary_key_does_not_panic(key in "((GET|POST) )?(contests/|atcoder/resources/contests.json)?[a-z0-9]{0,5}(/results|/standings)?(/json)?[?& ]?\\PC{0,8}") {
        conformance::check_any_key(&source(), &key, b"[]");
    }
}

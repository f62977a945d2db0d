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
        body in "\\{\"count\":[0-9]{1,3},\"num_pages\":1,\"races\":\\[[\\[\\]{}\",:a-z0-9.\\\\ ]{0,80}"
    ) {
        check_all_requests(body.as_bytes());
    }

    #[test]
    fn mutated_fixture_does_not_panic(
        answer in prop::sample::select(all_answers()),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        let body = conformance::corrupt_body(bytes(answer.file), &changes, conformance::JSON_BYTES);
        check_all_requests(&body);
    }

    #[test]
    fn arbitrary_key_does_not_panic(
        key in "((GET|POST) )?([a-z]{0,3}/)?races/data[?& ]?(page=[0-9]{0,20}&per_page=[0-9]{0,3}&show_entrants=true)?\\PC{0,8}"
    ) {
        conformance::check_any_key(&source(), &key, &bytes("races.json"));
    }
}

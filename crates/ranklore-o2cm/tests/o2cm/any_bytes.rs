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
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn arbitrary_bytes_do_not_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all_requests(&body);
    }

    #[test]
    fn almost_html_does_not_panic(
        body in "(</?(table|tr|td|a|select|option|input|form|html|script)( class=(t2b|t2n|h5b))?( name=[a-z]{1,3})?/?>|[0-9]\\) [a-z]{1,3} & [a-z]{1,3}|----|&nbsp){0,40}"
    ) {
        check_all_requests(body.as_bytes());
    }

    #[test]
    fn mutated_fixture_does_not_panic(
        answer in prop::sample::select(all_answers()),
        changes in prop::collection::vec(any::<(usize, u8, u8)>(), 1..8),
    ) {
        check_all_requests(&conformance::corrupt_body(bytes(answer.file), &changes, conformance::MARKUP_BYTES));
    }

    #[test]
    fn arbitrary_key_does_not_panic(key in "((GET|POST) )?(default.asp|event3.asp|scoresheet3.asp)?[?& ]?((event|heatid|inyear|inmonth|selCount)=\\PC{0,8}&?){0,3}") {
        conformance::check_any_key(&source(), &key, b"<form name=webfilter><table><tr><td>x</table></html>");
    }
}

//! No input makes classifying, minimising or reading panic.

use proptest::prelude::*;
use ranklore_conformance as conformance;
use ranklore_topcoder::parse_saved_file_name;

use crate::fixtures::{all_answers, bytes, source};

/// Reads the body as the response to every request.
fn check_all_requests(body: &[u8]) {
    for answer in all_answers() {
        conformance::check_any_answer(&source(), &answer.request, body);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn arbitrary_bytes_do_not_panic(body in prop::collection::vec(any::<u8>(), 0..300)) {
        check_all_requests(&body);
    }

    #[test]
    fn almost_feed_does_not_panic(
        body in "<dd_round_(list|results)>(</?(row|coder_id|handle|paid|date|round_id|division|rated_flag)/?>|[0-9.]{1,4}|&(amp|lt|#[0-9]{1,3}|x);|<!--|<!\\[CDATA\\[|\\]\\]>| ){0,40}</dd_round_(list|results)>"
    ) {
        check_all_requests(body.as_bytes());
    }

    #[test]
    fn almost_html_does_not_panic(
        body in "(</?(table|tr|td|a|html)( href='/(stat|tc)\\?(c=round_overview&rd|cr)=[0-9]{1,2}')?/?>|Coders|Final Points|Division-I|[0-9]{2}\\.[0-9]{2}\\.2001|[0-9]{1,3}|&nbsp){0,40}</html>"
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
    fn arbitrary_key_or_file_name_does_not_panic(
        key in "((GET|POST) )?(tc|stat)?[?& _]?((module|c|rd|sr|nr|dn)=(BasicData|MatchList|dd_round_list|dd_round_results|round_stats|\\PC{0,8})&?){0,4}"
    ) {
        conformance::check_any_key(&source(), &key, b"<dd_round_list><row></row></dd_round_list>");
        let _ = parse_saved_file_name(&key);
    }
}

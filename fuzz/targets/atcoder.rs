//! Responses about AtCoder: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_atcoder::{AtcoderSource, join};
use ranklore_conformance as conformance;
use ranklore_source::{Request, Source};

static SOURCE: AtcoderSource = AtcoderSource { standings: true };

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let list = SOURCE.initial_requests().remove(0);
    let body = br#"[{"id":"abc901","start_epoch_second":0,"duration_second":1,"title":"x","rate_change":"-"}]"#;
    let reading =
        conformance::read_answer(&SOURCE, &list, 200, body).expect("a list of one contest");
    let mut requests = vec![list];
    requests.extend(reading.listed.into_iter().flat_map(|contest| contest.results));
    requests
});

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    let Some(reading) = conformance::check_any_answer(&SOURCE, request, body) else {
        return;
    };
    if let Some(results) = reading.results.into_iter().next() {
        let (joined, warnings) = join(results.clone(), results.clone());
        assert_eq!((joined, warnings), (results, Vec::new()), "joined with itself");
    }
});

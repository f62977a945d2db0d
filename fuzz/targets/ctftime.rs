//! Responses of CTFtime: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_conformance as conformance;
use ranklore_contest::UnixSeconds;
use ranklore_ctftime::CtftimeSource;
use ranklore_source::{Accounts, Document, Request, SiteReadError, SiteReading, Source};

static SOURCE: CtftimeSource = CtftimeSource;

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let of_year = |year: &str| {
        let mut start = SOURCE.initial_requests().into_iter();
        start.find(|request| request.path.contains(year))
    };
    let year = of_year("2024").expect("2024 is asked for");
    let body = br#"{"1":{"title":"x","time":1717243200.0,"scores":[]}}"#;
    let june = read(&year, body).expect("a year of one event").follow;
    let mut requests = vec![year];
    requests.extend(june);
    requests.extend(SOURCE.list());
    requests.extend(SOURCE.lookup(&["704"]));
    requests
});

fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    SOURCE.read(&Document {
        request_key: &request.key(),
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    })
}

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    if let Some(whole) = conformance::check_any_answer(&SOURCE, request, body) {
        assert_eq!(SOURCE.find_merged(&whole, &whole), [], "moved without a change");
    }
});

//! Responses of Codeforces: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_codeforces::{Codeforces, Options, info_requests, join, rated_list};
use ranklore_contest::UnixSeconds;
use ranklore_source::conformance;
use ranklore_source::{Document, ReadError, Reading, Request, Source};

static SOURCE: Codeforces = Codeforces::new(Options { standings: true });

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let list = SOURCE.start().remove(0);
    let body = br#"{"status":"OK","result":[{"id":1001,"name":"x","phase":"FINISHED","durationSeconds":1}]}"#;
    let mut reading = read(&list, body).expect("a list of one contest");
    let mut requests = vec![list];
    requests.append(&mut reading.listed.remove(0).results);
    requests.push(rated_list());
    requests.extend(info_requests(["quiet", "jetty", "old_lamp", "oarlock"]));
    requests
});

fn read(request: &Request, body: &[u8]) -> Result<Reading, ReadError> {
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
    let whole = conformance::any_answer(&SOURCE, request, body);
    for results in whole.into_iter().flat_map(|reading| reading.results) {
        // The same people again, as in another document of the contest.
        let _ = join(results.clone(), results);
    }
});

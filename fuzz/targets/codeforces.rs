//! Responses of Codeforces: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_codeforces::{CodeforcesSource, join, rated_users_request, user_info_requests};
use ranklore_conformance as conformance;
use ranklore_contest::UnixSeconds;
use ranklore_source::{Document, Request, SiteReadError, SiteReading, Source};

static SOURCE: CodeforcesSource = CodeforcesSource { standings: true };

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let list = SOURCE.initial_requests().remove(0);
    let body = br#"{"status":"OK","result":[{"id":1001,"name":"x","phase":"FINISHED","durationSeconds":1}]}"#;
    let mut reading = read(&list, body).expect("a list of one contest");
    let mut requests = vec![list];
    requests.append(&mut reading.listed.remove(0).results);
    requests.push(rated_users_request());
    requests.extend(user_info_requests(["quiet", "jetty", "old_lamp", "oarlock"]));
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
    let whole = conformance::check_any_answer(&SOURCE, request, body);
    for results in whole.into_iter().flat_map(|reading| reading.results) {
        // The same people again, as in another document of the contest.
        let _ = join(results.clone(), results);
    }
});

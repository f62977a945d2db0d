//! Responses of racetime.gg: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_conformance as conformance;
use ranklore_racetime::RacetimeSource;
use ranklore_source::{Request, Source};

/// The first page and a later one; `seeds.sh` counts them in the same order.
static SOURCE: LazyLock<RacetimeSource> = LazyLock::new(|| {
    RacetimeSource::from_archive([
        "GET smr/races/data?page=1&per_page=100&show_entrants=true",
        "GET smr/races/data?page=2&per_page=95&show_entrants=true",
    ])
});

static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| SOURCE.initial_requests());

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    conformance::check_any_answer(&*SOURCE, request, body);
});

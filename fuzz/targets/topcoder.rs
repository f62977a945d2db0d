//! Responses of Topcoder: the first byte selects the request, the rest is the response.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_conformance as conformance;
use ranklore_source::Request;
use ranklore_topcoder::{TopcoderSource, parse_saved_file_name};

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    [
        "tc_module=BasicData&c=dd_round_list",
        "tc_module=BasicData&c=dd_round_results&rd=9601",
        "tc_module=MatchList&nr=200&sr=1",
        "stat_c=round_stats&rd=9601&dn=1",
    ]
    .into_iter()
    .filter_map(parse_saved_file_name)
    .collect()
});

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    conformance::check_any_answer(&TopcoderSource::default(), request, body);
});

//! Pages of O2CM: the first byte selects the request, the rest is the page.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_conformance as conformance;
use ranklore_o2cm::O2cmSource;
use ranklore_source::{MediaKind, Request, Source};

/// Every kind of request; `seeds.sh` counts them in the same order.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let mut requests = O2cmSource.initial_requests();
    requests.push(
        Request::post("default.asp", MediaKind::Html, "a month")
            .with_form_field("inyear", 2023)
            .with_form_field("inmonth", 4),
    );
    requests.push(
        Request::post("event3.asp", MediaKind::Html, "a competition")
            .with_form_field("event", "gls23"),
    );
    requests
});

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    conformance::check_any_answer(&O2cmSource, request, body);
});

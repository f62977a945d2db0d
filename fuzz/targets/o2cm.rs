//! Pages of O2CM: the first byte says which question they answer, the rest is the page.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_o2cm::{O2cm, Options, scoresheet};
use ranklore_source::conformance;
use ranklore_source::{Form, Request, Source};

static SOURCE: O2cm = O2cm::new(Options { scoresheets: true });

/// Every kind of question there is; `seeds.sh` counts them the same way.
static REQUESTS: LazyLock<Vec<Request>> = LazyLock::new(|| {
    let mut requests = SOURCE.start();
    requests.push(
        Request::post("default.asp", Form::Html, "a month")
            .with_field("inyear", 2023)
            .with_field("inmonth", 4),
    );
    requests.push(
        Request::post("event3.asp", Form::Html, "a competition").with_field("event", "gls23"),
    );
    requests.push(
        Request::get("scoresheet3.asp", Form::Html, "a final")
            .with("event", "gls23")
            .with("heatid", "40328968"),
    );
    requests.push(
        Request::post("scoresheet3.asp", Form::Html, "a round")
            .with_field("event", "gls23")
            .with_field("heatid", "40328968")
            .with_field("selCount", 1),
    );
    requests
});

fuzz_target!(|data: &[u8]| {
    let Some((which, body)) = data.split_first() else {
        return;
    };
    let which = usize::from(which.wrapping_sub(b'0'));
    let request = &REQUESTS[which % REQUESTS.len()];
    conformance::any_answer(&SOURCE, request, body);
    let _ = scoresheet(&request.key(), body);
});

//! Pages of O2CM: the first byte says which question they answer, the rest is the page.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ranklore_contest::UnixSeconds;
use ranklore_o2cm::{O2cm, Options, scoresheet};
use ranklore_source::conformance::{self, Fixture};
use ranklore_source::{Document, Form, Request, Source, Verdict};

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
    for status in [200, 403, 404, 500] {
        SOURCE.judge(request, status, body);
    }
    let key = request.key();
    let document = |body| Document {
        request_key: &key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    };
    let kept = SOURCE.kept(&key, body);
    assert_eq!(SOURCE.kept(&key, &kept), kept, "kept again, it is another");
    let whole = SOURCE.read(&document(body));
    let left = SOURCE.read(&document(&kept));
    assert_eq!(
        whole.as_ref().ok(),
        left.as_ref().ok(),
        "kept, it says something else"
    );
    SOURCE.redact(&document(body), &|name| {
        name.contains('a').then(|| "forgotten".to_owned())
    });
    let _ = scoresheet(&key, body);
    let answered = SOURCE.judge(request, 200, body) == Verdict::Answer;
    if whole.is_ok() && answered {
        conformance::reading(
            &SOURCE,
            &Fixture {
                name: "input",
                request,
                status: 200,
                body,
                optional: &[],
            },
        );
    }
});

//! Throughput of classifying, minimising and reading large responses, and of reading them
//! minimised, as a rebuild does: in MB a second on one core, for the benchmarks of all sources.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ranklore_contest::UnixSeconds;
use ranklore_source::{Document, Request, Source};

/// Measures named responses in turn; skips those without a request.
pub(crate) fn measure<'a>(
    source: &dyn Source,
    answers: impl IntoIterator<Item = (&'a str, Option<Request>, String)>,
) {
    println!("MB/s, fastest run");
    println!(
        "{:24} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "", "MB", "kept MB", "classify", "minimise", "read", "reread"
    );
    for (name, request, body) in answers {
        if let Some(request) = request {
            measure_one(source, name, &request, body.as_bytes());
        }
    }
}

fn measure_one(source: &dyn Source, name: &str, request: &Request, body: &[u8]) {
    let key = request.key();
    let kept = source.minimise(&key, body);
    let document = |body| Document {
        request_key: &key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    };
    if let Err(error) = source.read(&document(&kept)) {
        println!("{name}: {error}");
        return;
    }
    let judge = megabytes_per_second(body.len(), || black_box(source.classify(request, 200, body)));
    let keep = megabytes_per_second(body.len(), || black_box(source.minimise(&key, body)));
    let read = megabytes_per_second(body.len(), || black_box(source.read(&document(body))));
    let reread = megabytes_per_second(kept.len(), || black_box(source.read(&document(&kept))));
    let (size, left) = (body.len() as f64 / 1e6, kept.len() as f64 / 1e6);
    println!("{name:24} {size:8.2} {left:8.2} {judge:8.0} {keep:8.0} {read:8.0} {reread:8.0}");
}

/// Throughput in MB a second of the fastest run within a second.
fn megabytes_per_second<T>(bytes: usize, run: impl Fn() -> T) -> f64 {
    let begin = Instant::now();
    let mut best = Duration::MAX;
    while begin.elapsed() < Duration::from_secs(1) {
        let start = Instant::now();
        let result = run();
        best = best.min(start.elapsed());
        drop(result);
    }
    bytes as f64 / 1e6 / best.as_secs_f64()
}

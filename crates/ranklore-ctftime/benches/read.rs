//! How fast large answers are judged, reduced and read, in MB of JSON a second on one core:
//! `cargo bench -p ranklore-ctftime`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use ranklore_contest::UnixSeconds;
use ranklore_ctftime::Ctftime;
use ranklore_source::{Document, Request, Source};

/// As many as in a full year.
const EVENTS: usize = 250;

/// Teams in each of them.
const ROWS: usize = 500;

fn main() {
    let source = Ctftime;
    let start = source.start();
    let year = start.iter().find(|request| request.path.contains("2024"));
    let june = year.and_then(|year| follow(&source, year));
    let teams = source.everybody();
    println!("MB of JSON a second, best of several");
    println!(
        "{:24} {:>8} {:>8} {:>8} {:>8}",
        "", "MB", "judge", "kept", "read"
    );
    for (name, request, body) in [
        ("results", year, results(None)),
        ("results, one refused", year, results(Some(EVENTS / 2))),
        ("events", june.as_ref(), events()),
        ("teams", teams.first(), page()),
    ] {
        if let Some(request) = request {
            measure(&source, name, request, body.as_bytes());
        }
    }
}

/// What a year with an event in June says to ask for.
fn follow(source: &dyn Source, year: &Request) -> Option<Request> {
    let body = br#"{"1":{"title":"x","time":1717243200.0,"scores":[]}}"#;
    let document = Document {
        request_key: &year.key(),
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body,
    };
    source.read(&document).ok()?.follow.into_iter().next()
}

fn measure(source: &dyn Source, name: &str, request: &Request, body: &[u8]) {
    let key = request.key();
    let kept = source.kept(&key, body);
    let document = Document {
        request_key: &key,
        fetched_at: UnixSeconds::MIN,
        status: 200,
        body: &kept,
    };
    if let Err(error) = source.read(&document) {
        println!("{name}: {error}");
        return;
    }
    let judge = speed(body.len(), || black_box(source.judge(request, 200, body)));
    let keep = speed(body.len(), || black_box(source.kept(&key, body)));
    let read = speed(kept.len(), || black_box(source.read(&document)));
    let size = body.len() as f64 / 1e6;
    println!("{name:24} {size:8.2} {judge:8.0} {keep:8.0} {read:8.0}");
}

/// MB a second of the fastest run within a second.
fn speed<T>(bytes: usize, run: impl Fn() -> T) -> f64 {
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

/// A year; one of its events may lack its title.
fn results(broken: Option<usize>) -> String {
    let event = |index: usize| {
        let rows: Vec<String> = (0..ROWS)
            .map(|row| {
                format!(
                    r#"{{"team_id": {}, "points": "{}.0000", "place": {}}}"#,
                    (index * 7919 + row * 31) % 300_000 + 1,
                    50 * (ROWS - row),
                    row + 1
                )
            })
            .collect();
        let title = match broken {
            Some(broken) if broken == index => "",
            _ => r#""title": "Lantern CTF", "#,
        };
        let id = 2000 + index;
        format!(
            r#""{id}": {{{title}"scores": [{}], "time": 1717243200.0}}"#,
            rows.join(", ")
        )
    };
    let events: Vec<String> = (0..EVENTS).map(event).collect();
    format!("{{{}}}", events.join(", "))
}

fn events() -> String {
    let event = |index: usize| {
        let id = index + 1;
        let words = "Bring a lamp, the harbour is dark. ".repeat(40);
        format!(
            r#"{{"organizers": [{{"id": {id}, "name": "Team {id}"}}], "onsite": false, "finish": "2024-06-25T04:00:00+00:00", "description": "{words}", "weight": 24.87, "title": "Lantern CTF {id}", "url": "https://lantern.example/", "is_votable_now": false, "restrictions": "Open", "format": "Jeopardy", "start": "2024-06-24T04:00:00+00:00", "participants": 73, "ctftime_url": "https://ctftime.org/event/{id}/", "location": "", "live_feed": "", "public_votable": true, "duration": {{"hours": 0, "days": 1}}, "logo": "", "format_id": 1, "id": {id}, "ctf_id": 114}}"#
        )
    };
    let events: Vec<String> = (0..100).map(event).collect();
    format!("[{}]", events.join(", "))
}

fn page() -> String {
    let team = |index: usize| {
        format!(
            r#"{{"academic": false, "primary_alias": "Gull {index}", "name": "Gull {index}", "country": "", "rating": [{{"2024": {{"rating_place": {index}, "rating_points": 1.5}}}}], "id": {}, "aliases": []}}"#,
            index + 1
        )
    };
    let teams: Vec<String> = (0..1000).map(team).collect();
    format!(
        r#"{{"limit": 1000, "offset": 0, "result": [{}]}}"#,
        teams.join(", ")
    )
}

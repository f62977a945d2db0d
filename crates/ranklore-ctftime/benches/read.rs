//! Speed of classifying, minimising and reading large responses: `cargo bench -p ranklore-ctftime`.

#[path = "../../../benches/answers.rs"]
mod answers;

use ranklore_conformance as conformance;
use ranklore_ctftime::CtftimeSource;
use ranklore_source::{Accounts, Request, Source};

/// Events of a full year.
const EVENTS: usize = 250;

/// Teams per event.
const ROWS: usize = 500;

fn main() {
    let source = CtftimeSource;
    let mut start = source.initial_requests().into_iter();
    let year = start.find(|request| request.path.contains("2024"));
    let june = year.as_ref().and_then(|year| events_request(&source, year));
    let teams = source.list().into_iter().next();
    let refused = results(Some(EVENTS / 2));
    answers::measure(
        &source,
        [
            ("results", year.clone(), results(None)),
            ("results, one refused", year, refused),
            ("events", june, events()),
            ("teams", teams, page()),
        ],
    );
}

/// Returns the request that a year with an event in June leads to.
fn events_request(source: &dyn Source, year: &Request) -> Option<Request> {
    let body = br#"{"1":{"title":"x","time":1717243200.0,"scores":[]}}"#;
    let reading = conformance::read_answer(source, year, 200, body).ok()?;
    reading.follow.into_iter().next()
}

/// Returns a year; one event may lack its title.
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
        format!(r#""{id}": {{{title}"scores": [{}], "time": 1717243200.0}}"#, rows.join(", "))
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
    format!(r#"{{"limit": 1000, "offset": 0, "result": [{}]}}"#, teams.join(", "))
}

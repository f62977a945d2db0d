//! The responses in `fixtures/ctftime` and their requests.

use std::path::PathBuf;

use ranklore_conformance as conformance;
use ranklore_contest::Entrant;
use ranklore_ctftime::CtftimeSource;
use ranklore_source::{Accounts, ContestOutcome, Request, SiteReadError, SiteReading, Source};

/// A fixture file with its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
}

pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request| FixtureAnswer { file, request };
    vec![
        answer("results-2024.json", results_of(2024)),
        answer("results-2024-later.json", results_of(2024)),
        answer("results-2026.json", results_of(2026)),
        answer("events-2024-06.json", events_of_june()),
        answer("teams-first.json", teams_from(0)),
        answer("teams-last.json", teams_from(3)),
        answer("team-704.json", team(704)),
    ]
}

pub(crate) fn source() -> CtftimeSource {
    CtftimeSource
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ctftime");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

pub(crate) fn results_of(year: i32) -> Request {
    let path = format!("api/v1/results/{year}/");
    let mut start = source().initial_requests().into_iter();
    start.find(|request| request.path == path).unwrap()
}

/// Returns the events request that the results of 2024 lead to.
pub(crate) fn events_of_june() -> Request {
    let body = br#"{"1":{"title":"x","time":1717243200.0,"scores":[]}}"#;
    read(&results_of(2024), body).unwrap().follow.remove(0)
}

/// Returns the request that a page of `offset` teams leads to.
pub(crate) fn teams_from(offset: usize) -> Request {
    let first = source().list().remove(0);
    if offset == 0 {
        return first;
    }
    let team = r#"{"id":1,"name":"x"}"#;
    let teams = vec![team; offset].join(",");
    let body = format!(r#"{{"limit":{offset},"offset":0,"result":[{teams}]}}"#);
    read(&first, body.as_bytes()).unwrap().follow.remove(0)
}

pub(crate) fn team(id: u32) -> Request {
    source().lookup(&[&id.to_string()]).remove(0)
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn results_2024() -> SiteReading {
    read_file(&results_of(2024), "results-2024.json")
}

pub(crate) fn entrants<'r>(reading: &'r SiteReading, event: &str) -> &'r [Entrant] {
    let mut results = reading.results.iter();
    let result = results.find(|results| results.external_id == event);
    match &result.unwrap().outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        other => panic!("{other:?}"),
    }
}

/// Returns team and place of each entrant.
pub(crate) fn places<'r>(reading: &'r SiteReading, event: &str) -> Vec<(&'r str, u32)> {
    entrants(reading, event)
        .iter()
        .map(|entrant| {
            let place = entrant.outcome.place().unwrap();
            (entrant.competitor.as_str(), place.get())
        })
        .collect()
}

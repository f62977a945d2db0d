//! The pages in `fixtures/o2cm` and their requests.

use std::path::PathBuf;

use ranklore_conformance as conformance;
use ranklore_contest::Entrant;
use ranklore_o2cm::O2cmSource;
use ranklore_source::{
    ContestOutcome, MediaKind, Request, Results, SiteReadError, SiteReading, Source,
};

/// A fixture file with its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
}

/// Returns all fixtures.
pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request| FixtureAnswer { file, request };
    vec![
        answer("default.html", months()),
        answer("default-2005-11.html", month(2005, 11)),
        answer("default-2013-05.html", month(2013, 5)),
        answer("default-2020-04.html", month(2020, 4)),
        answer("default-2023-04.html", month(2023, 4)),
        answer("event3-gls23.html", competition("gls23")),
        answer("event3-Brn23A.html", competition("Brn23A")),
        answer("event3-kel05.html", competition("kel05")),
    ]
}

pub(crate) fn source() -> O2cmSource {
    O2cmSource
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/o2cm");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

/// Returns a page with all occurrences of a text replaced.
pub(crate) fn replace_in_fixture(file: &str, part: &str, by: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes(file)).unwrap();
    assert!(text.contains(part), "{file}: {part}");
    text.replace(part, by).into_bytes()
}

pub(crate) fn months() -> Request {
    source().initial_requests().remove(0)
}

pub(crate) fn month(year: i16, month: i8) -> Request {
    let reading = read_file(&months(), "default.html");
    let key = format!("POST default.asp Go=Go&inmonth={month}&inyear={year}");
    let mut follow = reading.follow.into_iter();
    follow.find(|request| request.key() == key).unwrap()
}

pub(crate) fn competition(id: &str) -> Request {
    Request::post("event3.asp", MediaKind::Html, "a competition")
        .with_form_field("event", id)
        .with_form_field("selDiv", "")
        .with_form_field("selAge", "")
        .with_form_field("selSkl", "")
        .with_form_field("selSty", "")
        .with_form_field("selEnt", "")
        .with_form_field("submit", "OK")
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn entrants(results: &Results) -> &[Entrant] {
    match &results.outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        other => panic!("{other:?}"),
    }
}

/// Returns the results of a heat.
pub(crate) fn find_heat<'r>(reading: &'r SiteReading, id: &str) -> &'r Results {
    let mut results = reading.results.iter();
    results.find(|result| result.external_id == id).unwrap()
}

/// Returns couple and place of each entrant.
pub(crate) fn places(results: &Results) -> Vec<(&str, u32)> {
    entrants(results)
        .iter()
        .map(|entrant| {
            let place = entrant.outcome.place().unwrap();
            (entrant.competitor.as_str(), place.get())
        })
        .collect()
}

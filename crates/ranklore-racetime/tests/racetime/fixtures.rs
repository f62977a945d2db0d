//! The responses in `fixtures/racetime` and their requests.

use std::path::PathBuf;

use ranklore_conformance as conformance;
use ranklore_contest::Entrant;
use ranklore_racetime::{REGISTRATION, RacetimeSource};
use ranklore_source::{
    ContestOutcome, InvalidOption, MediaKind, OfficialRating, OptionValues, Request, Results,
    SiteReadError, SiteReading, Source,
};
use serde_json::Value;

/// A fixture file with its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
}

pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request| FixtureAnswer { file, request };
    vec![
        answer("races.json", first_page()),
        answer("races-later.json", first_page()),
        answer("races-page-2.json", page("smr", 2, 95)),
    ]
}

/// Returns the source of a sync of all goals.
pub(crate) fn source() -> RacetimeSource {
    RacetimeSource::from_archive([&*first_page().key()])
}

/// Opens the source with options, each with a value or without.
pub(crate) fn open(options: &[(&str, Option<&str>)]) -> Result<Box<dyn Source>, InvalidOption> {
    let mut values = OptionValues::default();
    for (name, value) in options {
        values.set(REGISTRATION.profile, name, *value)?;
    }
    (REGISTRATION.open)(&values)
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/racetime");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

/// Returns a fixture as JSON.
pub(crate) fn json(file: &str) -> Value {
    serde_json::from_slice(&bytes(file)).unwrap()
}

pub(crate) fn page(category: &str, number: u32, per_page: u32) -> Request {
    Request::get(format!("{category}/races/data"), MediaKind::Json, "a page")
        .with_parameter("page", number)
        .with_parameter("per_page", per_page)
        .with_parameter("show_entrants", true)
}

pub(crate) fn first_page() -> Request {
    page("smr", 1, 100)
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

pub(crate) fn read_json(request: &Request, body: &Value) -> Result<SiteReading, SiteReadError> {
    read(request, body.to_string().as_bytes())
}

/// Reads the first fixture.
pub(crate) fn races() -> SiteReading {
    read(&first_page(), &bytes("races.json")).unwrap()
}

pub(crate) fn results<'r>(reading: &'r SiteReading, race: &str) -> &'r Results {
    let mut results = reading.results.iter();
    results.find(|results| results.external_id == race).unwrap()
}

pub(crate) fn entrants<'r>(reading: &'r SiteReading, race: &str) -> &'r [Entrant] {
    match &results(reading, race).outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        other => panic!("{other:?}"),
    }
}

pub(crate) fn official<'r>(reading: &'r SiteReading, race: &str) -> &'r [OfficialRating] {
    match &results(reading, race).outcome {
        ContestOutcome::Standings { official, .. } => official,
        other => panic!("{other:?}"),
    }
}

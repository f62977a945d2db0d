//! The responses in `fixtures/topcoder` and their requests.

use std::path::PathBuf;

use ranklore_conformance as conformance;
use ranklore_contest::Entrant;
use ranklore_source::{
    ContestOutcome, OfficialRating, Request, Results, SiteReadError, SiteReading, Source,
};
use ranklore_topcoder::{TopcoderSource, parse_saved_file_name};

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
        answer("dd_round_list.xml", rounds()),
        answer("dd_round_results-801.xml", results(801)),
        answer("dd_round_results-853.xml", results(853)),
        answer("dd_round_results-9511.xml", results(9511)),
        answer("dd_round_results-9512.xml", results(9512)),
        answer("dd_round_results-9513.xml", results(9513)),
        answer("dd_round_results-9601.xml", results(9601)),
        answer("MatchList.html", matches()),
        answer("round_stats-853-2.html", stats(853, 2)),
        answer("round_stats-9513-1.html", stats(9513, 1)),
        answer("round_stats-9601-1.html", stats(9601, 1)),
        answer("round_stats-9601-2.html", stats(9601, 2)),
    ]
}

pub(crate) fn source() -> TopcoderSource {
    TopcoderSource::default()
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/topcoder");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

/// Returns a fixture as text, one character per byte.
pub(crate) fn text(file: &str) -> String {
    bytes(file).into_iter().map(char::from).collect()
}

/// Returns the bytes of a text, one byte per character.
pub(crate) fn to_latin1(text: &str) -> Vec<u8> {
    let bytes = text.chars().map(u8::try_from);
    bytes.collect::<Result<_, _>>().unwrap()
}

/// Returns a fixture with all occurrences of a text replaced.
pub(crate) fn replace_in_fixture(file: &str, part: &str, by: &str) -> Vec<u8> {
    let text = text(file);
    assert!(text.contains(part), "{file}: {part}");
    to_latin1(&text.replace(part, by))
}

pub(crate) fn rounds() -> Request {
    source().initial_requests().remove(0)
}

pub(crate) fn results(round: u32) -> Request {
    let name = format!("tc_module=BasicData&c=dd_round_results&rd={round}");
    parse_saved_file_name(&name).unwrap()
}

pub(crate) fn matches() -> Request {
    TopcoderSource::Pages.initial_requests().remove(0)
}

pub(crate) fn stats(round: u32, division: u8) -> Request {
    parse_saved_file_name(&format!("stat_c=round_stats&rd={round}&dn={division}")).unwrap()
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

/// Reads an answer; errors with the first refused entry, which costs no other.
pub(crate) fn read_all(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    let mut reading = read(request, body)?;
    if reading.refused.is_empty() {
        return Ok(reading);
    }
    assert_eq!((reading.refused.len(), reading.lists_all), (1, false), "{:?}", reading.refused);
    Err(reading.refused.remove(0))
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn read_round(round: u32) -> SiteReading {
    read_file(&results(round), &format!("dd_round_results-{round}.xml"))
}

pub(crate) fn find_results<'r>(reading: &'r SiteReading, contest: &str) -> &'r Results {
    let mut results = reading.results.iter();
    results.find(|result| result.external_id == contest).unwrap()
}

pub(crate) fn standings<'r>(
    reading: &'r SiteReading,
    contest: &str,
) -> (&'r [Entrant], &'r [OfficialRating]) {
    match &find_results(reading, contest).outcome {
        ContestOutcome::Standings { entrants, official } => (entrants, official),
        other => panic!("{other:?}"),
    }
}

/// Returns handle, place and points of each entrant.
pub(crate) fn places<'r>(reading: &'r SiteReading, contest: &str) -> Vec<(&'r str, u32, f64)> {
    let (entrants, _) = standings(reading, contest);
    let row = |entrant: &Entrant| {
        let mut named = reading.named.iter();
        let name = named.find(|named| named.competitor == entrant.competitor);
        let place = entrant.outcome.place().unwrap().get();
        (&*name.unwrap().name, place, entrant.score.unwrap())
    };
    entrants.iter().map(row).collect()
}

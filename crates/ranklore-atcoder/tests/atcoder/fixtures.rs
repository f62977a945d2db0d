//! The responses in `fixtures/atcoder` and their requests.

use std::path::PathBuf;

use ranklore_atcoder::AtcoderSource;
use ranklore_conformance as conformance;
use ranklore_contest::{Entrant, UnixSeconds};
use ranklore_source::{
    ContestOutcome, Document, OfficialRating, Request, SiteListing, SiteReadError, SiteReading,
    Source,
};

/// A fixture file with its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
}

pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request| FixtureAnswer { file, request };
    vec![
        answer("contests.json", list_request()),
        answer("results-abc901.json", results_of("abc901")),
        answer("results-ahc901.json", results_of("ahc901")),
        answer("results-agc901.json", results_of("agc901")),
        answer("standings-abc901.json", standings_of("abc901")),
        answer("standings-ahc901.json", standings_of("ahc901")),
        answer("standings-arc901.json", standings_of("arc901")),
        answer("standings-harbour-2018-final.json", standings_of("harbour-2018-final")),
    ]
}

/// Returns the source with all requests.
pub(crate) fn source() -> AtcoderSource {
    AtcoderSource { standings: true }
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/atcoder");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

pub(crate) fn list_request() -> Request {
    source().initial_requests().remove(0)
}

/// Returns the listing of a contest with this id.
pub(crate) fn listing_of(contest: &str) -> SiteListing {
    let row = format!(
        r#"[{{"id":"{contest}","start_epoch_second":1735732800,"duration_second":6000,"title":"x","rate_change":"All"}}]"#
    );
    read(&list_request(), row.as_bytes()).unwrap().listed.remove(0)
}

pub(crate) fn results_of(contest: &str) -> Request {
    listing_of(contest).results.remove(0)
}

pub(crate) fn standings_of(contest: &str) -> Request {
    listing_of(contest).results.remove(1)
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

/// Reads the list of contests as fetched at a time.
pub(crate) fn read_list_at(seconds: i64) -> SiteReading {
    let document = Document {
        request_key: &list_request().key(),
        fetched_at: UnixSeconds::new(seconds).unwrap(),
        status: 200,
        body: &bytes("contests.json"),
    };
    source().read(&document).unwrap()
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

pub(crate) fn outcome(reading: &SiteReading) -> (&[Entrant], &[OfficialRating]) {
    match &reading.results[0].outcome {
        ContestOutcome::Standings { entrants, official } => (entrants, official),
        other => panic!("{other:?}"),
    }
}

/// Returns name and place of each entrant.
pub(crate) fn places(entrants: &[Entrant]) -> Vec<(&str, u32)> {
    let placed = entrants.iter();
    placed
        .map(|entrant| (entrant.competitor.as_str(), entrant.outcome.place().unwrap().get()))
        .collect()
}

//! The responses in `fixtures/codeforces` and their requests.

use std::path::PathBuf;

use ranklore_codeforces::{CodeforcesSource, rated_users_request, user_info_requests};
use ranklore_conformance as conformance;
use ranklore_contest::Entrant;
use ranklore_source::{ContestOutcome, Request, Results, SiteReadError, SiteReading, Source};

/// A fixture file with its request.
#[derive(Clone, Debug)]
pub(crate) struct FixtureAnswer {
    pub(crate) file: &'static str,
    pub(crate) request: Request,
    pub(crate) status: u16,
}

/// Returns all fixtures but `refusals.json`.
pub(crate) fn all_answers() -> Vec<FixtureAnswer> {
    let answer = |file, request, status| FixtureAnswer {
        file,
        request,
        status,
    };
    vec![
        answer("contest.list.json", list_request(), 200),
        answer("contest.ratingChanges-1001.json", changes_of(1001), 200),
        answer("contest.ratingChanges-1002.json", changes_of(1002), 200),
        answer("contest.ratingChanges-1003.json", changes_of(1003), 200),
        answer("contest.ratingChanges-1004.json", changes_of(1004), 400),
        answer("contest.ratingChanges-1005.json", changes_of(1005), 200),
        answer("contest.ratingChanges-1006.json", changes_of(1006), 200),
        answer("contest.ratingChanges-1010.json", changes_of(1010), 400),
        answer("contest.ratingChanges-1099.json", changes_of(1099), 400),
        answer("contest.standings-1001.json", standings_of(1001), 200),
        answer("contest.standings-1005.json", standings_of(1005), 200),
        answer("contest.standings-1009.json", standings_of(1009), 200),
        answer("contest.standings-1098.json", standings_of(1098), 400),
        answer("user.ratedList.json", rated_users_request(), 200),
        answer("user.info.json", user_info(), 200),
        answer("user.info-unknown.json", user_info_with_unknown(), 400),
    ]
}

pub(crate) fn source() -> CodeforcesSource {
    CodeforcesSource { standings: true }
}

pub(crate) fn bytes(file: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/codeforces");
    std::fs::read(PathBuf::from(folder).join(file)).unwrap()
}

pub(crate) fn list_request() -> Request {
    source().initial_requests().remove(0)
}

/// Returns a request that the contest list leads to.
fn contest_request(contest: u32, index: usize) -> Request {
    let list = format!(
        r#"{{"status":"OK","result":[{{"id":{contest},"name":"x","phase":"FINISHED","durationSeconds":1}}]}}"#
    );
    let mut reading = read(&list_request(), list.as_bytes()).unwrap();
    reading.listed.remove(0).results.remove(index)
}

pub(crate) fn changes_of(contest: u32) -> Request {
    contest_request(contest, 0)
}

pub(crate) fn standings_of(contest: u32) -> Request {
    contest_request(contest, 1)
}

pub(crate) fn user_info() -> Request {
    user_info_requests(["quiet", "jetty", "old_lamp", "oarlock"]).remove(0)
}

pub(crate) fn user_info_with_unknown() -> Request {
    user_info_requests(["jetty", "no_such_gull", "oarlock"]).remove(0)
}

pub(crate) fn read(request: &Request, body: &[u8]) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&source(), request, 200, body)
}

pub(crate) fn read_file(request: &Request, file: &str) -> SiteReading {
    read(request, &bytes(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the only results of a reading.
pub(crate) fn single_result(reading: &SiteReading) -> &Results {
    match reading.results.as_slice() {
        [one] => one,
        contests => panic!("{contests:?}"),
    }
}

pub(crate) fn entrants(results: &Results) -> &[Entrant] {
    match &results.outcome {
        ContestOutcome::Standings { entrants, .. } => entrants,
        other => panic!("{other:?}"),
    }
}

/// Returns handle and place of each entrant.
pub(crate) fn places(results: &Results) -> Vec<(&str, u32)> {
    entrants(results)
        .iter()
        .map(|entrant| {
            let place = entrant.outcome.place().unwrap();
            (entrant.competitor.as_str(), place.get())
        })
        .collect()
}

//! Conformance tests of the source with all fixtures.

use ranklore_atcoder::AtcoderSource;
use ranklore_conformance::{self as conformance, Fixture};

use crate::fixtures;

/// Fields that may be missing and then change the reading or the place of the error: without rows there
/// is no result yet, and a row needs one task.
const OPTIONAL: &[&str] = &[
    "StandingsData",
    "StandingsData[].TaskResults.ahc901_a",
    "StandingsData[].TaskResults.abc901_a",
    "StandingsData[].TaskResults.harbour-2018-final_a",
];

#[test]
fn requests_conform() {
    conformance::check_requests(&AtcoderSource::default());
    conformance::check_requests(&fixtures::source());
}

#[test]
fn fixtures_conform() {
    for answer in fixtures::all_answers() {
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body: &fixtures::bytes(answer.file),
            optional: OPTIONAL,
        };
        conformance::check_fixture(&fixtures::source(), &fixture);
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/atcoder");
    let answers = fixtures::all_answers();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = answers.iter().any(|answer| answer.file == name);
        assert!(known, "{name} is read by no test");
    }
}

#[test]
fn invalid_contest_costs_at_most_itself() {
    let fixture = Fixture {
        name: "contests.json",
        request: &fixtures::list_request(),
        status: 200,
        body: &fixtures::bytes("contests.json"),
        optional: OPTIONAL,
    };
    let lost = conformance::check_entries(&fixtures::source(), &fixture, "");
    assert!(lost > 100, "{lost}");
}

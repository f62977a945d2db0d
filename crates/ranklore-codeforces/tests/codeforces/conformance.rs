//! Conformance tests of the source with all fixtures.

use ranklore_codeforces::CodeforcesSource;
use ranklore_conformance::{self as conformance, Fixture};

use crate::fixtures;

/// Fields that may be missing and then change the reading.
const OPTIONAL: &[&str] = &[
    "result[].startTimeSeconds",
    "result.contest.startTimeSeconds",
    "result.rows[].party.teamId",
    "result[].rating",
];

#[test]
fn requests_conform() {
    conformance::check_requests(&CodeforcesSource::default());
    conformance::check_requests(&fixtures::source());
}

#[test]
fn fixtures_conform() {
    for answer in fixtures::all_answers() {
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: answer.status,
            body: &fixtures::bytes(answer.file),
            optional: OPTIONAL,
        };
        conformance::check_fixture(&fixtures::source(), &fixture);
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/codeforces");
    let mut known: Vec<String> =
        fixtures::all_answers().iter().map(|answer| answer.file.to_owned()).collect();
    known.push("refusals.json".to_owned());
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name), "{name} is read by no test");
    }
}

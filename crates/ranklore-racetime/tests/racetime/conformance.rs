//! The promises of every source, for each fixture.

use ranklore_conformance::{self as conformance, Fixture};

use crate::fixtures::{self, all_answers, source};

/// Fields that may be null.
const OPTIONAL: &[&str] = &[
    "races[].entrants[].user",
    "races[].entrants[].team",
    "races[].entrants[].team.slug",
    "races[].entrants[].score",
    "races[].entrants[].score_change",
];

#[test]
fn requests_are_valid() {
    conformance::check_requests(&source());
}

#[test]
fn fixtures_pass_all_checks() {
    for answer in all_answers() {
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body: &fixtures::bytes(answer.file),
            optional: OPTIONAL,
        };
        conformance::check_fixture(&source(), &fixture);
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/racetime");
    let answers = all_answers();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = answers.iter().any(|answer| answer.file == name);
        assert!(known, "{name} is read by no test");
    }
}

#[test]
fn invalid_race_costs_at_most_itself() {
    // In the other fixtures some users are in one race only: without it, their names are lost too.
    let fixture = Fixture {
        name: "races.json",
        request: &fixtures::first_page(),
        status: 200,
        body: &fixtures::bytes("races.json"),
        optional: OPTIONAL,
    };
    let lost = conformance::check_entries(&source(), &fixture, "/races");
    assert!(lost > 100, "{lost}");
}

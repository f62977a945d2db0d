//! Conformance tests of the source with all fixtures.

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::MediaKind;

use crate::fixtures;

/// Fields that may be missing and then change the reading: the events of a year.
const OPTIONAL: &[&str] = &[
    "1401", "1402", "1403", "1404", "1405", "1406", "1407", "1408", "1409",
];

#[test]
fn requests_conform() {
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
        // Requests for text may be answered with a page.
        if answer.request.expects != MediaKind::Json {
            conformance::check_fields(&fixtures::source(), &fixture);
        }
    }
}

#[test]
fn unknown_team_response_conforms() {
    for body in [
        &br#"{"detail":"Not found."}"#[..],
        b"<html>Not found</html>",
    ] {
        let fixture = Fixture {
            name: "unknown team",
            request: &fixtures::team(706),
            status: 404,
            body,
            optional: &[],
        };
        conformance::check_fixture(&fixtures::source(), &fixture);
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/ctftime");
    let answers = fixtures::all_answers();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = answers.iter().any(|answer| answer.file == name);
        assert!(known, "{name} is read by no test");
    }
}

#[test]
fn invalid_entry_costs_at_most_itself() {
    let mut lost = 0;
    for answer in fixtures::all_answers() {
        let list = match answer.file {
            file if file.starts_with("teams-first") => "/result",
            file if file.starts_with("events") || file == "results-2024.json" => "",
            _ => continue,
        };
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body: &fixtures::bytes(answer.file),
            optional: OPTIONAL,
        };
        lost += conformance::check_entries(&fixtures::source(), &fixture, list);
    }
    assert!(lost > 100, "{lost}");
}

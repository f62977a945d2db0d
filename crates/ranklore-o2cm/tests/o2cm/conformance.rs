//! Conformance tests of the source with all fixtures.

use ranklore_conformance::{self as conformance, Fixture};

use crate::fixtures;

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
            optional: &[],
        };
        conformance::check_fixture(&fixtures::source(), &fixture);
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/o2cm");
    let known: Vec<&str> = fixtures::all_answers().iter().map(|answer| answer.file).collect();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name.as_str()), "{name} is read by no test");
    }
}

#[test]
fn invalid_competition_costs_at_most_itself() {
    let mut lost = 0;
    for answer in fixtures::all_answers() {
        if !answer.file.starts_with("default-20") {
            continue;
        }
        let body = &fixtures::bytes(answer.file);
        if String::from_utf8_lossy(body).matches("?event=").count() < 2 {
            continue;
        }
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body,
            optional: &[],
        };
        let rows = ["<tr class=t1n>", "</tr>", "?event="];
        lost += conformance::check_rows(&fixtures::source(), &fixture, rows);
    }
    assert!(lost > 10, "{lost}");
}

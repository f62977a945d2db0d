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

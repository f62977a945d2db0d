//! The conformance suite of all sources, over all fixtures.

use ranklore_conformance::{self as conformance, Fixture};

use crate::fixtures;

/// Members that the site leaves out on the last page or without replies, and members missing in
/// older archived answers. Reading differs without them.
const OPTIONAL: &[&str] = &[
    "data.after",
    "[].data.children[].data.replies",
    "[].data.children[].data.replies.data.children[].data.replies",
    "[].data.children[].data.replies.data.children[].data.replies.data.children[].data.replies",
    "[].data.children[].data.num_comments",
];

#[test]
fn requests_conform() {
    conformance::check_requests(&fixtures::source());
}

#[test]
fn every_fixture_conforms() {
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
fn every_fixture_file_is_tested() {
    let answers = fixtures::all_answers();
    for file in std::fs::read_dir(fixtures::folder()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        let known = answers.iter().any(|answer| answer.file == name);
        assert!(known || name.ends_with(".ndjson"), "{name} is read by no test");
    }
}

#[test]
fn invalid_thread_costs_at_most_itself() {
    let mut lost = 0;
    for answer in fixtures::all_answers() {
        if !answer.file.starts_with("r-LanternTales") {
            continue;
        }
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body: &fixtures::bytes(answer.file),
            optional: OPTIONAL,
        };
        lost += conformance::check_entries(&fixtures::source(), &fixture, "/data/children");
    }
    assert!(lost > 30, "{lost}");
}

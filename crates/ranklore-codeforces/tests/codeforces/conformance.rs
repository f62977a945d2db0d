//! Conformance tests of the source with all fixtures.

use ranklore_codeforces::{CodeforcesSource, rated_users_request};
use ranklore_conformance::{self as conformance, Fixture};
use serde_json::{Value, json};

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

#[test]
fn invalid_entry_costs_at_most_itself() {
    let mut lost = 0;
    for (file, request) in [
        ("contest.list.json", fixtures::list_request()),
        ("user.ratedList.json", rated_users_request()),
    ] {
        let fixture = Fixture {
            name: file,
            request: &request,
            status: 200,
            body: &fixtures::bytes(file),
            optional: OPTIONAL,
        };
        lost += conformance::check_entries(&fixtures::source(), &fixture, "/result");
    }
    assert!(lost > 100, "{lost}");
}

/// The position of an account tells which handle it answers.
#[test]
fn invalid_account_costs_one_handle() {
    let request = fixtures::user_info();
    let document: Value = serde_json::from_slice(&fixtures::bytes("user.info.json")).unwrap();
    let whole = fixtures::read(&request, document.to_string().as_bytes()).unwrap();
    for index in 0..whole.accounts.len() {
        for value in [Value::Null, json!(-1), json!({}), json!("x")] {
            let mut changed = document.clone();
            changed["result"][index] = value;
            let reading = fixtures::read(&request, changed.to_string().as_bytes()).unwrap();
            let mut accounts = whole.accounts.clone();
            let lost = accounts.remove(index);
            assert_eq!(reading.accounts, accounts);
            assert!(reading.renamed.iter().all(|rename| rename.to != lost.name));
            assert_eq!(reading.refused[0].at, format!("result[{index}]"));
        }
    }
}

//! Conformance tests of the source with all fixtures.

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::MediaKind;
use ranklore_topcoder::TopcoderSource;

use crate::fixtures;

#[test]
fn requests_conform() {
    conformance::check_requests(&fixtures::source());
    conformance::check_requests(&TopcoderSource::Pages);
    conformance::check_requests(&TopcoderSource::Both);
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
        if answer.request.expects == MediaKind::Text {
            // Feeds have tags like pages.
            conformance::check_markup(&fixtures::source(), &fixture);
        }
    }
}

#[test]
fn fixture_files_are_all_tested() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/topcoder");
    let known: Vec<&str> = fixtures::all_answers().iter().map(|answer| answer.file).collect();
    for file in std::fs::read_dir(folder).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        assert!(known.contains(&name.as_str()), "{name} is read by no test");
    }
}

#[test]
fn invalid_round_costs_at_most_itself() {
    let mut lost = 0;
    for answer in fixtures::all_answers() {
        let rows = match answer.file {
            "dd_round_list.xml" => ["<row>", "</row>", "<round_id>"],
            "MatchList.html" => ["<tr class", "</tr>", "round_overview"],
            _ => continue,
        };
        let fixture = Fixture {
            name: answer.file,
            request: &answer.request,
            status: 200,
            body: &fixtures::bytes(answer.file),
            optional: &[],
        };
        lost += conformance::check_rows(&fixtures::source(), &fixture, rows);
    }
    assert!(lost > 50, "{lost}");
}

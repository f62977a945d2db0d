//! The list of rounds.

use jiff::Timestamp;
use ranklore_source::{SiteListing, Source, Stage};

use crate::fixtures::{
    bytes, read, read_all, read_file, replace_in_fixture, results, rounds, source, to_latin1,
};

fn listed() -> Vec<SiteListing> {
    read_file(&rounds(), "dd_round_list.xml").listed
}

fn find_listed(id: &str) -> SiteListing {
    let mut listed = listed().into_iter();
    listed.find(|contest| contest.external_id == id).unwrap()
}

fn start_time(id: &str) -> String {
    let seconds = find_listed(id).starts_at.unwrap().get();
    Timestamp::from_second(seconds).unwrap().to_string()
}

#[test]
fn round_is_listed_as_two_contests() {
    let ids: Vec<String> = listed().into_iter().map(|contest| contest.external_id).collect();
    assert_eq!(ids.len(), 20);
    assert_eq!(ids[..4], ["801/1", "801/2", "853/1", "853/2"]);
    let contest = find_listed("9512/2");
    assert_eq!(contest.name, "2018 Harbour Parallel");
    assert_eq!(contest.event.as_deref(), Some("2018 Harbour Parallel"));
    assert_eq!(contest.division.as_deref(), Some("Div. 2"));
    assert_eq!(contest.ordinal, Some(2));
    assert_eq!(contest.stage, Stage::Finished);
    assert!(contest.rateable);
    // One response has both.
    for id in ["9512/1", "9512/2"] {
        let keys: Vec<String> =
            find_listed(id).results.iter().map(ranklore_source::Request::key).collect();
        assert_eq!(keys, [results(9512).key()]);
    }
}

#[test]
fn full_name_replaces_missing_short_name() {
    assert_eq!(find_listed("9601/1").name, "Single Round Match 906 - Round 1");
}

#[test]
fn names_are_decoded_from_iso_8859_1() {
    assert_eq!(find_listed("9520/1").name, "SRM 905 & Coffee, sponsored by Café Möwe");
}

#[test]
fn times_are_converted_from_new_york() {
    // Summer; the evening of the day that daylight saving ended; winter.
    assert_eq!(start_time("801/1"), "2001-05-10T00:30:00Z");
    assert_eq!(start_time("799/1"), "2001-10-29T03:15:00Z");
    assert_eq!(start_time("853/1"), "2001-11-04T17:00:00Z");
}

#[test]
fn dst_rule_changes_in_2007() {
    assert_eq!(start_time("3301/1"), "2006-03-21T02:00:00Z");
    assert_eq!(start_time("3402/1"), "2007-03-21T01:00:00Z");
}

#[test]
fn simultaneous_rounds_are_separate_events() {
    let at_once: Vec<SiteListing> = listed()
        .into_iter()
        .filter(|contest| contest.external_id.starts_with("951"))
        .collect();
    assert_eq!(at_once.len(), 6);
    assert!(at_once.iter().all(|contest| contest.starts_at == at_once[0].starts_at));
    let mut events: Vec<_> = at_once.into_iter().map(|contest| contest.event).collect();
    events.dedup();
    assert_eq!(events.len(), 3);
}

#[test]
fn round_numbers_and_types_are_not_interpreted() {
    // Round 799 was held after 801, and a fun round has the type of a match.
    assert!(find_listed("799/1").starts_at > find_listed("801/1").starts_at);
    assert!(find_listed("9513/1").rateable);
}

#[test]
fn round_opens_and_ends_at_start() {
    let contest = find_listed("9601/1");
    assert_eq!(contest.ends_at, contest.starts_at);
    assert_eq!(contest.results[0].opens_at, contest.starts_at);
}

#[test]
fn empty_round_list_is_refused() {
    let empty = to_latin1("<?xml version=\"1.0\"?><dd_round_list></dd_round_list>");
    assert_eq!(read(&rounds(), &empty).unwrap_err().at, "dd_round_list");
    // A list that lacks a round withdraws none, since the site loses data.
    assert!(!read_file(&rounds(), "dd_round_list.xml").lists_all);
}

#[test]
fn invalid_rounds_are_refused_with_path() {
    for (part, by, at, expected) in [
        ("<round_id>853<", "<round_id>801<", "row[1].round_id", "once"),
        ("<round_id>853<", "<round_id>0<", "row[1].round_id", "number"),
        ("<round_id>853<", "<round_id>-853<", "row[1].round_id", "number"),
        ("<round_id>853<", "<round_id>18446744073709552469<", "row[1].round_id", "number"),
        ("<round_id>853</round_id>", "", "row[1].round_id", "missing"),
        ("<round_id>853</round_id>", "<round_id/>", "row[1].round_id", "number"),
        ("2001-11-04 12:00", "11.04.2001 12:00", "row[1].date", "time"),
        ("2001-11-04 12:00", "2001-11-04", "row[1].date", "time"),
        ("2001-11-04 12:00", "1901-11-04 12:00", "row[1].date", "time"),
        ("Lantern '01 Finals", "Lantern\u{1}", "row[1].short_name", "name"),
        (
            "<date>2001-11-04 12:00</date>",
            "<date>2001-11-04 12:00</date><date>2001-11-04 12:00</date>",
            "row[1].date",
            "once",
        ),
    ] {
        let body = replace_in_fixture("dd_round_list.xml", part, by);
        let error = read_all(&rounds(), &body).unwrap_err();
        assert_eq!(error.at, at, "{by}: {error}");
        assert!(error.expected.contains(expected), "{by}: {error}");
        assert_eq!(error.document, rounds().key());
    }
}

#[test]
fn unknown_fields_are_ignored() {
    let body = replace_in_fixture("dd_round_list.xml", "<full_name>", "<x>1</x><full_name>");
    let before = read_file(&rounds(), "dd_round_list.xml");
    assert_eq!(read(&rounds(), &body).unwrap(), before);
    let text: String = bytes("dd_round_list.xml").into_iter().map(char::from).collect();
    let spaced = text.replace("<row>", "\n <row>\r\n\t").replace("</row>", "\n</row>");
    assert_eq!(read(&rounds(), &to_latin1(&spaced)).unwrap(), before);
    assert_eq!(source().initial_requests().len(), 1);
}

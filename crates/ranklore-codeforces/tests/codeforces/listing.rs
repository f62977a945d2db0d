//! The list of contests.

use ranklore_codeforces::CodeforcesSource;
use ranklore_conformance as conformance;
use ranklore_contest::UnixSeconds;
use ranklore_source::{SiteListing, Source, Stage};

use crate::fixtures::{bytes, changes_of, list_request, read, read_file, source, standings_of};

fn contest(id: &str) -> SiteListing {
    let reading = read_file(&list_request(), "contest.list.json");
    let mut listed = reading.listed.into_iter();
    listed.find(|contest| contest.external_id == id).unwrap()
}

#[test]
fn contest_is_listed_with_all_fields() {
    let expected = SiteListing {
        external_id: "1002".to_owned(),
        name: "Lantern Round 2 (Div. 2)".to_owned(),
        event: Some("Lantern Round 2".to_owned()),
        division: Some("Div. 2".to_owned()),
        ordinal: Some(2),
        url: Some("https://codeforces.com/contest/1002".to_owned()),
        starts_at: UnixSeconds::new(1_743_000_000),
        ends_at: UnixSeconds::new(1_743_007_200),
        site_weight: None,
        stage: Stage::Finished,
        rateable: true,
        results: vec![changes_of(1002), standings_of(1002)],
    };
    assert_eq!(contest("1002"), expected);
}

#[test]
fn list_is_complete_and_keeps_order() {
    let reading = read_file(&list_request(), "contest.list.json");
    assert!(reading.lists_all);
    assert!(reading.warnings.is_empty() && reading.refused.is_empty());
    assert_eq!(reading.listed.len(), 13);
    assert_eq!(reading.listed[0].external_id, "1012");
}

#[test]
fn phases_are_stages() {
    for (id, stage) in [
        ("1011", Stage::Announced),
        ("1009", Stage::Running),
        ("1008", Stage::Running),
        ("1001", Stage::Finished),
        ("900", Stage::Running),
    ] {
        assert_eq!(contest(id).stage, stage, "{id}");
    }
}

#[test]
fn undated_contest_has_no_dates() {
    let undated = contest("1012");
    assert_eq!((undated.starts_at, undated.ends_at), (None, None));
}

#[test]
fn ambiguous_divisions_form_no_event() {
    // Announced rounds have no number yet; all would form one event.
    let announced = contest("1010");
    assert_eq!(announced.event, None);
    assert_eq!(announced.division.as_deref(), Some("Div. 1"));
    assert_eq!(announced.ordinal, None);
    // The only division of its round.
    assert_eq!(contest("900").event, None);
    // Other forms of a division.
    for id in ["1006", "1009"] {
        assert_eq!((contest(id).event, contest(id).division), (None, None));
    }
}

#[test]
fn standings_are_requested_by_option() {
    let body = bytes("contest.list.json");
    let source = CodeforcesSource::default();
    let reading = conformance::read_answer(&source, &list_request(), 200, &body).unwrap();
    for contest in &reading.listed {
        assert_eq!(contest.results.len(), 1, "{}", contest.external_id);
    }
}

#[test]
fn minimised_list_omits_relative_time() {
    let key = list_request().key();
    let one = String::from_utf8(bytes("contest.list.json")).unwrap();
    let later = |line: &str| match line.split_once("\"relativeTimeSeconds\": ") {
        Some((indent, _)) => format!("{indent}\"relativeTimeSeconds\": 77\n"),
        None => line.to_owned(),
    };
    let other: String = one.split_inclusive('\n').map(later).collect();
    assert!(one != other);
    let minimised = |body: &str| source().minimise(&key, body.as_bytes()).into_owned();
    assert!(minimised(&one) == minimised(&other));
    let minimised = String::from_utf8(minimised(&one)).unwrap();
    assert!(!minimised.contains("relativeTime"));
    assert!(minimised.contains("\"startTimeSeconds\": 1743000000"));
}

#[test]
fn invalid_contest_is_refused_alone() {
    let text = String::from_utf8(bytes("contest.list.json")).unwrap();
    for (from, to, at) in [
        ("\"CODING\"", "\"POSTPONED\"", "result[3].phase"),
        ("1747000000", "1747000000000", "result[6].startTimeSeconds"),
        ("864000", "864000000", "result[5].durationSeconds"),
        ("\"id\": 1001", "\"id\": 1002", "result[11].id"),
        ("\"id\": 1001", "\"id\": 0", "result[11].id"),
    ] {
        let reading = read(&list_request(), text.replacen(from, to, 1).as_bytes()).unwrap();
        let refused: Vec<&str> = reading.refused.iter().map(|error| error.at.as_str()).collect();
        assert_eq!(refused, [at]);
        assert_eq!(reading.listed.len(), 12);
        assert!(!reading.lists_all, "a contest left out is not taken back");
    }
}

#[test]
fn empty_list_is_refused() {
    let error = read(&list_request(), br#"{"status":"OK","result":[]}"#).unwrap_err();
    assert_eq!(error.at, "result");
}

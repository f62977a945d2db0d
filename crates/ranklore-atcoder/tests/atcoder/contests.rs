//! The list of contests.

use ranklore_atcoder::AtcoderSource;
use ranklore_contest::UnixSeconds;
use ranklore_source::{Source, Stage};

use crate::fixtures::{list_request, read, read_list_at};

/// After all contests of the list but one.
const FEBRUARY_2025: i64 = 1_738_368_000;

#[test]
fn contests_are_read_with_times_and_requests() {
    let reading = read_list_at(FEBRUARY_2025);
    assert!(reading.lists_all && reading.refused.is_empty());
    assert_eq!(reading.listed.len(), 10);
    let contest = &reading.listed[4];
    assert_eq!(contest.external_id, "abc901");
    assert_eq!(contest.name, "Lantern Beginner Contest 901");
    assert_eq!(contest.url.as_deref(), Some("https://atcoder.jp/contests/abc901"));
    assert_eq!(contest.starts_at, UnixSeconds::new(1_735_732_800));
    assert_eq!(contest.ends_at, UnixSeconds::new(1_735_738_800));
    let requests: Vec<(String, bool)> = contest
        .results
        .iter()
        .map(|request| (request.key(), request.needs_cookie))
        .collect();
    assert_eq!(
        requests,
        [
            ("GET contests/abc901/results/json".to_owned(), false),
            ("GET contests/abc901/standings/json".to_owned(), true),
        ]
    );
}

#[test]
fn rated_contests_have_a_division_by_kind() {
    let reading = read_list_at(FEBRUARY_2025);
    let rated = reading.listed.iter().filter(|contest| contest.rateable);
    let divisions: Vec<(&str, Option<&str>)> = rated
        .map(|contest| (&*contest.external_id, contest.division.as_deref()))
        .collect();
    assert_eq!(
        divisions,
        [
            // Rated ranges from before the first rated contest do not count.
            ("harbour-2018-final", Some("Algorithm")),
            ("lamp2022", None),
            ("abc901", Some("Algorithm")),
            ("ahc901", Some("Heuristic")),
            ("arc901", Some("Algorithm")),
            ("agc901", Some("Algorithm")),
            ("abc902", Some("Algorithm")),
        ]
    );
    assert_eq!(
        reading.warnings,
        ["neither algorithm nor heuristic by id and title, so in no division: lamp2022"]
    );
}

#[test]
fn stage_follows_from_the_time_of_the_response() {
    let stage = |seconds: i64, contest: usize| read_list_at(seconds).listed[contest].stage;
    assert_eq!(stage(1_735_732_799, 4), Stage::Announced);
    assert_eq!(stage(1_735_732_800, 4), Stage::Running);
    assert_eq!(stage(1_735_738_799, 4), Stage::Running);
    assert_eq!(stage(1_735_738_800, 4), Stage::Finished);
    assert_eq!(stage(FEBRUARY_2025, 9), Stage::Announced);
}

#[test]
fn standings_are_requested_only_by_option() {
    let mut reading = read_list_at(FEBRUARY_2025);
    let source = AtcoderSource::default();
    source.apply_options(&list_request().key(), &mut reading);
    let requests = reading.listed.iter().flat_map(|contest| &contest.results);
    assert!(requests.clone().all(|request| !request.needs_cookie));
    assert_eq!(requests.count(), 10);
    assert!(!source.requires_cookie());
    assert!(AtcoderSource { standings: true }.requires_cookie());
}

#[test]
fn invalid_contests_are_refused_with_their_path() {
    let row = |field: &str, value: &str| {
        let mut row = vec![
            ("id", "\"abc903\""),
            ("start_epoch_second", "1735732800"),
            ("duration_second", "6000"),
            ("title", "\"x\""),
            ("rate_change", "\"All\""),
        ];
        for (name, known) in &mut row {
            if *name == field {
                *known = value;
            }
        }
        let members: Vec<String> =
            row.iter().map(|(name, value)| format!("\"{name}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    };
    for (field, value, word) in [
        ("id", "\"abc/903\"", "letters, digits"),
        ("id", "\"\"", "letters, digits"),
        ("id", "\"abc904\"", "unique"),
        ("title", "\"\"", "empty"),
        ("start_epoch_second", "-1", "2010"),
        ("start_epoch_second", "6000", "2010"),
        ("start_epoch_second", "1735732800000", "2199"),
        ("start_epoch_second", "null", "null"),
        ("rate_change", "\"1999\"", "1200 ~ 2799"),
    ] {
        let first = row("id", "\"abc904\"");
        let body = format!("[{first},{}]", row(field, value));
        let reading = read(&list_request(), body.as_bytes()).unwrap();
        assert!(!reading.lists_all && reading.listed.len() == 1, "{field} {value}");
        let refused = &reading.refused[0];
        assert_eq!(refused.at, format!("[1].{field}"));
        assert!(refused.expected.contains(word), "{refused}");
    }
    let error = read(&list_request(), b"[]").unwrap_err();
    assert!(error.expected.contains("at least one contest"), "{error}");
}

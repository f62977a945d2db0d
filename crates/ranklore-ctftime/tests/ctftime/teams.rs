//! The list of teams.

use std::sync::Arc;

use ranklore_conformance as conformance;
use ranklore_source::{Accounts, DisplayName, MediaKind, Request, SiteReading, Source};

use crate::fixtures::{bytes, read, read_file, source, team, teams_from};

fn names(named: &[DisplayName]) -> Vec<(&str, &str)> {
    named.iter().map(|entrant| (&*entrant.competitor, &*entrant.name)).collect()
}

#[test]
fn teams_are_read_under_both_keys() {
    let first = read_file(&teams_from(0), "teams-first.json");
    assert_eq!(
        names(&first.named),
        [
            ("701", "Segfault Gulls"),
            ("702", "Brass Lamp Æther"),
            ("703", "тихая гавань")
        ]
    );
    let last = read_file(&teams_from(3), "teams-last.json");
    // A blank name is no name.
    assert_eq!(names(&last.named), [("704", "Off By None")]);
}

/// Returns a page of these teams in the site's format.
fn page(limit: usize, offset: usize, ids: impl Iterator<Item = u32>) -> String {
    let teams = ids.map(|id| format!(r#"{{"id":{id},"name":"team {id}"}}"#));
    let teams = teams.collect::<Vec<_>>().join(",");
    format!(r#"{{"limit":{limit},"offset":{offset},"result":[{teams}]}}"#)
}

fn next(reading: &SiteReading) -> Option<String> {
    assert!(reading.follow.len() <= 1);
    reading.follow.first().map(Request::key)
}

#[test]
fn pages_are_followed_until_empty() {
    let key = |offset| format!("GET api/v1/teams/?limit=1000&offset={offset}");
    // The site returned 3 of the 1,000 requested teams.
    let first = read_file(&teams_from(0), "teams-first.json");
    assert_eq!(next(&first), Some(key(3)));
    // A short page may be truncated, so the next one is requested.
    let short = read_file(&teams_from(3), "teams-last.json");
    assert_eq!(next(&short), Some(key(5)));
    let empty = read(&teams_from(5), page(1000, 5, 0..0).as_bytes()).unwrap();
    assert_eq!((next(&empty), empty.warnings.len()), (None, 0));
}

#[test]
fn repeated_page_ends_pagination() {
    // The site echoes the offset but always returns the first teams; ids have gaps.
    let mut request = teams_from(0);
    let mut request_count = 0;
    let mut warnings = Vec::new();
    loop {
        let body = page(1000, request_count * 1000, (1..=1000).map(|id| 3 * id));
        let reading = read(&request, body.as_bytes()).unwrap();
        request_count += 1;
        warnings.extend(reading.warnings);
        match reading.follow.into_iter().next() {
            Some(next) => request = next,
            None => break,
        }
    }
    // The fourth thousand needs ids above 3,000.
    assert_eq!(request_count, 4);
    assert!(
        matches!(warnings.as_slice(), [warning] if warning.contains("repeats an earlier one")),
        "{warnings:?}"
    );
}

#[test]
fn unsorted_page_is_followed() {
    let body = page(1000, 5, [3, 1, 2].into_iter());
    let reading = read(&teams_from(5), body.as_bytes()).unwrap();
    assert!(next(&reading).is_some() && reading.warnings.is_empty());
    let body = page(1000, 5, [1, 2, 3].into_iter());
    let reading = read(&teams_from(5), body.as_bytes()).unwrap();
    assert!(next(&reading).is_none());
}

#[test]
fn pagination_stops_at_maximum_offset() {
    let teams_beyond = |offset: usize| {
        let request = Request::get("api/v1/teams/", MediaKind::Json, "teams")
            .with_parameter("limit", 1000)
            .with_parameter("offset", offset);
        let body = page(1000, offset, [9_999_999].into_iter());
        next(&read(&request, body.as_bytes()).unwrap())
    };
    assert!(teams_beyond(1_999_999).is_some());
    assert_eq!(teams_beyond(2_000_000), None);
}

#[test]
fn page_other_than_requested_is_refused() {
    for (body, at) in [
        (r#"{"limit":3,"offset":4,"result":[]}"#, "offset"),
        (r#"{"limit":0,"offset":3,"result":[]}"#, "limit"),
        (r#"{"limit":3000,"offset":3,"result":[]}"#, "limit"),
        (r#"{"limit":3,"offset":3}"#, "the whole"),
        (r#"{"limit":3,"offset":3,"result":[],"results":[]}"#, "the whole"),
        (
            r#"{"limit":1,"offset":3,"result":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#,
            "result",
        ),
        (r#"{"limit":3,"offset":3,"results":[{"id":1}]}"#, "results[0]"),
    ] {
        let error = read(&teams_from(3), body.as_bytes()).unwrap_err();
        assert_eq!(error.at, at, "{body}: {error}");
    }
}

#[test]
fn minimised_teams_have_id_and_name() {
    let body = bytes("teams-first.json");
    let minimised = source().minimise(&teams_from(0).key(), &body).into_owned();
    let minimised = String::from_utf8(minimised).unwrap();
    assert!(!minimised.contains("rating") && !minimised.contains("aliases"), "{minimised}");
}

#[test]
fn single_team_is_read() {
    let reading = read_file(&team(704), "team-704.json");
    assert_eq!(names(&reading.named), [("704", "Off By None")]);
    let error = read(&team(705), &bytes("team-704.json")).unwrap_err();
    assert_eq!(error.at, "id");
    let minimised = source().minimise(&team(704).key(), &bytes("team-704.json")).into_owned();
    let minimised = String::from_utf8(minimised).unwrap();
    assert!(!minimised.contains("rating") && !minimised.contains("alias"), "{minimised}");
}

#[test]
fn unknown_team_has_no_name() {
    let request = team(706);
    for body in [r#"{"detail":"Not found."}"#, "<html>Not found</html>"] {
        let reading = conformance::read_answer(&source(), &request, 404, body.as_bytes()).unwrap();
        assert_eq!(reading, SiteReading::default());
    }
    assert_eq!(source().minimise(&request.key(), b"<html>Not found</html>").len(), 0);
}

#[test]
fn lookup_takes_numeric_ids_only() {
    let keys: Vec<String> = source()
        .lookup(&["702", "Gulls", "0", "701", "702"])
        .iter()
        .map(Request::key)
        .collect();
    assert_eq!(keys, ["GET api/v1/teams/701/", "GET api/v1/teams/702/"]);
}

/// Returns the requests that find these teams after these pages, as page offsets and team ids.
fn find_keys(unnamed: &[u32], pages: &[(usize, &[u32])]) -> Vec<String> {
    let pages: Vec<(String, Arc<SiteReading>)> = pages
        .iter()
        .map(|(offset, ids)| {
            let body = page(1000, *offset, ids.iter().copied());
            let request = teams_from(*offset);
            let reading = read(&request, body.as_bytes()).unwrap();
            (request.key(), Arc::new(reading))
        })
        .collect();
    let unnamed: Vec<String> = unnamed.iter().map(u32::to_string).collect();
    let unnamed: Vec<&str> = unnamed.iter().map(String::as_str).collect();
    let requests = source().find_names(&unnamed, &pages).into_iter();
    let short = requests.map(|request| {
        assert!(request.path.len() > "api/v1/teams/".len() || request.settles_at.is_none());
        let key = request.key().replace("GET api/v1/teams/", "");
        key.replace("?limit=1000&offset=", "from ")
    });
    short.collect()
}

#[test]
fn find_minimises_requests() {
    let thousand: Vec<u32> = (1..=1000).map(|rank| 2 * rank).collect();
    let first: &[(usize, &[u32])] = &[(0, &thousand)];
    // Single or distant teams.
    assert_eq!(find_keys(&[7], &[]), ["7/"]);
    assert_eq!(find_keys(&[7, 90_000], &[]), ["7/", "90000/"]);
    // A page covers at least the ids of the next thousand.
    assert_eq!(find_keys(&[7, 9], &[]), ["from 0"]);
    assert_eq!(find_keys(&[7, 9, 90_000], &[]), ["from 0", "90000/"]);
    // A team missing from a page that was read is not in the list.
    assert_eq!(find_keys(&[7, 9], first), ["7/", "9/"]);
    // New teams stand after the last page and its highest id.
    assert_eq!(find_keys(&[2_001, 2_003], first), ["from 1000"]);
    assert_eq!(find_keys(&[7, 2_001, 2_003], first), ["from 1000", "7/"]);
    // An empty page may have been filled since; another page has not changed.
    let ended: &[(usize, &[u32])] = &[(0, &thousand), (1000, &[])];
    assert_eq!(find_keys(&[2_001, 2_003], ended), ["from 1000"]);
    let full: &[(usize, &[u32])] = &[(0, &thousand), (1000, &[2_002, 2_008])];
    assert_eq!(find_keys(&[2_001, 2_003], full), ["2001/", "2003/"]);
    assert_eq!(find_keys(&[2_009, 2_010, 2_011], full), ["from 1002"]);
}

//! The list of teams.

use ranklore_source::{Named, Source};

use crate::fixtures::{bytes, read, read_file, source, teams_from};

fn names(named: &[Named]) -> Vec<(&str, &str)> {
    named
        .iter()
        .map(|of| (&*of.competitor, &*of.name))
        .collect()
}

#[test]
fn teams_come_under_both_keys_with_their_names_verbatim() {
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
    // A blank is no name.
    assert_eq!(names(&last.named), [("704", "Off By None")]);
}

#[test]
fn a_full_page_leads_to_the_next_and_one_that_is_not_to_none() {
    let first = read_file(&teams_from(0), "teams-first.json");
    let keys: Vec<String> = first
        .follow
        .iter()
        .map(ranklore_source::Request::key)
        .collect();
    // The site gave three where a thousand were asked for.
    assert_eq!(keys, ["GET api/v1/teams/?limit=1000&offset=3"]);
    let last = read_file(&teams_from(3), "teams-last.json");
    assert!(last.follow.is_empty());
}

#[test]
fn a_page_that_is_not_the_one_asked_for_is_refused() {
    for (body, at) in [
        (r#"{"limit":3,"offset":4,"result":[]}"#, "offset"),
        (r#"{"limit":0,"offset":3,"result":[]}"#, "limit"),
        (r#"{"limit":3000,"offset":3,"result":[]}"#, "limit"),
        (r#"{"limit":3,"offset":3}"#, "the whole"),
        (
            r#"{"limit":3,"offset":3,"result":[],"results":[]}"#,
            "the whole",
        ),
        (
            r#"{"limit":1,"offset":3,"result":[{"id":1,"name":"a"},{"id":2,"name":"b"}]}"#,
            "result",
        ),
        (
            r#"{"limit":3,"offset":3,"results":[{"id":1}]}"#,
            "results[0]",
        ),
    ] {
        let error = read(&teams_from(3), body.as_bytes()).unwrap_err();
        assert_eq!(error.at, at, "{body}: {error}");
    }
}

#[test]
fn of_teams_only_numbers_and_names_are_kept() {
    let body = bytes("teams-first.json");
    let kept = source().kept(&teams_from(0).key(), &body).into_owned();
    let kept = String::from_utf8(kept).unwrap();
    assert!(
        !kept.contains("rating") && !kept.contains("aliases"),
        "{kept}"
    );
}

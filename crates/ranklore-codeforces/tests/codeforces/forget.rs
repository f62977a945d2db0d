//! Who is forgotten, in places that nothing is read from.

use ranklore_codeforces::{Codeforces, info_requests};
use ranklore_contest::UnixSeconds;
use ranklore_source::{Document, Source, redact};

use crate::fixtures;

fn without_ada(key: &str, body: &str) -> Option<(String, String)> {
    let document = Document {
        request_key: key,
        fetched_at: UnixSeconds::MAX,
        status: 200,
        body: body.as_bytes(),
    };
    let blank = |name: &str| (name == "ada").then(|| "forgotten-1".to_owned());
    let redacted = Codeforces::default().profile().redact(&document, &blank)?;
    let body = String::from_utf8(redacted.body.into_owned()).unwrap();
    Some((redacted.request_key.into_owned(), body))
}

#[test]
fn who_prepared_a_contest_is_forgotten_as_well() {
    let key = fixtures::list_request().key();
    let body = r#"{"status":"OK","result":[{"name":"ada", "preparedBy":"ada"}]}"#;
    let redacted = r#"{"status":"OK","result":[{"name":"ada", "preparedBy":"forgotten-1"}]}"#;
    assert_eq!(without_ada(&key, body), Some((key, redacted.to_owned())));
}

#[test]
fn a_blank_stands_where_the_handle_was_asked_about() {
    let key = info_requests(["ada", "Zoe", "bea"]).remove(0).key();
    let blanked = key.replace("%3Bada%3B", "%3Bforgotten-1%3B");
    assert_ne!(key, blanked);
    for (comment, redacted) in [
        // The site has a spelling of its own.
        (
            "handles: User with handle ADA not found",
            "handles: User with handle forgotten-1 not found",
        ),
        (
            "handles: User with handle bea not found",
            "handles: User with handle bea not found",
        ),
    ] {
        let body = |comment: &str| format!(r#"{{"status":"FAILED","comment":"{comment}"}}"#);
        let expected = (blanked.clone(), body(redacted));
        assert_eq!(without_ada(&key, &body(comment)), Some(expected));
    }
}

#[test]
fn what_was_cut_off_is_redacted_as_well_as_can_be() {
    let key = fixtures::changes_of(1).key();
    let body = r#"{"status":"OK","result":[{"handle":"ada","rank":1},{"ha"#;
    let redacted = body.replace("ada", "forgotten-1");
    assert_eq!(without_ada(&key, body), Some((key.clone(), redacted)));
    assert_eq!(without_ada("a foreign key", "<html>"), None);
}

#[test]
fn teams_are_called_after_those_who_are_left() {
    let file = "contest.standings-1005.json";
    let body = fixtures::bytes(file);
    let request = fixtures::standings_of(1005);
    let key = request.key();
    let document = Document {
        request_key: &key,
        fetched_at: UnixSeconds::MAX,
        status: 200,
        body: &body,
    };
    let source = fixtures::source();
    let teams = |body: &[u8]| -> Vec<String> {
        let reading = source.read(&Document { body, ..document }).unwrap();
        let entrants = fixtures::entrants(fixtures::only(&reading));
        let teams = entrants.iter().filter(|of| !of.members.is_empty());
        teams.map(|of| of.competitor.clone()).collect()
    };
    let before = teams(&body);
    let several = before.iter().find(|team| team.contains(" + ")).unwrap();
    let (first, others) = several.split_once(" + ").unwrap();
    let blank = |name: &str| (name == first).then(|| "zz-forgotten".to_owned());
    let redacted = redact(&source, &document, &blank)
        .unwrap()
        .redacted
        .unwrap();
    let after = teams(&redacted.body);
    assert!(
        after.contains(&format!("{others} + zz-forgotten")),
        "{after:?}"
    );
}

//! Text written by users is never archived.

use ranklore_source::Source;

use crate::fixtures::{all_answers, bytes, read, source, thread_request};

/// A word in every text of the fixtures and in addresses made of titles.
const WORD: &str = "spoke";

#[test]
fn no_answer_text_is_kept() {
    for answer in all_answers() {
        let body = bytes(answer.file);
        let before = String::from_utf8(body.clone()).unwrap();
        assert!(before.contains(WORD), "{}", answer.file);
        let minimised = source().minimise(&answer.request.key(), &body);
        let minimised = std::str::from_utf8(&minimised).unwrap();
        assert!(!minimised.contains(WORD), "{}: {minimised}", answer.file);
        for member in ["body", "title", "selftext", "permalink", "flair", "url"] {
            assert!(!minimised.contains(member), "{}: {member}", answer.file);
        }
        assert!(minimised.len() < body.len() / 2, "{}", answer.file);
    }
}

#[test]
fn thread_authors_in_lists_are_not_kept() {
    let request = crate::fixtures::top_request();
    let body = bytes("r-LanternTales-top.json");
    let minimised = source().minimise(&request.key(), &body).into_owned();
    assert!(!String::from_utf8(minimised).unwrap().contains("MossyGull"));
}

#[test]
fn unsearchable_answer_keeps_nothing() {
    let key = thread_request().key();
    let deep = format!(r#"{}{{"body":"spoke"}}{}"#, "[".repeat(105), "]".repeat(105));
    let cut = r#"[{"kind":"Listing","data":{"children":[{"body":"spoke"#;
    for body in [deep.as_str(), cut, "<html>spoke</html>"] {
        assert_eq!(source().minimise(&key, body.as_bytes()).as_ref(), b"", "{body}");
        assert!(read(&thread_request(), body.as_bytes()).is_err());
    }
    let body = br#"{"body":"spoke"}"#;
    assert_eq!(source().minimise("GET user/ada", body).as_ref(), b"");
}

#[test]
fn nested_text_in_kept_members_is_dropped() {
    let key = thread_request().key();
    for body in [
        r#"{"author":{"body":"spoke"}}"#,
        r#"{"score":[{"title":"spoke"}]}"#,
        r#"{"data":{"kind":{"x":{"id":"spoke"}}}}"#,
        r#"{"b\u006fdy":"spoke","id":"a"}"#,
    ] {
        let minimised = source().minimise(&key, body.as_bytes());
        let minimised = String::from_utf8_lossy(&minimised);
        assert!(!minimised.contains("spoke"), "{minimised}");
    }
}

//! What is an answer of an interface, and what stands in its place.

use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::Verdict;

/// What to make of an answer of an interface that answers with objects which have one of these
/// `members`. Whatever else comes with status 200 is bad: notices, errors, what was cut off.
#[must_use]
pub fn classify(status: u16, body: &[u8], members: &[&str]) -> Verdict {
    match status {
        200 if has_any(body, members) => Verdict::Answer,
        _ => no_answer(status, body),
    }
}

/// What to make of what is no answer of an interface: a page that checks for people is a wall,
/// and so are 401 and 403; 429 and those from 500 on are for later; all else is bad, such as
/// notices, errors and what was cut off.
#[must_use]
pub fn no_answer(status: u16, body: &[u8]) -> Verdict {
    /// As many bytes are searched for words.
    const SEARCHED: usize = 16 << 10;
    const CHALLENGE: [&str; 4] = [
        "just a moment",
        "cf-chl",
        "challenge-platform",
        "attention required",
    ];
    let text = String::from_utf8_lossy(&body[..body.len().min(SEARCHED)]);
    let text = text.trim_start();
    if text.starts_with('<') {
        let words = text.to_ascii_lowercase();
        if CHALLENGE.iter().any(|word| words.contains(word)) {
            return Verdict::Blocked(format!("a check for people by Cloudflare, HTTP {status}"));
        }
    }
    let says = brief(text);
    match status {
        401 | 403 => Verdict::Blocked(format!("HTTP {status}: {says}")),
        429 | 500.. => Verdict::RetryLater(format!("HTTP {status}: {says}")),
        _ => Verdict::Invalid(format!(
            "HTTP {status}, no whole answer of the interface: {says}"
        )),
    }
}

/// The beginning of what a site says, quoted, without control characters.
#[must_use]
pub fn brief(text: &str) -> String {
    const CHARS: usize = 120;
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// Whether it is one whole object with one of these members.
#[expect(
    clippy::zero_sized_map_values,
    reason = "serde reads an object as a map, and only the names of its members matter"
)]
fn has_any(body: &[u8], members: &[&str]) -> bool {
    let object: HashMap<String, IgnoredAny> = serde_json::from_slice(body).unwrap_or_default();
    members.iter().any(|member| object.contains_key(*member))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_known_by_their_members() {
        let word = |status, body: &str| {
            let verdict = format!("{:?}", classify(status, body.as_bytes(), &["list", "rows"]));
            verdict.split('(').next().unwrap().to_owned()
        };
        let challenge = "\n<html><title>Just a moment...</title></html>";
        for (status, body, verdict) in [
            (200, r#"{"list":[]}"#, "Answer"),
            (200, r#"{"rows":null,"x":1}"#, "Answer"),
            (200, r#"{"error":"no rows"}"#, "Invalid"),
            (200, r#"{"error":"just a moment"}"#, "Invalid"),
            (200, r#"{"rows":["#, "Invalid"),
            (200, r#"["rows"]"#, "Invalid"),
            (200, "<html>Sign in</html>", "Invalid"),
            (200, challenge, "Blocked"),
            (503, challenge, "Blocked"),
            (404, r#"{"rows":[]}"#, "Invalid"),
            (401, "", "Blocked"),
            (403, r#"{"rows":[]}"#, "Blocked"),
            (429, "", "RetryLater"),
            (503, r#"{"rows":[]}"#, "RetryLater"),
        ] {
            assert_eq!(word(status, body), verdict, "{status} {body}");
        }
    }

    #[test]
    fn what_a_site_says_is_quoted_and_short() {
        assert_eq!(brief("a\u{1b}[31m\"b"), r#""a\u{1b}[31m\"b""#);
        let long = brief(&"ü".repeat(5000));
        assert_eq!(long.chars().count(), 120 + 3);
        assert!(long.ends_with("\"…"));
    }
}

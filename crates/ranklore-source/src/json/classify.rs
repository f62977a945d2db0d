//! Classifies answers of JSON interfaces.

use std::collections::HashMap;

use serde::de::IgnoredAny;

use crate::Classification;

/// Classifies the answer of an interface whose answers are objects with one of these `members`.
/// Other bodies with status 200 are invalid: notices, errors, truncated answers.
#[must_use]
pub fn classify(status: u16, body: &[u8], members: &[&str]) -> Classification {
    match status {
        200 if has_any_member(body, members) => Classification::Answer,
        _ => classify_failure(status, body),
    }
}

/// Classifies a failed response: challenge pages, 401 and 403 are blocked; 429 is a limit, 5xx a
/// failure of the site; others, such as notices, errors and truncated answers, are invalid.
#[must_use]
pub fn classify_failure(status: u16, body: &[u8]) -> Classification {
    /// The number of bytes that are searched for challenge words.
    const SEARCHED_BYTES: usize = 16 << 10;
    const CHALLENGE_WORDS: [&str; 4] = [
        "just a moment",
        "cf-chl",
        "challenge-platform",
        "attention required",
    ];
    let text = String::from_utf8_lossy(&body[..body.len().min(SEARCHED_BYTES)]);
    let text = text.trim_start();
    if text.starts_with('<') {
        let words = text.to_ascii_lowercase();
        if CHALLENGE_WORDS.iter().any(|word| words.contains(word)) {
            return Classification::Blocked(format!("a Cloudflare challenge, HTTP {status}"));
        }
    }
    let excerpt = quote_excerpt(text);
    match status {
        401 | 403 => Classification::Blocked(format!("HTTP {status}: {excerpt}")),
        429 => Classification::RetryLater(format!("HTTP {status}: {excerpt}")),
        500.. => Classification::Failed(format!("HTTP {status}: {excerpt}")),
        _ => Classification::Invalid(format!("HTTP {status}, not a complete answer: {excerpt}")),
    }
}

/// Returns the beginning of a text, quoted, with control characters escaped.
#[must_use]
pub fn quote_excerpt(text: &str) -> String {
    const MAX_EXCERPT_CHARS: usize = 120;
    match text.char_indices().nth(MAX_EXCERPT_CHARS) {
        Some((end, _)) => format!("{:?}…", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// True if the body is one complete object with one of these members.
#[expect(
    clippy::zero_sized_map_values,
    reason = "serde reads an object as a map, and only the names of its members matter"
)]
fn has_any_member(body: &[u8], members: &[&str]) -> bool {
    let object: HashMap<String, IgnoredAny> = serde_json::from_slice(body).unwrap_or_default();
    members.iter().any(|member| object.contains_key(*member))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answer_needs_a_known_member() {
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
            (503, r#"{"rows":[]}"#, "Failed"),
            (520, "", "Failed"),
        ] {
            assert_eq!(word(status, body), verdict, "{status} {body}");
        }
    }

    #[test]
    fn excerpt_is_quoted_and_short() {
        assert_eq!(quote_excerpt("a\u{1b}[31m\"b"), r#""a\u{1b}[31m\"b""#);
        let long = quote_excerpt(&"ü".repeat(5000));
        assert_eq!(long.chars().count(), 120 + 3);
        assert!(long.ends_with("\"…"));
    }
}

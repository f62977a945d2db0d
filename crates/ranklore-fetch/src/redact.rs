//! Redaction of URLs and response text.

use reqwest::Url;

/// Query parameters with secret values, in lower case.
const SECRET_PARAMETERS: [&str; 20] = [
    "access_token",
    "api_key",
    "apikey",
    "apisig",
    "auth",
    "client_secret",
    "code",
    "key",
    "passwd",
    "password",
    "refresh_token",
    "secret",
    "session",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
    "x-amz-security-token",
    "x-amz-signature",
];
const MAX_LINE_CHARS: usize = 120;
/// Upper bound of a URL in a message; the URL of a response is never shortened.
const MAX_URL_CHARS: usize = 199;

/// Returns a URL without user, password and values of secret parameters.
pub(crate) fn redacted_url(url: &Url) -> String {
    let mut url = url.clone();
    // Both fail only for URLs that cannot have a user.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    if let Some(query) = url.query() {
        let parts = query.split('&').map(|pair| match pair.split_once('=') {
            Some((name, _)) if SECRET_PARAMETERS.contains(&name.to_ascii_lowercase().as_str()) => {
                format!("{name}=***")
            }
            _ => pair.to_owned(),
        });
        let query = parts.collect::<Vec<_>>().join("&");
        url.set_query(Some(&query));
    }
    url.into()
}

/// Returns a URL for a message: redacted, and shortened to 200 characters.
pub(crate) fn shown_url(url: &Url) -> String {
    shorten(&redacted_url(url), MAX_URL_CHARS)
}

/// Returns the title of a page, or else its first non-empty line, shortened.
pub(crate) fn first_line(body: &[u8]) -> String {
    let start = String::from_utf8_lossy(&body[..body.len().min(16 << 10)]);
    let line = title(&start)
        .or_else(|| start.lines().map(str::trim).find(|line| !line.is_empty()))
        .unwrap_or("no text");
    single_line(line)
}

/// Returns text on one line of at most 120 characters, without control characters.
pub(crate) fn single_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    let mut chars = words.join(" ");
    chars.retain(|char| !char.is_control());
    shorten(&chars, MAX_LINE_CHARS)
}

/// Returns at most `limit` characters of a text, and `…` in place of the rest.
pub(crate) fn shorten(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn title(page: &str) -> Option<&str> {
    if !page.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
        return None;
    }
    // ASCII lower case keeps byte offsets.
    let lower = page.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let from = open + lower[open..].find('>')? + 1;
    let to = from + lower[from..].find("</title")?;
    let title = page[from..to].trim();
    (!title.is_empty()).then_some(title)
}

/// Returns an error with all its causes.
pub(crate) fn error_chain(error: &dyn std::error::Error) -> String {
    let mut texts = vec![error.to_string()];
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Many errors repeat their cause.
        if !texts.iter().any(|outer| outer.contains(&text)) {
            texts.push(text);
        }
        cause = error.source();
    }
    single_line(&texts.join(": "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn url_secrets_are_redacted() {
        let url = "https://me:pass@example.org/api?apiKey=abc&time=5&apiSig=1%26f&TOKEN=&keys=1&key=x&flag"
            .parse()
            .unwrap();
        let text = redacted_url(&url);
        assert_eq!(
            text,
            "https://example.org/api?apiKey=***&time=5&apiSig=***&TOKEN=***&keys=1&key=***&flag"
        );
    }

    #[test]
    fn url_in_message_is_short() {
        let url = format!("https://me:pass@example.org/{}", "a".repeat(120_000));
        let text = shown_url(&url.parse().unwrap());
        assert_eq!(text.chars().count(), 200);
        assert!(text.starts_with("https://example.org/aaa"), "{text}");
    }

    #[test]
    fn first_line_is_short_without_controls() {
        assert_eq!(
            first_line(b"\n\n  Call limit\x1b[31m exceeded \nmore"),
            "Call limit[31m exceeded"
        );
        assert_eq!(
            first_line(b"<!DOCTYPE html><html><head><TITLE>Just a\nmoment...</TITLE>"),
            "Just a moment..."
        );
        assert_eq!(first_line(b"<html><p>hello"), "<html><p>hello");
        assert_eq!(first_line(b" \n"), "no text");
        assert_eq!(first_line("ä".repeat(500).as_bytes()).chars().count(), MAX_LINE_CHARS + 1);
        assert_eq!(first_line(b"\xff\xfe"), "\u{fffd}\u{fffd}");
    }
}

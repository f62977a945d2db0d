//! Detection of challenge and login pages.

use reqwest::Url;
use reqwest::header::HeaderMap;

/// Beginnings of the titles of challenge pages, in lower case.
const CHALLENGE_TITLES: [&str; 8] = [
    "just a moment",
    "attention required",
    "ddos-guard",
    "checking your browser",
    "please wait...",
    "one more step",
    "access denied",
    "verify you are human",
];
/// Markup found only in challenge pages. (`challenge-platform` occurs in ordinary pages too.)
const CHALLENGE_MARKS: [&str; 4] = [
    "window._cf_chl_opt",
    "cf-challenge-running",
    "id=\"challenge-form\"",
    "id=\"challenge-error-text\"",
];
const LOGIN_PATHS: [&str; 6] = ["login", "signin", "sign-in", "logon", "enter", "auth"];
/// Bytes of a page that are searched.
const MAX_SEARCHED_BYTES: usize = 64 << 10;

/// True if the body is an HTML page, whatever its declared type.
pub(crate) fn is_html(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    body.trim_ascii_start().first() == Some(&b'<')
}

/// True if the body is a challenge page (CAPTCHA or browser check).
pub(crate) fn is_challenge(headers: &HeaderMap, body: &[u8]) -> bool {
    if headers.get("cf-mitigated").is_some_and(|value| value == "challenge") {
        return true;
    }
    if !is_html(body) {
        return false;
    }
    let page = search_text(body);
    let title = crate::redact::first_line(body).to_ascii_lowercase();
    CHALLENGE_TITLES.iter().any(|begin| title.starts_with(begin))
        || CHALLENGE_MARKS.iter().any(|mark| page.contains(mark))
}

/// True if the body is a login page: the request was redirected to a login path, or no page was
/// expected and this one has a password field.
pub(crate) fn is_login_page(requested: &Url, url: &Url, page_due: bool, body: &[u8]) -> bool {
    if !is_html(body) {
        return false;
    }
    let is_redirected =
        requested.path() != url.path() && is_login_path(url) && !is_login_path(requested);
    is_redirected
        || !page_due && {
            let page = search_text(body);
            page.contains("type=\"password\"") || page.contains("type='password'")
        }
}

fn is_login_path(url: &Url) -> bool {
    url.path().to_ascii_lowercase().split('/').any(|part| {
        let name = part.split_once('.').map_or(part, |(name, _)| name);
        LOGIN_PATHS.contains(&name)
    })
}

fn search_text(body: &[u8]) -> String {
    String::from_utf8_lossy(&body[..body.len().min(MAX_SEARCHED_BYTES)]).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(path: &str) -> Url {
        format!("https://example.org/{path}").parse().unwrap()
    }

    #[test]
    fn challenge_pages_are_recognised() {
        let none = HeaderMap::new();
        let challenge = b"<!DOCTYPE html><html><head><title>Just a moment...</title>";
        assert!(is_challenge(&none, challenge));
        assert!(is_challenge(&none, b" <script>window._CF_chl_opt = {}"));
        let ordinary = b"<html><title>Results</title><script src=/cdn-cgi/challenge-platform/scripts/jsd/main.js>";
        assert!(!is_challenge(&none, ordinary));
        assert!(!is_challenge(&none, b"{\"name\": \"Just a moment...\"}"));
        let mut marked = HeaderMap::new();
        marked.insert("cf-mitigated", "challenge".parse().unwrap());
        assert!(is_challenge(&marked, ordinary));
    }

    #[test]
    fn login_pages_are_recognised() {
        let form = b"<html><form><input type=\"password\"></form>";
        let results = url("results/5");
        assert!(is_login_page(&results, &results, false, form));
        assert!(!is_login_page(&results, &results, true, form));
        assert!(is_login_page(&results, &url("Login.aspx"), true, form));
        assert!(is_login_page(&results, &url("enter"), true, b"<html>"));
        assert!(!is_login_page(&results, &url("results/6"), true, form));
        assert!(!is_login_page(&results, &url("enter"), true, b"{}"));
    }
}

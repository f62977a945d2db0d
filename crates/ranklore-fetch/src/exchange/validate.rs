//! Validation of responses.

use ranklore_source::{Classification, MediaKind, Request, Source};
use reqwest::header::CONTENT_TYPE;
use serde::de::IgnoredAny;

use crate::error::{FetchError, Rejection};
use crate::exchange::challenge;
use crate::exchange::http::HttpResponse;
use crate::redact::{first_line, shown_url, single_line};

/// Accepts a response that may be archived. Checks that hold for all sites come first: challenges,
/// login pages, media type. Then the source classifies the response, since only it knows the site's
/// error messages. For an error status with an unexpected media type the source's classification
/// counts only if it is `RetryLater`, `Failed` or `Blocked`, or for an HTML page with status 404 also
/// if it is `Answer`: the document does not exist.
pub(crate) fn validate_response(
    source: &dyn Source,
    request: &Request,
    answer: &HttpResponse,
) -> Result<(), FetchError> {
    let status = answer.status;
    let body = &answer.body;
    let reject = |words: String| Rejection {
        url: shown_url(&answer.url),
        status,
        words,
    };
    let quote_body = || reject(first_line(body));
    let quote_reason = |reason: &str| match single_line(&without_status(reason, status)) {
        empty if empty.is_empty() => quote_body(),
        words => reject(words),
    };
    if challenge::is_challenge(&answer.headers, body) {
        return Err(FetchError::Challenge(quote_body()));
    }
    let is_page = request.expects == MediaKind::Html;
    if status < 500 && challenge::is_login_page(&answer.requested_url, &answer.url, is_page, body) {
        return Err(FetchError::LoginWall {
            url: shown_url(&answer.url),
            first_line: first_line(body),
        });
    }
    let content_check = check_content(request.expects, answer);
    match status {
        200..300 => content_check.clone()?,
        // 101 answers a request for another protocol, which was not sent.
        ..200 | 300..400 => return Err(FetchError::Refused(quote_body())),
        _ => {}
    }
    match (status, content_check, source.classify(request, status, body)) {
        (.., Classification::RetryLater(reason)) => {
            Err(FetchError::RateLimited(quote_reason(&reason)))
        }
        (.., Classification::Failed(reason)) => Err(FetchError::ServerError(quote_reason(&reason))),
        (.., Classification::Blocked(reason)) => Err(FetchError::Blocked(quote_reason(&reason))),
        (429, ..) => Err(FetchError::RateLimited(quote_body())),
        // A failing program may report its error in JSON, which its source may read. A page or
        // plain text only says that something failed.
        (500.., Ok(()), Classification::Answer) if request.expects == MediaKind::Json => Ok(()),
        (500.., ..) => Err(FetchError::ServerError(quote_body())),
        (_, Ok(()), Classification::Invalid(reason)) => Err(FetchError::Unreadable {
            url: shown_url(&answer.url),
            reason: single_line(without_excerpt(&reason, &first_line(body))),
            first_line: first_line(body),
        }),
        (_, Ok(()), Classification::Answer)
        | (404, Err(FetchError::HtmlInsteadOfJson(_)), Classification::Answer) => Ok(()),
        (
            _,
            Err(failed @ (FetchError::HtmlInsteadOfJson(_) | FetchError::TruncatedJson { .. })),
            _,
        ) => Err(failed),
        (_, Err(_), _) => Err(FetchError::Refused(quote_body())),
    }
}

/// Returns the reason that a source gives, without the status, which the message states already.
fn without_status(reason: &str, status: u16) -> String {
    let status_text = format!("HTTP {status}");
    let rest = reason.replace(&format!(", {status_text}"), "").replace(&status_text, "");
    match rest.trim_matches([':', ',', ' ']) {
        "\"\"" => String::new(),
        words => words.to_owned(),
    }
}

/// Returns the reason that a source gives, without an excerpt of the response in quotes at its
/// end, which the message has already.
fn without_excerpt<'r>(reason: &'r str, first_line: &str) -> &'r str {
    let Some((start, quoted)) = reason.split_once(": \"") else {
        return reason;
    };
    let excerpt = quoted.replace("\\\"", "\"");
    let mut pairs = excerpt.chars().zip(first_line.chars()).take(20);
    if pairs.all(|(one, other)| one == other) {
        start
    } else {
        reason
    }
}

/// Errors if the content is not of the expected kind.
fn check_content(expected: MediaKind, answer: &HttpResponse) -> Result<(), FetchError> {
    let body = &answer.body;
    let url = || shown_url(&answer.url);
    let trimmed_body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    if trimmed_body.trim_ascii().is_empty() {
        return Err(FetchError::Empty {
            url: url(),
            status: answer.status,
        });
    }
    if expected == MediaKind::Json && challenge::is_html(body) {
        return Err(FetchError::HtmlInsteadOfJson(Rejection {
            url: url(),
            status: answer.status,
            words: first_line(body),
        }));
    }
    if let Some(declared) = answer.header_text(&CONTENT_TYPE) {
        let media = declared.split(';').next().unwrap_or_default();
        let (fits, expected_label) = match_media_type(expected, &media.trim().to_ascii_lowercase());
        if !fits {
            return Err(FetchError::WrongMediaType {
                url: url(),
                media_type: single_line(&declared),
                due: expected_label,
                first_line: first_line(body),
            });
        }
    }
    if expected == MediaKind::Json {
        check_json(answer)?;
    }
    Ok(())
}

/// Returns true if the declared type fits the expected kind, and the name of that kind.
fn match_media_type(expected: MediaKind, media: &str) -> (bool, &'static str) {
    let json = media.ends_with("/json") || media.ends_with("+json");
    match expected {
        // Many servers declare JSON as plain text; parsing shows what it is.
        MediaKind::Json => (
            json || matches!(media, "" | "text/plain")
                || media.ends_with("/javascript")
                || media.ends_with("/x-javascript"),
            "JSON",
        ),
        MediaKind::Html => (matches!(media, "" | "text/html" | "application/xhtml+xml"), "a page"),
        MediaKind::Text => (
            json || media.is_empty()
                || media.starts_with("text/")
                || media.ends_with("/xml")
                || media.ends_with("+xml"),
            "text",
        ),
    }
}

fn check_json(answer: &HttpResponse) -> Result<(), FetchError> {
    let body = &answer.body;
    let Err(error) = serde_json::from_slice::<IgnoredAny>(body) else {
        return Ok(());
    };
    let url = shown_url(&answer.url);
    let first_line = first_line(body);
    Err(if error.is_eof() {
        FetchError::TruncatedJson {
            url,
            bytes: body.len(),
            first_line,
        }
    } else {
        FetchError::NotJson {
            url,
            reason: single_line(&error.to_string()),
            first_line,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpt_is_quoted_once() {
        let first_line = r#"{"result":[{"contestId":24,"contestName":"Lantern"#;
        let twice = r#"not an answer: "{\"result\":[{\"contestId\"…"#;
        assert_eq!(without_excerpt(twice, first_line), "not an answer");
        for reason in ["not an answer", "not an answer: \"contestId: not found\""] {
            assert_eq!(without_excerpt(reason, first_line), reason);
        }
    }

    #[test]
    fn status_is_stated_once() {
        for (reason, words) in [
            ("HTTP 429: \"\"", ""),
            ("HTTP 429: \"Slow down\"", "\"Slow down\""),
            ("rate limit exceeded, HTTP 429", "rate limit exceeded"),
            ("rate limit exceeded, HTTP 429: \"x\"", "rate limit exceeded: \"x\""),
            ("HTTP 429", ""),
            ("HTTP 503: \"x\"", "HTTP 503: \"x\""),
            ("call limit exceeded", "call limit exceeded"),
        ] {
            assert_eq!(without_status(reason, 429), words, "{reason}");
        }
    }
}

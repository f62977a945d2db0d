//! Validation of responses.

use ranklore_source::{Form, Request, Source, Verdict};
use reqwest::header::CONTENT_TYPE;
use serde::de::IgnoredAny;

use crate::exchange::hop::Answer;
use crate::exchange::wall;
use crate::failed::{Failed, Rejection};
use crate::shown::{first_line, line_of, shown};

/// Accepts a response that may be archived. Checks that hold for all sites come first: challenges,
/// login pages, media type. Then the source classifies the response, since only it knows the site's
/// error messages. For an error status with an unexpected media type the source's classification
/// counts only if it is `RetryLater` or `Blocked`.
pub(crate) fn check(source: &dyn Source, request: &Request, answer: &Answer) -> Result<(), Failed> {
    let Answer {
        status, ref body, ..
    } = *answer;
    let reply = |words: String| Rejection {
        url: shown(&answer.url),
        status,
        words,
    };
    let begin = || reply(first_line(body));
    if wall::is_challenge(&answer.headers, body) {
        return Err(Failed::Challenge(begin()));
    }
    let page_due = request.expects == Form::Html;
    if status < 500 && wall::is_login(&answer.asked, &answer.url, page_due, body) {
        return Err(Failed::LoginWall {
            url: shown(&answer.url),
            first_line: first_line(body),
        });
    }
    let form = kind(request.expects, answer);
    match status {
        200..300 => form.clone()?,
        300..400 => return Err(Failed::Refused(begin())),
        _ => {}
    }
    match (status, form, source.classify(request, status, body)) {
        (.., Verdict::RetryLater(reason)) => Err(Failed::RateLimited(reply(line_of(&reason)))),
        (.., Verdict::Blocked(reason)) => Err(Failed::Blocked(reply(line_of(&reason)))),
        (429, ..) => Err(Failed::RateLimited(begin())),
        // A failing program may report its error in JSON, which its source may read. A page or
        // plain text only says that something failed.
        (500.., Ok(()), Verdict::Answer) if request.expects == Form::Json => Ok(()),
        (500.., ..) => Err(Failed::ServerError(begin())),
        (_, Ok(()), Verdict::Invalid(reason)) => Err(Failed::Unreadable {
            url: shown(&answer.url),
            reason: line_of(&reason),
            first_line: first_line(body),
        }),
        (_, Ok(()), Verdict::Answer) => Ok(()),
        (_, Err(failed @ (Failed::HtmlForJson(_) | Failed::TruncatedJson { .. })), _) => {
            Err(failed)
        }
        (_, Err(_), _) => Err(Failed::Refused(begin())),
    }
}

/// Errors if the content is not of the expected kind.
fn kind(due: Form, answer: &Answer) -> Result<(), Failed> {
    let body = &answer.body;
    let url = || shown(&answer.url);
    let bare = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    if bare.trim_ascii().is_empty() {
        return Err(Failed::Empty {
            url: url(),
            status: answer.status,
        });
    }
    if due == Form::Json && wall::is_page(body) {
        return Err(Failed::HtmlForJson(Rejection {
            url: url(),
            status: answer.status,
            words: first_line(body),
        }));
    }
    if let Some(declared) = answer.text_of(&CONTENT_TYPE) {
        let media = declared.split(';').next().unwrap_or_default();
        let (fits, due) = fits(due, &media.trim().to_ascii_lowercase());
        if !fits {
            return Err(Failed::WrongType {
                url: url(),
                media_type: line_of(&declared),
                due,
                first_line: first_line(body),
            });
        }
    }
    if due == Form::Json {
        is_json(answer)?;
    }
    Ok(())
}

/// Returns true if the declared type fits the expected kind, and the name of that kind.
fn fits(due: Form, media: &str) -> (bool, &'static str) {
    let json = media.ends_with("/json") || media.ends_with("+json");
    match due {
        // Many servers declare JSON as plain text; parsing shows what it is.
        Form::Json => (
            json || matches!(media, "" | "text/plain")
                || media.ends_with("/javascript")
                || media.ends_with("/x-javascript"),
            "JSON",
        ),
        Form::Html => (
            matches!(media, "" | "text/html" | "application/xhtml+xml"),
            "a page",
        ),
        Form::Text => (
            json || media.is_empty()
                || media.starts_with("text/")
                || media.ends_with("/xml")
                || media.ends_with("+xml"),
            "text",
        ),
    }
}

fn is_json(answer: &Answer) -> Result<(), Failed> {
    let body = &answer.body;
    let Err(error) = serde_json::from_slice::<IgnoredAny>(body) else {
        return Ok(());
    };
    let url = shown(&answer.url);
    let first_line = first_line(body);
    Err(if error.is_eof() {
        Failed::TruncatedJson {
            url,
            bytes: body.len(),
            first_line,
        }
    } else {
        Failed::NotJson {
            url,
            reason: line_of(&error.to_string()),
            first_line,
        }
    })
}

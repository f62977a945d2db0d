//! Whether what came is an answer.

use ranklore_source::{Form, Request, Source, Verdict};
use reqwest::header::CONTENT_TYPE;
use serde::de::IgnoredAny;

use crate::exchange::hop::Answer;
use crate::exchange::wall;
use crate::failed::{Failed, Rejection};
use crate::shown::{first_line, line_of, shown};

/// Says yes to what may be archived. Walls and what is not of the kind that was due are told
/// first, by rules that hold for all sites; then the source is asked, as only it knows with which
/// words its site says no. An answer without success that is of another kind than was due is
/// shown to the source too, but its word counts only where it knows the reason: `RetryLater`,
/// `Blocked`.
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
        // A program that failed may have said so in JSON, and its source may read that; a page
        // or a line of text says only that something failed.
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

/// Whether the answer is of the kind that was due.
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

/// Whether a declared type can be what was due, and what that is called.
fn fits(due: Form, media: &str) -> (bool, &'static str) {
    let json = media.ends_with("/json") || media.ends_with("+json");
    match due {
        // Many a server sends JSON as plain text; that it is JSON is seen by reading it.
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

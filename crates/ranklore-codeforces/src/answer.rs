//! The envelope of every API response.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;
use ranklore_source::ReadError;
use ranklore_source::json::{self, brief};
use serde::Deserialize;

use crate::refusal::Refusal;

/// `{"status": "OK", "result": …}` or `{"status": "FAILED", "comment": "…"}`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub(crate) struct Envelope<'a, T> {
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    pub(crate) comment: Option<String>,
    pub(crate) result: Option<T>,
}

/// A parsed API response.
pub(crate) enum Answer<T> {
    Result(T),
    /// An API error, with its comment.
    Refused(Refusal, String),
}

/// Parses the envelope. Errors for comments that answer no request.
pub(crate) fn open<'a, T: Deserialize<'a>>(
    key: &str,
    body: &'a [u8],
) -> Result<Answer<T>, ReadError> {
    let envelope: Envelope<'a, T> = json::parse(key, body)?;
    match &*envelope.status {
        "OK" => envelope
            .result
            .map(Answer::Result)
            .ok_or_else(|| ReadError::new(key, "result", "a result, as the status is OK")),
        "FAILED" => match envelope.comment {
            Some(comment) => match Refusal::of(&comment) {
                Refusal::Other | Refusal::TooOften => Err(unexpected(key, &comment)),
                refusal => Ok(Answer::Refused(refusal, comment)),
            },
            None => Err(ReadError::new(
                key,
                "comment",
                "a comment, as the status is FAILED",
            )),
        },
        other => Err(ReadError::new(
            key,
            "status",
            format!("OK or FAILED, not {}", brief(other)),
        )),
    }
}

/// Returns the error for a comment that does not answer the request.
pub(crate) fn unexpected(key: &str, comment: &str) -> ReadError {
    let expected = format!("a response to the request, not {}", brief(comment));
    ReadError::new(key, "comment", expected)
}

/// Parses a time of the site; errors with the expected form.
pub(crate) fn moment(seconds: i64) -> Result<UnixSeconds, String> {
    UnixSeconds::new(seconds).ok_or_else(|| format!("a time from 1970 to 2199, not {seconds}"))
}

/// Returns start and end of a contest; errors with the invalid field and its expected form.
pub(crate) fn begin_and_end(
    start: Option<i64>,
    duration: u32,
) -> Result<Option<(UnixSeconds, UnixSeconds)>, (&'static str, String)> {
    let Some(start) = start else {
        return Ok(None);
    };
    let begin = moment(start).map_err(|expected| ("startTimeSeconds", expected))?;
    let end = moment(start + i64::from(duration));
    let end = end.map_err(|expected| ("durationSeconds", expected))?;
    Ok(Some((begin, end)))
}

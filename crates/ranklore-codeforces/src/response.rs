//! The envelope of every API response.

use std::borrow::Cow;

use ranklore_contest::UnixSeconds;
use ranklore_source::SiteReadError;
use ranklore_source::json::{self, quote_excerpt};
use serde::Deserialize;

use crate::api_error::ApiError;

/// `{"status": "OK", "result": …}` or `{"status": "FAILED", "comment": "…"}`.
#[derive(Deserialize)]
#[serde(bound(deserialize = "T: Deserialize<'de>"))]
pub(crate) struct Envelope<'a, T> {
    #[serde(borrow)]
    pub(crate) status: Cow<'a, str>,
    pub(crate) comment: Option<String>,
    pub(crate) result: Option<T>,
}

/// A parsed API response: its result, or an API error with its comment.
pub(crate) type ApiResponse<T> = Result<T, (ApiError, String)>;

/// Parses the envelope. Errors for comments that answer no request.
pub(crate) fn parse_response<'a, T: Deserialize<'a>>(
    key: &str,
    body: &'a [u8],
) -> Result<ApiResponse<T>, SiteReadError> {
    let envelope: Envelope<'a, T> = json::parse(key, body)?;
    match (&*envelope.status, envelope.result, envelope.comment) {
        ("OK", Some(result), _) => Ok(Ok(result)),
        ("FAILED", _, Some(comment)) => match ApiError::parse(&comment) {
            ApiError::Other | ApiError::CallLimitExceeded => Err(unexpected_error(key, &comment)),
            refusal => Ok(Err((refusal, comment))),
        },
        ("OK", None, _) => {
            let expected = "a result, as the status is OK";
            Err(SiteReadError::new(key, "result", expected))
        }
        ("FAILED", _, None) => {
            let expected = "a comment, as the status is FAILED";
            Err(SiteReadError::new(key, "comment", expected))
        }
        (other, ..) => {
            let expected = format!("OK or FAILED, not {}", quote_excerpt(other));
            Err(SiteReadError::new(key, "status", expected))
        }
    }
}

/// Parses the result of a request that has no negative answer.
pub(crate) fn parse_result<'a, T: Deserialize<'a>>(
    key: &str,
    body: &'a [u8],
) -> Result<T, SiteReadError> {
    parse_response(key, body)?.map_err(|(_, comment)| unexpected_error(key, &comment))
}

/// Returns the error for a comment that does not answer the request.
pub(crate) fn unexpected_error(key: &str, comment: &str) -> SiteReadError {
    let expected = format!("a response to the request, not {}", quote_excerpt(comment));
    SiteReadError::new(key, "comment", expected)
}

/// Parses a time of the site; errors with the expected form.
pub(crate) fn parse_time(seconds: i64) -> Result<UnixSeconds, String> {
    UnixSeconds::new(seconds).ok_or_else(|| format!("a time from 1970 to 2199, not {seconds}"))
}

/// Returns start and end of a contest; errors with the invalid field and its expected form.
pub(crate) fn contest_times(
    start: Option<i64>,
    duration: u32,
) -> Result<Option<(UnixSeconds, UnixSeconds)>, (&'static str, String)> {
    let Some(start) = start else {
        return Ok(None);
    };
    let begin = parse_time(start).map_err(|expected| ("startTimeSeconds", expected))?;
    let end = parse_time(start + i64::from(duration));
    let end = end.map_err(|expected| ("durationSeconds", expected))?;
    Ok(Some((begin, end)))
}

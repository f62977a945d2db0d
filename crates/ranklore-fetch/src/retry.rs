//! Retries: back-off and `Retry-After`.

use std::time::{Duration, SystemTime};

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

use crate::error::{FetchError, RetryPolicy};

/// Longest wait within a run; a longer `Retry-After` starts a cool-down.
pub(crate) const MAX_WAIT: Duration = Duration::from_mins(1);

/// Longest cool-down, for servers whose clock is years off.
const MAX_COOL_DOWN: Duration = Duration::from_hours(7 * 24);

/// A wait before a request.
#[derive(Clone, Debug)]
pub struct Wait {
    /// The length of the wait.
    pub duration: Duration,
    /// The reason for it.
    pub reason: FetchError,
    /// True if the site asked to wait, for example by `Retry-After`; false if the client backs off.
    pub is_demanded: bool,
}

/// A failed attempt.
#[derive(Debug)]
pub(crate) struct FailedAttempt {
    pub(crate) error: FetchError,
    /// The wait that the server asked for.
    pub(crate) retry_after: Option<Duration>,
    /// True if no attempt is left.
    pub(crate) is_final: bool,
}

impl From<FetchError> for FailedAttempt {
    fn from(failed: FetchError) -> Self {
        Self {
            error: failed,
            retry_after: None,
            is_final: false,
        }
    }
}

/// The attempts that one request has left.
#[derive(Debug)]
pub(crate) struct RetryBudget {
    waits: ExponentialBackoff,
    invalid_responses: u32,
}

impl RetryBudget {
    pub(crate) fn new(attempts: u32, backoff: Duration) -> Self {
        let waits = ExponentialBuilder::new()
            .with_min_delay(backoff.min(MAX_WAIT))
            .with_max_delay(MAX_WAIT)
            .with_max_times(attempts.saturating_sub(1) as usize)
            .with_jitter()
            .build();
        Self {
            waits,
            invalid_responses: 0,
        }
    }

    /// Returns the wait before the next attempt, or `None` to give up.
    pub(crate) fn next_wait(&mut self, failed: &FetchError) -> Option<Duration> {
        match failed.retry_policy() {
            RetryPolicy::Never => return None,
            RetryPolicy::Once if self.invalid_responses > 0 => return None,
            RetryPolicy::Once => self.invalid_responses += 1,
            RetryPolicy::UntilLimit => {}
        }
        self.waits.next()
    }
}

/// Parses `Retry-After`: seconds, or a date relative to the server's `Date` header, else to `now`.
pub(crate) fn parse_retry_after(headers: &HeaderMap, now: Duration) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    let wait = if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        // A number that overflows counts as the maximum.
        Duration::from_secs(text.parse().unwrap_or(u64::MAX))
    } else {
        let until = httpdate::parse_http_date(text).ok()?;
        let served = headers.get(DATE).and_then(|date| date.to_str().ok());
        let now = served
            .and_then(|date| httpdate::parse_http_date(date).ok())
            .unwrap_or(SystemTime::UNIX_EPOCH + now);
        until.duration_since(now).unwrap_or_default()
    };
    Some(wait.min(MAX_COOL_DOWN))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Rejection;

    /// 2026-11-21T16:00:00Z.
    const NOW: Duration = Duration::from_hours(498_688);

    fn retry_after_seconds(text: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, text.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        parse_retry_after(&headers, NOW).map(|wait| wait.as_secs())
    }

    #[test]
    fn retry_after_accepts_seconds_and_dates() {
        assert_eq!(retry_after_seconds("17", None), Some(17));
        assert_eq!(retry_after_seconds(" 0 ", None), Some(0));
        assert_eq!(retry_after_seconds("Sat, 21 Nov 2026 16:00:30 GMT", None), Some(30));
        assert_eq!(retry_after_seconds("Saturday, 21-Nov-26 16:00:30 GMT", None), Some(30));
        assert_eq!(retry_after_seconds("Sat Nov 21 16:00:30 2026", None), Some(30));
        assert_eq!(retry_after_seconds("Sat, 21 Nov 2026 15:00:00 GMT", None), Some(0));
        for nothing in ["", "soon", "-5", "1.5"] {
            assert_eq!(retry_after_seconds(nothing, None), None, "{nothing}");
        }
        assert_eq!(retry_after_seconds(&"9".repeat(40), None), Some(7 * 24 * 60 * 60));
    }

    #[test]
    fn retry_after_date_is_relative_to_server_clock() {
        let until = "Tue, 01 Jan 2030 00:00:40 GMT";
        assert_eq!(retry_after_seconds(until, Some("Tue, 01 Jan 2030 00:00:00 GMT")), Some(40));
    }

    #[test]
    fn backoff_doubles_with_jitter_and_ends() {
        let failed = FetchError::ServerError(Rejection {
            url: String::new(),
            status: 503,
            words: String::new(),
        });
        let mut tries = RetryBudget::new(10, Duration::from_secs(1));
        for expected in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            let wait = tries.next_wait(&failed).unwrap().as_secs_f32();
            assert!((expected as f32..=2.0 * expected as f32).contains(&wait), "{expected} {wait}");
        }
        assert_eq!(tries.next_wait(&failed), None);
    }

    #[test]
    fn invalid_response_is_retried_once() {
        let failed = FetchError::Empty {
            url: String::new(),
            status: 200,
        };
        let mut tries = RetryBudget::new(10, Duration::from_secs(1));
        assert!(tries.next_wait(&failed).is_some());
        assert_eq!(tries.next_wait(&failed), None);
    }
}

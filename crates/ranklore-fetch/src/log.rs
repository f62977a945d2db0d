//! Log events of requests and waits. URLs are redacted; no header, form or body is logged.

use std::time::{Duration, Instant};

use crate::error::FetchError;
use crate::exchange::http::{Exchange, WireRequest};
use crate::redact::shown_url;

/// Log entry of one exchange. Written on drop, so that an interrupted exchange is logged too.
pub(crate) struct RequestLog {
    method: &'static str,
    url: String,
    attempt: u32,
    begun_at: Instant,
    status: Option<u16>,
    bytes: Option<u64>,
    failure: Option<&'static str>,
}

impl RequestLog {
    pub(crate) fn begin(wire_request: &WireRequest) -> Self {
        Self {
            method: wire_request.method(),
            url: shown_url(&wire_request.url),
            attempt: wire_request.attempt,
            begun_at: Instant::now(),
            status: None,
            bytes: None,
            failure: Some("interrupted"),
        }
    }

    /// Records the status of the response, whose body is still to be read.
    pub(crate) fn record_status(&mut self, status: u16) {
        self.status = Some(status);
    }

    pub(crate) fn finish(
        mut self,
        result: Result<Exchange, FetchError>,
    ) -> Result<Exchange, FetchError> {
        self.failure = result.as_ref().err().map(failure_kind);
        if let Ok(Exchange::Response(answer)) = &result {
            self.bytes = Some(answer.body.len() as u64);
        }
        result
    }
}

impl Drop for RequestLog {
    fn drop(&mut self) {
        let Self { method, url, .. } = self;
        let status = self.status.map(|status| status.to_string());
        let outcome = self.failure.or(status.as_deref()).unwrap_or_default();
        tracing::info!(
            target: "ranklore::request",
            method,
            url,
            status = self.status,
            bytes = self.bytes,
            failure = self.failure,
            attempt = self.attempt,
            duration_ms = to_milliseconds(self.begun_at.elapsed()),
            "{method} {url}: {outcome}"
        );
    }
}

/// Logs a wait before a request. The reason contains no text of the site.
pub(crate) fn log_wait(wait: Duration, reason: Option<&FetchError>) {
    if wait.is_zero() {
        return;
    }
    let reason = match reason {
        Some(error) => error.redacted().to_string(),
        None => "the interval of this site".to_owned(),
    };
    tracing::debug!(
        target: "ranklore::wait",
        wait_ms = to_milliseconds(wait),
        reason,
        "waiting {:.1} s before the next request",
        wait.as_secs_f64()
    );
}

fn to_milliseconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1e3
}

/// Returns the kind of an exchange's failure in a word or two.
fn failure_kind(failed: &FetchError) -> &'static str {
    match failed {
        FetchError::InvalidRequest { .. } => "invalid request",
        FetchError::Unreachable { .. } => "unreachable",
        FetchError::TimedOut { .. } => "timed out",
        FetchError::NoFinalResponse { .. } => "no final response",
        FetchError::Truncated { .. } => "cut off",
        FetchError::TooLarge { .. } => "too large",
        FetchError::RedirectRefused { .. } => "redirect refused",
        FetchError::SecretEchoed { .. } => "secret repeated",
        _ => "failed",
    }
}

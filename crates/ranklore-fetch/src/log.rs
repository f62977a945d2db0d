//! Log events of requests and waits. URLs are redacted; no header, form or body is logged.

use std::time::{Duration, Instant};

use crate::exchange::hop::{Ask, Hop};
use crate::failed::Failed;
use crate::shown::shown;

/// Log entry of one exchange. Written on drop, so that an interrupted exchange is logged too.
pub(crate) struct Exchange {
    method: &'static str,
    url: String,
    attempt: u32,
    began: Instant,
    status: Option<u16>,
    bytes: Option<u64>,
    failure: Option<&'static str>,
}

impl Exchange {
    pub(crate) fn begin(ask: &Ask) -> Self {
        Self {
            method: ask.method(),
            url: shown(&ask.url),
            attempt: ask.attempt,
            began: Instant::now(),
            status: None,
            bytes: None,
            failure: Some("interrupted"),
        }
    }

    /// Records the status of the response, whose body is still to be read.
    pub(crate) fn answered(&mut self, status: u16) {
        self.status = Some(status);
    }

    pub(crate) fn end(mut self, hop: Result<Hop, Failed>) -> Result<Hop, Failed> {
        self.failure = hop.as_ref().err().map(kind);
        if let Ok(Hop::Whole(answer)) = &hop {
            self.bytes = Some(answer.body.len() as u64);
        }
        hop
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let Self { method, url, .. } = self;
        let status = self.status.map(|status| status.to_string());
        let came = self.failure.or(status.as_deref()).unwrap_or_default();
        tracing::info!(
            target: "ranklore::request",
            method,
            url,
            status = self.status,
            bytes = self.bytes,
            failure = self.failure,
            attempt = self.attempt,
            duration_ms = milliseconds(self.began.elapsed()),
            "{method} {url}: {came}"
        );
    }
}

/// Logs a wait before a request. The reason contains no text of the site.
pub(crate) fn log_wait(wait: Duration, reason: Option<&Failed>) {
    if wait.is_zero() {
        return;
    }
    let pace = || "the interval of this site".to_owned();
    let reason = reason.map_or_else(pace, |failed| failed.without_words().to_string());
    tracing::debug!(
        target: "ranklore::wait",
        wait_ms = milliseconds(wait),
        reason,
        "waiting {:.1} s before the next request",
        wait.as_secs_f64()
    );
}

fn milliseconds(duration: Duration) -> f64 {
    duration.as_micros() as f64 / 1e3
}

/// Returns the kind of an exchange's failure in a word or two.
fn kind(failed: &Failed) -> &'static str {
    match failed {
        Failed::Unaskable { .. } => "invalid request",
        Failed::Unreachable { .. } => "unreachable",
        Failed::TimedOut { .. } => "timed out",
        Failed::Cut { .. } => "cut off",
        Failed::TooLarge { .. } => "too large",
        Failed::RedirectRefused { .. } => "redirect refused",
        Failed::SecretRepeated { .. } => "secret repeated",
        _ => "failed",
    }
}

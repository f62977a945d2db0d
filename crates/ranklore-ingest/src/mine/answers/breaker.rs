//! A circuit breaker: stops a sync if the site is too busy.

use ranklore_fetch::FetchError;

use crate::mine::report::StopReason;

/// The number of busy failures in a row that stop a sync.
const MAX_BUSY: u32 = 3;

/// The number of busy failures in a row.
#[derive(Debug, Default)]
pub(crate) struct Breaker(u32);

impl Breaker {
    /// Records a fetch: `failure` is its error, or `None` if it succeeded. Returns true if the sync
    /// must stop.
    pub(crate) fn record(&mut self, failure: Option<&FetchError>) -> bool {
        self.0 = match failure {
            Some(failure) if failure.is_busy() => self.0 + 1,
            _ => 0,
        };
        self.0 >= MAX_BUSY
    }

    /// Returns the reason for the stop. `documents` names the requested documents, such as
    /// `contests`.
    pub(crate) fn stop_reason(documents: &str) -> StopReason {
        StopReason {
            why: format!("{MAX_BUSY} {documents} in a row could not be fetched; try again later"),
            blocked: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use ranklore_fetch::Rejection;

    use super::*;

    #[test]
    fn three_busy_failures_trip_breaker() {
        let url = || "https://example.org/a".to_owned();
        let rate_limited = FetchError::RateLimited(Rejection {
            url: url(),
            status: 429,
            words: String::new(),
        });
        let empty = FetchError::Empty {
            url: url(),
            status: 200,
        };
        let record_all = |failures: &[Option<&FetchError>]| {
            let mut breaker = Breaker::default();
            let trips = failures.iter().map(|failure| breaker.record(*failure));
            trips.collect::<Vec<bool>>()
        };
        let b = Some(&rate_limited);
        assert_eq!(record_all(&[b, b, b, b]), [false, false, true, true]);
        for other in [None, Some(&empty)] {
            let trips = record_all(&[b, b, other, b, b, b]);
            assert_eq!(trips, [false, false, false, false, false, true]);
        }
    }
}

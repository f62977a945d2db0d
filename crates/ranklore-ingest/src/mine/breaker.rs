//! A circuit breaker: stops a sync if the site is too busy.

use ranklore_fetch::FetchError;

use crate::mine::report::StopReason;

/// The number of busy failures in a row that stop a sync.
const MAX_BUSY: u32 = 3;

/// The number of busy failures in a row.
#[derive(Debug, Default)]
pub(crate) struct Breaker(u32);

impl Breaker {
    /// Records a fetch: `failed` is its error, or `None` if it succeeded. Returns true if the sync
    /// must stop.
    pub(crate) fn record(&mut self, failed: Option<&FetchError>) -> bool {
        self.0 = match failed {
            Some(failed) if failed.is_busy() => self.0 + 1,
            _ => 0,
        };
        self.0 >= MAX_BUSY
    }

    /// Returns the reason for the stop. `what` is what was requested, such as `contests`.
    pub(crate) fn stop_reason(what: &str) -> StopReason {
        StopReason {
            why: format!("{MAX_BUSY} {what} in a row could not be fetched; try again later"),
            blocked: true,
        }
    }
}

/// True if the site denied access with a challenge or a login page; similar requests will fail too.
pub(crate) fn is_access_denied(failed: &FetchError) -> bool {
    failed.is_challenge() || matches!(failed, FetchError::LoginWall { .. })
}

#[cfg(test)]
mod tests {
    use ranklore_fetch::Rejection;

    use super::*;

    #[test]
    fn three_busy_failures_trip_breaker() {
        let url = || "https://example.org/a".to_owned();
        let busy = FetchError::RateLimited(Rejection {
            url: url(),
            status: 429,
            words: String::new(),
        });
        let empty = FetchError::Empty {
            url: url(),
            status: 200,
        };
        let came = |what: &[Option<&FetchError>]| {
            let mut busy = Breaker::default();
            let enough = what.iter().map(|failed| busy.record(*failed));
            enough.collect::<Vec<bool>>()
        };
        let of = Some(&busy);
        assert_eq!(came(&[of, of, of, of]), [false, false, true, true]);
        for other in [None, Some(&empty)] {
            let found = came(&[of, of, other, of, of, of]);
            assert_eq!(found, [false, false, false, false, false, true]);
        }
    }

    #[test]
    fn login_page_denies_access() {
        let url = "https://example.org/login".to_owned();
        let first_line = String::new();
        let login = FetchError::LoginWall { url, first_line };
        assert!(is_access_denied(&login) && !login.is_challenge());
    }
}

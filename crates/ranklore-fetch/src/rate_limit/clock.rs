//! The wall clock of the rate limiter and of the host state kept between runs.

use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use tokio::time::Instant;

use crate::options::HostState;

/// Ignores a stored request time more than 24 h in the future (wrong clock).
const MAX_CLOCK_SKEW: Duration = Duration::from_hours(24);

/// A wall clock, read once and advanced by tokio's clock. Adjustments of the system time do not
/// affect it, and tests can pause it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Duration,
    started: Instant,
}

impl Clock {
    pub(crate) fn from_system_time(now: SystemTime) -> Self {
        Self {
            start: now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(),
            started: Instant::now(),
        }
    }

    pub(crate) fn since_epoch(&self) -> Duration {
        self.start + self.started.elapsed()
    }

    /// Returns the time after a wait, since the epoch.
    pub(crate) fn after(&self, wait: Duration) -> Duration {
        self.since_epoch().saturating_add(wait)
    }

    /// Returns the time, rounded down.
    pub(crate) fn unix_seconds(&self) -> UnixSeconds {
        clamp_seconds(self.since_epoch().as_secs())
    }

    /// True if a moment is still to come.
    pub(crate) fn is_before(&self, moment: UnixSeconds) -> bool {
        !self.until(moment).is_zero()
    }

    /// Returns the time until a moment; zero if it is past.
    pub(crate) fn until(&self, moment: UnixSeconds) -> Duration {
        since_epoch(moment).saturating_sub(self.since_epoch())
    }

    /// Returns the end of the stored cool-down. Ignores a state whose last request is more than 24
    /// h in the future (wrong clock).
    pub(crate) fn valid_not_before(&self, state: &HostState) -> Option<UnixSeconds> {
        let last_request = state.last_request_at;
        let is_wrong = last_request.is_some_and(|last| self.until(last) > MAX_CLOCK_SKEW);
        state.not_before.filter(|_| !is_wrong)
    }
}

impl governor::clock::Clock for Clock {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.since_epoch()
    }
}

pub(crate) fn since_epoch(moment: UnixSeconds) -> Duration {
    Duration::from_secs(moment.get().unsigned_abs())
}

/// Rounds up to whole seconds, so that a wait never ends too early.
pub(crate) fn ceil_seconds(moment: Duration) -> UnixSeconds {
    clamp_seconds(moment.as_secs().saturating_add(u64::from(moment.subsec_nanos() > 0)))
}

fn clamp_seconds(seconds: u64) -> UnixSeconds {
    i64::try_from(seconds)
        .ok()
        .and_then(UnixSeconds::new)
        .unwrap_or(UnixSeconds::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_from_future_clock_is_ignored() {
        let clock =
            Clock::from_system_time(SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000_300));
        let believed = |last, not_before| {
            let state = HostState {
                last_request_at: UnixSeconds::new(last),
                not_before: UnixSeconds::new(not_before),
            };
            clock.valid_not_before(&state).map(UnixSeconds::get)
        };
        let week = 7 * 86_400;
        assert_eq!(believed(999_000, 1_000_000 + week), Some(1_000_000 + week));
        // A time zone mistaken for another is no reason to drop the state.
        assert_eq!(believed(1_080_000, 1_090_000), Some(1_090_000));
        assert_eq!(believed(1_090_000, 1_090_001), None);
    }
}

//! The time of the next request.

use std::time::Duration;

use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};
use ranklore_contest::UnixSeconds;
use tokio::time::sleep;

use crate::options::HostState;
use crate::rate_limit::clock::{Clock, ceil_seconds, since_epoch};

/// Upper bound of an interval: clocks overflow far beyond it.
const MAX_INTERVAL: Duration = Duration::from_hours(24);

type Limiter = RateLimiter<NotKeyed, InMemoryState, Clock, NoOpMiddleware<Duration>>;

/// A rate limiter of one request per interval. Counts requests of earlier runs and the delays that
/// a site asks for.
#[derive(Debug)]
pub(crate) struct Pace {
    clock: Clock,
    interval: Duration,
    /// `None` if the interval is zero.
    limiter: Option<Limiter>,
    /// The earliest start of the next request, since the epoch.
    earliest: Duration,
    last_request: Option<UnixSeconds>,
    /// End of the delay that the site asked for, since the epoch.
    delayed_until: Option<Duration>,
}

impl Pace {
    /// Creates a limiter that counts the last request of the earlier run.
    pub(crate) fn new(interval: Duration, state: &HostState, clock: Clock) -> Self {
        let interval = interval.min(MAX_INTERVAL);
        let next = state.last_request_at.map(|last| since_epoch(last) + interval);
        Self {
            clock,
            interval,
            limiter: build_limiter(interval, clock),
            // A last request in the future means that the clock was set back: wait one interval,
            // not years.
            earliest: next.unwrap_or_default().min(clock.after(interval)),
            last_request: state.last_request_at,
            delayed_until: None,
        }
    }

    /// Waits until the next request may start.
    pub(crate) async fn wait_turn(&mut self) {
        let wait = self.wait();
        // Even a zero sleep lasts until tokio's next millisecond.
        if !wait.is_zero() {
            sleep(wait).await;
        }
        self.last_request = Some(ceil_seconds(self.clock.since_epoch()));
        self.delayed_until = None;
    }

    /// Returns the time until the next request may start.
    pub(crate) fn wait(&self) -> Duration {
        self.earliest.saturating_sub(self.clock.since_epoch())
    }

    /// Records a request that starts now.
    pub(crate) fn record_start(&mut self) {
        if let Some(limiter) = &self.limiter {
            // The limiter admits this request and returns the earliest start of the next.
            if let Err(next) = limiter.check().and_then(|()| limiter.check()) {
                self.earliest = next.earliest_possible();
            }
        }
    }

    /// Raises the interval to a site's `Crawl-delay`, which also applies to the last request.
    pub(crate) fn slow_down(&mut self, interval: Duration) {
        let slower = interval.saturating_sub(self.interval);
        if !slower.is_zero() {
            self.limiter = build_limiter(interval, self.clock);
            self.earliest += slower;
            self.interval = interval;
        }
    }

    /// Lets the next request start no earlier than `until`, since the epoch.
    pub(crate) fn delay_until(&mut self, until: Duration) {
        self.earliest = self.earliest.max(until);
        self.delayed_until = self.delayed_until.max(Some(until));
    }

    /// Returns the end of the delay before the next request, rounded up.
    pub(crate) fn delayed_until(&self) -> Option<UnixSeconds> {
        self.delayed_until.map(ceil_seconds)
    }

    pub(crate) fn has_interval(&self) -> bool {
        self.limiter.is_some()
    }

    /// Returns the start of the last request, rounded up.
    pub(crate) fn last_request(&self) -> Option<UnixSeconds> {
        self.last_request
    }
}

fn build_limiter(interval: Duration, clock: Clock) -> Option<Limiter> {
    let quota = Quota::with_period(interval)?;
    Some(RateLimiter::direct_with_clock(quota, clock))
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use tokio::time::Instant;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    fn clock() -> Clock {
        Clock::from_system_time(SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000_300))
    }

    /// Waits until the next request may start, records it, and returns the wait.
    async fn take_turn(pace: &mut Pace) -> Duration {
        let began = Instant::now();
        pace.wait_turn().await;
        pace.record_start();
        began.elapsed()
    }

    fn pace(interval: Duration, last: Option<i64>) -> Pace {
        let state = HostState {
            last_request_at: last.and_then(UnixSeconds::new),
            not_before: None,
        };
        Pace::new(interval, &state, clock())
    }

    fn is_about(wait: Duration, millis: u64) -> bool {
        wait.abs_diff(Duration::from_millis(millis)) <= Duration::from_millis(2)
    }

    #[tokio::test(start_paused = true)]
    async fn request_of_earlier_run_counts() {
        // The last case has a clock that was set back, which costs one interval.
        for (last, wait) in [
            (None, 0),
            (Some(999_000), 0),
            (Some(999_996), 5_700),
            (Some(1_000_001), 10_000),
            (Some(7_000_000_000), 10_000),
        ] {
            let mut pace = pace(INTERVAL, last);
            for wait in [wait, 10_000, 10_000] {
                assert!(is_about(take_turn(&mut pace).await, wait), "{last:?}");
            }
        }
    }

    #[tokio::test(start_paused = true)]
    async fn starts_keep_interval_and_round_up() {
        let mut pace = pace(INTERVAL, None);
        take_turn(&mut pace).await;
        assert_eq!(pace.last_request(), UnixSeconds::new(1_000_001));
        sleep(Duration::from_secs(3)).await;
        assert!(is_about(take_turn(&mut pace).await, 7_000));
        pace.slow_down(Duration::from_mins(1));
        assert!(is_about(take_turn(&mut pace).await, 60_000));
        assert_eq!(pace.last_request(), UnixSeconds::new(1_000_071));
    }

    #[tokio::test(start_paused = true)]
    async fn interval_begins_after_state_is_saved() {
        let mut pace = pace(INTERVAL, None);
        pace.wait_turn().await;
        sleep(Duration::from_secs(4)).await;
        pace.record_start();
        assert!(is_about(take_turn(&mut pace).await, 10_000));
    }

    #[tokio::test(start_paused = true)]
    async fn longest_delay_applies_once_and_rounds_up() {
        for interval in [INTERVAL, Duration::ZERO] {
            let mut pace = pace(interval, None);
            take_turn(&mut pace).await;
            for seconds in [20, 30, 25] {
                pace.delay_until(pace.clock.after(Duration::from_secs(seconds)));
            }
            assert_eq!(pace.delayed_until(), UnixSeconds::new(1_000_031));
            assert!(is_about(take_turn(&mut pace).await, 30_000));
            assert_eq!(pace.delayed_until(), None);
            assert!(is_about(take_turn(&mut pace).await, interval.as_millis() as u64));
        }
    }
}

//! When the next request may start.

use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use tokio::time::{Instant, sleep_until};

use crate::HostState;

/// Nobody means more, and clocks end somewhere.
const LONGEST: Duration = Duration::from_hours(24);

/// The time of day, told once and carried on by the clock that waiting goes by, which no
/// adjustment of the time of day disturbs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    told: Duration,
    at: Instant,
}

impl Clock {
    pub(crate) fn told(now: SystemTime) -> Self {
        Self {
            told: now
                .duration_since(SystemTime::UNIX_EPOCH)
                .unwrap_or_default(),
            at: Instant::now(),
        }
    }

    pub(crate) fn since_epoch(&self) -> Duration {
        self.told + self.at.elapsed()
    }

    /// Now, rounded down.
    pub(crate) fn seconds(&self) -> UnixSeconds {
        bounded(self.since_epoch().as_secs())
    }

    /// A moment from now, rounded up: nothing that is to wait for it starts too early.
    pub(crate) fn seconds_after(&self, wait: Duration) -> UnixSeconds {
        let moment = self.since_epoch().saturating_add(wait);
        bounded(moment.as_secs() + u64::from(moment.subsec_nanos() > 0))
    }

    /// Whether a moment is still to come.
    pub(crate) fn is_before(&self, moment: UnixSeconds) -> bool {
        self.since_epoch() < seconds(moment)
    }
}

fn bounded(seconds: u64) -> UnixSeconds {
    i64::try_from(seconds)
        .ok()
        .and_then(UnixSeconds::new)
        .unwrap_or(UnixSeconds::MAX)
}

/// At most one start within an interval, also across runs.
#[derive(Clone, Debug)]
pub(crate) struct Pace {
    interval: Duration,
    earliest: Instant,
    last: Option<UnixSeconds>,
}

impl Pace {
    pub(crate) fn new(interval: Duration, state: &HostState, clock: &Clock) -> Self {
        let interval = interval.min(LONGEST);
        // A last request in the future is a clock that was set back: wait once, not for years.
        let wait = state.last_request_at.map_or(Duration::ZERO, |last| {
            (seconds(last) + interval)
                .saturating_sub(clock.since_epoch())
                .min(interval)
        });
        Self {
            interval,
            earliest: Instant::now() + wait,
            last: state.last_request_at,
        }
    }

    /// Waits for the turn of the next request, and takes it.
    pub(crate) async fn turn(&mut self, clock: &Clock) {
        sleep_until(self.earliest).await;
        self.earliest = Instant::now() + self.interval;
        self.last = Some(clock.seconds_after(Duration::ZERO));
    }

    /// Never faster than a site's `Crawl-delay`.
    pub(crate) fn at_least(&mut self, interval: Duration) {
        self.earliest += interval.saturating_sub(self.interval);
        self.interval = self.interval.max(interval);
    }

    /// The next request waits at least so long.
    pub(crate) fn rest(&mut self, wait: Duration) {
        self.earliest = self.earliest.max(Instant::now() + wait);
    }

    pub(crate) fn interval(&self) -> Duration {
        self.interval
    }

    pub(crate) fn last(&self) -> Option<UnixSeconds> {
        self.last
    }
}

fn seconds(moment: UnixSeconds) -> Duration {
    Duration::from_secs(moment.get().unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    fn clock() -> Clock {
        Clock::told(SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000_300))
    }

    async fn first_wait(last: Option<i64>) -> Duration {
        let clock = clock();
        let state = HostState {
            last_request_at: last.and_then(UnixSeconds::new),
            not_before: None,
        };
        let mut pace = Pace::new(INTERVAL, &state, &clock);
        let began = Instant::now();
        pace.turn(&clock).await;
        began.elapsed()
    }

    fn about(wait: Duration, millis: u64) -> bool {
        wait.abs_diff(Duration::from_millis(millis)) <= Duration::from_millis(2)
    }

    #[tokio::test(start_paused = true)]
    async fn what_an_earlier_run_began_counts() {
        assert!(about(first_wait(None).await, 0));
        assert!(about(first_wait(Some(999_000)).await, 0));
        assert!(about(first_wait(Some(999_996)).await, 5_700));
        assert!(about(first_wait(Some(1_000_001)).await, 10_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_clock_that_was_set_back_costs_one_interval() {
        assert!(about(first_wait(Some(7_000_000_000)).await, 10_000));
    }

    #[tokio::test(start_paused = true)]
    async fn starts_are_an_interval_apart_and_rounded_up() {
        let clock = clock();
        let mut pace = Pace::new(INTERVAL, &HostState::default(), &clock);
        pace.turn(&clock).await;
        assert_eq!(pace.last(), UnixSeconds::new(1_000_001));
        tokio::time::sleep(Duration::from_secs(3)).await;
        let began = Instant::now();
        pace.turn(&clock).await;
        assert!(about(began.elapsed(), 7_000));
        pace.at_least(Duration::from_mins(1));
        let began = Instant::now();
        pace.turn(&clock).await;
        assert!(about(began.elapsed(), 60_000));
        assert_eq!(pace.last(), UnixSeconds::new(1_000_071));
    }
}

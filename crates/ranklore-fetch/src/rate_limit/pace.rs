//! When the next request may start.

use std::time::{Duration, SystemTime};

use ranklore_contest::UnixSeconds;
use tokio::time::{Instant, sleep_until};

use crate::options::HostState;

/// Nobody means more, and clocks end somewhere.
const LONGEST: Duration = Duration::from_hours(24);
/// A last request so far in the future was written by a clock that was wrong.
const WRONG: Duration = Duration::from_hours(24);

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
        !self.until(moment).is_zero()
    }

    /// How long until a moment; nothing if it is past.
    pub(crate) fn until(&self, moment: UnixSeconds) -> Duration {
        seconds(moment).saturating_sub(self.since_epoch())
    }

    /// Until when a host is to be left alone, if what is remembered of it can be believed.
    pub(crate) fn believed(&self, state: &HostState) -> Option<UnixSeconds> {
        let wrong = |last| self.until(last) > WRONG;
        state
            .not_before
            .filter(|_| !state.last_request_at.is_some_and(wrong))
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
    /// When the rest that somebody asked for is over.
    rested: Option<UnixSeconds>,
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
            rested: None,
        }
    }

    /// Waits for the turn of the next request, which is about to start then.
    pub(crate) async fn turn(&mut self, clock: &Clock) {
        sleep_until(self.earliest).await;
        self.last = Some(clock.seconds_after(Duration::ZERO));
        self.rested = None;
    }

    /// How long until that turn.
    pub(crate) fn wait(&self) -> Duration {
        self.earliest.saturating_duration_since(Instant::now())
    }

    /// A request starts now.
    pub(crate) fn start(&mut self) {
        self.earliest = Instant::now() + self.interval;
    }

    /// Never faster than a site's `Crawl-delay`.
    pub(crate) fn at_least(&mut self, interval: Duration) {
        self.earliest += interval.saturating_sub(self.interval);
        self.interval = self.interval.max(interval);
    }

    /// The next request waits at least so long, which is until then.
    pub(crate) fn rest(&mut self, wait: Duration, until: UnixSeconds) {
        self.earliest = self.earliest.max(Instant::now() + wait);
        self.rested = self.rested.max(Some(until));
    }

    /// When the rest is over that the next request waits for.
    pub(crate) fn rested(&self) -> Option<UnixSeconds> {
        self.rested
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
    use tokio::time::sleep;

    use super::*;

    const INTERVAL: Duration = Duration::from_secs(10);

    fn clock() -> Clock {
        Clock::told(SystemTime::UNIX_EPOCH + Duration::from_millis(1_000_000_300))
    }

    /// How long the next request waits for its turn.
    async fn turn(pace: &mut Pace, clock: &Clock) -> Duration {
        let began = Instant::now();
        pace.turn(clock).await;
        pace.start();
        began.elapsed()
    }

    async fn first_wait(last: Option<i64>) -> Duration {
        let clock = clock();
        let state = HostState {
            last_request_at: last.and_then(UnixSeconds::new),
            not_before: None,
        };
        let mut pace = Pace::new(INTERVAL, &state, &clock);
        turn(&mut pace, &clock).await
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
        turn(&mut pace, &clock).await;
        assert_eq!(pace.last(), UnixSeconds::new(1_000_001));
        sleep(Duration::from_secs(3)).await;
        assert!(about(turn(&mut pace, &clock).await, 7_000));
        pace.at_least(Duration::from_mins(1));
        assert!(about(turn(&mut pace, &clock).await, 60_000));
        assert_eq!(pace.last(), UnixSeconds::new(1_000_071));
    }

    #[tokio::test(start_paused = true)]
    async fn an_interval_begins_when_what_was_to_be_kept_is() {
        let clock = clock();
        let mut pace = Pace::new(INTERVAL, &HostState::default(), &clock);
        pace.turn(&clock).await;
        sleep(Duration::from_secs(4)).await;
        pace.start();
        assert!(about(turn(&mut pace, &clock).await, 10_000));
    }

    #[tokio::test(start_paused = true)]
    async fn a_rest_lasts_until_the_next_request_and_is_rounded_up() {
        let clock = clock();
        let mut pace = Pace::new(INTERVAL, &HostState::default(), &clock);
        turn(&mut pace, &clock).await;
        for seconds in [20, 30, 25] {
            let wait = Duration::from_secs(seconds);
            pace.rest(wait, clock.seconds_after(wait));
        }
        assert_eq!(pace.rested(), UnixSeconds::new(1_000_031));
        // The longest counts.
        assert!(about(turn(&mut pace, &clock).await, 30_000));
        assert_eq!(pace.rested(), None);
    }

    #[test]
    fn what_a_clock_far_ahead_has_written_is_not_believed() {
        let clock = clock();
        let believed = |last, not_before| {
            let state = HostState {
                last_request_at: UnixSeconds::new(last),
                not_before: UnixSeconds::new(not_before),
            };
            clock.believed(&state).map(UnixSeconds::get)
        };
        let week = 7 * 86_400;
        assert_eq!(believed(999_000, 1_000_000 + week), Some(1_000_000 + week));
        // Time zones are taken for one another, and that is no reason to forget.
        assert_eq!(believed(1_080_000, 1_090_000), Some(1_090_000));
        assert_eq!(believed(1_090_000, 1_090_001), None);
    }
}

//! The time at which imitated sites are created: one for all tests of a process, well within a day.
//! The program under test has its own clock, so no month or year may end in between.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

const DAY: u64 = 86_400;
/// No test starts in the last seconds of a day; tests finish within this time.
const MIN_SECONDS_LEFT: u64 = 300;

static STARTED_AT: LazyLock<u64> = LazyLock::new(|| {
    std::thread::sleep(wait_before_midnight(now()));
    now()
});

/// Returns the time in Unix seconds, always the same.
pub(crate) fn started_at() -> i64 {
    *STARTED_AT as i64
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Returns the wait until the next day if this one is about to end.
fn wait_before_midnight(now: u64) -> Duration {
    let left = DAY - now % DAY;
    Duration::from_secs(if left <= MIN_SECONDS_LEFT { left } else { 0 })
}

#[test]
fn nothing_starts_right_before_midnight() {
    for (left, waits) in [(1, 1), (299, 299), (300, 300), (301, 0), (DAY, 0)] {
        let at = 20_000 * DAY - left;
        assert_eq!(wait_before_midnight(at), Duration::from_secs(waits), "{left} s before");
        let start = at + waits;
        assert_eq!(start / DAY, (start + 300) / DAY, "{left} s before");
    }
    assert_eq!(started_at(), started_at());
}

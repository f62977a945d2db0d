//! The moment by which imitations of sites are made: one for a whole run of tests, and well
//! within a day. The program under test has its own clock, for which no month and no year may end
//! in between.

use std::sync::LazyLock;
use std::time::{Duration, SystemTime};

const DAY: u64 = 86_400;
/// Before the end of a day nothing is begun, in seconds: tests are done within that.
const END: u64 = 300;

static MOMENT: LazyLock<u64> = LazyLock::new(|| {
    std::thread::sleep(wait(now()));
    now()
});

/// In seconds since 1970: the same whenever it is asked for.
pub(crate) fn moment() -> i64 {
    *MOMENT as i64
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// How long to wait for the next day, where this one is about to end.
fn wait(now: u64) -> Duration {
    let left = DAY - now % DAY;
    Duration::from_secs(if left <= END { left } else { 0 })
}

#[test]
fn nothing_is_begun_right_before_a_turn() {
    for (left, waits) in [(1, 1), (299, 299), (300, 300), (301, 0), (DAY, 0)] {
        let at = 20_000 * DAY - left;
        assert_eq!(wait(at), Duration::from_secs(waits), "{left} s before");
        let begun = at + waits;
        assert_eq!(begun / DAY, (begun + 300) / DAY, "{left} s before");
    }
    assert_eq!(moment(), moment());
}

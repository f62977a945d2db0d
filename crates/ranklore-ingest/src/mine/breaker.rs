//! A circuit breaker: stops a sync if the site is too busy.

use ranklore_fetch::Failed;

use crate::mine::report::Stopped;

/// The number of busy failures in a row that stop a sync.
const ENOUGH: u32 = 3;

/// The number of busy failures in a row.
#[derive(Debug, Default)]
pub(crate) struct Busy(u32);

impl Busy {
    /// Records a fetch: `failed` is its error, or `None` if it succeeded. Returns true if the sync
    /// must stop.
    pub(crate) fn is_enough(&mut self, failed: Option<&Failed>) -> bool {
        self.0 = match failed {
            Some(failed) if failed.is_busy() => self.0 + 1,
            _ => 0,
        };
        self.0 >= ENOUGH
    }

    /// Returns the reason for the stop. `what` is what was requested, such as `contests`.
    pub(crate) fn stopped(what: &str) -> Stopped {
        Stopped {
            why: format!("{ENOUGH} {what} in a row could not be fetched; try again later"),
            blocked: true,
        }
    }
}

/// True if the site denied access with a challenge or a login page; similar requests will fail too.
pub(crate) fn is_walled(failed: &Failed) -> bool {
    failed.is_wall() || matches!(failed, Failed::LoginWall { .. })
}

#[cfg(test)]
mod tests {
    use ranklore_fetch::Rejection;

    use super::*;

    #[test]
    fn three_in_a_row_are_enough_and_anything_else_begins_anew() {
        let url = || "https://example.org/a".to_owned();
        let busy = Failed::RateLimited(Rejection {
            url: url(),
            status: 429,
            words: String::new(),
        });
        let empty = Failed::Empty {
            url: url(),
            status: 200,
        };
        let came = |what: &[Option<&Failed>]| {
            let mut busy = Busy::default();
            let enough = what.iter().map(|failed| busy.is_enough(*failed));
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
    fn a_login_is_a_wall_too() {
        let url = "https://example.org/login".to_owned();
        let first_line = String::new();
        let login = Failed::LoginWall { url, first_line };
        assert!(is_walled(&login) && !login.is_wall());
    }
}

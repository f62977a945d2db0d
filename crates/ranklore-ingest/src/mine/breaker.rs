//! When a site that does not answer is left alone for this time.

use ranklore_fetch::Failed;

use crate::mine::report::Stopped;

/// So many things in a row that a site is too busy to give, and it is left alone.
const ENOUGH: u32 = 3;

/// How many things in a row a site was too busy to give.
#[derive(Debug, Default)]
pub(crate) struct Busy(u32);

impl Busy {
    /// One more was asked for, and came or failed so. Says whether that is enough.
    pub(crate) fn is_enough(&mut self, failed: Option<&Failed>) -> bool {
        self.0 = match failed {
            Some(failed) if failed.is_busy() => self.0 + 1,
            _ => 0,
        };
        self.0 >= ENOUGH
    }

    /// Why a sync ends then, by what was asked for, such as `contests`.
    pub(crate) fn stopped(what: &str) -> Stopped {
        Stopped {
            why: format!("{ENOUGH} {what} in a row could not be had; try again later"),
            blocked: true,
        }
    }
}

/// Whether what was asked for lies behind a wall, and so does whatever is like it.
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

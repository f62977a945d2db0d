//! Times: UTC, integer seconds.

use std::fmt;

/// A moment in whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
///
/// Only moments from 1970 up to the end of 2199 exist as a `UnixSeconds`: what lies
/// outside is, in contest results, a unit mistaken (milliseconds) or a date misread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixSeconds(i64);

impl UnixSeconds {
    /// 1970-01-01T00:00:00Z.
    pub const MIN: Self = Self(0);
    /// 2199-12-31T23:59:59Z.
    pub const MAX: Self = Self(7_258_118_399);

    /// The moment `seconds` after 1970-01-01T00:00:00Z, or `None` outside 1970 to 2199.
    #[must_use]
    pub const fn new(seconds: i64) -> Option<Self> {
        if seconds < Self::MIN.0 || seconds > Self::MAX.0 {
            None
        } else {
            Some(Self(seconds))
        }
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

/// ISO 8601 in UTC; midnight is written as the date alone.
impl fmt::Display for UnixSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0) {
            Ok(moment) if self.0 % 86_400 == 0 => write!(f, "{}", moment.strftime("%Y-%m-%d")),
            Ok(moment) => write!(f, "{}", moment.strftime("%Y-%m-%dT%H:%M:%SZ")),
            // Not reached: jiff knows the years -9999 to 9999.
            Err(_) => write!(f, "@{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_outside_1970_to_2199_do_not_exist() {
        assert_eq!(UnixSeconds::new(-1), None);
        assert_eq!(UnixSeconds::new(7_258_118_400), None);
        assert_eq!(UnixSeconds::new(1_266_588_000_000), None);
        assert!(UnixSeconds::new(0).is_some());
    }

    #[test]
    fn display_is_iso() {
        let show = |seconds| UnixSeconds::new(seconds).unwrap().to_string();
        assert_eq!(show(1_266_588_000), "2010-02-19T14:00:00Z");
        assert_eq!(show(86_400), "1970-01-02");
        assert_eq!(show(UnixSeconds::MAX.get()), "2199-12-31T23:59:59Z");
    }
}

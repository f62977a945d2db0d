//! Times in UTC, as integer seconds.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::validation::ValidationError;

/// A time in whole seconds since 1970-01-01T00:00:00Z, without leap seconds.
///
/// The range is 1970 to the end of 2199: times outside are milliseconds or from a wrong clock.
/// Times of contests are [`ContestTime`](crate::ContestTime). Serde reads and writes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64")]
pub struct UnixSeconds(i64);

impl UnixSeconds {
    /// 1970-01-01T00:00:00Z.
    pub const MIN: Self = Self(0);
    /// 2199-12-31T23:59:59Z.
    pub const MAX: Self = Self(7_258_118_399);

    /// Returns the time `seconds` after 1970-01-01T00:00:00Z, or `None` outside 1970 to 2199.
    #[must_use]
    pub const fn new(seconds: i64) -> Option<Self> {
        if seconds < Self::MIN.0 || seconds > Self::MAX.0 {
            None
        } else {
            Some(Self(seconds))
        }
    }

    /// Returns the seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for UnixSeconds {
    type Error = ValidationError;

    fn try_from(seconds: i64) -> Result<Self, ValidationError> {
        Self::new(seconds).ok_or_else(|| {
            ValidationError::new(format!("{seconds} is not a time from 1970 to 2199, in seconds"))
        })
    }
}

/// Writes ISO 8601 in UTC; midnight is written as a date alone.
impl fmt::Display for UnixSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_iso(self.0, f)
    }
}

/// Writes seconds since 1970 as ISO 8601 in UTC; midnight is written as a date alone.
pub(crate) fn write_iso(seconds: i64, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match jiff::Timestamp::from_second(seconds) {
        Ok(moment) if seconds % 86_400 == 0 => write!(f, "{}", moment.strftime("%Y-%m-%d")),
        Ok(moment) => write!(f, "{}", moment.strftime("%Y-%m-%dT%H:%M:%SZ")),
        // Unreachable: jiff supports the years -9999 to 9999.
        Err(_) => write!(f, "@{seconds}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_1970_to_2199_are_rejected() {
        assert_eq!(UnixSeconds::new(-1), None);
        assert_eq!(UnixSeconds::new(7_258_118_400), None);
        assert_eq!(UnixSeconds::new(1_266_588_000_000), None);
        assert!(UnixSeconds::new(0).is_some());
    }

    #[test]
    fn serde_rejects_invalid_times() {
        let read = |text| serde_json::from_str::<UnixSeconds>(text);
        assert_eq!(read("1266588000").unwrap().get(), 1_266_588_000);
        for other in ["-1", "1266588000000", "1.5", "\"2010-02-19\"", "null"] {
            assert!(read(other).is_err(), "{other}");
        }
        let error = read("-1").unwrap_err().to_string();
        assert!(error.contains("-1 is not a time from 1970 to 2199"), "{error}");
    }

    #[test]
    fn display_is_iso() {
        let show = |seconds| UnixSeconds::new(seconds).unwrap().to_string();
        assert_eq!(show(1_266_588_000), "2010-02-19T14:00:00Z");
        assert_eq!(show(86_400), "1970-01-02");
        assert_eq!(show(UnixSeconds::MAX.get()), "2199-12-31T23:59:59Z");
    }
}

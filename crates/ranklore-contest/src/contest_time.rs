//! Times of contests.

use std::fmt;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Serialize};

use crate::time::{UnixSeconds, write_iso};
use crate::validation::ValidationError;

/// The time of a contest, in whole seconds from 1970-01-01T00:00:00Z, without leap seconds;
/// negative before 1970.
///
/// The range is 1583, the first whole year of the Gregorian calendar, to the end of 2199: times
/// outside are milliseconds or misread dates. Times of requests and of this machine are
/// [`UnixSeconds`]. Serde reads and writes an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64")]
pub struct ContestTime(i64);

impl ContestTime {
    /// 1583-01-01T00:00:00Z.
    pub const MIN: Self = Self(-12_212_553_600);
    /// 2199-12-31T23:59:59Z.
    pub const MAX: Self = Self(UnixSeconds::MAX.get());

    /// Returns the time `seconds` from 1970-01-01T00:00:00Z, or `None` outside 1583 to 2199.
    #[must_use]
    pub const fn new(seconds: i64) -> Option<Self> {
        if seconds < Self::MIN.0 || seconds > Self::MAX.0 {
            None
        } else {
            Some(Self(seconds))
        }
    }

    /// Returns the seconds from 1970-01-01T00:00:00Z, negative before.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }

    /// Parses a day, which is its midnight in UTC, or an ISO 8601 timestamp.
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        let moment = match word.parse::<Timestamp>() {
            Ok(moment) => moment,
            Err(_) => parse_day(word)?.to_zoned(TimeZone::UTC).ok()?.timestamp(),
        };
        Self::new(moment.as_second())
    }

    /// Parses the end of a period: a day, which is its last second in UTC, or an ISO 8601 timestamp.
    #[must_use]
    pub fn parse_end(word: &str) -> Option<Self> {
        let time = Self::parse(word)?;
        let seconds = parse_day(word).map_or(0, |_| 86_399);
        Some(Self::new(time.0 + seconds).unwrap_or(Self::MAX))
    }

    /// Returns the number of months from January of the year 0 to the month of this time, in UTC.
    #[must_use]
    pub fn months_since_year_zero(self) -> i64 {
        // The range of this type lies within that of jiff.
        let time = Timestamp::from_second(self.0).unwrap_or_default();
        let date = time.to_zoned(TimeZone::UTC).date();
        i64::from(date.year()) * 12 + i64::from(date.month()) - 1
    }
}

/// Parses a day; `None` if more follows, as the parser of dates would ignore a time of day.
fn parse_day(word: &str) -> Option<Date> {
    let day: Date = word.parse().ok()?;
    (day.to_string() == word).then_some(day)
}

impl From<UnixSeconds> for ContestTime {
    fn from(time: UnixSeconds) -> Self {
        Self(time.get())
    }
}

impl TryFrom<i64> for ContestTime {
    type Error = ValidationError;

    fn try_from(seconds: i64) -> Result<Self, ValidationError> {
        Self::new(seconds).ok_or_else(|| {
            ValidationError::new(format!(
                "{seconds} is not the time of a contest, from 1583 to 2199, in seconds since 1970"
            ))
        })
    }
}

/// Writes ISO 8601 in UTC; midnight is written as a date alone.
impl fmt::Display for ContestTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_iso(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_outside_1583_to_2199_are_rejected() {
        let show = |seconds| ContestTime::new(seconds).map(|time| time.to_string());
        assert_eq!(show(-12_212_553_600).as_deref(), Some("1583-01-01"));
        assert_eq!(show(-12_212_553_601), None);
        assert_eq!(show(7_258_118_399).as_deref(), Some("2199-12-31T23:59:59Z"));
        assert_eq!(show(7_258_118_400), None);
        assert_eq!(show(1_266_588_000_000), None);
    }

    #[test]
    fn display_before_1970_is_iso() {
        let show = |seconds| ContestTime::new(seconds).unwrap().to_string();
        assert_eq!(show(-86_400), "1969-12-31");
        assert_eq!(show(-1), "1969-12-31T23:59:59Z");
        assert_eq!(show(-2_098_742_400), "1903-07-01");
    }

    #[test]
    fn serde_rejects_invalid_times() {
        let read = |text| serde_json::from_str::<ContestTime>(text);
        assert_eq!(read("-1").unwrap().get(), -1);
        assert_eq!(serde_json::to_string(&ContestTime(-1)).unwrap(), "-1");
        for other in [
            "-12212553601",
            "1266588000000",
            "1.5",
            "\"2010-02-19\"",
            "null",
        ] {
            assert!(read(other).is_err(), "{other}");
        }
    }

    #[test]
    fn conversion_from_unix_seconds_keeps_number() {
        for time in [UnixSeconds::MIN, UnixSeconds::MAX] {
            assert_eq!(ContestTime::from(time).get(), time.get());
        }
    }
}

//! Time in New York, which the site uses for starts of rounds.

use jiff::civil::DateTime;
use jiff::tz::{Disambiguation, TimeZone};
use ranklore_contest::UnixSeconds;

/// First year with daylight saving from March to November.
const FIRST_YEAR_OF_LONG_DST: i16 = 2007;

/// The two rules for New York since 1987. They need no time zone database.
pub(crate) struct NewYorkClock {
    /// From the first Sunday in April to the last in October.
    before_2007: TimeZone,
    /// From the second Sunday in March to the first in November.
    since_2007: TimeZone,
}

impl NewYorkClock {
    /// Creates the clock.
    ///
    /// # Errors
    /// If the rules cannot be parsed.
    pub(crate) fn new() -> Result<Self, jiff::Error> {
        Ok(Self {
            before_2007: TimeZone::posix("EST5EDT,M4.1.0,M10.5.0")?,
            since_2007: TimeZone::posix("EST5EDT,M3.2.0,M11.1.0")?,
        })
    }

    /// Converts a local time from 1990 to 2199 to UTC. Of an ambiguous hour the first is taken; a
    /// time in the skipped hour is moved forward.
    pub(crate) fn to_utc(&self, local_time: DateTime) -> Option<UnixSeconds> {
        if !(1990..2200).contains(&local_time.year()) {
            return None;
        }
        let zone = if local_time.year() < FIRST_YEAR_OF_LONG_DST {
            &self.before_2007
        } else {
            &self.since_2007
        };
        let moment = zone.to_ambiguous_timestamp(local_time);
        let moment = moment.disambiguate(Disambiguation::Compatible).ok()?;
        UnixSeconds::new(moment.as_second())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utc_text(shown: &str) -> String {
        let shown: DateTime = shown.parse().unwrap();
        let seconds = NewYorkClock::new().unwrap().to_utc(shown).unwrap().get();
        let moment = jiff::Timestamp::from_second(seconds).unwrap();
        moment.to_string()
    }

    #[test]
    fn dst_until_2006_is_april_to_october() {
        for (shown, utc) in [
            ("2001-04-01T01:59", "2001-04-01T06:59:00Z"),
            ("2001-04-01T03:00", "2001-04-01T07:00:00Z"),
            ("2001-10-28T00:59", "2001-10-28T04:59:00Z"),
            ("2001-10-28T02:00", "2001-10-28T07:00:00Z"),
            // Daylight saving under today's rule.
            ("2006-03-20T21:00", "2006-03-21T02:00:00Z"),
            ("2006-11-04T12:00", "2006-11-04T17:00:00Z"),
        ] {
            assert_eq!(utc_text(shown), utc, "{shown}");
        }
    }

    #[test]
    fn dst_since_2007_is_march_to_november() {
        for (shown, utc) in [
            ("2007-03-11T01:59", "2007-03-11T06:59:00Z"),
            ("2007-03-11T03:00", "2007-03-11T07:00:00Z"),
            ("2007-03-20T21:00", "2007-03-21T01:00:00Z"),
            ("2007-11-04T02:00", "2007-11-04T07:00:00Z"),
            ("2022-10-31T01:05", "2022-10-31T05:05:00Z"),
            ("2024-01-25T16:05", "2024-01-25T21:05:00Z"),
        ] {
            assert_eq!(utc_text(shown), utc, "{shown}");
        }
    }

    #[test]
    fn ambiguous_hour_is_first_skipped_hour_is_later() {
        assert_eq!(utc_text("2001-10-28T01:30"), "2001-10-28T05:30:00Z");
        assert_eq!(utc_text("2019-11-03T01:30"), "2019-11-03T05:30:00Z");
        assert_eq!(utc_text("2001-04-01T02:30"), "2001-04-01T07:30:00Z");
        assert_eq!(utc_text("2019-03-10T02:30"), "2019-03-10T07:30:00Z");
    }

    #[test]
    fn times_outside_supported_years_are_refused() {
        let new_york = NewYorkClock::new().unwrap();
        for shown in ["0001-01-01T00:00", "1989-12-31T00:00", "2200-01-01T00:00"] {
            assert_eq!(new_york.to_utc(shown.parse().unwrap()), None, "{shown}");
        }
    }
}

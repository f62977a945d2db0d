//! Values in the form of the site: times, durations and identifiers.

use std::fmt;

use ranklore_contest::UnixSeconds;
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer};

/// A value, or the path of the invalid field and its expected form.
pub(crate) type FieldResult<T> = Result<T, (String, String)>;

/// A time of the site, `2022-10-23T02:14:27.906Z`, without its fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SiteTime(pub(crate) UnixSeconds);

/// The time that an entrant took, `P0DT01H25M06.484013S`, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FinishTime(pub(crate) u64);

/// An identifier of a user: 16 letters and digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UserId(pub(crate) String);

impl FinishTime {
    /// Returns the time in seconds.
    pub(crate) fn seconds(self) -> f64 {
        self.0 as f64 / 1e6
    }
}

fn parse_time(text: &str) -> Option<SiteTime> {
    let at = text.parse::<jiff::Timestamp>().ok()?;
    // Rounds down, also before 1970.
    let seconds = at.as_millisecond().div_euclid(1000);
    UnixSeconds::new(seconds).map(SiteTime)
}

/// Parses `P0DT01H25M06.484013S`: days, then two digits each of hours, minutes and seconds, with or
/// without six digits of microseconds.
fn parse_finish_time(text: &str) -> Option<FinishTime> {
    let (days, rest) = text.strip_prefix('P')?.split_once("DT")?;
    let (hours, rest) = rest.split_once('H')?;
    let (minutes, rest) = rest.split_once('M')?;
    let seconds = rest.strip_suffix('S')?;
    let (seconds, micros) = seconds.split_once('.').unwrap_or((seconds, "000000"));
    let number = |digits: &str, length: usize, end: u64| {
        let is_number = digits.len() == length && digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse::<u64>().ok().filter(|number| is_number && *number < end)
    };
    let days = number(days, days.len(), 1_000)?;
    let hours = number(hours, 2, 24)?;
    let minutes = number(minutes, 2, 60)?;
    let seconds = number(seconds, 2, 60)?;
    let micros = number(micros, 6, 1_000_000)?;
    let minutes = (days * 24 + hours) * 60 + minutes;
    Some(FinishTime((minutes * 60 + seconds) * 1_000_000 + micros))
}

fn parse_user_id(text: &str) -> Option<UserId> {
    let is_valid = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_valid.then(|| UserId(text.to_owned()))
}

/// Parses a text by a function.
struct TextVisitor<T> {
    parse: fn(&str) -> Option<T>,
    expected: &'static str,
}

impl<T> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        let value = (self.parse)(text);
        value.ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(text), &self))
    }
}

impl<'de> Deserialize<'de> for SiteTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor {
            parse: parse_time,
            expected: "a time such as 2022-10-23T02:14:27.906Z",
        })
    }
}

impl<'de> Deserialize<'de> for FinishTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor {
            parse: parse_finish_time,
            expected: "a duration such as P0DT01H25M06.484013S",
        })
    }
}

impl<'de> Deserialize<'de> for UserId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(TextVisitor {
            parse: parse_user_id,
            expected: "the id of a user, 16 letters and digits",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_lose_their_fraction() {
        for (text, seconds) in [
            ("1970-01-01T00:00:01.999Z", Some(1)),
            ("1969-12-31T23:59:59.500Z", Some(-1)),
            ("2022-10-23T02:14:27Z", Some(1_666_491_267)),
            ("2022-10-23T04:14:27.906+02:00", Some(1_666_491_267)),
            ("2022-10-23T02:14:27.906", None),
            ("2022-10-23", None),
            ("1666491267", None),
            ("", None),
        ] {
            let time = seconds.and_then(UnixSeconds::new).map(SiteTime);
            assert_eq!(parse_time(text), time, "{text}");
        }
    }

    #[test]
    fn finish_times_are_read_exactly() {
        for (text, micros) in [
            ("P0DT01H25M06.484013S", Some(5_106_484_013)),
            ("P2DT00H00M00S", Some(172_800_000_000)),
            ("P0DT00H00M00.000001S", Some(1)),
            ("P0DT01H25M06.48S", None),
            ("P0DT01H60M06.484013S", None),
            ("P0DT1H25M06.484013S", None),
            ("-P1DT01H25M06.484013S", None),
            ("PT1H25M6S", None),
            ("P0DT+1H25M06.484013S", None),
            ("01:25:06", None),
            ("", None),
        ] {
            assert_eq!(parse_finish_time(text), micros.map(FinishTime), "{text}");
        }
    }
}

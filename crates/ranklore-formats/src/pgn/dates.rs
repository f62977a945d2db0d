//! Parses the dates of games, of which parts may be unknown.

use jiff::civil::Date;
use jiff::tz::TimeZone;
use ranklore_contest::{ContestTime, Quoted};

/// The day of a game, or the last day of the period in which it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GameDay {
    date: Date,
    pub(super) precision: Precision,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Precision {
    Year,
    Month,
    Day,
}

/// Parses `2024.05.17`, `2024.05.??` and `2024.??.??`, also with `-` or `/`. `None` if not even the
/// year is known.
pub(super) fn parse_day(text: &str) -> Result<Option<GameDay>, String> {
    let invalid = || {
        format!(
            "date {} is not a day of the calendar; write it like 2024.05.17, or 2024.??.?? if only \
             the year is known",
            Quoted(text)
        )
    };
    let mut parts = text.split(['.', '-', '/']).map(str::trim);
    let mut number = || -> Result<Option<i16>, String> {
        match parts.next() {
            Some(part) if !part.bytes().all(|byte| byte == b'?') => {
                let fits = part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
                let number = part.parse().ok().filter(|_| fits);
                number.map(Some).ok_or_else(invalid)
            }
            _ => Ok(None),
        }
    };
    let year = number()?;
    let month = number()?;
    let day = number()?;
    if parts.next().is_some() {
        return Err(invalid());
    }
    let Some(year) = year else {
        return Ok(None);
    };
    let (date, precision) = match (month, day) {
        (Some(month), Some(day)) => {
            let day = i8::try_from(day).map_err(|_| invalid())?;
            (civil_date(year, month, day), Precision::Day)
        }
        (Some(month), None) => {
            let first = civil_date(year, month, 1);
            (first.map(Date::last_of_month), Precision::Month)
        }
        (None, _) => (civil_date(year, 12, 31), Precision::Year),
    };
    let date = date.ok_or_else(invalid)?;
    Ok(Some(GameDay { date, precision }))
}

fn civil_date(year: i16, month: i16, day: i8) -> Option<Date> {
    Date::new(year, i8::try_from(month).ok()?, day).ok()
}

/// Parses `19:30:05` or `19:30`: seconds since midnight. `None` if it is unknown.
pub(super) fn parse_clock(text: &str) -> Result<Option<i64>, String> {
    if text.contains('?') {
        return Ok(None);
    }
    let mut parts = text.split(':');
    let mut number = |below: i64| -> Option<i64> {
        let part = parts.next()?;
        let fits = (1..=2).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|&n| fits && n < below)
    };
    let hours = number(24);
    let minutes = number(60);
    let seconds = match text.matches(':').count() {
        1 => Some(0),
        _ => number(60),
    };
    if let (Some(hours), Some(minutes), Some(seconds), None) =
        (hours, minutes, seconds, parts.next())
    {
        return Ok(Some(hours * 3_600 + minutes * 60 + seconds));
    }
    let text = Quoted(text);
    Err(format!("time {text} is not a time such as 19:30:05"))
}

impl GameDay {
    /// Returns the time `clock` seconds after midnight UTC. Ignores the clock without a day.
    pub(super) fn at(self, clock: Option<i64>) -> Result<ContestTime, String> {
        let clock = clock.filter(|_| self.precision == Precision::Day);
        let midnight = self.date.to_zoned(TimeZone::UTC).ok();
        let time = midnight.and_then(|midnight| {
            let seconds = midnight.timestamp().as_second();
            ContestTime::new(seconds + clock.unwrap_or(0))
        });
        time.ok_or_else(|| {
            format!("date {} lies outside 1583 to 2199; correct the year", self.date)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_parsed() {
        for (text, expected) in [
            ("2024.05.17", "2024-05-17"),
            ("2024-05-17", "2024-05-17"),
            ("2024/5/7", "2024-05-07"),
            ("2024.02.??", "2024-02-29"),
            ("2024.??.??", "2024-12-31"),
            ("2024.??.17", "2024-12-31"),
            ("1886", "1886-12-31"),
            ("????.??.??", "unknown"),
            ("????.05.17", "unknown"),
            ("", "unknown"),
            ("2024.02.30", "invalid"),
            ("2024.13.01", "invalid"),
            ("2024.05.999", "invalid"),
            ("17.05.2024", "invalid"),
            ("2024.05.17.1", "invalid"),
            ("-2024.05.17", "invalid"),
            ("+2024.05.17", "invalid"),
            ("20240517", "invalid"),
            ("May 2024", "invalid"),
            ("1582.12.31", "outside"),
            ("9999.12.31", "outside"),
        ] {
            let read = match parse_day(text) {
                Ok(None) => "unknown".to_owned(),
                Ok(Some(day)) => {
                    day.at(Some(0)).map_or_else(|_| "outside".to_owned(), |time| time.to_string())
                }
                Err(_) => "invalid".to_owned(),
            };
            assert_eq!(read, expected, "{text}");
        }
    }

    #[test]
    fn clocks_are_parsed() {
        for (text, expected) in [
            ("19:30:05", Ok(Some(70_205))),
            ("00:00", Ok(Some(0))),
            ("??:??:??", Ok(None)),
            ("24:00:00", Err(())),
            ("19", Err(())),
            ("19:30:05:1", Err(())),
            ("19:30:", Err(())),
            ("noon", Err(())),
        ] {
            assert_eq!(parse_clock(text).map_err(|_| ()), expected, "{text}");
        }
    }
}

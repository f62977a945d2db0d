//! Parsers for values of arguments, and texts for dates and places.

use std::time::{Duration, SystemTime};

use ranklore_contest::{ContestTime, UnixSeconds};
use ranklore_store::Completeness;

use crate::output::{escape_line, format_plural};
use ranklore_views::format::format_completeness;
pub(crate) use ranklore_views::format::{format_day, format_minute};
use ranklore_views::values::EXPECTED_TIME;
pub(crate) use ranklore_views::values::{
    parse_end_time, parse_factor, parse_kind, parse_source, parse_time,
};

/// Parses a time of a site or a request: a day (midnight UTC) or an ISO 8601 timestamp, for clap.
pub(crate) fn parse_site_time(word: &str) -> Result<UnixSeconds, String> {
    ContestTime::parse(word)
        .and_then(|time| UnixSeconds::new(time.get()))
        .ok_or_else(|| format!("{EXPECTED_TIME}, from 1970 to 2199"))
}

/// Returns the current time, from 1970 to 2199. A clock outside is wrong, and no reason to stop: the
/// order of the archive does not depend on it.
pub(crate) fn now() -> UnixSeconds {
    clamp_time(SystemTime::now())
}

fn clamp_time(time: SystemTime) -> UnixSeconds {
    let Ok(age) = time.duration_since(SystemTime::UNIX_EPOCH) else {
        return UnixSeconds::MIN;
    };
    let seconds = i64::try_from(age.as_secs()).ok();
    seconds.and_then(UnixSeconds::new).unwrap_or(UnixSeconds::MAX)
}

/// Formats a place: 1st, 22nd, 113th.
pub(crate) fn format_ordinal(place: u32) -> String {
    let ending = match (place % 10, place % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// Formats the distance to now in days: `today`, `3 days ago`.
pub(crate) fn format_days_ago(then: i64, now: UnixSeconds) -> String {
    // Calendar days: yesterday evening is yesterday, although less than 24 hours ago.
    match now.get() / 86_400 - then / 86_400 {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days if days > 0 => format!("{days} days ago"),
        // The clock went backwards.
        _ => "in the future".to_owned(),
    }
}

/// Returns `3 contests with 40 results`.
pub(crate) fn contests_with_results(contests: u64, results: u64) -> String {
    let contests = format_plural(contests, "contest");
    let results = format_plural(results, "result");
    format!("{contests} with {results}")
}

/// Describes an incomplete contest, of which less arrived than the site announced: `476 of 543
/// comments arrived`.
pub(crate) fn describe_completeness(completeness: &Completeness) -> String {
    escape_line(&format_completeness(completeness))
}

/// Parses the seconds between requests, for clap.
pub(crate) fn parse_interval(word: &str) -> Result<Duration, String> {
    let seconds = word.parse::<f64>().ok();
    seconds
        .filter(|seconds| (0.0..=3600.0).contains(seconds))
        .map(Duration::from_secs_f64)
        .ok_or_else(|| "expected seconds from 0 to 3600, such as 2 or 0.5".to_owned())
}

/// Parses an age such as `90d`, `12w` or `1y` into seconds, for clap.
pub(crate) fn parse_age(word: &str) -> Result<i64, String> {
    parse_days(word)
        .map(|days| days * 86_400)
        .ok_or_else(|| "expected days, weeks or years, such as 90d, 12w or 1y".to_owned())
}

fn parse_days(word: &str) -> Option<i64> {
    let unit = word.chars().last()?;
    let days = match unit {
        'd' => 1,
        'w' => 7,
        'y' => 365,
        _ => return None,
    };
    let digits = word.strip_suffix(unit)?;
    // Rust parses `+9`, too.
    let has_only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.parse::<u32>().ok().filter(|_| has_only_digits)?;
    Some(i64::from(number) * days)
}

#[cfg(test)]
mod tests {
    use ranklore_contest::ContestTime;

    use super::*;

    #[test]
    fn ordinals_have_suffixes() {
        for (place, word) in [
            (1, "1st"),
            (2, "2nd"),
            (3, "3rd"),
            (4, "4th"),
            (11, "11th"),
            (12, "12th"),
            (13, "13th"),
            (21, "21st"),
            (112, "112th"),
            (1_003, "1003rd"),
        ] {
            assert_eq!(format_ordinal(place), word);
        }
    }

    #[test]
    fn days_and_timestamps_parse() {
        assert_eq!(parse_time("1970-01-02").unwrap().get(), 86_400);
        assert_eq!(parse_time("1970-01-02T01:00:00Z").unwrap().get(), 90_000);
        assert_eq!(parse_time("1969-12-31").unwrap().get(), -86_400);
        assert!(parse_site_time("1969-12-31").is_err());
        let end = |word| parse_end_time(word).unwrap().get();
        assert_eq!(end("1969-12-31"), -1);
        assert_eq!(end("1970-01-02"), 2 * 86_400 - 1);
        assert_eq!(end("1970-01-02T00:00:00Z"), 86_400);
        assert_eq!(end("2199-12-31"), ContestTime::MAX.get());
        for moment in ["1970-01-02T01:00:00+01:00", "1970-01-01T23:00-01:00"] {
            assert_eq!(end(moment), 86_400, "{moment}");
        }
        for wrong in [
            "",
            "1582-12-31",
            "2200-01-01",
            "2024-13-01",
            "yesterday",
            "03/04/2024",
            "20240301",
            "2024-03-01T13:00",
            "2024-03-01 13:00:00",
            "2024-03-01T13:00:00[Europe/Berlin]",
            "2024-03-01T13:00:00+99:00",
        ] {
            assert!(parse_time(wrong).is_err(), "{wrong}");
            assert!(parse_end_time(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn clock_in_any_year_gives_a_time() {
        let at = |seconds: u64| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        assert_eq!(clamp_time(at(1_700_000_000)).get(), 1_700_000_000);
        // The years 9950 and 11,000, and the last times that systems have.
        for seconds in [251_820_144_000, 285_000_000_000, i64::MAX as u64 / 2] {
            assert_eq!(clamp_time(at(seconds)), UnixSeconds::MAX);
        }
        for seconds in [1, 5_000_000_000, 500_000_000_000] {
            let before = SystemTime::UNIX_EPOCH - Duration::from_secs(seconds);
            assert_eq!(clamp_time(before), UnixSeconds::MIN);
        }
    }

    #[test]
    fn ages_parse_and_format() {
        for (word, days) in [("0d", 0), ("90d", 90), ("12w", 84), ("1y", 365)] {
            assert_eq!(parse_age(word), Ok(days * 86_400), "{word}");
        }
        for wrong in [
            "",
            "d",
            "90",
            "-1d",
            "+1d",
            "1.5y",
            "1m",
            "9999999999d",
            "1€",
        ] {
            assert!(parse_age(wrong).is_err(), "{wrong}");
        }
        let now = UnixSeconds::new(10 * 86_400 + 5).unwrap();
        for (then, words) in [
            (10 * 86_400 + 5, "today"),
            (10 * 86_400 - 1, "yesterday"),
            (5, "10 days ago"),
            (11 * 86_400, "in the future"),
        ] {
            assert_eq!(format_days_ago(then, now), words);
        }
    }
}

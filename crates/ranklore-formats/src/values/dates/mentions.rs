//! Finds out if a document says when something was.

use super::civil::parse_month_name;
use crate::vocabulary::weekdays::parse_weekday;

/// True if a text has a number like a year from 1900 to 2099 or like a time in Unix seconds, or the name
/// of a month or of a day of the week.
#[must_use]
pub fn mentions_time(text: &str) -> bool {
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let is_time = |digits: &str| {
        let year = digits.get(..4).and_then(|year| year.parse().ok());
        let is_year = year.is_some_and(|year: u16| (1900..2100).contains(&year));
        (is_year && matches!(digits.len(), 4 | 6 | 8 | 12 | 14))
            || (digits.starts_with('1') && matches!(digits.len(), 10 | 13))
    };
    let mut words = text.split(|c: char| !c.is_alphabetic());
    numbers.any(is_time)
        || words.any(|word| parse_month_name(word).is_some() || parse_weekday(word).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn years_months_days_and_unix_seconds_are_times() {
        for text in [
            "Round 3, 2019",
            "FY2019_final",
            "2019/20",
            "x,20190304,y",
            "12. Mai",
            "A,samstag,B",
            "1556668800",
        ] {
            assert!(mentions_time(text), "{text}");
        }
        for text in [
            "",
            "Round 3,Ivy,12345",
            "a 1:23:45 b",
            "24/7",
            "Mayer",
            "12019",
            "201930",
        ] {
            assert!(!mentions_time(text), "{text}");
        }
    }
}

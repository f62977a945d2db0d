//! Finds dates in the names of contests and in headings.

use super::cells::{DateStyle, parse_written_date};
use super::periods::{Period, ReadDate, parse_period, parse_year};
use super::{DateError, DateRules};
use ranklore_contest::ContestTime;

/// Returns the only date in a text such as `Round 3 (2024-03-01)`; `None` if there is none.
pub(crate) fn find_date(text: &str, rules: DateRules) -> Option<Result<ContestTime, DateError>> {
    let words = split_words(text);
    find_in_words(&words, |run| parse_written_date(run, rules))
}

/// Returns the only date in the name of a contest, or the day without a year that the name is.
pub(crate) fn find_day(name: &str, rules: DateRules) -> Option<Result<ContestTime, DateError>> {
    find_date(name, rules).or_else(|| rules.find_yearless(name))
}

/// Returns the only month, week or season in a text such as `League 2023/24`, or the year at its end
/// in brackets or after a comma; `None` if there is none. Other years and `3/2024` may be numbers of
/// rounds.
pub(crate) fn find_period(text: &str, style: DateStyle) -> Option<Result<ReadDate, DateError>> {
    let at_end = text.trim_end_matches([')', ']']);
    if let Some((_, year)) = at_end.rsplit_once(['(', '[', ','])
        // 1600 and 2000 are limits of ratings and lengths of races too.
        && parse_year(year.trim()).is_some_and(|year| year % 100 != 0)
    {
        return Some(parse_period(year.trim(), style.year_pairs));
    }
    find_in_words(&split_words(text), |run| {
        let read = parse_period(run, style.year_pairs)?;
        let is_named = run.contains(char::is_alphabetic);
        let is_plain = match read.period {
            Some(Period::Year) => true,
            Some(Period::Month) => !is_named,
            Some(Period::Week | Period::Season) | None => false,
        };
        if is_plain {
            Err(DateError::Other)
        } else {
            Ok(read)
        }
    })
}

/// Returns the month that a whole text is: `02/2025`, `2024-12`, `Feb 2025`. A month of one digit may be
/// the number of a round.
pub(crate) fn parse_month_of_year(text: &str, style: DateStyle) -> Option<ReadDate> {
    let date = parse_period(text.trim(), style.year_pairs).ok()?;
    let mut numbers = text.split(|c: char| !c.is_ascii_digit());
    let has_digit_alone = numbers.any(|number| number.len() == 1);
    (date.period == Some(Period::Month) && !has_digit_alone).then_some(date)
}

/// Splits a name into the words that can belong to a date.
fn split_words(text: &str) -> Vec<&str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '|'))
        .filter(|word| !matches!(*word, "" | "-" | "–" | "—" | "/"))
        .collect()
}

/// Returns the only date among words: each is the longest run of words that is one. A time and its
/// zone are separate words.
fn find_in_words<T: Copy + PartialEq>(
    words: &[&str],
    parse: impl Fn(&str) -> Result<T, DateError>,
) -> Option<Result<T, DateError>> {
    let mut only_date: Option<Result<T, DateError>> = None;
    let mut from = 0;
    while from < words.len() {
        let longest = (1..=6.min(words.len() - from)).rev().find_map(|count| {
            match parse(&words[from..from + count].join(" ")) {
                Ok(date) => Some((count, Ok(date))),
                Err(DateError::Other) => None,
                Err(error) => Some((count, Err(error))),
            }
        });
        let Some((count, date)) = longest else {
            from += 1;
            continue;
        };
        match only_date {
            Some(first) if first != date => return Some(Err(DateError::Several)),
            _ => only_date = Some(date),
        }
        from += count;
    }
    only_date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_in_names_are_found() {
        for (text, expected) in [
            ("Round 3 (2024-03-01)", Some("2024-03-01")),
            ("R1 2024-03-01", Some("2024-03-01")),
            ("2024-03-01", Some("2024-03-01")),
            ("Spring Open, 1 March 2024", Some("2024-03-01")),
            ("Cup 2024-03-01 19:30 final", Some("2024-03-01T19:30:00Z")),
            ("Open 25.12.2024", Some("2024-12-25")),
            ("Cup 03/04/2024", Some("Ambiguous")),
            ("2024-03-01 to 2024-03-03", Some("Several")),
            ("Round 3", None),
            ("Season 2024", None),
            ("45352", None),
            ("1709251200", None),
            ("Points (max 100)", None),
        ] {
            let found = find_date(text, DateRules::default()).map(|found| match found {
                Ok(time) => time.to_string(),
                Err(error) => format!("{error:?}"),
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn periods_in_names_are_found() {
        for (text, expected) in [
            ("Tour (1903)", Some("1903-12-31")),
            ("Section (1600)", None),
            ("Row (2000)", None),
            ("Chess 60+30, 1800", None),
            ("Tour, 1903", Some("1903-12-31")),
            ("Open March 2024", Some("2024-03-31")),
            ("Liga 2023/24", Some("2024-06-30")),
            ("League 2023-24, Division 2", Some("2024-06-30")),
            ("Liga 2023/2024", Some("2024-06-30")),
            ("Club Night 2024-W09", Some("2024-03-03")),
            ("KW 9 2024", Some("2024-03-03")),
            ("Liga 2011/12", Some("SeasonOrMonth")),
            ("March 2024 and April 2024", Some("Several")),
            // Numbers of rounds, and limits of ratings.
            ("Tour 1903", None),
            ("Round 1842", None),
            ("Open Under 1800", None),
            ("Round 3/2024", None),
            ("Contest 2024-03", None),
            ("Round 3", None),
        ] {
            let found = find_period(text, DateStyle::default()).map(|found| match found {
                Ok(date) => date.time.to_string(),
                Err(error) => format!("{error:?}"),
            });
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

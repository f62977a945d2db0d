//! Parses a day of the calendar.

use jiff::civil;

use super::{DateError, DateRules};
use crate::options::DateOrder;
use crate::vocabulary::weekdays::is_weekday;
use crate::vocabulary::words::{has_word, normalise_word};

/// Returns midnight UTC at the beginning of a day, in seconds since 1970.
pub(super) fn midnight_seconds(date: civil::Date) -> Option<i64> {
    let midnight = date.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
    Some(midnight.timestamp().as_second())
}

/// Parses a day of the calendar, in digits or with the name of the month.
pub(super) fn parse_civil_date(text: &str, rules: DateRules) -> Result<civil::Date, DateError> {
    if let Some(text) = text.strip_suffix('日').filter(|text| text.contains('年')) {
        return parse_civil_date(&text.replace(['年', '月'], "-"), rules);
    }
    if text.chars().any(char::is_alphabetic) {
        return parse_date_with_month_name(text, rules);
    }
    if text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit()) {
        return parse_year_month_day(&text[..4], &text[4..6], &text[6..]);
    }
    let text = text.trim_end_matches('.');
    for mark in ['-', '/', '.'] {
        let parts: Vec<&str> = text.split(mark).map(str::trim).collect();
        let [a, b, c] = parts[..] else { continue };
        if ![a, b, c].iter().all(|p| is_number(p)) || b.len() > 2 {
            return Err(DateError::Other);
        }
        return match (a.len(), c.len()) {
            (4, 1..=2) => parse_year_month_day(a, b, c),
            (1..=2, 4) => parse_day_month_year(a, b, c, rules.order(mark)),
            (1..=2, 2) => match rules.order(mark) {
                Some(DateOrder::Mdy) => parse_short_year(c, a, b, rules),
                Some(_) => parse_short_year(c, b, a, rules),
                // 24/03/01 can begin with the year too.
                None => Err(DateError::Ambiguous),
            },
            _ => Err(DateError::Other),
        };
    }
    Err(DateError::Other)
}

/// Parses `a` and `b` as day and month in this order.
fn parse_day_month_year(
    a: &str,
    b: &str,
    year: &str,
    order: Option<DateOrder>,
) -> Result<civil::Date, DateError> {
    match order {
        Some(DateOrder::Dmy) => parse_year_month_day(year, b, a),
        Some(DateOrder::Mdy) => parse_year_month_day(year, a, b),
        Some(DateOrder::Ym | DateOrder::Season) | None => {
            match (parse_year_month_day(year, b, a), parse_year_month_day(year, a, b)) {
                (Ok(dmy), Ok(mdy)) if dmy != mdy => Err(DateError::Ambiguous),
                (Ok(date), _) | (_, Ok(date)) => Ok(date),
                (Err(error), _) => Err(error),
            }
        }
    }
}

/// Splits a text into numbers, words, and what stands between them.
pub(super) fn split_runs(text: &str) -> Vec<&str> {
    let mut runs = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c: char| {
            c.is_ascii_digit() != first.is_ascii_digit()
                || c.is_alphabetic() != first.is_alphabetic()
        });
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        runs.push(run);
        rest = after;
    }
    runs
}

pub(super) fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Parses a day of a year of two digits: 1970 to 2029. Others may lie in either century.
fn parse_short_year(
    year: &str,
    month: &str,
    day: &str,
    rules: DateRules,
) -> Result<civil::Date, DateError> {
    let century = if year < "70" { "20" } else { "19" };
    let date = parse_year_month_day(&format!("{century}{year}"), month, day)?;
    if !("30".."70").contains(&year) || rules.guesses_dates {
        Ok(date)
    } else {
        Err(DateError::ShortYear)
    }
}

pub(super) fn parse_year_month_day(
    year: &str,
    month: &str,
    day: &str,
) -> Result<civil::Date, DateError> {
    fn parse_number(part: &str) -> Result<i16, DateError> {
        part.parse().map_err(|_| DateError::Other)
    }
    let year = parse_number(year)?;
    let month = parse_number(month)? as i8;
    civil::Date::new(year, month, parse_number(day)? as i8).map_err(|_| DateError::Other)
}

/// Parses `1 March 2024`, `Mar 1st, 2024`, `Fri, 01-Mar-24`, `1. März 2024`, `1 de marzo de 2024`.
fn parse_date_with_month_name(text: &str, rules: DateRules) -> Result<civil::Date, DateError> {
    let mut month = None;
    let mut numbers: Vec<&str> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/' | '.')) {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let rest = &word[digits.len()..];
        if is_number(digits) {
            if !matches!(rest.to_ascii_lowercase().as_str(), "" | "st" | "nd" | "rd" | "th" | "er")
            {
                return Err(DateError::Other);
            }
            numbers.push(digits);
        } else if let Some(number) = parse_month_name(word) {
            if month.replace(number).is_some() {
                return Err(DateError::Other);
            }
        } else if !(word.is_empty()
            || is_weekday(word)
            || has_word(FILLER_WORDS, &normalise_word(word)))
        {
            return Err(DateError::Other);
        }
    }
    let (Some(month), [first, second]) = (month, &numbers[..]) else {
        return Err(DateError::Other);
    };
    match (first.len(), second.len()) {
        (1..=2, 4) => parse_year_month_day(second, month, first),
        (4, 1..=2) => parse_year_month_day(first, month, second),
        // Spreadsheets show dates as 01-Mar-24: the day first.
        (1..=2, 2) if text.starts_with(first) => parse_short_year(second, month, first, rules),
        _ => Err(DateError::Other),
    }
}

/// Words that may accompany a date, as [`normalise_word`] returns them.
pub(super) const FILLER_WORDS: &str = "de of the del mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday \
     thursday friday saturday sunday mo di mi do fr sa so montag dienstag mittwoch donnerstag \
     freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes \
     miercoles jueves viernes sabado domingo";

/// Parses the number or the name of a month. Returns its number.
pub(crate) fn parse_month(text: &str) -> Option<&str> {
    let is_month = |number: &u8| (1..=12).contains(number);
    if is_number(text) && text.len() <= 2 {
        text.parse().ok().filter(is_month).map(|_| text)
    } else {
        parse_month_name(text)
    }
}

pub(super) fn parse_month_name(word: &str) -> Option<&'static str> {
    Some(match normalise_word(word).as_str() {
        "jan" | "january" | "januar" | "janner" | "janvier" | "janv" | "enero" | "ene"
        | "stycznia" => "1",
        "feb" | "february" | "februar" | "fevrier" | "fevr" | "fev" | "febrero" | "lutego" => "2",
        "mar" | "march" | "marz" | "maerz" | "mrz" | "mars" | "marzo" | "marca" => "3",
        "apr" | "april" | "avril" | "avr" | "abril" | "abr" | "kwietnia" => "4",
        "may" | "mai" | "mayo" | "maja" => "5",
        "jun" | "june" | "juni" | "juin" | "junio" | "czerwca" => "6",
        "jul" | "july" | "juli" | "juillet" | "juil" | "julio" | "lipca" => "7",
        "aug" | "august" | "aout" | "agosto" | "ago" | "sierpnia" => "8",
        "sep" | "sept" | "september" | "septembre" | "septiembre" | "wrzesnia" => "9",
        "oct" | "october" | "oktober" | "okt" | "octobre" | "octubre" | "pazdziernika" => "10",
        "nov" | "november" | "novembre" | "noviembre" | "listopada" => "11",
        "dec" | "december" | "dezember" | "dez" | "decembre" | "diciembre" | "dic" | "grudnia" => {
            "12"
        }
        _ => return None,
    })
}

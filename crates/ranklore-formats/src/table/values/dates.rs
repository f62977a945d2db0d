//! Parses dates in cells and headings. Dates without a time are midnight UTC.

use jiff::civil;

use crate::options::DateOrder;
use crate::table::columns::{has_word, normalise_word};
use ranklore_contest::{ContestTime, Quoted};

/// The reason why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::table) enum DateError {
    /// Day and month may be swapped: 03/04/2024.
    Ambiguous,
    /// The year has two digits: 25/12/24.
    ShortYear,
    /// A number that counts milliseconds.
    Milliseconds,
    /// Before 1583 or after 2199.
    Outside,
    /// Not a date, or not a day of the calendar.
    Other,
}

impl DateError {
    /// Returns the message about this text: a lower-case fragment.
    pub(in crate::table) fn message(self, text: &str) -> String {
        match self {
            Self::Ambiguous => format!(
                "date {text} is ambiguous; pass --dates dmy if the day comes first, --dates mdy if the month does",
                text = Quoted(text)
            ),
            Self::ShortYear => format!(
                "date {text} has a year of two digits; write all four",
                text = Quoted(text)
            ),
            Self::Milliseconds => format!(
                "date {text} looks like milliseconds; give seconds",
                text = Quoted(text)
            ),
            Self::Outside => format!("date {text} lies outside 1583 to 2199", text = Quoted(text)),
            Self::Other => format!(
                "{text} is not a date; write it like 2024-03-01",
                text = Quoted(text)
            ),
        }
    }
}

/// Days from 1899-12-30, the epoch of spreadsheets, to 1970-01-01.
const UNIX_EPOCH_SERIAL: f64 = 25_569.0;

/// Parses a cell of a date column: a written date, a spreadsheet serial number, or Unix seconds.
pub(in crate::table) fn parse_cell(
    cell: &str,
    order: Option<DateOrder>,
) -> Result<ContestTime, DateError> {
    if cell.bytes().all(|b| b.is_ascii_digit()) && matches!(cell.len(), 9 | 10 | 13) {
        let number: i64 = cell.parse().map_err(|_| DateError::Other)?;
        return if cell.len() == 13 {
            Err(DateError::Milliseconds)
        } else {
            ContestTime::new(number).ok_or(DateError::Outside)
        };
    }
    let is_serial = cell.len() >= 5
        && cell.as_bytes()[..5].iter().all(u8::is_ascii_digit)
        && cell
            .as_bytes()
            .get(5)
            .is_none_or(|&b| matches!(b, b'.' | b','))
        && cell.bytes().skip(6).all(|b| b.is_ascii_digit());
    if is_serial {
        let serial: f64 = cell
            .replace(',', ".")
            .parse()
            .map_err(|_| DateError::Other)?;
        return if (20_000.0..=80_000.0).contains(&serial) {
            let seconds = ((serial - UNIX_EPOCH_SERIAL) * 86_400.0).round() as i64;
            ContestTime::new(seconds).ok_or(DateError::Outside)
        } else {
            Err(DateError::Other)
        };
    }
    parse_written_date(cell, order)
}

/// Returns the only date in the name of a contest, or an error message as a lower-case fragment.
/// `None` if there is no date.
pub(crate) fn find_date_in_name(
    name: &str,
    order: Option<DateOrder>,
) -> Option<Result<ContestTime, String>> {
    find_date(name, order).map(|found| found.map_err(|no_date| no_date.message(name)))
}

/// Returns the only date in a text such as `Round 3 (2024-03-01)`; `None` if there is none.
pub(in crate::table) fn find_date(
    text: &str,
    order: Option<DateOrder>,
) -> Option<Result<ContestTime, DateError>> {
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ',' | ';' | '|'))
        .filter(|word| !matches!(*word, "" | "-" | "–" | "—" | "/"))
        .collect();
    let mut found: Option<Result<ContestTime, DateError>> = None;
    let mut from = 0;
    while from < words.len() {
        // The longest run of words that is a date; a time and its zone are separate words.
        let longest = (1..=6.min(words.len() - from)).rev().find_map(|count| {
            let run = words[from..from + count].join(" ");
            match parse_written_date(&run, order) {
                Ok(moment) => Some((count, Ok(moment))),
                Err(DateError::Other) => None,
                Err(error) => Some((count, Err(error))),
            }
        });
        let Some((count, date)) = longest else {
            from += 1;
            continue;
        };
        match found {
            Some(first) if first != date => return Some(Err(DateError::Ambiguous)),
            _ => found = Some(date),
        }
        from += count;
    }
    found
}

/// Parses a written date, with or without a time.
fn parse_written_date(text: &str, order: Option<DateOrder>) -> Result<ContestTime, DateError> {
    // No date is longer; this also bounds the work on headings.
    if text.len() > 60 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return Err(DateError::Other);
    }
    let (day, time) = split_time(text);
    let date = parse_civil_date(day, order)?;
    let (seconds, offset) = match time {
        Some(time) => parse_clock_time(time).ok_or(DateError::Other)?,
        None => (0, 0),
    };
    let midnight = date
        .to_zoned(jiff::tz::TimeZone::UTC)
        .map_err(|_| DateError::Outside)?
        .timestamp()
        .as_second();
    ContestTime::new(midnight + seconds - offset).ok_or(DateError::Outside)
}

/// Splits off the time: after a `T` between digits, or from the word with the first colon.
fn split_time(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let t = (1..bytes.len().saturating_sub(1)).find(|&i| {
        bytes[i].eq_ignore_ascii_case(&b't')
            && bytes[i - 1].is_ascii_digit()
            && bytes[i + 1].is_ascii_digit()
    });
    if let Some(t) = t {
        return (&text[..t], Some(&text[t + 1..]));
    }
    let Some(colon) = text.find(':') else {
        return (text, None);
    };
    match text[..colon].rfind(char::is_whitespace) {
        Some(space) => (
            text[..space].trim_end_matches([' ', ',']),
            Some(text[space..].trim()),
        ),
        None => (text, None),
    }
}

/// Returns seconds since midnight, and the zone's offset ahead of UTC in seconds: `19:30`,
/// `19:30:15.5Z`, `7:30 pm`, `19:30+01:00`, `19:30 -0500`.
fn parse_clock_time(text: &str) -> Option<(i64, i64)> {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | '.')))
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let mut parts = digits.split(':');
    let number = |part: &str, below: i64| -> Option<i64> {
        let fits = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        part.parse().ok().filter(|&n| fits && n < below)
    };
    let mut hour = number(parts.next()?, 24)?;
    let minute = number(parts.next()?, 60)?;
    let second = match parts.next() {
        Some(part) => {
            let (whole, fraction) = part.split_once('.').unwrap_or((part, ""));
            fraction.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
            number(whole, 60)?
        }
        None => 0,
    };
    if parts.next().is_some() {
        return None;
    }
    let mut zone = rest.trim().to_ascii_lowercase();
    for (word, add) in [("am", 0), ("pm", 12)] {
        if let Some(after) = zone.strip_prefix(word) {
            (1..=12).contains(&hour).then_some(())?;
            hour = hour % 12 + add;
            zone = after.trim().to_owned();
            break;
        }
    }
    let offset = match zone.as_str() {
        "" | "z" | "utc" | "gmt" => 0,
        zone => {
            let sign = match zone.as_bytes()[0] {
                b'+' => 1,
                b'-' => -1,
                _ => return None,
            };
            let digits = zone[1..].replace(':', "");
            let fits = matches!(digits.len(), 2 | 4) && digits.bytes().all(|b| b.is_ascii_digit());
            fits.then_some(())?;
            let hours: i64 = digits[..2].parse().ok()?;
            let minutes: i64 = digits[2..].parse().unwrap_or(0);
            (hours <= 15 && minutes < 60).then_some(())?;
            sign * (hours * 3600 + minutes * 60)
        }
    };
    Some((hour * 3600 + minute * 60 + second, offset))
}

fn parse_civil_date(text: &str, order: Option<DateOrder>) -> Result<civil::Date, DateError> {
    if text.chars().any(char::is_alphabetic) {
        return parse_date_with_month_name(text);
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
            (1..=2, 4) => parse_day_month_year(a, b, c, mark, order),
            // German dates with dots begin with the day; with other marks 24/03/01 is ambiguous.
            (1..=2, 2) if mark == '.' && order != Some(DateOrder::Mdy) => {
                parse_year_month_day(&format!("{}{c}", century(c)), b, a)
            }
            (1..=2, 2) => Err(DateError::ShortYear),
            _ => Err(DateError::Other),
        };
    }
    Err(DateError::Other)
}

/// Parses `a` and `b` as day and month. Dates with dots begin with the day, unless `order` says
/// otherwise.
fn parse_day_month_year(
    a: &str,
    b: &str,
    year: &str,
    mark: char,
    order: Option<DateOrder>,
) -> Result<civil::Date, DateError> {
    let order = order.or((mark == '.').then_some(DateOrder::Dmy));
    match order {
        Some(DateOrder::Dmy) => parse_year_month_day(year, b, a),
        Some(DateOrder::Mdy) => parse_year_month_day(year, a, b),
        None => match (
            parse_year_month_day(year, b, a),
            parse_year_month_day(year, a, b),
        ) {
            (Ok(dmy), Ok(mdy)) if dmy != mdy => Err(DateError::Ambiguous),
            (Ok(date), _) | (_, Ok(date)) => Ok(date),
            (Err(error), _) => Err(error),
        },
    }
}

fn is_number(part: &str) -> bool {
    !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())
}

/// Returns the century of a two-digit year: 1970 to 2069.
fn century(year: &str) -> &'static str {
    if year >= "70" { "19" } else { "20" }
}

fn parse_year_month_day(year: &str, month: &str, day: &str) -> Result<civil::Date, DateError> {
    let number = |part: &str| part.parse::<i16>().map_err(|_| DateError::Other);
    let (year, month, day) = (number(year)?, number(month)?, number(day)?);
    civil::Date::new(year, month as i8, day as i8).map_err(|_| DateError::Other)
}

/// Parses `1 March 2024`, `Mar 1st, 2024`, `Fri, 01-Mar-24`, `1. März 2024`, `1 de marzo de 2024`.
fn parse_date_with_month_name(text: &str) -> Result<civil::Date, DateError> {
    let mut month = None;
    let mut numbers: Vec<&str> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/' | '.')) {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let rest = &word[digits.len()..];
        if is_number(digits) {
            if !matches!(
                rest.to_ascii_lowercase().as_str(),
                "" | "st" | "nd" | "rd" | "th" | "er"
            ) {
                return Err(DateError::Other);
            }
            numbers.push(digits);
        } else if let Some(number) = parse_month_name(word) {
            if month.replace(number).is_some() {
                return Err(DateError::Other);
            }
        } else if !(word.is_empty() || has_word(FILLER_WORDS, &normalise_word(word))) {
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
        (1..=2, 2) if text.starts_with(first) => {
            parse_year_month_day(&format!("{}{second}", century(second)), month, first)
        }
        _ => Err(DateError::Other),
    }
}

/// Words that may accompany a date, as [`normalise_word`] returns them.
const FILLER_WORDS: &str = "de of the del mon tue tues wed thu thur thurs fri sat sun monday tuesday wednesday \
     thursday friday saturday sunday mo di mi do fr sa so montag dienstag mittwoch donnerstag \
     freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes \
     miercoles jueves viernes sabado domingo";

fn parse_month_name(word: &str) -> Option<&'static str> {
    Some(match normalise_word(word).as_str() {
        "jan" | "january" | "januar" | "janner" | "janvier" | "janv" | "enero" | "ene" => "1",
        "feb" | "february" | "februar" | "fevrier" | "fevr" | "fev" | "febrero" => "2",
        "mar" | "march" | "marz" | "maerz" | "mrz" | "mars" | "marzo" => "3",
        "apr" | "april" | "avril" | "avr" | "abril" | "abr" => "4",
        "may" | "mai" | "mayo" => "5",
        "jun" | "june" | "juni" | "juin" | "junio" => "6",
        "jul" | "july" | "juli" | "juillet" | "juil" | "julio" => "7",
        "aug" | "august" | "aout" | "agosto" | "ago" => "8",
        "sep" | "sept" | "september" | "septembre" | "septiembre" => "9",
        "oct" | "october" | "oktober" | "okt" | "octobre" | "octubre" => "10",
        "nov" | "november" | "novembre" | "noviembre" => "11",
        "dec" | "december" | "dezember" | "dez" | "decembre" | "diciembre" | "dic" => "12",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(date: Result<ContestTime, DateError>) -> String {
        date.map_or_else(|error| format!("{error:?}"), |moment| moment.to_string())
    }

    #[test]
    fn date_cells_are_parsed() {
        for (cell, expected) in [
            ("2024-03-01", "2024-03-01"),
            ("2024-3-1", "2024-03-01"),
            ("2024/03/01", "2024-03-01"),
            ("2024.03.01", "2024-03-01"),
            ("20240301", "2024-03-01"),
            ("2024-03-01 19:30", "2024-03-01T19:30:00Z"),
            ("2024-03-01T19:30:15", "2024-03-01T19:30:15Z"),
            ("2024-03-01T19:30:15.25Z", "2024-03-01T19:30:15Z"),
            ("2024-03-01T00:30+01:00", "2024-02-29T23:30:00Z"),
            ("2024-03-01 19:30 -0500", "2024-03-02T00:30:00Z"),
            ("1/25/2024 7:30 PM", "2024-01-25T19:30:00Z"),
            ("25/12/2024", "2024-12-25"),
            ("12/25/2024", "2024-12-25"),
            ("25.12.2024", "2024-12-25"),
            ("03.04.2024", "2024-04-03"),
            ("3.4.24", "2024-04-03"),
            ("12.25.2024", "Other"),
            ("05/05/2024", "2024-05-05"),
            ("03/04/2024", "Ambiguous"),
            ("03-04-2024", "Ambiguous"),
            ("03/04/24", "ShortYear"),
            ("1 March 2024", "2024-03-01"),
            ("Mar 1, 2024", "2024-03-01"),
            ("March 1st 2024", "2024-03-01"),
            ("Fri, 1 Mar 2024 20:00", "2024-03-01T20:00:00Z"),
            ("01-Mar-24", "2024-03-01"),
            ("1. März 2024", "2024-03-01"),
            ("1er août 2024", "2024-08-01"),
            ("1 de marzo de 2024", "2024-03-01"),
            ("45352", "2024-03-01"),
            ("45352.5", "2024-03-01T12:00:00Z"),
            ("1709251200", "2024-03-01"),
            ("1709251200000", "Milliseconds"),
            ("2024-02-30", "Other"),
            ("32/01/2024", "Other"),
            ("1969-12-31", "1969-12-31"),
            ("1850-06-01", "1850-06-01"),
            ("1583-01-01", "1583-01-01"),
            ("1582-12-31", "Outside"),
            ("2200-01-01", "Outside"),
            ("9000", "Other"),
            ("99999", "Other"),
            ("March 2024", "Other"),
            ("soon", "Other"),
            ("", "Other"),
            ("2024-03-01 25:00", "Other"),
        ] {
            assert_eq!(show(parse_cell(cell, None)), expected, "{cell}");
        }
        let with = |cell, order| show(parse_cell(cell, Some(order)));
        assert_eq!(with("03/04/2024", DateOrder::Dmy), "2024-04-03");
        assert_eq!(with("03/04/2024", DateOrder::Mdy), "2024-03-04");
        assert_eq!(with("03.04.2024", DateOrder::Mdy), "2024-03-04");
        assert_eq!(with("12/25/2024", DateOrder::Dmy), "Other");
        assert_eq!(with("2024-03-04", DateOrder::Dmy), "2024-03-04");
    }

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
            ("2024-03-01 to 2024-03-03", Some("Ambiguous")),
            ("Round 3", None),
            ("Season 2024", None),
            ("45352", None),
            ("1709251200", None),
            ("Points (max 100)", None),
        ] {
            let found = find_date(text, None).map(show);
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }
}

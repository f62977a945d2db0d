//! Parses cells of date columns, and dates with a time of day.

use std::ops::RangeInclusive;

use jiff::civil;

use super::civil::{is_number, midnight_seconds, parse_civil_date, parse_month_name};
use super::clock::{parse_clock_time, split_stamp, split_time};
use super::periods::{Period, ReadDate, parse_period, year_pair_period};
use super::{DateError, DateRules};
use crate::options::DateOrder;
use crate::vocabulary::weekdays::{is_weekday, parse_weekday};
use ranklore_contest::ContestTime;

/// Days from 1899-12-30, the epoch of spreadsheets, to 1970-01-01.
const UNIX_EPOCH_SERIAL: f64 = 25_569.0;

/// The numbers that are dates in spreadsheets: 1927 to 2119. Smaller ones have four digits and are
/// years.
const SERIALS: RangeInclusive<f64> = 10_000.0..=80_000.0;

/// The reading of ambiguous dates in a column.
#[derive(Clone, Copy, Default)]
pub(crate) struct DateStyle {
    pub(crate) rules: DateRules,
    /// The period that 2011-12 is.
    pub(super) year_pairs: Option<Period>,
}

impl DateStyle {
    /// Returns the style that the user states, or else that of the unambiguous cells: 2023-24 makes
    /// 2011-12 a season, 2011-11 makes it a month, and 25/12/2023 makes 03/04/2024 a day in April.
    pub(crate) fn from_cells<'c>(
        cells: impl Iterator<Item = &'c str>,
        mut rules: DateRules,
    ) -> Self {
        let mut year_pairs = Ok(None);
        let mut last = "";
        for cell in cells {
            // Consecutive rows mostly share a date.
            if cell == last {
                continue;
            }
            last = cell;
            rules.proven.add(cell, rules.refuses_doubts);
            if let (Ok(only), Some(period)) = (year_pairs, year_pair_period(cell)) {
                let is_other = only.is_some_and(|other| other != period);
                year_pairs = if is_other { Err(()) } else { Ok(Some(period)) };
            }
        }
        let year_pairs = match rules.stated_order {
            Some(DateOrder::Ym) => Some(Period::Month),
            Some(DateOrder::Season) => Some(Period::Season),
            Some(DateOrder::Dmy | DateOrder::Mdy) | None => year_pairs.ok().flatten(),
        };
        Self { rules, year_pairs }
    }
}

/// Parses a cell of a date column: a written date, a spreadsheet serial number, Unix seconds, or a
/// period such as a year.
pub(crate) fn parse_cell(cell: &str, style: DateStyle) -> Result<ReadDate, DateError> {
    if let Some(seconds) = parse_unix_time(cell) {
        return ContestTime::new(seconds).map(ReadDate::from).ok_or(DateError::Outside);
    }
    let is_serial = cell.len() >= 5
        && cell.as_bytes()[..5].iter().all(u8::is_ascii_digit)
        && cell.as_bytes().get(5).is_none_or(|&b| matches!(b, b'.' | b','))
        && cell.bytes().skip(6).all(|b| b.is_ascii_digit());
    if is_serial {
        let serial: f64 = cell.replace(',', ".").parse().map_err(|_| DateError::Other)?;
        return if SERIALS.contains(&serial) {
            let seconds = ((serial - UNIX_EPOCH_SERIAL) * 86_400.0).round() as i64;
            ContestTime::new(seconds).map(ReadDate::from).ok_or(DateError::Outside)
        } else {
            Err(DateError::Other)
        };
    }
    let written = parse_local_date(cell, style.rules).and_then(|(date, time)| {
        if style.rules.refuses_doubts && contradicts_weekday(cell, date) {
            Err(DateError::Weekday)
        } else {
            Ok(time)
        }
    });
    match written {
        // A number may have lost a zero: 2024.10.
        Err(DateError::Other) if !style.rules.guesses_dates && is_decimal_year(cell) => {
            Err(DateError::Other)
        }
        Err(DateError::Other) => parse_period(cell, style.year_pairs)
            .or_else(|error| style.rules.complete(cell).map(ReadDate::from).ok_or(error)),
        time => time.map(ReadDate::from),
    }
}

/// Parses seconds since 1970, with or without decimals, or milliseconds: as seconds, 13 digits would
/// lie beyond the year 33000.
fn parse_unix_time(cell: &str) -> Option<i64> {
    let (whole, decimals) = cell.split_once('.').unwrap_or((cell, ""));
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let is_signed = digits.len() < whole.len();
    let is_time = matches!((is_signed, digits.len()), (_, 9 | 10) | (true, 11) | (false, 13))
        && is_number(digits)
        && decimals.bytes().all(|byte| byte.is_ascii_digit());
    let number: i64 = whole.parse().ok().filter(|_| is_time)?;
    Some(if digits.len() == 13 {
        number / 1_000
    } else {
        number
    })
}

/// True for a number such as 2024.1.
fn is_decimal_year(cell: &str) -> bool {
    cell.split_once('.')
        .is_some_and(|(year, decimals)| year.len() == 4 && is_number(year) && is_number(decimals))
}

/// Parses a written date, with or without a time.
pub(super) fn parse_written_date(text: &str, rules: DateRules) -> Result<ContestTime, DateError> {
    parse_local_date(text, rules).map(|(_, time)| time)
}

/// True if a text begins or ends with the day of the week of another date.
pub(super) fn contradicts_weekday(text: &str, date: civil::Date) -> bool {
    let first = text.split(char::is_whitespace).next();
    let last = text.rsplit(|c: char| c.is_whitespace() || matches!(c, '(' | '（')).next();
    let words = [first, last].into_iter().flatten();
    let mut weekdays = words.filter_map(|text| {
        let word = text.trim_end_matches([',', '.', ')', '）']);
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        // `2 日` is the day of a month.
        let may_be_unit = word.chars().nth(1).is_none() && !text.ends_with([')', '）']);
        // `Mar` is a month too.
        parse_weekday(word).filter(|_| !may_be_unit && parse_month_name(word).is_none())
    });
    weekdays.any(|day| day != date.weekday().to_monday_zero_offset() as usize)
}

/// Parses the day that a text names, and the time in UTC.
fn parse_local_date(text: &str, rules: DateRules) -> Result<(civil::Date, ContestTime), DateError> {
    let text = strip_zone_name(text);
    // No date is longer; this also bounds the work on headings.
    if text.len() > 60 || !text.bytes().any(|b| b.is_ascii_digit()) {
        return Err(DateError::Other);
    }
    let stamp = split_stamp(text).filter(|_| rules.refuses_doubts);
    let (day, time) = match &stamp {
        Some((day, time)) => (*day, Some(&**time)),
        None => split_time(text),
    };
    let date = parse_civil_date(day, rules).or_else(|error| {
        let bare = strip_weekday(day).filter(|_| !rules.guesses_dates);
        bare.map_or(Err(error), |bare| parse_civil_date(bare, rules))
    })?;
    let (seconds, offset) = match time {
        Some(time) => parse_clock_time(time).ok_or(DateError::Other)?,
        None => (0, 0),
    };
    let midnight = midnight_seconds(date).ok_or(DateError::Outside)?;
    let time = ContestTime::new(midnight + seconds - offset).ok_or(DateError::Outside)?;
    Ok((date, time))
}

/// Returns JavaScript's text of a date without the name of its time zone. At midnight it is a day, with
/// no time: `Tue Feb 06 2024 00:00:00 GMT+0100 (CET)`.
fn strip_zone_name(text: &str) -> &str {
    let Some((local, zone)) = text.split_once(" GMT").filter(|_| text.len() < 120) else {
        return text;
    };
    let offset = zone.split_once(" (").filter(|(_, name)| name.ends_with(')'));
    let offset = offset.map_or(zone, |(offset, _)| offset);
    let is_offset = offset.len() == 5 && offset.starts_with(['+', '-']) && is_number(&offset[1..]);
    match local.strip_suffix(" 00:00:00") {
        Some(day) if is_offset => day,
        _ => &text[..text.len() - (zone.len() - offset.len())],
    }
}

/// Returns a date without the day of the week before it, or behind it in brackets.
fn strip_weekday(text: &str) -> Option<&str> {
    let bracketed = text.strip_suffix([')', '）']).and_then(|text| text.rsplit_once(['(', '（']));
    if let Some((date, day)) = bracketed {
        return is_weekday(day).then(|| date.trim_end());
    }
    let (day, date) = text.split_once(char::is_whitespace)?;
    is_weekday(day.trim_end_matches(',')).then(|| date.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(date: Result<ReadDate, DateError>) -> String {
        date.map_or_else(
            |error| format!("{error:?}"),
            |date| match date.period {
                Some(period) => format!("{period:?} {}", date.time),
                None => date.time.to_string(),
            },
        )
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
            ("03/04/24", "Ambiguous"),
            ("24/03/31", "Ambiguous"),
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
            ("1992年9月5日(土)", "1992-09-05"),
            ("1992年9月5日（土） 19:00", "1992-09-05T19:00:00Z"),
            ("sobota, 9 sierpnia 1997", "1997-08-09"),
            ("poniedziałek, 11.08.1997", "1997-08-11"),
            ("Sa. 9.8.1997", "1997-08-09"),
            ("samedi 9 août 1997", "1997-08-09"),
            ("Mar 9.8.1997", "1997-08-09"),
            ("Runde 9.8.1997", "Other"),
            ("9.8.1997 (final)", "Other"),
            ("2024-02-30", "Other"),
            ("32/01/2024", "Other"),
            ("1969-12-31", "1969-12-31"),
            ("1850-06-01", "1850-06-01"),
            ("1583-01-01", "1583-01-01"),
            ("1582-12-31", "Outside"),
            ("2200-01-01", "Outside"),
            ("9000", "Other"),
            ("99999", "Other"),
            ("12345", "1933-10-18"),
            ("9999", "Other"),
            ("-2098742400", "1903-07-01"),
            ("-1", "Other"),
            ("1903", "Year 1903-12-31"),
            ("1582", "Other"),
            ("2024-03", "Month 2024-03-31"),
            ("2024/2", "Month 2024-02-29"),
            ("03/2024", "Month 2024-03-31"),
            ("3.2024", "Month 2024-03-31"),
            ("2024-13", "Other"),
            ("2024-00", "Other"),
            ("March 2024", "Month 2024-03-31"),
            ("Mar-2024", "Month 2024-03-31"),
            ("2024 März", "Month 2024-03-31"),
            ("marzo de 2024", "Month 2024-03-31"),
            ("Mar-24", "Other"),
            ("2024-W09", "Week 2024-03-03"),
            ("2024W9", "Week 2024-03-03"),
            ("2024 week 9", "Week 2024-03-03"),
            ("KW 9 2024", "Week 2024-03-03"),
            ("KW 9/2024", "Week 2024-03-03"),
            ("9. KW 2024", "Week 2024-03-03"),
            ("2020-W53", "Week 2021-01-03"),
            ("2024-W53", "Other"),
            ("2023/24", "Season 2024-06-30"),
            ("2023-24", "Season 2024-06-30"),
            ("2023–24", "Season 2024-06-30"),
            ("2023/2024", "Season 2024-06-30"),
            ("1999/00", "Season 2000-06-30"),
            ("2023/25", "Other"),
            ("2023.24", "Other"),
            ("2011-12", "SeasonOrMonth"),
            ("2011/12", "SeasonOrMonth"),
            ("soon", "Other"),
            ("", "Other"),
            ("2024-03-01 25:00", "Other"),
        ] {
            assert_eq!(show(parse_cell(cell, DateStyle::default())), expected, "{cell}");
        }
    }

    #[test]
    fn stated_orders_decide_ambiguous_dates() {
        let with = |cell, order| {
            let style = DateStyle::from_cells([cell].into_iter(), Some(order).into());
            show(parse_cell(cell, style))
        };
        assert_eq!(with("03/04/2024", DateOrder::Dmy), "2024-04-03");
        assert_eq!(with("03/04/2024", DateOrder::Mdy), "2024-03-04");
        assert_eq!(with("03.04.2024", DateOrder::Mdy), "2024-03-04");
        assert_eq!(with("03/04/24", DateOrder::Mdy), "2024-03-04");
        assert_eq!(with("3-4-98", DateOrder::Dmy), "1998-04-03");
        assert_eq!(with("03/04/61", DateOrder::Dmy), "ShortYear");
        assert_eq!(with("12/25/2024", DateOrder::Dmy), "Other");
        assert_eq!(with("2024-03-04", DateOrder::Dmy), "2024-03-04");
        assert_eq!(with("2011-12", DateOrder::Ym), "Month 2011-12-31");
        assert_eq!(with("2011-12", DateOrder::Season), "Season 2012-06-30");
        assert_eq!(with("2011-12", DateOrder::Dmy), "SeasonOrMonth");
        assert_eq!(with("03/04/2024", DateOrder::Ym), "Ambiguous");
    }

    #[test]
    fn timestamps_are_parsed() {
        for (cell, expected) in [
            ("1709251200", "2024-03-01"),
            ("1709251200.75", "2024-03-01"),
            ("1709251200000", "2024-03-01"),
            ("2024-02-16T17:00:00.000000+00:00", "2024-02-16T17:00:00Z"),
            ("2024-02-16 17:00:00 UTC", "2024-02-16T17:00:00Z"),
            (
                "Tue Feb 06 2024 00:00:00 GMT+0100 (Central European Standard Time)",
                "2024-02-06",
            ),
            ("Tue Feb 06 2024 00:00:00 GMT-0500", "2024-02-06"),
            ("Tue Feb 06 2024 19:30:00 GMT+0100 (CET)", "2024-02-06T18:30:00Z"),
            ("Tue Feb 06 2024 19:30:00 GMT", "2024-02-06T19:30:00Z"),
            ("Tue Feb 30 2024 00:00:00 GMT+0100 (CET)", "Other"),
            ("Tue Feb 06 2024 00:00:00 GMT+0100 (CET", "Other"),
        ] {
            assert_eq!(show(parse_cell(cell, DateStyle::default())), expected, "{cell}");
        }
    }

    #[test]
    fn short_years_and_decimals_need_one_reading() {
        for (cell, expected) in [
            ("3.4.29", "2029-04-03"),
            ("3.4.30", "ShortYear"),
            ("3.4.69", "ShortYear"),
            ("3.4.70", "1970-04-03"),
            ("33.4.69", "Other"),
            ("01-Mar-61", "ShortYear"),
            ("2024.10", "Other"),
            ("2024.1", "Other"),
        ] {
            let read = parse_cell(cell, DateStyle::default());
            assert_eq!(show(read), expected, "{cell}");
        }
    }

    #[test]
    fn other_cells_decide_between_seasons_and_months() {
        for (cells, expected) in [
            (&["2010-11", "2011-12", "2012-13"][..], "Season 2012-06-30"),
            (&["2011-11", "2011-12"], "Month 2011-12-31"),
            (&["2010-11", "2011-12"], "SeasonOrMonth"),
            (&["2011-12", "2011-11", "2012-13"], "SeasonOrMonth"),
            (&["2011-12", "2010-09-30", "1903"], "SeasonOrMonth"),
        ] {
            let style = DateStyle::from_cells(cells.iter().copied(), DateRules::default());
            assert_eq!(show(parse_cell("2011-12", style)), expected, "{cells:?}");
        }
    }
}

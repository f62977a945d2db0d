//! Parses years, months, weeks and seasons. A contest is dated to their last day.

use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::DateError;
use super::civil::{FILLER_WORDS, is_number, midnight_seconds, parse_month_name, split_runs};
use crate::vocabulary::words::{has_word, normalise_word};
use ranklore_contest::{ContestTime, Quoted};

/// The length of time that a date without a day names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Period {
    /// 1903
    Year,
    /// 2024-03
    Month,
    /// 2024-W09
    Week,
    /// 2023/24: ends on 30 June.
    Season,
}

/// The time that a cell or a name gives to a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ReadDate {
    pub(crate) time: ContestTime,
    /// The period that ends with this day; `None` for a day.
    pub(crate) period: Option<Period>,
}

impl From<ContestTime> for ReadDate {
    fn from(time: ContestTime) -> Self {
        Self { time, period: None }
    }
}

/// Collects an example of each period in a table, for notes.
#[derive(Default)]
pub(crate) struct PeriodNotes {
    examples: Vec<(Period, String, ContestTime)>,
}

impl PeriodNotes {
    pub(crate) fn add(&mut self, text: &str, date: ReadDate) {
        if let Some(period) = date.period
            && !self.examples.iter().any(|example| example.0 == period)
        {
            self.examples.push((period, text.to_owned(), date.time));
        }
    }

    pub(crate) fn into_notes(self) -> impl Iterator<Item = String> {
        self.examples.into_iter().map(|(period, text, time)| {
            let periods = match period {
                Period::Year => "years",
                Period::Month => "months",
                Period::Week => "weeks",
                Period::Season => "seasons, which end on 30 June",
            };
            format!(
                "dates such as {text} are {periods}: each contest is dated to their last day, {time}",
                text = Quoted(&text)
            )
        })
    }
}

/// Parses a year, a month, a week or a season. `year_pairs` says which period 2011-12 is.
pub(super) fn parse_period(text: &str, year_pairs: Option<Period>) -> Result<ReadDate, DateError> {
    // No period is longer; this also bounds the work on headings.
    if text.len() > 60 {
        return Err(DateError::Other);
    }
    let (period, last_day) = find_last_day(text, year_pairs)?;
    let midnight = midnight_seconds(last_day).ok_or(DateError::Outside)?;
    Ok(ReadDate {
        time: ContestTime::new(midnight).ok_or(DateError::Outside)?,
        period: Some(period),
    })
}

/// True for 2011-12, which can be a season or a month.
pub(super) fn is_open_pair(text: &str) -> bool {
    split_numbers(text).is_some_and(|(first, mark, second)| {
        can_be_season(first, mark, second) && can_be_month(first, second)
    })
}

/// Returns the only period that a year and a number of two digits can be: 2023-24 is a season,
/// 2024-03 a month, 2011-12 can be both. `None` for other texts.
pub(super) fn year_pair_period(text: &str) -> Option<Period> {
    let (first, mark, second) = split_numbers(text)?;
    match (can_be_season(first, mark, second), can_be_month(first, second)) {
        (true, false) => Some(Period::Season),
        (false, true) => Some(Period::Month),
        _ => None,
    }
}

fn find_last_day(text: &str, year_pairs: Option<Period>) -> Result<(Period, Date), DateError> {
    if let Some(year) = parse_year(text) {
        return last_day_of_month(year, 12).map(|day| (Period::Year, day));
    }
    if let Some((first, mark, second)) = split_numbers(text) {
        return last_day_of_pair(first, mark, second, year_pairs);
    }
    let mut numbers = Vec::new();
    let mut words = Vec::new();
    for run in split_runs(text) {
        if is_number(run) {
            numbers.push(run);
        } else if run.starts_with(char::is_alphabetic) {
            words.push(normalise_word(run));
        } else if !run.chars().all(|c| c.is_whitespace() || ",-/.".contains(c)) {
            return Err(DateError::Other);
        }
    }
    words.retain(|word| !has_word(FILLER_WORDS, word));
    let (year, number) = match &numbers[..] {
        [year] => (parse_year(year), None),
        [first, second] => match parse_year(first) {
            Some(year) => (Some(year), Some(*second)),
            None => (parse_year(second), Some(*first)),
        },
        _ => return Err(DateError::Other),
    };
    let (Some(year), [word]) = (year, &words[..]) else {
        return Err(DateError::Other);
    };
    match number {
        None => {
            let month = parse_month_name(word).and_then(|month| month.parse().ok());
            let month = month.ok_or(DateError::Other)?;
            last_day_of_month(year, month).map(|day| (Period::Month, day))
        }
        Some(week) if has_word(WEEK_WORDS, word) && week.len() <= 2 => {
            let week = week.parse().map_err(|_| DateError::Other)?;
            let sunday = ISOWeekDate::new(year, week, Weekday::Sunday);
            let sunday = sunday.map_err(|_| DateError::Other)?;
            Ok((Period::Week, sunday.date()))
        }
        Some(_) => Err(DateError::Other),
    }
}

/// Words for a week, as [`normalise_word`] returns them.
const WEEK_WORDS: &str = "w wk week kw woche kalenderwoche semaine semana";

fn last_day_of_pair(
    first: &str,
    mark: char,
    second: &str,
    year_pairs: Option<Period>,
) -> Result<(Period, Date), DateError> {
    if let (Some(year), 1..=2) = (parse_year(second), first.len()) {
        let month = first.parse().map_err(|_| DateError::Other)?;
        return last_day_of_month(year, month).map(|day| (Period::Month, day));
    }
    let year = parse_year(first).ok_or(DateError::Other)?;
    let period = match (can_be_season(first, mark, second), can_be_month(first, second)) {
        (true, true) => year_pairs.ok_or(DateError::SeasonOrMonth)?,
        (true, false) => Period::Season,
        (false, true) => Period::Month,
        (false, false) => return Err(DateError::Other),
    };
    let last_day = if period == Period::Season {
        last_day_of_month(year + 1, 6)
    } else {
        last_day_of_month(year, second.parse().map_err(|_| DateError::Other)?)
    };
    last_day.map(|day| (period, day))
}

/// True for 2023/24, 2023-24 and 2023/2024.
fn can_be_season(first: &str, mark: char, second: &str) -> bool {
    let next = parse_year(first).map(|year| (year + 1).to_string());
    mark != '.'
        && next.is_some_and(|next| second == next || (second.len() == 2 && next.ends_with(second)))
}

/// True for 2024-03 and 2024-3.
fn can_be_month(first: &str, second: &str) -> bool {
    let month = second.parse::<u8>().ok();
    parse_year(first).is_some()
        && second.len() <= 2
        && month.is_some_and(|month| (1..=12).contains(&month))
}

/// Splits `2023/24` at its only mark.
fn split_numbers(text: &str) -> Option<(&str, char, &str)> {
    let (at, mark) = text.char_indices().find(|(_, c)| matches!(c, '-' | '–' | '/' | '.'))?;
    let first = &text[..at];
    let second = &text[at + mark.len_utf8()..];
    (is_number(first) && is_number(second)).then_some((first, mark, second))
}

fn last_day_of_month(year: i16, month: i8) -> Result<Date, DateError> {
    let first = Date::new(year, month, 1).map_err(|_| DateError::Other)?;
    Ok(first.last_of_month())
}

/// Parses a year of four digits in which contests can lie.
pub(crate) fn parse_year(text: &str) -> Option<i16> {
    let year = text.parse().ok().filter(|_| is_number(text) && text.len() == 4);
    year.filter(|year| (1583..=2199).contains(year))
}

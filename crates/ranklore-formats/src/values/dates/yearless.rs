//! Dates without a year: `23 June`, `Sep 3`, `3.9.`

use super::cells::parse_written_date;
use super::civil::parse_month_name;
use super::{DateError, DateRules};
use crate::values::cells::is_blank;
use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::{CommandOptions, Reason};

/// The longest date without a year.
const MAX_BYTES: usize = 24;

/// The most days of an event whose contests are in no order.
const MAX_EVENT_DAYS: i64 = 31;

/// Returns a date with this year behind its day and month.
pub(crate) fn append_year(day: &str, year: i16) -> String {
    let gap = match day.bytes().last() {
        Some(b'.') => "",
        Some(_) if is_slashed(day) => "/",
        _ => " ",
    };
    format!("{day}{gap}{year}")
}

/// Returns the reason to refuse names that can all be days without a year, in an order that is not known.
pub(crate) fn describe_doubtful_days<'n>(names: impl Iterator<Item = &'n str>) -> Option<String> {
    let mut names = names.peekable();
    let first = *names.peek()?;
    names.all(may_be_day).then(|| {
        format!(
            "{} and the others can be dates, whose year or order is not known: write them like 2024-03-01",
            Quoted(first)
        )
    })
}

/// True for two numbers such as 23/6.
fn is_slashed(text: &str) -> bool {
    let is_short = |part: &str| matches!(part.len(), 1..=2) && part.parse::<u8>().is_ok();
    text.split_once('/').is_some_and(|(one, two)| is_short(one) && is_short(two))
}

/// True for a text with the numbers of a day and a month, or the name of a month and a number, that is
/// no certain date: `23/6`, `06-23`, `Jun-23`. Fractions such as 1/8 are rounds, and 1.1 can be one.
fn may_be_day(text: &str) -> bool {
    let mut parts = text.trim_end_matches('.').split(['/', '-', '.', '\'']).map(str::trim);
    let (Some(first), Some(second), None) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let is_short = |part: &str| (1..=2).contains(&part.len());
    match [first, second].map(|part| part.parse::<u32>().ok().filter(|_| is_short(part))) {
        [Some(one), Some(two)] => {
            let is_fraction = one == 1 && two.is_power_of_two();
            let is_written_so = text.contains('/')
                || one.max(two) > 12
                || [first, second].iter().any(|part| part.starts_with('0'));
            let is_day = one.min(two) > 0 && one.min(two) <= 12 && one.max(two) <= 31;
            is_day && is_written_so && !is_fraction
        }
        [Some(number), None] => (1..=31).contains(&number) && parse_month_name(second).is_some(),
        [None, Some(number)] => (1..=31).contains(&number) && parse_month_name(first).is_some(),
        [None, None] => false,
    }
}

impl DateRules {
    /// Returns the day that a text without a year is, or an error without a start. `None` for another
    /// text.
    pub(super) fn find_yearless(self, text: &str) -> Option<Result<ContestTime, DateError>> {
        let is_day = self.refuses_doubts && self.can_complete(text);
        is_day.then(|| self.complete(text).ok_or(DateError::Other))
    }

    /// True for a date without a year.
    fn can_complete(self, text: &str) -> bool {
        // Most dates are numbers.
        self.has_no_year(text) && parse_written_date(&append_year(text, 2024), self).is_ok()
    }

    /// True for a short text with the number of a day and the name of a month, or with the numbers of both
    /// and a last dot. 9/3 has two readings if the order is not known.
    fn has_no_year(self, text: &str) -> bool {
        let digits = || text.bytes().filter(u8::is_ascii_digit).count();
        // May-24 can be a month.
        let is_named = text.contains(char::is_alphabetic)
            && (1..=2).contains(&digits())
            && !text.contains(['-', '/', '\'']);
        text.len() <= MAX_BYTES
            && (is_named
                || (text.ends_with('.') && (2..=4).contains(&digits()))
                || (is_slashed(text) && self.order('/').is_some()))
    }

    /// Returns the first day on or after the start that a date without a year can be.
    pub(super) fn complete(self, day: &str) -> Option<ContestTime> {
        let start = self.start?;
        let year = i16::try_from(year_of(start)).ok()?;
        let times = [year, year + 1].into_iter().filter_map(|year| {
            parse_written_date(&append_year(day, year), self)
                .ok()
                .filter(|_| self.has_no_year(day))
        });
        // A start at noon is that of the whole day.
        let midnight = start.get() - start.get().rem_euclid(86_400);
        times.into_iter().find(|time| time.get() >= midnight)
    }

    /// Errors if some dates have no year and no start gives it, or if they go on after the new year and
    /// stand in no order. Returns a note if the start gives it.
    pub(super) fn check_years(self, dates: &YearlessDates<'_>) -> Result<Option<String>, Reason> {
        let Some(first) = dates.first else {
            return Ok(None);
        };
        let Some(start) = self.start else {
            let option = CommandOptions::new("--start", "2024-01-31");
            let reason = format!(
                "the date {} has no year: pass {option} with the day of the first contest, or write the years",
                Quoted(first)
            );
            return Err(Reason::from(reason).naming([option]));
        };
        let times = &dates.times;
        let crosses_new_year = times.iter().any(|&time| year_of(time) != year_of(start));
        let is_falling = times.is_sorted_by(|a, b| a >= b) && !crosses_new_year;
        // The rounds of groups, one group after the other.
        let days = || times.iter().map(|time| time.get().div_euclid(86_400));
        let is_event = !crosses_new_year
            && days()
                .max()
                .zip(days().min())
                .is_some_and(|(last, first)| last - first < MAX_EVENT_DAYS);
        let are_ordered = times.is_sorted() || is_falling || is_event;
        if !dates.has_years && !dates.may_be_months() && are_ordered {
            return Ok(Some(format!(
                "dates without a year such as {} are the next from {start}",
                Quoted(first)
            )));
        }
        Err(
            format!("the year of dates such as {} is doubtful: write the years", Quoted(first))
                .into(),
        )
    }
}

/// The dates without a year of a column.
#[derive(Default)]
pub(super) struct YearlessDates<'c> {
    first: Option<&'c str>,
    times: Vec<ContestTime>,
    /// The numbers of dates such as `May 24`, in which they can be years; `None` in the others.
    numbers: Vec<Option<u8>>,
    /// True if other dates have a year.
    has_years: bool,
}

impl<'c> YearlessDates<'c> {
    /// Adds a text if it is a date without a year.
    pub(super) fn add(&mut self, text: &'c str, rules: DateRules) {
        if rules.can_complete(text) {
            self.first = self.first.or(Some(text));
            self.times.extend(rules.complete(text));
            let number = text.starts_with(char::is_alphabetic).then(|| {
                let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
                digits.rsplit(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
            });
            self.numbers.push(number.flatten());
        } else {
            self.has_years |= !is_blank(text);
        }
    }

    /// True if `May 24` and others can be months of 2024.
    fn may_be_months(&self) -> bool {
        let [first, others @ ..] = &*self.numbers else {
            return false;
        };
        !others.is_empty() && first.is_some() && others.iter().all(|number| number == first)
    }
}

fn year_of(time: ContestTime) -> i64 {
    time.months_since_year_zero() / 12
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubtful_days_are_recognised() {
        for text in [
            "23/6", "6/23", "3/4", "06-23", "23.6", "23.06", "Jun-23", "23-Jun", "Jun '23",
        ] {
            assert!(may_be_day(text), "{text}");
        }
        for text in [
            "1/8", "1/4", "1.1", "2-3", "R1/2", "13/14", "0/5", "1/2/3", "7", "Q-1",
        ] {
            assert!(!may_be_day(text), "{text}");
        }
    }

    #[test]
    fn years_follow_the_start() {
        let rules = DateRules {
            start: ContestTime::parse("2023-08-12"),
            ..DateRules::default()
        };
        for (day, expected) in [
            ("12 August", Some("2023-08-12")),
            ("Dec 31", Some("2023-12-31")),
            ("1 January", Some("2024-01-01")),
            ("Feb 29", Some("2024-02-29")),
            ("11 Aug", Some("2024-08-11")),
            ("3.9.", Some("2023-09-03")),
            ("9/3", None),
            ("June", None),
            ("32 June", None),
            ("1 June 24", None),
        ] {
            let date = rules.complete(day).map(|time| time.to_string());
            assert_eq!(date.as_deref(), expected, "{day}");
        }
        assert_eq!(DateRules::default().complete("1 June"), None);
        let known = DateRules {
            stated_order: Some(crate::options::DateOrder::Dmy),
            ..rules
        };
        let date = known.complete("9/3").map(|time| time.to_string());
        assert_eq!(date.as_deref(), Some("2024-03-09"));
    }
}

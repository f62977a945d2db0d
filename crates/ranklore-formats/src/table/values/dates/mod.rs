//! Parses dates in cells and headings. Dates without a time are midnight UTC.
//!
//! Imports within this folder: `cell`, `names` and `file_names` use `periods`, which uses `civil`;
//! `clock` uses none.

mod cells;
mod civil;
mod clock;
mod file_names;
mod names;
mod periods;

pub(in crate::table) use cells::{DateStyle, parse_cell};
pub(in crate::table) use clock::parse_clock_time;
pub(crate) use file_names::find_date_in_file_name;
pub(crate) use names::find_date;
pub(in crate::table) use names::find_period;
pub(in crate::table) use periods::{PeriodNotes, ReadDate};

use crate::limits::ReadLimits;
use crate::options::{DateOrder, ReadOptions};
use ranklore_contest::Quoted;

/// The reading of dates that have several.
#[derive(Clone, Copy, Default)]
pub(crate) struct DateRules {
    order: Option<DateOrder>,
    /// True if the years 30 to 69 are 2030 to 2069, and 2024.10 is a month.
    guesses_dates: bool,
}

impl DateRules {
    pub(crate) const fn new(options: &ReadOptions, limits: ReadLimits) -> Self {
        Self {
            order: options.dates,
            guesses_dates: limits.guesses_dates,
        }
    }
}

#[cfg(test)]
impl From<Option<DateOrder>> for DateRules {
    fn from(order: Option<DateOrder>) -> Self {
        Self {
            order,
            ..Self::default()
        }
    }
}

/// The reason why a text is not a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DateError {
    /// Day and month may be swapped: 03/04/2024.
    Ambiguous,
    /// The year has two digits: 25/12/24.
    ShortYear,
    /// A season or a month: 2011-12.
    SeasonOrMonth,
    /// Several different dates, of which one is needed.
    Several,
    /// A number that counts milliseconds.
    Milliseconds,
    /// Before 1583 or after 2199.
    Outside,
    /// Not a date, or not a day of the calendar.
    Other,
}

impl DateError {
    /// Returns the message about this text: a lower-case fragment.
    pub(crate) fn message(self, text: &str) -> String {
        let date = Quoted(text);
        match self {
            Self::Ambiguous => format!(
                "date {date} is ambiguous; pass --dates dmy if the day comes first, --dates mdy if the month does"
            ),
            Self::SeasonOrMonth => format!(
                "date {date} can be a month or a season; pass --dates ym if it is a month, --dates season if it is a season"
            ),
            Self::Several => format!(
                "{date} has several dates; leave one, or pass --start with the date of the contest"
            ),
            Self::ShortYear => format!("date {date} has a year of two digits; write all four"),
            Self::Milliseconds => format!("date {date} looks like milliseconds; give seconds"),
            Self::Outside => format!("date {date} lies outside 1583 to 2199"),
            Self::Other => format!("{date} is not a date; write it like 2024-03-01"),
        }
    }
}

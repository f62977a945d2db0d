//! Parses dates in cells and headings. Dates without a time are midnight UTC.
//!
//! Imports within this folder: `orders` and `names` use `yearless`; this, `names` and `file_names` use `cells`,
//! which uses `periods`, which uses `civil`, as `mentions` does; `clock` uses none.

mod cells;
mod civil;
mod clock;
mod file_names;
mod mentions;
mod names;
mod orders;
mod periods;
mod yearless;

pub(crate) use cells::{DateStyle, parse_cell};
pub(crate) use civil::parse_month;
pub(crate) use clock::parse_clock_time;
pub(crate) use file_names::find_date_in_file_name;
pub use file_names::find_year_in_file_name;
pub use mentions::may_mention_time;
pub(crate) use names::{find_date, find_day, find_period, parse_month_of_year};
pub(crate) use periods::{PeriodNotes, ReadDate, parse_year};
pub(crate) use yearless::{append_year, describe_doubtful_days};

use crate::options::{DateOrder, ReadOptions};
use crate::vocabulary::kinds::is_day_first_heading;
use orders::MarkOrders;
use ranklore_contest::{ContestTime, Quoted};
use ranklore_grid::ReadLimits;

/// The reading of dates that have several.
#[derive(Clone, Copy, Default)]
pub(crate) struct DateRules {
    /// The order that the user states.
    stated_order: Option<DateOrder>,
    /// The orders that other dates of the column prove.
    proven: MarkOrders,
    /// True if the years 30 to 69 are 2030 to 2069, and 2024.10 is a month.
    guesses_dates: bool,
    /// True if a date with several readings refuses the document.
    refuses_doubts: bool,
    /// True if the heading of the dates is in a language whose dates begin with the day.
    is_day_first_language: bool,
    /// The day from which dates without a year count.
    start: Option<ContestTime>,
}

impl DateRules {
    pub(crate) fn new(options: &ReadOptions, limits: ReadLimits) -> Self {
        Self {
            stated_order: options.dates,
            proven: MarkOrders::default(),
            guesses_dates: limits.reader.guesses_dates(),
            refuses_doubts: limits.reader.refuses_doubts(),
            is_day_first_language: false,
            start: options.start.filter(|_| limits.reader.refuses_doubts()),
        }
    }

    /// Returns the rules for dates below a heading, whose language can tell the order of day and month.
    pub(crate) fn below(self, heading: &str) -> Self {
        Self {
            is_day_first_language: self.refuses_doubts && is_day_first_heading(heading),
            ..self
        }
    }
}

#[cfg(test)]
impl From<Option<DateOrder>> for DateRules {
    fn from(stated_order: Option<DateOrder>) -> Self {
        Self {
            stated_order,
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
    /// The day of the week is that of another date: Mon 2024-03-02.
    Weekday,
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
            Self::Weekday if text.contains('/') => format!(
                "the day of the week in {date} is that of another date; correct one of them, or pass --dates with the other order if day and month are swapped"
            ),
            Self::Weekday => {
                format!(
                    "the day of the week in {date} is that of another date; correct one of them"
                )
            }
            Self::Outside => format!("date {date} lies outside 1583 to 2199"),
            Self::Other => format!("{date} is not a date; write it like 2024-03-01"),
        }
    }
}

//! Dates in several columns: year and month, or year, month and day, or year and day.

use super::yearless_dates::{check_within_year, holds_yearless_dates, join_day};
use crate::options::ReadOptions;
use crate::schema::evidence::Evidence;
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{parse_month, parse_year};
use crate::vocabulary::kinds::YEAR_WORDS;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::words::{has_word, normalise_word, strip_brackets};
use ranklore_grid::FileReadError;

const MONTH_WORDS: &str = "month monat mois mes mese maand maned manad miesiac mesic kuukausi 月";

const DAY_WORDS: &str = "day dayofmonth tag jour dia";

/// The columns that date the rows of a table together.
pub(crate) struct DateParts {
    pub(crate) year: usize,
    /// `None` if the days have it.
    pub(crate) month: Option<usize>,
    pub(crate) day: Option<usize>,
}

impl DateParts {
    /// Finds the columns among those that are free: without another meaning. Errors if two of them
    /// are the year, the month or the day, or if the year of a day has two readings.
    pub(crate) fn find(
        table: &HeaderTable,
        options: &ReadOptions,
        is_free: impl Fn(usize) -> bool,
    ) -> Result<Option<Self>, FileReadError> {
        // A month 13 costs its contest, not the dates of all.
        let find = |words, fits: fn(&str) -> bool| -> Vec<usize> {
            let columns = find_headed(table, words).filter(|&column| is_free(column));
            let columns = columns.filter(|&c| !options.columns.contains_key(table.heading(c)));
            columns.filter(|&column| most_cells(table, column, fits)).collect()
        };
        let years = find(YEAR_WORDS, is_year);
        let months = find(MONTH_WORDS, |cell| parse_month(cell).is_some());
        let (Some(&year), Some(&month)) = (years.first(), months.first()) else {
            let all_columns = 0..table.grid.width(table.header_row);
            let mut days = all_columns.filter(|&c| is_free(c) && holds_yearless_dates(table, c));
            let (Some(&year), Some(day)) = (years.first(), days.next()) else {
                return Ok(None);
            };
            check_within_year(table, [year, day])?;
            return Ok(Some(Self {
                year,
                month: None,
                day: Some(day),
            }));
        };
        let days = find(DAY_WORDS, is_day);
        for (part, columns) in [("year", &years), ("month", &months), ("day", &days)] {
            if let &[first, second, ..] = &columns[..] {
                return Err(table.refuse_rivals(&format!("{part} of a date"), [first, second]));
            }
        }
        let day = days.first().copied();
        Ok(Some(Self {
            year,
            month: Some(month),
            day,
        }))
    }

    /// Returns the columns: year, month and day.
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        [self.year].into_iter().chain(self.month).chain(self.day)
    }

    /// Returns the evidence that the columns are one date.
    pub(crate) fn evidence(&self, table: &HeaderTable) -> Evidence {
        let columns: Vec<usize> = self.columns().collect();
        let note = format!("{} together date the contests", table.describe_columns(&columns));
        let join = match self.month {
            Some(_) => join_date,
            None => join_day,
        };
        Evidence::join(&columns, ColumnMeaning::Date, join, note)
    }
}

/// Returns the column without a meaning that is headed like a year and holds years.
pub(crate) fn find_year_column(table: &HeaderTable) -> Option<usize> {
    let mut columns = find_headed(table, YEAR_WORDS);
    let year = columns.find(|column| table.unknown_columns.contains(column))?;
    table.holds_only(year, is_year).then_some(year)
}

/// True if a column without a meaning is headed like a month or a day.
pub(crate) fn has_month_or_day(table: &HeaderTable) -> bool {
    let mut columns = find_headed(table, MONTH_WORDS).chain(find_headed(table, DAY_WORDS));
    columns.any(|column| table.unknown_columns.contains(&column))
}

/// True if a heading is that of months or days.
pub(crate) fn is_month_or_day_heading(heading: &str) -> bool {
    let word = normalise_word(&strip_brackets(heading));
    has_word(MONTH_WORDS, &word) || has_word(DAY_WORDS, &word)
}

/// True if a column is headed like a day and holds days of a month, or of an event.
pub(crate) fn numbers_days(table: &HeaderTable, column: usize) -> bool {
    find_headed(table, DAY_WORDS).any(|headed| headed == column) && table.holds_only(column, is_day)
}

fn find_headed(table: &HeaderTable, words: &'static str) -> impl Iterator<Item = usize> {
    let headings = table.grid.cells(table.header_row).enumerate();
    let headed =
        headings.filter(|(_, heading)| has_word(words, &normalise_word(&strip_brackets(heading))));
    headed.map(|(column, _)| column)
}

/// True if nine of ten cells of a column that are not blank fit, and some are not blank.
fn most_cells(table: &HeaderTable, column: usize, fits: impl Fn(&str) -> bool) -> bool {
    let cells = || table.values(column).filter(|cell| !is_blank(cell));
    let misfits = cells().filter(|cell| !fits(cell)).count();
    10 * misfits <= cells().count() && cells().next().is_some()
}

fn is_year(cell: &str) -> bool {
    parse_year(cell).is_some()
}

fn is_day(cell: &str) -> bool {
    cell.len() <= 2 && cell.parse().is_ok_and(|day: u8| (1..=31).contains(&day))
}

/// Joins year, month and day to a date, or year and month to a month. The month comes first, since
/// 2011-12 can be a season. A date with a blank part stays incomplete, which refuses it.
fn join_date(parts: &[&str]) -> String {
    if parts.iter().all(|part| is_blank(part)) {
        return String::new();
    }
    match parts {
        [year, month] => format!("{}/{year}", parse_month(month).unwrap_or(month)),
        [year, month, day] => format!("{year}-{}-{day}", parse_month(month).unwrap_or(month)),
        _ => String::new(),
    }
}

//! Dates without a year beside a column of years: "September 3" and 2022.

use std::collections::BTreeMap;

use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{DateStyle, append_year, parse_cell, parse_year};
use crate::vocabulary::kinds::DateKind;
use ranklore_grid::FileReadError;

/// The first day of March, and that of September: a season that crosses the new year has its break
/// between them.
const BREAK: std::ops::Range<i64> = 60..244;

/// The seconds of the first day of 2024, which has a 29 February.
const JANUARY_2024: i64 = 1_704_067_200;

/// True if a heading means dates, and all cells that are not blank are days without a year.
pub(crate) fn holds_yearless_dates(table: &HeaderTable, column: usize) -> bool {
    DateKind::from_heading(table.heading(column)) == DateKind::Contest
        && table.holds_only(column, |cell| day_of_year(cell).is_some())
}

/// Joins a year and a day to a date. A day with a blank part stays incomplete, which refuses it.
pub(crate) fn join_day(parts: &[&str]) -> String {
    let &[year, day] = parts else {
        return String::new();
    };
    match (parse_year(year), day_of_year(day)) {
        (Some(year), Some(_)) => append_year(day, year),
        _ if is_blank(day) => String::new(),
        _ => day.to_owned(),
    }
}

/// Errors if the days of a year may be those of a season that goes on after the new year: some are
/// in winter, some in autumn, and the rows of the year are in no order.
pub(crate) fn check_within_year(
    table: &HeaderTable,
    [year, date]: [usize; 2],
) -> Result<(), FileReadError> {
    let mut days_by_year: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for row in table.data_rows() {
        if let Some(day) = day_of_year(table.grid.cell(row, date)) {
            days_by_year.entry(table.grid.cell(row, year)).or_default().push(day);
        }
    }
    let may_be_season = |days: &Vec<i64>| {
        let is_in_order = days.is_sorted() || days.is_sorted_by(|a, b| a >= b);
        !is_in_order
            && days.iter().any(|&day| day < BREAK.start)
            && days.iter().any(|&day| day >= BREAK.end)
    };
    if !days_by_year.values().any(may_be_season) {
        return Ok(());
    }
    let reason = format!(
        "the dates in {} have no year, and {} may be that of all of them or of those before the new year: write the year into each date",
        table.describe_column(date),
        table.describe_column(year)
    );
    Err(table.refuse_column(date, reason))
}

/// Returns the number of days before a day without a year.
fn day_of_year(cell: &str) -> Option<i64> {
    let is_other = parse_cell(cell, DateStyle::default()).is_err();
    // 9/3 has two readings.
    let is_named = cell.contains(char::is_alphabetic) || cell.ends_with('.');
    let date = parse_cell(&append_year(cell, 2024), DateStyle::default()).ok()?;
    (is_other && is_named && date.period.is_none())
        .then(|| (date.time.get() - JANUARY_2024) / 86_400)
}

//! Dates without a year beside a column of years or seasons: "September 3" and 2022.

use std::collections::BTreeMap;

use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{DateStyle, parse_cell, parse_year};
use crate::vocabulary::kinds::DateKind;
use ranklore_grid::FileReadError;

/// The first day of the second half of a year: 1 July.
const MIDYEAR: i64 = 182;

/// The days of a year on which a season that crosses the new year has its break: May to July.
const BREAK: std::ops::Range<i64> = 121..213;

/// The seconds of the first day of 2024, which has a 29 February.
const JANUARY_2024: i64 = 1_704_067_200;

/// True if a heading means dates, and all cells that are not blank are days without a year.
pub(crate) fn holds_yearless_dates(table: &HeaderTable, column: usize) -> bool {
    let mut cells = table.values(column).filter(|cell| !is_blank(cell)).peekable();
    DateKind::from_heading(table.heading(column)) == DateKind::Contest
        && cells.peek().is_some()
        && cells.all(|cell| day_of_year(cell).is_some())
}

/// Returns the year of a cell such as 2022, 2022-23 or 2022/2023: the first.
pub(crate) fn first_year(cell: &str) -> Option<i16> {
    let (year, next) = cell.split_once(['-', '–', '/']).unwrap_or((cell, ""));
    let first = parse_year(year)?;
    let second = (first + 1).to_string();
    (next.is_empty() || next == second || (next.len() == 2 && second.ends_with(next)))
        .then_some(first)
}

/// Joins a year and a day to a date.
pub(crate) fn join_day(parts: &[&str]) -> String {
    join_years_later(parts, |_| 0)
}

/// Joins a season and a day to a date: the first half of a year follows the second.
pub(crate) fn join_day_of_season(parts: &[&str]) -> String {
    join_years_later(parts, |day| i16::from(day < MIDYEAR))
}

/// A day with a blank part stays incomplete, which refuses it.
fn join_years_later(parts: &[&str], years_later: fn(i64) -> i16) -> String {
    let &[year, day] = parts else {
        return String::new();
    };
    match (first_year(year), day_of_year(day)) {
        (Some(first), Some(index)) => complete(day, first + years_later(index)),
        _ if is_blank(day) => String::new(),
        _ => day.to_owned(),
    }
}

/// True if the dates of a season go on after the new year. Errors if neither the years nor the order of
/// the rows decide it.
pub(crate) fn crosses_new_year(
    table: &HeaderTable,
    [year, date]: [usize; 2],
    is_named_season: bool,
) -> Result<bool, FileReadError> {
    let mut days_by_year: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
    for row in table.data_rows() {
        if let Some(day) = day_of_year(table.grid.cell(row, date)) {
            days_by_year.entry(table.grid.cell(row, year)).or_default().push(day);
        }
    }
    if days_by_year.keys().any(|cell| parse_year(cell).is_none() && !is_blank(cell)) {
        return Ok(true);
    }
    let years = || days_by_year.values();
    let days = || years().flatten();
    let halves = [
        days().any(|&day| day < MIDYEAR),
        days().any(|&day| day >= MIDYEAR),
    ];
    if !halves[0] || (!is_named_season && !halves[1]) {
        return Ok(false);
    }
    let reversed: Vec<Vec<i64>> =
        years().map(|days| days.iter().rev().copied().collect()).collect();
    let in_order: Vec<Vec<i64>> = years().cloned().collect();
    let orders = [in_order, reversed];
    let turns = |days: &Vec<i64>| {
        let second = days.iter().position(|&day| day < MIDYEAR).unwrap_or(days.len());
        let (before, after) = days.split_at(second);
        before.is_sorted() && after.is_sorted() && after.iter().all(|&day| day < MIDYEAR)
    };
    let is_within_year = orders.iter().any(|years| years.iter().all(|days| days.is_sorted()));
    let is_season = orders.iter().any(|years| years.iter().all(turns));
    match (halves[1], is_within_year, is_season) {
        (true, true, false) => return Ok(false),
        (true, false, true) => return Ok(true),
        (true, false, false) if days().any(|day| BREAK.contains(day)) => return Ok(false),
        _ => {}
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
    let date = parse_cell(&complete(cell, 2024), DateStyle::default()).ok()?;
    (is_other && is_named && date.period.is_none())
        .then(|| (date.time.get() - JANUARY_2024) / 86_400)
}

fn complete(day: &str, year: i16) -> String {
    let gap = if day.ends_with('.') { "" } else { " " };
    format!("{day}{gap}{year}")
}

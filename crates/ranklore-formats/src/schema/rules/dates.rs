//! Rules about columns of years and months that date contests.

use std::collections::HashMap;

use crate::options::ReadOptions;
use crate::schema::dates::date_parts::{
    DateParts, find_year_column, has_month_or_day, numbers_days,
};
use crate::schema::dates::yearless_dates::holds_yearless_dates;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank};
use crate::values::dates::{DateRules, find_day};
use crate::values::rankings::may_be_ranking;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{FileReadError, Reason};

/// Reads columns of years and months, and perhaps of days, as the dates of contests: of those that
/// another column names, or of one contest for each date.
pub(super) fn dates_in_columns(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Date, Division, Place, Score, Status};
    let has_results = [Place, Score, Status].iter().any(|&meaning| table.has_column(meaning));
    let dates = table.claims(Date);
    // The start gives days without a year that of no other column.
    let is_dated_by_start = options.start.is_some()
        && !dates.iter().any(|&(_, column)| holds_yearless_dates(table, column));
    if !has_results || is_dated_by_start {
        return Ok(None);
    }
    // "Day" alone means a date.
    let is_free = |column: usize| {
        let mut claims = dates.iter();
        table.unknown_columns.contains(&column) || claims.any(|claim| claim.1 == column)
    };
    let Some(parts) = DateParts::find(table, options, is_free)? else {
        return Ok(None);
    };
    let has_other_date = dates.iter().any(|claim| Some(claim.1) != parts.day);
    let divisions = table.claims(Division).iter().map(|claim| claim.1);
    let numbers: Vec<usize> = table.unknown_columns.iter().copied().chain(divisions).collect();
    let mut numbers =
        numbers.into_iter().filter(|&column| parts.columns().all(|part| part != column));
    let date_contests = match name_column(table) {
        // A column of days is there for nothing else.
        _ if parts.month.is_none() => true,
        Some(name) => !has_dated_names(table, name, options),
        None => {
            table.has_column(ColumnMeaning::ContestId)
                || date_rankings(table, &parts, None)
                // Another column numbers the contests of one date.
                || (table.has_column(Place)
                    && numbers.any(|column| date_rankings(table, &parts, Some(column))))
        }
    };
    Ok((!has_other_date && date_contests).then(|| parts.evidence(table)))
}

/// Errors if a column that is headed as a day holds small numbers beside a column of years without
/// months: it may number the days of an event.
pub(super) fn days_of_events(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let &[(strength, column)] = table.claims(ColumnMeaning::Date) else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated
        || find_year_column(table).is_none()
        || has_month_or_day(table)
        || !numbers_days(table, column)
    {
        return Ok(None);
    }
    let problem = format!(
        "{} may number the days of an event, and no column has the month",
        table.describe_column(column)
    );
    let mut cases = vec![(table.ignore_option(column), "if the contests are not those of days")];
    let mut days = table.values(column).filter(|cell| !is_blank(cell));
    let first = days.next();
    if days.any(|day| Some(day) != first) {
        let division = table.column_option(column, ColumnMeaning::Division);
        cases.insert(0, (division, "if each day is a contest of its own"));
    }
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// Reads a column of years as the dates of the contests that another column names.
pub(super) fn years_of_contests(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let (Some(name), None, false) =
        (name_column(table), options.start, table.has_column(ColumnMeaning::Date))
    else {
        return Ok(None);
    };
    // A month or a day beside it is more exact than the year.
    let year = find_year_column(table).filter(|_| !has_month_or_day(table));
    let Some(column) = year.filter(|_| !has_dated_names(table, name, options)) else {
        return Ok(None);
    };
    let observation = format!("{} dates the contests", table.describe_column(column));
    let changes = vec![
        Change::Means(ColumnMeaning::Date, column),
        Change::Note(observation.clone()),
    ];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Returns the column that names the contests.
pub(super) fn name_column(table: &HeaderTable) -> Option<usize> {
    let contest = table.first_column(ColumnMeaning::Contest);
    contest.or_else(|| table.first_column(ColumnMeaning::Event))
}

pub(super) fn has_dated_names(table: &HeaderTable, name: usize, options: &ReadOptions) -> bool {
    let rules = DateRules::new(options, table.grid.limits());
    table.values(name).any(|cell| find_day(cell, rules).is_some())
}

/// True if the rows of each date, and of each value of the `further` column, are results of one contest:
/// several, with a ranking if the table has places. Years and months can describe competitors, too.
fn date_rankings(table: &HeaderTable, parts: &DateParts, further: Option<usize>) -> bool {
    let mut rows_by_date: HashMap<Vec<&str>, Vec<usize>> = HashMap::new();
    for row in table.data_rows() {
        let date: Vec<&str> = parts.columns().map(|column| table.grid.cell(row, column)).collect();
        if !date.iter().all(|cell| is_blank(cell)) {
            let contest =
                date.into_iter().chain(further.map(|column| table.grid.cell(row, column)));
            rows_by_date.entry(contest.collect()).or_default().push(row);
        }
    }
    let place = table.first_column(ColumnMeaning::Place);
    rows_by_date.values().all(|rows| {
        let places = rows.iter().map(|&row| table.cell(row, place));
        let ranked = places.filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none());
        // An unreadable place costs its contest, not the dates of all.
        rows.len() > 1 && (place.is_none() || may_be_ranking(ranked))
    })
}

//! Finds the dates of contests in columns whose headings do not say so.

use std::collections::{HashMap, HashSet};

use super::dates::{has_dated_names, name_column};
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::is_blank;
use crate::values::dates::{DateError, DateRules, DateStyle, parse_cell};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::DateKind;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// The fewest characters of a whole date: 20240504, 4.5.2024.
const MIN_DATE_CHARS: usize = 8;

/// Reads the only column of whole dates whose heading speaks of dates, such as `meeting_date`. Errors
/// if there are several, or if dates of several results stand under another heading.
pub(super) fn unread_dates(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let is_dated = || name_column(table).is_some_and(|name| has_dated_names(table, name, options));
    if table.has_column(ColumnMeaning::Date) {
        return Ok(None);
    }
    let column = find_unread_dates(table, options, &table.unknown_columns, |column| {
        has_results_of_each_date(table, column)
    });
    // Dates in the names of contests are enough.
    if matches!(column, Ok(None)) || is_dated() {
        return Ok(None);
    }
    Ok(column?.map(|column| read_dates(table, column)))
}

/// Drops columns of weekdays beside dates that each have one of them: they neither date contests nor
/// tell them apart.
pub(super) fn weekdays(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Contest, Date, Event};
    let claims = [Date, Contest, Event].into_iter().flat_map(|meaning| table.claims(meaning));
    let recognised = claims.filter(|claim| claim.0 != MatchStrength::Stated).map(|claim| claim.1);
    let columns: Vec<usize> = recognised.filter(|&column| table.holds_weekdays(column)).collect();
    if columns.is_empty() {
        return Ok(None);
    }
    let rules = DateRules::new(options, table.grid.limits());
    let all_columns = 0..table.grid.width(table.header_row);
    let dates = all_columns.filter(|&column| {
        DateKind::from_heading(table.heading(column)) == DateKind::Contest
            && holds_dates(table, column, rules)
    });
    let dates: Vec<usize> = dates.collect();
    let mut columns = columns;
    columns.retain(|&column| dates.iter().any(|&date| follows_from(table, column, date)));
    Ok((!columns.is_empty()).then(|| {
        let observation = format!("{} holds weekdays", table.describe_columns(&columns));
        Evidence::new(observation, columns.into_iter().map(Change::MeansNothing).collect())
    }))
}

/// True if rows with the same cell in one column have the same one in another.
fn follows_from(table: &HeaderTable, column: usize, other: usize) -> bool {
    let mut cells = HashMap::new();
    table.data_rows().all(|row| {
        let cell = table.grid.cell(row, column);
        *cells.entry(table.grid.cell(row, other)).or_insert(cell) == cell
    })
}

/// Returns the column that dates contests, among columns that are not read and may do so. Errors if
/// there are several, or if its heading does not speak of dates.
pub(crate) fn find_unread_dates(
    table: &HeaderTable,
    options: &ReadOptions,
    unread: &[usize],
    may_date: impl Fn(usize) -> bool,
) -> Result<Option<usize>, FileReadError> {
    let rules = DateRules::new(options, table.grid.limits());
    let mut dating = Vec::new();
    let mut others = Vec::new();
    for column in unread.iter().copied().filter(|&column| holds_dates(table, column, rules)) {
        match DateKind::from_heading(table.heading(column)) {
            DateKind::Contest if may_date(column) => dating.push(column),
            DateKind::Other if may_date(column) => others.push(column),
            _ => {}
        }
    }
    match (&dating[..], &others[..]) {
        (&[column], _) => Ok(Some(column)),
        ([], []) => Ok(None),
        ([], others) => Err(refuse_dates(table, others)),
        (dating, _) => Err(refuse_dates(table, dating)),
    }
}

/// True if all cells of a column are whole dates, and few are blank.
fn holds_dates(table: &HeaderTable, column: usize, rules: DateRules) -> bool {
    let cells = || table.values(column).filter(|cell| !is_blank(cell));
    let may_be_date = |cell: &str| {
        cell.len() >= MIN_DATE_CHARS && cell.bytes().filter(u8::is_ascii_digit).count() > 4
    };
    // Most columns are none, as their first cell shows.
    if !cells().next().is_some_and(may_be_date) {
        return false;
    }
    let style = DateStyle::from_cells(cells(), rules);
    let is_date = |cell: &str| match parse_cell(cell, style) {
        Ok(date) => date.period.is_none() && !is_number_of_seconds(cell),
        Err(DateError::Ambiguous | DateError::Weekday) => true,
        Err(_) => false,
    };
    cells().all(|cell| may_be_date(cell) && is_date(cell))
        && 2 * cells().count() >= table.data_rows().len()
}

/// True for a number that is no date such as 20240504: ids are as long as times in seconds.
fn is_number_of_seconds(cell: &str) -> bool {
    cell.len() != MIN_DATE_CHARS
        && cell.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
        && cell.bytes().filter(u8::is_ascii_digit).count() > MIN_DATE_CHARS
}

/// True if the table has results of several competitors on each date: those of competitors differ.
fn has_results_of_each_date(table: &HeaderTable, column: usize) -> bool {
    use ColumnMeaning::{Place, Score, Status};
    let dates: HashSet<&str> = table.values(column).collect();
    [Place, Score, Status].iter().any(|&meaning| table.has_column(meaning))
        && 2 * dates.len() <= table.data_rows().len()
}

/// Returns the evidence that a column dates the contests.
pub(crate) fn read_dates(table: &HeaderTable, column: usize) -> Evidence {
    let observation = format!("{} holds dates", table.describe_column(column));
    let note = format!(
        "{observation}, which date the contests: pass {} if they do not",
        table.ignore_option(column)
    );
    let changes = vec![
        Change::Means(ColumnMeaning::Date, column),
        Change::Note(note),
    ];
    Evidence::new(observation, changes)
}

/// Returns the error that asks which of the columns dates the contests.
fn refuse_dates(table: &HeaderTable, columns: &[usize]) -> FileReadError {
    let mut cases: Vec<_> = columns
        .iter()
        .map(|&column| {
            let case = format!("if {} dates the contests", table.describe_column(column));
            (table.column_option(column, ColumnMeaning::Date), case)
        })
        .collect();
    let ignored = columns.iter().map(|&column| table.ignore_option(column));
    let ignored = ignored.reduce(CommandOptions::and);
    cases.extend(ignored.map(|options| (options, "otherwise".to_owned())));
    let hold = if columns.len() > 1 { "hold" } else { "holds" };
    let problem = format!("{} {hold} dates", table.describe_columns(columns));
    table.refuse_column(columns[0], Reason::with_options(problem, cases))
}

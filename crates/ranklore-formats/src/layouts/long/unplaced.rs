//! Proposes the unread column that may say why competitors have no place.

use std::collections::HashSet;

use crate::schema::long::LongColumns;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place};
use crate::values::rankings::is_gapless;
use crate::values::statuses::has_digit;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CommandOptions, Reason};

/// The most characters of a status.
const MAX_STATUS_CHARS: usize = 24;

/// Returns the advice to read a column as the status: each row without a place has a text there that
/// no row with a place has, and rows with a place have few values.
pub(super) fn propose_status_column(table: &HeaderTable, columns: &LongColumns) -> Option<Reason> {
    let rank = columns.place.or(columns.score).filter(|_| columns.status.is_none())?;
    let named = table
        .data_rows()
        .filter(|&row| !is_blank(table.cell(row, columns.names.people)));
    let (unplaced, placed): (Vec<usize>, Vec<usize>) =
        named.partition(|&row| is_blank(table.grid.cell(row, rank)));
    let tells_statuses = |&column: &usize| {
        let cell = |row: &usize| table.grid.cell(*row, column);
        let usual: HashSet<&str> = placed.iter().map(cell).collect();
        let is_status = |cell: &str| {
            cell.contains(char::is_alphabetic)
                && cell.chars().count() <= MAX_STATUS_CHARS
                && !usual.contains(cell)
        };
        2 * usual.len() <= placed.len() && unplaced.iter().map(cell).all(is_status)
    };
    let mut columns: Vec<usize> =
        table.unknown_columns.iter().copied().filter(tells_statuses).collect();
    // Numbers are seldom statuses: faults, or points for no place.
    let has_numbers =
        |&column: &usize| unplaced.iter().any(|&row| has_digit(table.grid.cell(row, column)));
    columns.sort_by_key(has_numbers);
    let column = *columns.first()?;
    let option = table.column_option(column, ColumnMeaning::Status);
    let column = table.describe_column(column);
    Some(Reason::from(format!("if {column} says why, pass {option}")).naming([option]))
}

/// Returns the advice to leave out rows without a place or score, which are few: the places of the others
/// have no gap that such a row can fill.
pub(super) fn propose_omission(table: &HeaderTable, columns: &LongColumns) -> Option<Reason> {
    let rank = columns.place.or(columns.score)?;
    let cell = |row: usize| table.grid.cell(row, rank);
    let named = table
        .data_rows()
        .filter(|&row| !is_blank(table.cell(row, columns.names.people)));
    let (unplaced, placed): (Vec<usize>, Vec<usize>) = named.partition(|&row| is_blank(cell(row)));
    let fill_no_gap = columns.place.is_none()
        || table.contest_rows().iter().all(|rows| {
            let places = rows.iter().filter_map(|&row| parse_place(cell(row)));
            let mut places: Vec<u32> = places.collect();
            places.sort_unstable();
            is_gapless(places)
        });
    // Another cell can say that a starter did not finish, and a lone one that another contest begins.
    let is_plain = |row: usize| {
        let filled = || table.grid.cells(row).filter(|cell| !is_blank(cell));
        filled().nth(1).is_some() && !filled().any(|cell| CellStatus::parse(cell).is_some())
    };
    let may_omit = fill_no_gap
        && !unplaced.is_empty()
        && unplaced.len() < placed.len()
        && unplaced.iter().all(|&row| cell(row).is_empty() && is_plain(row));
    let heading = table.heading(rank);
    let option = CommandOptions::new("--where", format!("{heading}!="));
    let column = table.describe_column(rank);
    (may_omit && !heading.is_empty()).then(|| {
        Reason::from(format!("to leave out competitors without a value of {column}, pass {option}"))
            .naming([option])
    })
}

//! Rules about columns that repeat another one.

use std::collections::{BTreeMap, HashMap};

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{is_blank, parse_place};
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CellGrid, FileReadError};

/// Keeps one of several columns of places that agree wherever both have a place: the one with fewer,
/// since others number those who did not finish.
pub(super) fn places_that_agree(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(columns) = equal_claims(table, ColumnMeaning::Place) else {
        return Ok(None);
    };
    check_blocks(table, &columns)?;
    let place = |row: usize, column: usize| parse_place(table.grid.cell(row, column));
    let agree = |&column: &usize, &other: &usize| {
        table.data_rows().all(|row| match (place(row, column), place(row, other)) {
            (Some(place), Some(other)) => place == other,
            _ => true,
        })
    };
    if !columns.iter().all(|column| agree(column, &columns[0])) {
        return Ok(None);
    }
    let count =
        |&column: &usize| table.data_rows().filter(|&row| place(row, column).is_some()).count();
    let read_column = columns.iter().copied().min_by_key(count).unwrap_or(columns[0]);
    Ok(Some(keep_one(table, read_column, &columns, "has the same places")))
}

/// Errors if standings stand side by side below a first row without a known heading of names.
pub(crate) fn check_unnamed_blocks(grid: CellGrid) -> Result<CellGrid, FileReadError> {
    if grid.row_count() < 2 || grid.has_letters {
        return Ok(grid);
    }
    let table = HeaderTable::new(grid, 0, &BTreeMap::new())?;
    if let Some(columns) = equal_claims(&table, ColumnMeaning::Place) {
        check_blocks(&table, &columns)?;
    }
    Ok(table.grid)
}

/// Errors if standings stand side by side: the same heading of places again, with unread names behind it.
fn check_blocks(table: &HeaderTable, columns: &[usize]) -> Result<(), FileReadError> {
    let [first, second, ..] = columns[..] else {
        return Ok(());
    };
    let holds_names = |&column: &usize| {
        let cells: Vec<&str> = table.values(column).filter(|cell| !is_blank(cell)).collect();
        let mut names = cells.clone();
        names.sort_unstable();
        names.dedup();
        cells.len() > 1
            && names.len() == cells.len()
            && names.iter().all(|name| name.contains(char::is_alphabetic))
    };
    let has_names =
        table.unknown_columns.iter().filter(|&&column| column > second).any(holds_names);
    if table.heading(first) != table.heading(second) || !has_names {
        return Ok(());
    }
    let columns = table.describe_columns(&[first, second]);
    let reason = format!(
        "{columns} seem to be the places of standings side by side: write them one below the other, with a column that names each"
    );
    Err(table.refuse_column(second, reason))
}

/// Keeps the first of several columns of ids if each id of one has one id of the other.
pub(super) fn ids_that_agree(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(columns) = equal_claims(table, ColumnMeaning::CompetitorId) else {
        return Ok(None);
    };
    let agree = |column: usize, other: usize| {
        let mut ids: HashMap<&str, &str> = HashMap::new();
        table.data_rows().all(|row| {
            let [id, other] = [column, other].map(|column| table.grid.cell(row, column));
            !is_blank(id) && !is_blank(other) && *ids.entry(id).or_insert(other) == other
        })
    };
    let first = columns[0];
    let others = &columns[1..];
    let all_agree = others.iter().all(|&other| agree(first, other) && agree(other, first));
    Ok(all_agree.then(|| keep_one(table, first, &columns, "identifies the same competitors")))
}

/// Reads the numbers of rounds beside the names of contests as their order.
pub(super) fn rounds_beside_names(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let columns = equal_claims(table, ColumnMeaning::Contest).unwrap_or_default();
    let [first, second] = columns[..] else {
        return Ok(None);
    };
    let holds_numbers = |column: usize| {
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        cells.all(|cell| cell.len() <= 3 && cell.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let rounds = match [first, second].map(holds_numbers) {
        [true, false] => first,
        [false, true] => second,
        _ => return Ok(None),
    };
    if table.has_column(ColumnMeaning::Ordinal) {
        return Ok(None);
    }
    let observation = format!("{} numbers the contests", table.describe_column(rounds));
    let changes = vec![Change::Means(ColumnMeaning::Ordinal, rounds)];
    Ok(Some(Evidence::new(observation, changes)))
}

/// Returns the columns that claim a meaning equally well, if there are several.
pub(super) fn equal_claims(table: &HeaderTable, meaning: ColumnMeaning) -> Option<Vec<usize>> {
    let claims = table.claims(meaning);
    let best = claims.first()?.0;
    let equal = claims.iter().filter(|claim| claim.0 == best).map(|claim| claim.1);
    let columns: Vec<usize> = equal.collect();
    (columns.len() > 1).then_some(columns)
}

/// Drops all columns except one.
fn keep_one(table: &HeaderTable, read_column: usize, columns: &[usize], reason: &str) -> Evidence {
    let dropped: Vec<usize> =
        columns.iter().copied().filter(|&column| column != read_column).collect();
    let observation = format!(
        "{} {reason} as {}, which is read",
        table.describe_columns(&dropped),
        table.describe_column(read_column)
    );
    let mut changes: Vec<Change> = dropped.into_iter().map(Change::MeansNothing).collect();
    changes.push(Change::Note(observation.clone()));
    Evidence::new(observation, changes)
}

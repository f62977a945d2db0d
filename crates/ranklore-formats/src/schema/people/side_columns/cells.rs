//! What the cells of two columns hold that may be those of the sides of a game.

use std::collections::HashSet;

use crate::schema::game_claims::Pair;
use crate::values::cells::is_blank;
use crate::vocabulary::words::has_word;
use ranklore_grid::CellGrid;

/// The most rows whose cells are compared.
pub(super) const MAX_ROWS: usize = 1_000;

/// Returns the different names of a column. `None` if it holds something else.
pub(super) fn list_names(grid: &CellGrid, column: usize) -> Option<HashSet<&str>> {
    let cells = filled_cells(grid, column)?;
    let is_name = |cell: &&str| {
        let is_flag = has_word("true false yes no y n", &cell.to_ascii_lowercase());
        let has_letters = cell.chars().any(char::is_alphabetic);
        has_letters && cell.len() <= 80 && !is_flag && !cell.contains("://")
    };
    let names: HashSet<&str> = cells.iter().copied().filter(is_name).collect();
    (!names.is_empty() && cells.iter().all(|cell| names.contains(cell))).then_some(names)
}

/// True if both columns hold numbers.
pub(super) fn hold_numbers(grid: &CellGrid, pair: Pair) -> bool {
    pair.into_iter().all(|column| {
        let cells = filled_cells(grid, column);
        cells.is_some_and(|cells| cells.iter().all(|cell| parse_number(cell).is_some()))
    })
}

/// True if two columns hold the points of games: 1 and 0, 0 and 1, or one half each.
pub(super) fn are_opposite(grid: &CellGrid, pair: Pair) -> bool {
    let points = |row| pair.map(|column| parse_number(grid.cell(row, column)));
    (1..grid.row_count().min(MAX_ROWS)).all(|row| {
        matches!(points(row), [Some(one), Some(two)]
            if [0.0, 0.5, 1.0].contains(&one) && (one + two - 1.0).abs() < 1e-9)
    })
}

/// Returns the cells of a column below the headings that are not blank, if most are not.
fn filled_cells(grid: &CellGrid, column: usize) -> Option<Vec<&str>> {
    let rows = 1..grid.row_count().min(MAX_ROWS);
    let count = rows.len();
    let cells = rows.map(|row| grid.cell(row, column)).filter(|cell| !is_blank(cell));
    let cells: Vec<&str> = cells.collect();
    (cells.len() * 2 > count).then_some(cells)
}

fn parse_number(cell: &str) -> Option<f64> {
    cell.replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}

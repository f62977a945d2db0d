//! Line breaks in cells, such as `<br>` on a page: between names, or within one.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::options::{MemberSeparator, ReadOptions};
use crate::vocabulary::words::has_word;
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, FileReadError};

/// Puts a blank in place of the line breaks within names: of all cells if the user says that each is one
/// name, else of those that stand elsewhere in one line. Others may be several names.
pub(crate) fn join_broken_names(
    grid: CellGrid,
    header_row: usize,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    if !grid.has_line_breaks() || !grid.limits().reader.refuses_doubts() {
        return Ok(grid);
    }
    let grid = keep_first_lines(grid, header_row)?;
    let rows = || header_row + 1..grid.row_count();
    let broken = rows().flat_map(|row| grid.cells(row)).filter(|cell| cell.contains('\n'));
    let mut names: HashSet<String> = broken.map(join_lines).collect();
    if options.members != Some(MemberSeparator::OneName) {
        let whole: HashSet<&str> = rows().flat_map(|row| grid.cells(row)).collect();
        names.retain(|name| whole.contains(&**name));
    }
    let joined = grid.map_cells(|row, _, cell| {
        let name = Some(cell).filter(|cell| row > header_row && cell.contains('\n'));
        let name = name.map(join_lines).filter(|name| names.contains(name));
        name.map_or(Cow::Borrowed(cell), Cow::Owned)
    });
    joined.ok_or_else(|| FileReadError::whole_document("the table is too large: split it"))
}

/// Titles of chess players, which can stand below their names.
const TITLES: &str = "gm im fm cm nm wgm wim wfm wcm wnm";

/// Returns the table without the lines below a name that hold no words, such as a number and a rating.
fn keep_first_lines(grid: CellGrid, header_row: usize) -> Result<CellGrid, FileReadError> {
    let is_note = |line: &str| {
        let word = line.trim().to_lowercase();
        has_word(TITLES, &word) || !word.contains(char::is_alphabetic)
    };
    let name_of = |cell: &str| {
        let (name, notes) = cell.split_once('\n')?;
        (name.contains(char::is_alphabetic) && notes.lines().all(is_note))
            .then(|| name.trim().to_owned())
    };
    let rows = || header_row + 1..grid.row_count();
    let width = rows().map(|row| grid.width(row)).max().unwrap_or_default();
    let noted: Vec<usize> = (0..width)
        .filter(|&column| {
            let mut broken =
                rows().map(|row| grid.cell(row, column)).filter(|cell| cell.contains('\n'));
            broken.next().is_some_and(|cell| name_of(cell).is_some())
                && broken.all(|cell| name_of(cell).is_some())
        })
        .collect();
    if noted.is_empty() {
        return Ok(grid);
    }
    let shortened = grid.map_cells(|row, column, cell| {
        let name = if row > header_row && noted.contains(&column) {
            name_of(cell)
        } else {
            None
        };
        name.map_or(Cow::Borrowed(cell), Cow::Owned)
    });
    let mut shortened = shortened
        .ok_or_else(|| FileReadError::whole_document("the table is too large: split it"))?;
    for column in noted {
        let heading = Quoted(grid.cell(header_row, column));
        shortened
            .notes
            .push(format!("lines without words below the names in {heading} are left out"));
    }
    Ok(shortened)
}

fn join_lines(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

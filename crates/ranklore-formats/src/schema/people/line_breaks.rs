//! Line breaks in cells, such as `<br>` on a page: between names, or within one.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::options::{MemberSeparator, ReadOptions};
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

fn join_lines(cell: &str) -> String {
    cell.split_whitespace().collect::<Vec<_>>().join(" ")
}

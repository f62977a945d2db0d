//! Several columns that are read as one, such as given name and surname, or year and month.

use std::borrow::Cow;

use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CellGrid, FileReadError};

/// Columns whose cells are joined into the left one of them.
#[derive(Clone, Debug)]
pub(crate) struct JoinedColumns {
    /// The columns with their meanings, in the order in which `join` takes their cells.
    pub(crate) columns: Vec<(usize, ColumnMeaning)>,
    /// Joins the cells of a row.
    pub(crate) join: fn(&[&str]) -> String,
}

impl JoinedColumns {
    /// Returns the left one of the columns, which gets the joined cells.
    pub(crate) fn left(&self) -> usize {
        self.columns.iter().map(|&(column, _)| column).min().unwrap_or_default()
    }

    /// Returns the grid with the joined cells in the left one of the columns.
    pub(crate) fn join(
        &self,
        grid: &CellGrid,
        header_row: usize,
    ) -> Result<CellGrid, FileReadError> {
        let left = self.left();
        let joined = grid.map_cells(|row, column, cell| {
            if row > header_row && column == left {
                let parts = self.columns.iter().map(|&(part, _)| grid.cell(row, part));
                Cow::Owned((self.join)(&parts.collect::<Vec<_>>()))
            } else {
                Cow::Borrowed(cell)
            }
        });
        joined.ok_or_else(|| FileReadError::whole_document("is too large"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ranklore_grid::Location;

    #[test]
    fn columns_are_joined_below_headings() {
        let mut grid = CellGrid::default();
        for (line, cells) in [
            (1, vec!["x", "name", "given"]),
            (3, vec!["1", "Berg", "Ada"]),
            (4, vec!["2", "Lind"]),
            (6, vec!["4"]),
        ] {
            grid.begin_row(line).unwrap();
            assert!(cells.into_iter().all(|cell| grid.push_cell(cell).is_ok()));
        }
        let names = JoinedColumns {
            columns: vec![(2, ColumnMeaning::GivenName), (1, ColumnMeaning::Surname)],
            join: |parts| parts.join("+"),
        };
        let joined = names.join(&grid, 0).unwrap();
        let cells: Vec<&str> = (0..4).map(|row| joined.cell(row, 1)).collect();
        assert_eq!(cells, ["name", "Ada+Berg", "+Lind", ""]);
        assert_eq!((joined.cell(1, 0), joined.cell(1, 2)), ("1", "Ada"));
        assert_eq!((joined.row_location(3), joined.width(3)), (Location::Line(6), 1));
    }
}

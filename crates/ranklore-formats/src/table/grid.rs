//! The cells of a table, independent of the file format.

use crate::limits::ReadLimits;
use crate::reading::{FileReadError, Location};
use crate::table::values::cells::is_blank;

/// The maximum number of columns of a table: 2,000.
pub const MAX_COLUMNS: usize = 2_000;

/// A table as text. All cells share one string, so that a table of many small cells takes little
/// more memory than its document.
#[derive(Default)]
pub(crate) struct CellGrid {
    text: String,
    limits: ReadLimits,
    /// The end of each cell in `text`.
    ends: Vec<u32>,
    rows: Vec<RowStart>,
    /// The sheet name of a workbook; `None` for text.
    pub(crate) sheet: Option<String>,
    /// True if cells are separated by semicolons, which suggests decimal commas.
    pub(crate) semicolons: bool,
    /// Notes for the user on how the table was read.
    pub(crate) notes: Vec<String>,
}

struct RowStart {
    line: u32,
    first_cell: u32,
}

impl CellGrid {
    /// Returns an empty grid with these limits.
    pub(crate) fn new(limits: ReadLimits) -> Self {
        Self {
            limits,
            ..Self::default()
        }
    }

    /// Sets the text of the cells added by [`push_end`](Self::push_end).
    pub(crate) fn with_text(mut self, text: String) -> Self {
        self.text = text;
        self
    }

    /// Begins a row at this line.
    ///
    /// # Errors
    /// The limit, if the table has too many rows.
    pub(crate) fn begin_row(&mut self, line: u64) -> Result<(), String> {
        if self.rows.len() > self.limits.results {
            return Err(format!(
                "the table has more than {} rows: split it into several files",
                self.limits.results
            ));
        }
        let first_cell = self.ends.len() as u32;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.rows.push(RowStart { line, first_cell });
        Ok(())
    }

    /// Adds a trimmed cell to the current row.
    ///
    /// # Errors
    /// The limit, if the table has too many cells or too much text.
    pub(crate) fn push_cell(&mut self, cell: &str) -> Result<(), String> {
        let cell = trim_cell(cell);
        if self.text.len() + cell.len() > self.limits.sheet_bytes {
            return Err(format!(
                "the cells have more than {} MiB of text: split the table into several files",
                self.limits.sheet_bytes >> 20
            ));
        }
        self.text.push_str(cell);
        self.push_end(self.text.len())
    }

    /// Adds the cell between the last one and this offset of the text to the current row.
    ///
    /// # Errors
    /// The limit, if the table has too many cells.
    pub(crate) fn push_end(&mut self, end: usize) -> Result<(), String> {
        if self.ends.len() >= self.limits.cells {
            return Err(format!(
                "the table has more than {} cells: split it into several files",
                self.limits.cells
            ));
        }
        let end = u32::try_from(end).map_err(|_| "the table is too long".to_owned())?;
        self.ends.push(end);
        Ok(())
    }

    /// Removes the current row if all its cells are empty.
    pub(crate) fn drop_blank_row(&mut self) {
        if let Some(last) = self.rows.last() {
            let first = last.first_cell as usize;
            if self.cell_offset(first) == self.cell_offset(self.ends.len()) {
                self.ends.truncate(first);
                self.rows.pop();
            }
        }
    }

    /// Returns the grid with two columns joined below a row. The left one gets the texts of
    /// `columns` in their order, separated by a space, or the one that is not blank. Returns `None`
    /// if the grid is full.
    pub(super) fn with_joined_columns(&self, below: usize, columns: [usize; 2]) -> Option<Self> {
        let left = columns.into_iter().min();
        let mut grid = Self {
            sheet: self.sheet.clone(),
            semicolons: self.semicolons,
            notes: self.notes.clone(),
            ..Self::new(self.limits)
        };
        let mut joined = String::new();
        for row in 0..self.row_count() {
            grid.begin_row(self.line_number(row)).ok()?;
            for (column, cell) in self.cells(row).enumerate() {
                let cell = if row > below && Some(column) == left {
                    let texts = columns.map(|column| self.cell(row, column));
                    joined.clear();
                    for text in texts.into_iter().filter(|text| !is_blank(text)) {
                        joined.push_str(if joined.is_empty() { "" } else { " " });
                        joined.push_str(text);
                    }
                    &joined
                } else {
                    cell
                };
                grid.push_cell(cell).ok()?;
            }
        }
        Some(grid)
    }

    /// Errors if the contests of the table have more results than a document may have.
    pub(crate) fn check_results(&self, count: usize) -> Result<(), FileReadError> {
        if count <= self.limits.results {
            return Ok(());
        }
        Err(FileReadError::whole_document(format!(
            "the table has more than {} results: split its contests into several files",
            self.limits.results
        )))
    }

    fn cell_offset(&self, cell: usize) -> usize {
        match cell.checked_sub(1) {
            None => 0,
            Some(before) => self.ends[before] as usize,
        }
    }

    /// Returns the number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the line that a row begins on; the first line is 1.
    pub(crate) fn line_number(&self, row: usize) -> u64 {
        u64::from(self.rows[row].line)
    }

    /// Returns the number of cells of a row.
    pub(crate) fn width(&self, row: usize) -> usize {
        let end = self
            .rows
            .get(row + 1)
            .map_or(self.ends.len(), |next| next.first_cell as usize);
        end - self.rows[row].first_cell as usize
    }

    /// Returns a cell, or an empty text beyond the end of the row.
    pub(crate) fn cell(&self, row: usize, column: usize) -> &str {
        if column >= self.width(row) {
            return self.empty();
        }
        let cell = self.rows[row].first_cell as usize + column;
        &self.text[self.cell_offset(cell)..self.ends[cell] as usize]
    }

    /// Returns an empty text within the grid. `memcmp` of the C library takes 100 times as long for
    /// a literal `""`, whose address is not mapped.
    pub(crate) fn empty(&self) -> &str {
        &self.text[..0]
    }

    /// Returns the cells of a row.
    pub(crate) fn cells(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.width(row)).map(move |column| self.cell(row, column))
    }

    /// Returns the location of a cell: the cell of a sheet, or the line of a text file.
    pub(crate) fn location(&self, row: usize, column: usize) -> Location {
        match &self.sheet {
            Some(sheet) => Location::Cell(format!(
                "{sheet}!{}{}",
                column_letters(column),
                self.line_number(row)
            )),
            None => Location::Line(self.line_number(row)),
        }
    }
}

/// Trims white space and the invisible marks that spreadsheets leave around cells.
pub(crate) fn trim_cell(cell: &str) -> &str {
    cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// Returns the letters of a spreadsheet column: 0 is A, 26 is AA.
pub(crate) fn column_letters(column: usize) -> String {
    let mut rest = column + 1;
    let mut letters = Vec::new();
    while rest > 0 {
        letters.push(b'A' + ((rest - 1) % 26) as u8);
        rest = (rest - 1) / 26;
    }
    letters.into_iter().rev().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn column_index_maps_to_letters() {
        for (column, expected) in [(0, "A"), (25, "Z"), (26, "AA"), (51, "AZ"), (702, "AAA")] {
            assert_eq!(column_letters(column), expected);
        }
    }

    #[test]
    fn columns_are_joined_below_headings() {
        let mut grid = CellGrid::default();
        for (line, cells) in [
            (1, vec!["x", "name", "given"]),
            (3, vec!["1", "Berg", "Ada"]),
            (4, vec!["2", "Lind"]),
            (5, vec!["3", "-", "Cy"]),
            (6, vec!["4"]),
        ] {
            grid.begin_row(line).unwrap();
            assert!(cells.into_iter().all(|cell| grid.push_cell(cell).is_ok()));
        }
        let joined = grid.with_joined_columns(0, [2, 1]).unwrap();
        let names: Vec<&str> = (0..5).map(|row| joined.cell(row, 1)).collect();
        assert_eq!(names, ["name", "Ada Berg", "Lind", "Cy", ""]);
        assert_eq!((joined.cell(1, 0), joined.cell(1, 2)), ("1", "Ada"));
        assert_eq!((joined.line_number(4), joined.width(4)), (6, 1));
    }

    #[test]
    fn blank_rows_are_dropped() {
        let mut grid = CellGrid::default();
        for (line, cells) in [
            (1, vec!["a", " b "]),
            (2, vec![" ", ""]),
            (5, vec!["", "c"]),
        ] {
            grid.begin_row(line).unwrap();
            for cell in cells {
                grid.push_cell(cell).unwrap();
            }
            grid.drop_blank_row();
        }
        assert_eq!(grid.row_count(), 2);
        assert_eq!(grid.cells(0).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(
            (grid.line_number(1), grid.cell(1, 1), grid.cell(1, 2)),
            (5, "c", "")
        );
    }
}

//! The cells of a table, independent of the file format.

use crate::limits::ReadLimits;
use crate::options::ReadOptions;
use crate::reading::{FileReadError, Location};
use crate::table::values::cells::is_blank;
use crate::table::values::dates::DateRules;
use ranklore_contest::shorten;

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
    /// The name of the contests that have none in the table: that of a sheet which is a contest.
    pub(crate) contest_name: Option<String>,
    /// True if cells are separated by semicolons, which suggests decimal commas.
    pub(crate) semicolons: bool,
    /// The records that the rows are; `None` for lines of a text and rows of a sheet.
    pub(crate) records: Option<Records>,
    /// Notes for the user on how the table was read.
    pub(crate) notes: Vec<String>,
}

/// Records of named fields. The first row of their grid has the names, and no place in the document.
#[derive(Clone)]
pub(crate) enum Records {
    /// Lines of a JSON Lines document.
    Lines,
    /// Elements of arrays of a JSON document. The line of a row is its index in its array.
    Elements(ElementPaths),
    /// Rows of a file without lines. The first is 1.
    Rows,
}

/// The paths of array elements.
#[derive(Clone, Default)]
pub(crate) struct ElementPaths {
    /// The path of the array, empty if the document is the array.
    pub(crate) list: String,
    /// The path from an element of that array to an array of its own, whose elements are the rows.
    pub(crate) inner_list: Option<String>,
    /// The first row of each inner array, and the index of its element.
    pub(crate) starts: Vec<(u32, u32)>,
}

impl ElementPaths {
    /// Returns the path of the element at this index, in an array of its own within the element
    /// `outer`, if rows are in such arrays.
    pub(crate) fn element(&self, outer: u32, index: u32) -> String {
        let list = &self.list;
        match &self.inner_list {
            None => format!("{list}[{index}]"),
            Some(inner) => format!("{list}[{outer}].{inner}[{index}]"),
        }
    }

    fn path(&self, row: usize, index: u32) -> String {
        let next = self.starts.partition_point(|start| start.0 as usize <= row);
        let outer = next.checked_sub(1).map_or(0, |at| self.starts[at].1);
        self.element(outer, index)
    }
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
            let limit = self.limits.results;
            return Err(format!(
                "the table has more than {limit} rows: split it into several files"
            ));
        }
        let first_cell = self.ends.len() as u32;
        let line = u32::try_from(line).unwrap_or(u32::MAX);
        self.rows.push(RowStart { line, first_cell });
        Ok(())
    }

    /// Errors if a text is too long for a cell.
    pub(crate) fn check_cell(&self, text: &str) -> Result<(), String> {
        if text.len() <= self.limits.row_bytes {
            return Ok(());
        }
        let limit = self.limits.row_bytes >> 20;
        Err(format!("a text has more than {limit} MiB: shorten it"))
    }

    /// Adds a trimmed cell to the current row.
    ///
    /// # Errors
    /// The limit, if the table has too many cells or too much text.
    pub(crate) fn push_cell(&mut self, cell: &str) -> Result<(), String> {
        let cell = trim_cell(cell);
        if self.text.len() + cell.len() > self.limits.sheet_bytes {
            let limit = self.limits.sheet_bytes >> 20;
            return Err(format!(
                "the cells have more than {limit} MiB of text: split the table into several files"
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
            let limit = self.limits.cells;
            return Err(format!(
                "the table has more than {limit} cells: split it into several files"
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

    /// Sets the cells of the first row, which has none.
    ///
    /// # Errors
    /// The limit, if the table has too much text.
    pub(crate) fn fill_first_row(&mut self, cells: &[String]) -> Result<(), String> {
        let mut first = Self::new(self.limits);
        cells.iter().try_for_each(|cell| first.push_cell(cell))?;
        let too_long = || "the table is too long".to_owned();
        let added = u32::try_from(first.text.len()).map_err(|_| too_long())?;
        u32::try_from(self.text.len() + first.text.len()).map_err(|_| too_long())?;
        self.text.insert_str(0, &first.text);
        for end in &mut self.ends {
            *end += added;
        }
        for row in self.rows.iter_mut().skip(1) {
            row.first_cell += first.ends.len() as u32;
        }
        self.ends.splice(0..0, first.ends);
        Ok(())
    }

    /// Returns the grid with two columns joined below a row. The left one gets the texts of
    /// `columns` in their order, separated by a space, or the one that is not blank. Returns `None`
    /// if the grid is full.
    pub(super) fn with_joined_columns(&self, below: usize, columns: [usize; 2]) -> Option<Self> {
        let left = columns.into_iter().min();
        let mut grid = Self {
            sheet: self.sheet.clone(),
            contest_name: self.contest_name.clone(),
            semicolons: self.semicolons,
            records: self.records.clone(),
            notes: self.notes.clone(),
            ..Self::new(self.limits)
        };
        let mut joined = String::new();
        for row in 0..self.row_count() {
            grid.begin_row(self.rows[row].line.into()).ok()?;
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

    /// Returns the reading of dates that have several.
    pub(super) fn date_rules(&self, options: &ReadOptions) -> DateRules {
        DateRules::new(options, self.limits)
    }

    /// True if headings of competitor ids are recognised.
    pub(super) fn recognises_ids(&self) -> bool {
        self.limits.recognises_ids
    }

    /// Returns the number of cells, and the number of bytes of their texts.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.ends.len(), self.text.len())
    }

    /// Returns the number of rows.
    pub(crate) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the line that a row begins on, unless it is a record; the first line is 1.
    pub(crate) fn line_number(&self, row: usize) -> Option<u64> {
        let line = u64::from(self.rows[row].line);
        self.records.is_none().then_some(line)
    }

    /// Returns the location of a row.
    pub(crate) fn row_location(&self, row: usize) -> Location {
        let line = self.rows[row].line;
        match &self.records {
            Some(_) if row == 0 => Location::Whole,
            None | Some(Records::Lines) => Location::Line(line.into()),
            Some(Records::Elements(paths)) => Location::JsonPath(paths.path(row, line)),
            Some(Records::Rows) => Location::Cell(format!("row {line}")),
        }
    }

    /// Returns the word for several rows in messages.
    pub(crate) fn row_word(&self) -> &'static str {
        match self.records {
            None | Some(Records::Lines) => "lines",
            Some(_) => "rows",
        }
    }

    /// Returns the locations of two rows, which can be one, for messages.
    pub(crate) fn describe_rows(&self, first: usize, second: usize) -> String {
        match (self.row_location(first), self.row_location(second)) {
            (first, second) if first == second => first.to_string(),
            (Location::Line(first), Location::Line(second)) => {
                format!("lines {first} and {second}")
            }
            (first, second) => format!("{first} and {second}"),
        }
    }

    /// Returns the number of cells of a row.
    pub(crate) fn width(&self, row: usize) -> usize {
        let end = self.rows.get(row + 1).map_or(self.ends.len(), |next| next.first_cell as usize);
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

    /// Returns the location of a cell: the cell of a sheet, the field of a record, or the line of a
    /// text file.
    pub(crate) fn location(&self, row: usize, column: usize) -> Location {
        let row_location = self.row_location(row);
        match (&self.sheet, row_location) {
            (Some(sheet), Location::Line(line)) => {
                Location::Cell(format!("{sheet}!{}{line}", column_letters(column)))
            }
            (_, Location::JsonPath(path)) => {
                Location::JsonPath(format!("{path}.{}", shorten(self.cell(0, column))))
            }
            (_, Location::Cell(path)) => {
                Location::Cell(format!("{path}, {}", shorten(self.cell(0, column))))
            }
            (_, other) => other,
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
        assert_eq!((joined.row_location(4), joined.width(4)), (Location::Line(6), 1));
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
            (grid.row_location(1), grid.cell(1, 1), grid.cell(1, 2)),
            (Location::Line(5), "c", "")
        );
    }
}

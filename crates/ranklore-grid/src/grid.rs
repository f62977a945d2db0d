//! The cells of a table, independent of the file format.

use std::borrow::Cow;
use std::fmt::Display;

use crate::document::{FileReadError, Location};
use crate::limits::ReadLimits;
use crate::spelling::normalise_spelling;
use ranklore_contest::{Quoted, shorten};

/// The maximum number of columns of a table: 2,000.
pub const MAX_COLUMNS: usize = 2_000;

/// The number of columns that a note lists.
const MAX_LISTED: usize = 12;

/// A table as text. All cells share one string, so that a table of many small cells takes little
/// more memory than its document.
#[derive(Default)]
pub struct CellGrid {
    text: String,
    limits: ReadLimits,
    /// The end of each cell in `text`.
    ends: Vec<u32>,
    rows: Vec<RowStart>,
    /// The sheet name of a workbook; `None` for text.
    pub sheet: Option<String>,
    /// The name of the contests that have none in the table: that of a sheet which is a contest.
    pub contest_name: Option<String>,
    /// True if cells are separated by semicolons, which suggests decimal commas.
    pub semicolons: bool,
    /// The records that the rows are; `None` for lines of a text and rows of a sheet.
    pub records: Option<Records>,
    /// True if columns are headed by their letters, since the table has no headings.
    pub has_letters: bool,
    /// Notes for the user on how the table was read.
    pub notes: Vec<String>,
}

/// Records of named fields. The first row of their grid has the names, and no place in the document.
#[derive(Clone)]
pub enum Records {
    /// Lines of a JSON Lines document.
    Lines,
    /// Elements of arrays of a JSON document. The line of a row is its index in its array.
    Elements(ElementPaths),
    /// Rows of a file without lines. The first is 1.
    Rows,
    /// Columns of a table that is read sideways. The line of a row is the index of its column.
    Columns,
}

/// The paths of array elements.
#[derive(Clone, Default)]
pub struct ElementPaths {
    /// The path of the array, empty if the document is the array.
    pub list: String,
    /// The paths of the arrays within each other, the first from an element of that array, the last of the
    /// rows.
    pub inner_lists: Vec<String>,
    /// The paths of other arrays within the first element, whose elements are games.
    pub games: Vec<String>,
    /// True if the rows are values of an object whose keys name them.
    pub has_keys: bool,
    /// The keys of the arrays, if they are values of an object; the first index is that of a key.
    pub keys: Vec<String>,
    /// The first row of each inner array, and the indices of the elements that it is in.
    pub starts: Vec<(u32, GroupIndices)>,
}

/// The most arrays of objects around the array of the rows.
pub(crate) const MAX_GROUPS: usize = 2;

/// The indices of the elements around a row, from the outermost.
pub(crate) type GroupIndices = [u32; MAX_GROUPS];

impl ElementPaths {
    /// True if the rows are in several arrays.
    #[must_use]
    pub fn has_groups(&self) -> bool {
        !(self.inner_lists.is_empty() && self.keys.is_empty())
    }

    /// Returns the path of the element at these indices: of the array, and of those within it.
    pub(crate) fn element(&self, indices: &[u32]) -> String {
        let lists = std::iter::once(&self.list).chain(&self.inner_lists);
        let elements = lists.zip(indices).map(|(list, index)| format!("{list}[{index}]"));
        elements.collect::<Vec<String>>().join(".")
    }

    /// Returns the path of the row at this index within its array.
    pub(crate) fn row_element(&self, groups: GroupIndices, index: u32) -> String {
        if let Some(key) = self.keys.get(groups[0] as usize) {
            return format!("{key}[{index}]");
        }
        let mut indices = groups[..self.inner_lists.len().min(MAX_GROUPS)].to_vec();
        indices.push(index);
        self.element(&indices)
    }

    fn path(&self, row: usize, index: u32) -> String {
        let next = self.starts.partition_point(|start| start.0 as usize <= row);
        let groups = next.checked_sub(1).map_or([0; MAX_GROUPS], |at| self.starts[at].1);
        self.row_element(groups, index)
    }
}

struct RowStart {
    line: u32,
    first_cell: u32,
}

impl CellGrid {
    /// Returns an empty grid with these limits.
    #[must_use]
    pub fn new(limits: ReadLimits) -> Self {
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
    pub fn begin_row(&mut self, line: u64) -> Result<(), String> {
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

    /// Errors if a text is too long for a cell. `subject` is what the error is about.
    pub(crate) fn check_length(&self, text: &str, subject: &str) -> Result<(), String> {
        if text.len() <= self.limits.row_bytes {
            return Ok(());
        }
        let limit = self.limits.row_bytes >> 20;
        Err(format!("{subject} has more than {limit} MiB: shorten it"))
    }

    /// Adds a trimmed cell to the current row.
    ///
    /// # Errors
    /// The limit, if the table has too many cells or too much text.
    pub fn push_cell(&mut self, cell: &str) -> Result<(), String> {
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
        let length = self.text.len() + first.text.len();
        u32::try_from(length).map_err(|_| "the table is too long".to_owned())?;
        let added = first.text.len() as u32;
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

    /// Inserts a row of headings: the letters of the columns.
    ///
    /// # Errors
    /// The limit, if the table has too much text.
    pub fn insert_letters(&mut self) -> Result<(), FileReadError> {
        let width = (0..self.row_count()).map(|row| self.width(row)).max().unwrap_or(0);
        let letters: Vec<String> = (0..width).map(column_letters).collect();
        let line = self.rows.first().map_or(1, |first| first.line);
        self.rows.insert(
            0,
            RowStart {
                line,
                first_cell: 0,
            },
        );
        self.has_letters = true;
        self.fill_first_row(&letters).map_err(FileReadError::whole_document)
    }

    /// Returns a grid whose rows are these columns, with the cells of these rows, below a row of
    /// `headings` and further rows that begin with a label.
    ///
    /// # Errors
    /// The limit, if the table has too many rows.
    pub fn transpose(
        &self,
        rows: &[usize],
        headings: &[String],
        columns: &[(String, usize)],
    ) -> Result<Self, FileReadError> {
        let fill = |grid: &mut Self| -> Result<(), String> {
            grid.begin_row(0)?;
            headings.iter().try_for_each(|heading| grid.push_cell(heading))?;
            for (label, column) in columns {
                grid.begin_row(*column as u64)?;
                grid.push_cell(label)?;
                rows.iter().try_for_each(|&row| grid.push_cell(self.cell(row, *column)))?;
            }
            Ok(())
        };
        let mut grid = Self {
            sheet: self.sheet.clone(),
            semicolons: self.semicolons,
            records: Some(Records::Columns),
            notes: self.notes.clone(),
            ..Self::new(self.limits)
        };
        fill(&mut grid).map_err(FileReadError::whole_document)?;
        Ok(grid)
    }

    /// Begins a row at the place of a row of another grid.
    ///
    /// # Errors
    /// The limit, if the table has too many rows.
    pub fn begin_row_of(&mut self, source: &Self, row: usize) -> Result<(), String> {
        self.begin_row(source.rows[row].line.into())
    }

    /// Returns an empty grid for rows of this one.
    #[must_use]
    pub fn with_same_source(&self) -> Self {
        Self {
            sheet: self.sheet.clone(),
            contest_name: self.contest_name.clone(),
            semicolons: self.semicolons,
            records: self.records.clone(),
            has_letters: self.has_letters,
            notes: self.notes.clone(),
            ..Self::new(self.limits)
        }
    }

    /// Returns the grid without the rows for which `is_kept` is false.
    ///
    /// # Errors
    /// The limit, which this grid observed before.
    pub fn retain_rows(&self, is_kept: impl Fn(usize) -> bool) -> Result<Self, String> {
        let mut grid = self.with_same_source();
        let starts = match &mut grid.records {
            Some(Records::Elements(paths)) => std::mem::take(&mut paths.starts),
            _ => Vec::new(),
        };
        let mut starts = starts.into_iter().peekable();
        let mut kept_starts = Vec::new();
        for row in 0..self.row_count() {
            // An array that begins at a row without its own begins at the next one.
            while let Some((_, indices)) = starts.next_if(|start| start.0 as usize <= row) {
                kept_starts.push((grid.rows.len() as u32, indices));
            }
            if is_kept(row) {
                grid.begin_row_of(self, row)?;
                self.cells(row).try_for_each(|cell| grid.push_cell(cell))?;
            }
        }
        if let Some(Records::Elements(paths)) = &mut grid.records {
            paths.starts = kept_starts;
        }
        Ok(grid)
    }

    /// True if a cell has several lines.
    #[must_use]
    pub fn has_line_breaks(&self) -> bool {
        self.text.contains('\n')
    }

    /// Returns the grid with the texts that `replace` returns for its rows, columns and cells.
    /// Returns `None` if it would be too large.
    pub fn map_cells<'g>(
        &'g self,
        replace: impl Fn(usize, usize, &'g str) -> Cow<'g, str>,
    ) -> Option<Self> {
        let mut grid = self.with_same_source();
        for row in 0..self.row_count() {
            grid.begin_row(self.rows[row].line.into()).ok()?;
            for (column, cell) in self.cells(row).enumerate() {
                grid.push_cell(&replace(row, column, cell)).ok()?;
            }
        }
        Some(grid)
    }

    /// Gives the texts below a row one spelling each, so that names which look equal are equal. Other
    /// cells keep their white space, which can separate the digits of numbers.
    ///
    /// # Errors
    /// [`FileReadError`] if the table would be too large.
    pub fn normalise_spellings(self, header_row: usize) -> Result<Self, FileReadError> {
        let bytes = self.text.as_bytes();
        if bytes.is_ascii() && !bytes.contains(&b'\t') && !self.text.contains("  ") {
            return Ok(self);
        }
        // The letters before the first combining character have one form.
        let may_differ = |pair: &[u8]| {
            pair[1] >= 0xcc || pair == b"  " || pair == b"\xc2\xa0" || pair[1] == b'\t'
        };
        if !bytes.windows(2).any(may_differ) {
            return Ok(self);
        }
        let spell = |row, _, cell| {
            if row > header_row && cell_has_letter(cell) {
                normalise_spelling(cell)
            } else {
                Cow::Borrowed(cell)
            }
        };
        let is_changed =
            |row| self.cells(row).any(|cell| matches!(spell(row, 0, cell), Cow::Owned(_)));
        if !(header_row..self.row_count()).any(is_changed) {
            return Ok(self);
        }
        let spelled = self.map_cells(spell);
        spelled.ok_or_else(|| FileReadError::whole_document("the table is too large: split it"))
    }

    /// Errors if the contests of the table have more results than a document may have.
    ///
    /// # Errors
    /// The limit.
    pub fn check_results(&self, count: usize) -> Result<(), FileReadError> {
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

    /// Adds a note that columns with these paths are not read, if there are any.
    pub(crate) fn note_unread<'p>(
        &mut self,
        description: &str,
        paths: impl ExactSizeIterator<Item = &'p str>,
    ) {
        if paths.len() > 0 {
            let quoted = paths.map(|path| Quoted(&shorten(path)).to_string());
            self.notes.push(format!("{description}: {}", list_names(quoted, MAX_LISTED)));
        }
    }

    /// Returns the limits that the grid was read with.
    #[must_use]
    pub const fn limits(&self) -> ReadLimits {
        self.limits
    }

    /// Returns the number of cells, and the number of bytes of their texts.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.ends.len(), self.text.len())
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Returns the line that a row begins on, unless it is a record; the first line is 1.
    #[must_use]
    pub fn line_number(&self, row: usize) -> Option<u64> {
        let line = u64::from(self.rows[row].line);
        self.records.is_none().then_some(line)
    }

    /// Returns the location of a row.
    #[must_use]
    pub fn row_location(&self, row: usize) -> Location {
        let line = self.rows[row].line;
        match &self.records {
            Some(_) if row == 0 => Location::Whole,
            None | Some(Records::Lines) => Location::Line(line.into()),
            Some(Records::Elements(paths)) => Location::JsonPath(paths.path(row, line)),
            Some(Records::Rows) => Location::Cell(format!("row {line}")),
            Some(Records::Columns) => {
                Location::Cell(format!("column {}", column_letters(line as usize)))
            }
        }
    }

    /// Returns the word for several rows in messages.
    #[must_use]
    pub fn row_word(&self) -> &'static str {
        match self.records {
            None | Some(Records::Lines) => "lines",
            Some(_) => "rows",
        }
    }

    /// Returns the locations of two rows, which can be one, for messages.
    #[must_use]
    pub fn describe_rows(&self, first: usize, second: usize) -> String {
        match (self.row_location(first), self.row_location(second)) {
            (first, second) if first == second => first.to_string(),
            (Location::Line(first), Location::Line(second)) => {
                format!("lines {first} and {second}")
            }
            (first, second) => format!("{first} and {second}"),
        }
    }

    /// Returns the number of cells of a row.
    #[must_use]
    pub fn width(&self, row: usize) -> usize {
        let end = self.rows.get(row + 1).map_or(self.ends.len(), |next| next.first_cell as usize);
        end - self.rows[row].first_cell as usize
    }

    /// Returns the number of cells of a row up to the last that is not empty.
    #[must_use]
    pub fn filled_width(&self, row: usize) -> usize {
        let mut columns = (0..self.width(row)).rev();
        columns
            .find(|&column| !self.cell(row, column).is_empty())
            .map_or(0, |last| last + 1)
    }

    /// Returns a cell, or an empty text beyond the end of the row.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> &str {
        if column >= self.width(row) {
            return self.empty();
        }
        let cell = self.rows[row].first_cell as usize + column;
        &self.text[self.cell_offset(cell)..self.ends[cell] as usize]
    }

    /// Returns an empty text within the grid. `memcmp` of the C library takes 100 times as long for
    /// a literal `""`, whose address is not mapped.
    #[must_use]
    pub fn empty(&self) -> &str {
        &self.text[..0]
    }

    /// Returns the cells of a row.
    pub fn cells(&self, row: usize) -> impl Iterator<Item = &str> {
        (0..self.width(row)).map(move |column| self.cell(row, column))
    }

    /// Returns the location of a cell: the cell of a sheet, the field of a record, or the line of a
    /// text file.
    #[must_use]
    pub fn location(&self, row: usize, column: usize) -> Location {
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

fn cell_has_letter(cell: &str) -> bool {
    cell.chars().any(char::is_alphabetic)
}

/// Lists the first `most` names for a message.
pub(crate) fn list_names(
    names: impl ExactSizeIterator<Item = impl Display>,
    most: usize,
) -> String {
    let unlisted = names.len().saturating_sub(most);
    let mut items: Vec<_> = names.take(most).map(|name| name.to_string()).collect();
    if unlisted > 0 {
        items.push(format!("and {unlisted} more"));
    }
    items.join(", ")
}

/// Trims white space and the invisible marks that spreadsheets leave around cells.
#[must_use]
pub fn trim_cell(cell: &str) -> &str {
    cell.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}'))
}

/// Returns the letters of a spreadsheet column: 0 is A, 26 is AA.
#[must_use]
pub fn column_letters(column: usize) -> String {
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
    fn mapped_grid_keeps_lines_and_widths() {
        let mut grid = CellGrid::default();
        for (line, cells) in [(1, vec!["x", "name"]), (3, vec!["1"])] {
            grid.begin_row(line).unwrap();
            assert!(cells.into_iter().all(|cell| grid.push_cell(cell).is_ok()));
        }
        let mapped = grid.map_cells(|row, column, cell| format!("{cell}{row}{column}").into());
        let mapped = mapped.unwrap();
        assert_eq!((mapped.cell(0, 1), mapped.cell(1, 0)), ("name01", "110"));
        assert_eq!((mapped.row_location(1), mapped.width(1)), (Location::Line(3), 1));
    }

    #[test]
    fn retained_rows_keep_their_paths() {
        let mut grid = CellGrid::default();
        for (line, cell) in [
            (0, "name"),
            (0, "a"),
            (1, "b"),
            (0, "c"),
            (1, "d"),
            (0, "e"),
        ] {
            grid.begin_row(line).unwrap();
            grid.push_cell(cell).unwrap();
        }
        grid.records = Some(Records::Elements(ElementPaths {
            inner_lists: vec![".entrants".to_owned()],
            starts: vec![(1, [0, 0]), (3, [1, 0]), (5, [2, 0])],
            ..ElementPaths::default()
        }));
        let retained = grid.retain_rows(|row| ![3, 4].contains(&row)).unwrap();
        assert_eq!(retained.row_count(), 4);
        for (row, original) in [(1, 1), (2, 2), (3, 5)] {
            assert_eq!(retained.cell(row, 0), grid.cell(original, 0));
            assert_eq!(retained.row_location(row), grid.row_location(original));
        }
        let retained = grid.retain_rows(|row| ![1, 3].contains(&row)).unwrap();
        assert_eq!(retained.row_location(2), grid.row_location(4));
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

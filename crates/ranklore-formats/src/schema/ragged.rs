//! Rows of a text table with more cells than headings: a cell contains the separator, and all cells
//! behind it stand in wrong columns.

use crate::schema::table::HeaderTable;
use ranklore_grid::FileReadError;

/// The rows of a text table that have a cell beyond the last heading.
#[derive(Default)]
pub(crate) struct RaggedRows {
    headings: usize,
    rows: Vec<usize>,
}

impl RaggedRows {
    /// Finds the rows. Empty cells at the end of a row say nothing. The rows of other formats have
    /// no separators.
    pub(crate) fn find(table: &HeaderTable) -> Self {
        let is_text = table.grid.sheet.is_none() && table.grid.records.is_none();
        if !is_text || !table.grid.limits().reader.refuses_doubts() {
            return Self::default();
        }
        let headings = count_headings(table);
        // "(may be more) ..." is the last heading of split times.
        if headings > 0 && table.heading(headings - 1).contains("may be more") {
            return Self::default();
        }
        let rows = table.data_rows().filter(|&row| filled_width(table, row) > headings);
        Self {
            headings,
            rows: rows.collect(),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub(crate) fn contains(&self, row: usize) -> bool {
        self.rows.binary_search(&row).is_ok()
    }

    /// Returns the rows in their order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().copied()
    }

    /// Returns the reason to refuse a row, with the number of all.
    pub(crate) fn describe(&self, table: &HeaderTable, row: usize) -> String {
        let number = match self.rows.len() {
            1 => String::new(),
            count => format!(" ({count} lines have more cells than headings)"),
        };
        format!(
            "{} cells, {} headings{number}; quote cells that contain the separator, or give each column a heading",
            table.grid.width(row),
            self.headings
        )
    }

    /// Returns the error for the document at a row whose contest cannot be told.
    pub(crate) fn refuse_document(&self, table: &HeaderTable, row: usize) -> FileReadError {
        FileReadError::new(table.grid.row_location(row), self.describe(table, row))
    }
}

/// Returns the number of columns up to the last one with a heading, or with an empty heading over
/// cells of which at least half are filled: many programs end each row with a separator.
fn count_headings(table: &HeaderTable) -> usize {
    let rows = table.data_rows().len();
    let is_filled = |column| {
        let filled = table.values(column).filter(|cell| !cell.is_empty());
        2 * filled.count() >= rows
    };
    let named = filled_width(table, table.header_row);
    let unnamed = named..table.grid.width(table.header_row);
    named + unnamed.take_while(|&column| is_filled(column)).count()
}

/// Returns the number of cells of a row up to the last that is not empty.
fn filled_width(table: &HeaderTable, row: usize) -> usize {
    let mut columns = (0..table.grid.width(row)).rev();
    columns
        .find(|&column| !table.grid.cell(row, column).is_empty())
        .map_or(0, |last| last + 1)
}

//! Rows of a text table with more cells than headings: a cell contains the separator, and all cells
//! behind it stand in wrong columns. And rows without any value.

use std::ops::Range;

use crate::schema::header_row::NAME_MEANINGS;
use crate::schema::table::HeaderTable;
use crate::vocabulary::kinds::is_place_or_role_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason, column_letters};

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
        let rows = table.data_rows().filter(|&row| table.grid.filled_width(row) > headings);
        Self {
            headings,
            rows: rows.collect(),
        }
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// True if most rows have more cells than headings.
    pub(crate) fn are_most(&self, table: &HeaderTable) -> bool {
        2 * self.rows.len() > table.data_rows().len()
    }

    pub(crate) fn contains(&self, row: usize) -> bool {
        self.rows.binary_search(&row).is_ok()
    }

    /// Returns the rows in their order.
    pub(crate) fn rows(&self) -> impl Iterator<Item = usize> {
        self.rows.iter().copied()
    }

    /// Returns the reason to refuse a row, with the number of all, and the option that excludes the last
    /// cell of each row.
    pub(crate) fn describe(&self, table: &HeaderTable, row: usize) -> Reason {
        let number = match self.rows.len() {
            1 => String::new(),
            count => format!(" ({count} lines have more cells than headings)"),
        };
        let mut reason = Reason::from(format!(
            "{} cells, {} headings{number}; quote cells that contain the separator, or give each column a heading",
            table.grid.width(row),
            self.headings
        ));
        if self.have_one_more(table) {
            let letters = column_letters(self.headings);
            let option = CommandOptions::new("--column", format!("{letters}=ignore"));
            let advice = format!("pass {option} to leave out the last cell of each row");
            reason.append(Reason::from(advice).naming([option]));
        }
        reason
    }

    /// True if all rows have one cell more than headings, a text that is not the only one. If the first
    /// cells count the rows, these have no heading.
    fn have_one_more(&self, table: &HeaderTable) -> bool {
        let are_texts = |column: usize| {
            let mut rows = table.data_rows();
            rows.all(|row| table.grid.cell(row, column).contains(char::is_alphabetic))
        };
        self.rows.len() == table.data_rows().len()
            && table.grid.width(table.header_row) == self.headings
            && self.rows().all(|row| table.grid.filled_width(row) == self.headings + 1)
            && !counts_rows(&table.grid, table.data_rows())
            && are_texts(self.headings)
            && (0..self.headings).any(are_texts)
    }

    /// Returns the error for the document at a row whose contest cannot be told.
    pub(crate) fn refuse_document(&self, table: &HeaderTable, row: usize) -> FileReadError {
        FileReadError::new(table.grid.row_location(row), self.describe(table, row))
    }
}

/// Returns a text without the cell that each row has before its name and the headings have not: a blank
/// one, as two tabs make it, or a first one that counts the rows.
pub(crate) fn drop_surplus_cells(
    grid: &CellGrid,
    header_row: usize,
) -> Result<Option<CellGrid>, FileReadError> {
    let Some(surplus) = find_surplus_column(grid, header_row) else {
        return Ok(None);
    };
    let mut whole = grid.with_same_source();
    let fill = |whole: &mut CellGrid| -> Result<(), String> {
        for row in 0..grid.row_count() {
            whole.begin_row_of(grid, row)?;
            let cells = grid.cells(row).enumerate();
            let cells = cells.filter(|&(column, _)| row <= header_row || column != surplus);
            cells.map(|cell| cell.1).try_for_each(|cell| whole.push_cell(cell))?;
        }
        Ok(())
    };
    fill(&mut whole).map_err(FileReadError::whole_document)?;
    let letters = column_letters(surplus);
    whole.notes.push(format!(
        "each row has one cell more than headings: that in {letters} is left out"
    ));
    Ok(Some(whole))
}

/// Returns the column of the cells before names, if the headings fit only without it: that of names is over
/// blank cells or numbers, and names are in the next column.
fn find_surplus_column(grid: &CellGrid, header_row: usize) -> Option<usize> {
    let rows = header_row + 1..grid.row_count();
    let is_text = grid.sheet.is_none() && grid.records.is_none() && !grid.has_letters;
    if !is_text || rows.len() < 2 || !grid.limits().reader.refuses_doubts() {
        return None;
    }
    let headings = grid.width(header_row);
    if !rows.clone().all(|row| grid.filled_width(row) == headings + 1) {
        return None;
    }
    let names_competitors = |&column: &usize| {
        let heading = grid.cell(header_row, column);
        let known = ColumnMeaning::from_heading(heading).map(|known| known.0);
        is_place_or_role_heading(heading) || known.is_some_and(|m| NAME_MEANINGS.contains(&m))
    };
    let all = |column: usize, is_kind: &dyn Fn(&str) -> bool| {
        rows.clone().all(|row| is_kind(grid.cell(row, column)))
    };
    let has_letters = |cell: &str| cell.contains(char::is_alphabetic);
    let names = (0..headings)
        .filter(names_competitors)
        .find(|&column| all(column + 1, &has_letters) && all(column, &|cell| !has_letters(cell)))?;
    let is_blank = |&column: &usize| all(column, &str::is_empty);
    let mut blanks = (0..headings).filter(is_blank);
    match (blanks.next(), blanks.next()) {
        (Some(blank), None) if blank == names => Some(blank),
        // The numbers can be the places themselves, and the cells below that heading others.
        (None, _) if counts_rows(grid, rows) && are_places_counted(grid, header_row) => Some(0),
        _ => None,
    }
}

/// True if places, in the columns that they have without the first cell, are the first cells.
fn are_places_counted(grid: &CellGrid, header_row: usize) -> bool {
    let is_place = |&column: &usize| {
        let known = ColumnMeaning::from_heading(grid.cell(header_row, column));
        known.is_some_and(|(meaning, ..)| meaning == ColumnMeaning::Place)
    };
    let mut places = (0..grid.width(header_row)).filter(is_place);
    places.all(|column| {
        let mut rows = header_row + 1..grid.row_count();
        rows.all(|row| grid.cell(row, column + 1) == grid.cell(row, 0))
    })
}

/// True if the first cells of rows count them, from 0 or 1.
fn counts_rows(grid: &CellGrid, rows: Range<usize>) -> bool {
    let counts = |start: usize| {
        (start..)
            .zip(rows.clone())
            .all(|(number, row)| grid.cell(row, 0).parse() == Ok(number))
    };
    counts(0) || counts(1)
}

/// Returns the number of columns up to the last one with a heading, or with an empty heading over
/// cells of which at least half are filled: many programs end each row with a separator.
fn count_headings(table: &HeaderTable) -> usize {
    let rows = table.data_rows().len();
    let is_filled = |column| {
        let filled = table.values(column).filter(|cell| !cell.is_empty());
        2 * filled.count() >= rows
    };
    let named = table.grid.filled_width(table.header_row);
    let unnamed = named..table.grid.width(table.header_row);
    named + unnamed.take_while(|&column| is_filled(column)).count()
}

/// Returns the table without rows of nothing but 0 at its end, of which there are several: formulas of a
/// spreadsheet below the last name.
pub(crate) fn drop_filler_rows(
    grid: CellGrid,
    header_row: usize,
) -> Result<CellGrid, FileReadError> {
    if grid.records.is_some() || !grid.limits().reader.refuses_doubts() {
        return Ok(grid);
    }
    let is_filler = |&row: &usize| {
        grid.cells(row).all(|cell| cell.is_empty() || cell == "0")
            && grid.cells(row).filter(|cell| *cell == "0").nth(1).is_some()
    };
    let filler = (header_row + 1..grid.row_count()).rev().take_while(is_filler).count();
    if filler < 2 {
        return Ok(grid);
    }
    let end = grid.row_count() - filler;
    let note = format!("the last {filler} rows have nothing but 0, left out");
    let mut filled = grid.retain_rows(|row| row < end).map_err(FileReadError::whole_document)?;
    filled.notes.push(note);
    Ok(filled)
}

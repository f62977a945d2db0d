//! Leaves out the rows of a table that do not satisfy the conditions of the user.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::options::{ReadOptions, RowCondition};
use crate::schema::header_row::searched_rows;
use crate::schema::table::{list_first, list_headings};
use crate::values::dates::{DateRules, find_date};
use ranklore_contest::Quoted;
use ranklore_grid::{CellGrid, FileReadError};

/// Returns the table without the rows that contradict a condition.
///
/// # Errors
/// [`FileReadError`] if a heading of a condition is missing or stands twice, or if no row is left.
pub(crate) fn select_rows(
    grid: CellGrid,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    let conditions = &options.conditions;
    if conditions.is_empty() || grid.row_count() == 0 {
        return Ok(grid);
    }
    let selection = Selection::new(&grid, conditions)?;
    selection.check_continued_rows()?;
    let rows = selection.rows();
    let selected_count = rows.clone().filter(|&row| selection.has(row)).count();
    if selected_count == 0 && !rows.is_empty() {
        return Err(selection.refuse_all());
    }
    let date_rules = DateRules::new(options, grid.limits());
    let is_selected = |row| {
        row <= selection.header_row
            || selection.is_row_of_dates(row, date_rules)
            || selection.has(row)
    };
    let mut selected = grid.retain_rows(is_selected).map_err(FileReadError::whole_document)?;
    selected.notes.push(format!(
        "{} of {} {} left out: only those with {} are read",
        rows.len() - selected_count,
        rows.len(),
        grid.row_word(),
        selection.describe()
    ));
    Ok(selected)
}

/// Conditions, with the columns of their headings.
struct Selection<'g> {
    grid: &'g CellGrid,
    header_row: usize,
    conditions: Vec<(&'g RowCondition, usize)>,
}

impl<'g> Selection<'g> {
    fn new(grid: &'g CellGrid, conditions: &'g [RowCondition]) -> Result<Self, FileReadError> {
        let header_row = find_headings(grid, conditions);
        let with_columns = conditions.iter().map(|condition| {
            let heading = &condition.heading;
            let mut cells = grid.cells(header_row).enumerate().filter(|(_, cell)| cell == heading);
            let problem = match (cells.next(), cells.next()) {
                (Some((column, _)), None) => return Ok((condition, column)),
                (None, _) => format!(
                    "no column is headed {}, as --where says; the headings are {}",
                    Quoted(heading),
                    list_headings(grid, header_row)
                ),
                (Some(_), Some(_)) => format!(
                    "two columns are headed {}, which --where names; give them different headings",
                    Quoted(heading)
                ),
            };
            Err(FileReadError::new(grid.row_location(header_row), problem))
        });
        Ok(Self {
            grid,
            header_row,
            conditions: with_columns.collect::<Result<_, _>>()?,
        })
    }

    /// Returns the rows below the headings.
    fn rows(&self) -> Range<usize> {
        self.header_row + 1..self.grid.row_count()
    }

    /// True if a row satisfies all conditions.
    fn has(&self, row: usize) -> bool {
        self.conditions.iter().all(|&(condition, column)| {
            (self.grid.cell(row, column) == condition.value) == condition.is_equal
        })
    }

    /// True for the row below the headings if it has dates, and nothing in the columns of conditions.
    fn is_row_of_dates(&self, row: usize, rules: DateRules) -> bool {
        row == self.header_row + 1
            && self.is_blank(row)
            && self.grid.cells(row).filter(|cell| find_date(cell, rules).is_some()).count() > 1
    }

    /// True if the cells of a row are blank in the columns of all conditions.
    fn is_blank(&self, row: usize) -> bool {
        self.conditions
            .iter()
            .all(|&(_, column)| self.grid.cell(row, column).is_empty())
    }

    /// Errors if a row can belong to the row above it, such as a member of its team: it has nothing in
    /// the first column and in those of the conditions, which select the other one alone.
    fn check_continued_rows(&self) -> Result<(), FileReadError> {
        let continues = |&row: &usize| self.is_blank(row) && self.grid.cell(row, 0).is_empty();
        let asks_for_blank =
            self.conditions.iter().any(|(condition, _)| condition.value.is_empty());
        let mut rows = self.rows().skip(1).filter(continues);
        let Some(row) = rows.find(|&row| self.has(row) != self.has(row - 1)) else {
            return Ok(());
        };
        if asks_for_blank {
            return Ok(());
        }
        let problem = format!(
            "--where {} reads only one of this row and the row above, to which it can belong: fill \
             its first cell, or repeat the cells of the row above",
            self.describe()
        );
        Err(FileReadError::new(self.grid.row_location(row), problem))
    }

    fn describe(&self) -> String {
        let texts = self.conditions.iter().map(|(condition, _)| condition.to_string());
        texts.collect::<Vec<String>>().join(" and ")
    }

    /// Returns the error for a table without such rows, with the values of the columns.
    fn refuse_all(&self) -> FileReadError {
        let values = self.conditions.iter().map(|&(condition, column)| {
            let values: BTreeSet<&str> = self.rows().map(|r| self.grid.cell(r, column)).collect();
            let values: Vec<String> = values.into_iter().map(|v| Quoted(v).to_string()).collect();
            let values = list_first(&values, ", ");
            format!("; the values of {} are {values}", Quoted(&condition.heading))
        });
        let values: String = values.collect();
        let problem = format!("no row has {}, as --where says{values}", self.describe());
        FileReadError::new(self.grid.row_location(self.header_row), problem)
    }
}

/// Returns the first row that has the headings of all conditions, or else the first of the table.
fn find_headings(grid: &CellGrid, conditions: &[RowCondition]) -> usize {
    let has_all = |&row: &usize| {
        let mut headings = conditions.iter().map(|condition| &condition.heading);
        headings.all(|heading| grid.cells(row).any(|cell| cell == heading))
    };
    (0..searched_rows(grid)).find(has_all).unwrap_or_default()
}

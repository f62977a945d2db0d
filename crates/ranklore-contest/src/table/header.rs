//! Finds the row of headings and the meaning of each column.

use std::collections::{BTreeMap, HashMap};

use super::columns::{ColumnMeaning, MatchStrength};
use super::grid::{CellGrid, column_letters};
use crate::reading::{FileReadError, Location, RecognisedColumn, TableLayout, TableShape};
use crate::table::values::numbers::NumberStyle;

/// The number of rows that are searched for headings; titles and dates may precede them.
pub(super) const SEARCHED_ROWS: usize = 20;

/// A grid with its headings and their meanings.
pub(super) struct HeaderTable {
    pub(super) grid: CellGrid,
    /// The row of headings.
    pub(super) header_row: usize,
    /// The best column for each meaning, and another that matches equally well.
    columns: BTreeMap<ColumnMeaning, (usize, Option<usize>)>,
    /// The columns without a known meaning, from left to right.
    pub(super) unknown_columns: Vec<usize>,
}

impl HeaderTable {
    /// Finds the row of headings.
    pub(super) fn new(grid: CellGrid) -> Result<Self, FileReadError> {
        if grid.row_count() == 0 {
            return Err(FileReadError::whole_document("the table is empty"));
        }
        let header = (0..grid.row_count().min(SEARCHED_ROWS))
            .filter_map(|row| {
                let mut meanings: Vec<_> = grid
                    .cells(row)
                    .filter_map(|cell| {
                        ColumnMeaning::from_heading(cell).map(|(meaning, _)| meaning)
                    })
                    .collect();
                meanings.sort_unstable();
                meanings.dedup();
                let names = [ColumnMeaning::Competitor, ColumnMeaning::Team];
                meanings
                    .iter()
                    .any(|meaning| names.contains(meaning))
                    .then_some((meanings.len(), row))
            })
            // The first of several equally good rows wins.
            .max_by_key(|&(known, row)| (known, std::cmp::Reverse(row)))
            .map(|(_, row)| row);
        let Some(header) = header else {
            let first: Vec<&str> = grid.cells(0).take(12).collect();
            return Err(FileReadError::new(
                Location::Line(grid.line_number(0)),
                format!(
                    "no column is headed competitor, player, name or the like in the first {SEARCHED_ROWS} rows; the first row reads {}",
                    first.join(" | ")
                ),
            ));
        };
        if header + 1 == grid.row_count() {
            return Err(FileReadError::new(
                Location::Line(grid.line_number(header)),
                "there are no rows below the headings",
            ));
        }
        let mut claims: BTreeMap<ColumnMeaning, Vec<(MatchStrength, usize)>> = BTreeMap::new();
        let mut others = Vec::new();
        for (column, heading) in grid.cells(header).enumerate() {
            match ColumnMeaning::from_heading(heading) {
                Some((meaning, sureness)) => {
                    claims.entry(meaning).or_default().push((sureness, column));
                }
                None => others.push(column),
            }
        }
        let mut columns = BTreeMap::new();
        for (meaning, mut claims) in claims {
            claims.sort_unstable();
            let rival = claims.get(1).filter(|rival| rival.0 == claims[0].0);
            columns.insert(meaning, (claims[0].1, rival.map(|rival| rival.1)));
        }
        Ok(Self {
            grid,
            header_row: header,
            columns,
            unknown_columns: others,
        })
    }

    /// True if some column has this meaning.
    pub(super) fn has_column(&self, meaning: ColumnMeaning) -> bool {
        self.columns.contains_key(&meaning)
    }

    /// True if some column has this meaning by an unambiguous heading.
    pub(super) fn has_definite_column(&self, meaning: ColumnMeaning) -> bool {
        self.columns.get(&meaning).is_some_and(|&(column, _)| {
            ColumnMeaning::from_heading(self.heading(column))
                .is_some_and(|(_, sure)| sure != MatchStrength::Vague)
        })
    }

    /// Returns the column with this meaning, if there is one. Errors if two match equally well.
    pub(super) fn find_column(
        &self,
        meaning: ColumnMeaning,
    ) -> Result<Option<usize>, FileReadError> {
        match self.columns.get(&meaning) {
            None => Ok(None),
            Some(&(column, None)) => Ok(Some(column)),
            Some(&(column, Some(rival))) => Err(FileReadError::new(
                Location::Line(self.grid.line_number(self.header_row)),
                format!(
                    "the columns {} and {} both mean the {}; rename one of them",
                    self.describe_column(column),
                    self.describe_column(rival),
                    meaning.as_str()
                ),
            )),
        }
    }

    /// Returns the heading of a column.
    pub(super) fn heading(&self, column: usize) -> &str {
        self.grid.cell(self.header_row, column)
    }

    /// Returns the heading and letters of a column, for messages.
    pub(super) fn describe_column(&self, column: usize) -> String {
        format!("{:?} ({})", self.heading(column), column_letters(column))
    }

    /// Returns the rows below the headings.
    pub(super) fn data_rows(&self) -> std::ops::Range<usize> {
        self.header_row + 1..self.grid.row_count()
    }

    /// Returns the cells of a column below the headings.
    pub(super) fn values(&self, column: usize) -> impl Iterator<Item = &str> {
        self.data_rows().map(move |row| self.grid.cell(row, column))
    }

    /// Returns the number style of a column.
    pub(super) fn number_style(&self, column: Option<usize>) -> NumberStyle {
        let values = column.into_iter().flat_map(|column| self.values(column));
        NumberStyle::from_cells(values, self.grid.semicolons)
    }

    /// Returns the layout, with the meanings of the `used` columns.
    pub(super) fn layout(
        &self,
        shape: TableShape,
        used: &HashMap<usize, &'static str>,
        notes: Vec<String>,
    ) -> TableLayout {
        let columns: Vec<RecognisedColumn> = self
            .grid
            .cells(self.header_row)
            .enumerate()
            .filter(|(_, heading)| !heading.is_empty())
            .map(|(column, heading)| RecognisedColumn {
                letters: column_letters(column),
                heading: heading.to_owned(),
                meaning: used.get(&column).copied(),
            })
            .collect();
        let ignored: Vec<String> = columns
            .iter()
            .filter(|column| column.meaning.is_none())
            .map(|column| format!("{:?}", column.heading))
            .collect();
        let mut all = self.grid.notes.clone();
        all.extend(notes);
        if !ignored.is_empty() {
            all.push(format!("columns not used: {}", ignored.join(", ")));
        }
        TableLayout {
            shape,
            header_line: self.grid.line_number(self.header_row),
            columns,
            notes: all,
        }
    }
}

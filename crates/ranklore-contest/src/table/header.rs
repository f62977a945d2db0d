//! Finds the row of headings and the meaning of each column.

use std::collections::{BTreeMap, HashMap};

use super::columns::{Meaning, Sureness};
use super::grid::{Grid, letters};
use crate::reading::{At, Column, Layout, ReadError, Shape};
use crate::table::values::numbers::Style;

/// The number of rows that are searched for headings; titles and dates may precede them.
pub(super) const SEARCHED_ROWS: usize = 20;

/// A grid with its headings and their meanings.
pub(super) struct Table {
    pub(super) grid: Grid,
    /// The row of headings.
    pub(super) header: usize,
    /// The best column for each meaning, and another that matches equally well.
    columns: BTreeMap<Meaning, (usize, Option<usize>)>,
    /// The columns without a known meaning, from left to right.
    pub(super) others: Vec<usize>,
}

impl Table {
    /// Finds the row of headings.
    pub(super) fn new(grid: Grid) -> Result<Self, ReadError> {
        if grid.rows() == 0 {
            return Err(ReadError::whole("the table is empty"));
        }
        let header = (0..grid.rows().min(SEARCHED_ROWS))
            .filter_map(|row| {
                let mut meanings: Vec<_> = grid
                    .cells(row)
                    .filter_map(|cell| Meaning::of(cell).map(|(meaning, _)| meaning))
                    .collect();
                meanings.sort_unstable();
                meanings.dedup();
                let names = [Meaning::Competitor, Meaning::Team];
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
            return Err(ReadError::new(
                At::Line(grid.line(0)),
                format!(
                    "no column is headed competitor, player, name or the like in the first {SEARCHED_ROWS} rows; the first row reads {}",
                    first.join(" | ")
                ),
            ));
        };
        if header + 1 == grid.rows() {
            return Err(ReadError::new(
                At::Line(grid.line(header)),
                "there are no rows below the headings",
            ));
        }
        let mut claims: BTreeMap<Meaning, Vec<(Sureness, usize)>> = BTreeMap::new();
        let mut others = Vec::new();
        for (column, heading) in grid.cells(header).enumerate() {
            match Meaning::of(heading) {
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
            header,
            columns,
            others,
        })
    }

    /// True if some column has this meaning.
    pub(super) fn has(&self, meaning: Meaning) -> bool {
        self.columns.contains_key(&meaning)
    }

    /// True if some column has this meaning by an unambiguous heading.
    pub(super) fn has_surely(&self, meaning: Meaning) -> bool {
        self.columns.get(&meaning).is_some_and(|&(column, _)| {
            Meaning::of(self.heading(column)).is_some_and(|(_, sure)| sure != Sureness::Vague)
        })
    }

    /// Returns the column with this meaning, if there is one. Errors if two match equally well.
    pub(super) fn column(&self, meaning: Meaning) -> Result<Option<usize>, ReadError> {
        match self.columns.get(&meaning) {
            None => Ok(None),
            Some(&(column, None)) => Ok(Some(column)),
            Some(&(column, Some(rival))) => Err(ReadError::new(
                At::Line(self.grid.line(self.header)),
                format!(
                    "the columns {} and {} both mean the {}; rename one of them",
                    self.named(column),
                    self.named(rival),
                    meaning.word()
                ),
            )),
        }
    }

    /// Returns the heading of a column.
    pub(super) fn heading(&self, column: usize) -> &str {
        self.grid.cell(self.header, column)
    }

    /// Returns the heading and letters of a column, for messages.
    pub(super) fn named(&self, column: usize) -> String {
        format!("{:?} ({})", self.heading(column), letters(column))
    }

    /// Returns the rows below the headings.
    pub(super) fn data_rows(&self) -> std::ops::Range<usize> {
        self.header + 1..self.grid.rows()
    }

    /// Returns the cells of a column below the headings.
    pub(super) fn values(&self, column: usize) -> impl Iterator<Item = &str> {
        self.data_rows().map(move |row| self.grid.cell(row, column))
    }

    /// Returns the number style of a column.
    pub(super) fn style(&self, column: Option<usize>) -> Style {
        let values = column.into_iter().flat_map(|column| self.values(column));
        Style::of(values, self.grid.semicolons)
    }

    /// Returns the layout, with the meanings of the `used` columns.
    pub(super) fn layout(
        &self,
        shape: Shape,
        used: &HashMap<usize, &'static str>,
        notes: Vec<String>,
    ) -> Layout {
        let columns: Vec<Column> = self
            .grid
            .cells(self.header)
            .enumerate()
            .filter(|(_, heading)| !heading.is_empty())
            .map(|(column, heading)| Column {
                letters: letters(column),
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
        Layout {
            shape,
            header_line: self.grid.line(self.header),
            columns,
            notes: all,
        }
    }
}

//! Counts rows that are no contests.

use crate::schema::table::HeaderTable;

/// Rows that are no contests.
#[derive(Default)]
pub(super) struct SkippedRows {
    count: usize,
    first: usize,
}

impl SkippedRows {
    pub(super) fn add(&mut self, row: usize) {
        if self.count == 0 {
            self.first = row;
        }
        self.count += 1;
    }

    /// Returns a note such as `3 games without a result left out, first on line 7`.
    pub(super) fn note(&self, table: &HeaderTable, singular: &str, plural: &str) -> Option<String> {
        let first = table.grid.row_location(self.first);
        match self.count {
            0 => None,
            1 => Some(format!("1 {singular} left out, on {first}")),
            count => Some(format!("{count} {plural} left out, first on {first}")),
        }
    }
}

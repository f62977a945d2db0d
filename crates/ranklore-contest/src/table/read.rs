//! Chooses the reader for a table: long or wide.

use super::columns::ColumnMeaning;
use super::grid::CellGrid;
use super::header::HeaderTable;
use crate::options::ReadOptions;
use crate::reading::{Candidates, FileReadError};
use crate::table::layouts::{long, wide};

/// Reads the contests of a table.
pub(crate) fn read(
    grid: CellGrid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, FileReadError> {
    if options.every_days == Some(0) {
        return Err(FileReadError::whole_document(
            "--every 0 gives contests no order; pass --every 1 or more",
        ));
    }
    let table = HeaderTable::new(grid, &options.columns)?;
    let has = |meaning| table.has_column(meaning);
    let names_contests = has(ColumnMeaning::Contest)
        || has(ColumnMeaning::ContestId)
        || has(ColumnMeaning::Event)
        || has(ColumnMeaning::Date);
    let has_results =
        has(ColumnMeaning::Place) || has(ColumnMeaning::Score) || has(ColumnMeaning::Status);
    if names_contests && has_results {
        return long::read(&table, file_name, options);
    }
    let ranks = has(ColumnMeaning::Place) || table.has_definite_column(ColumnMeaning::Score);
    let rounds = wide::find_round_columns(&table, ranks, options);
    if !rounds.columns.is_empty() {
        wide::read(&table, &rounds, options)
    } else if has(ColumnMeaning::Place) || has(ColumnMeaning::Score) {
        // A single contest, named after the file.
        long::read(&table, file_name, options)
    } else {
        Err(FileReadError::new(
            crate::Location::Line(table.grid.line_number(table.header_row)),
            "no column holds places or scores: head one place or score (one row per result), \
             or give each contest its own column (one row per player)",
        ))
    }
}

//! Chooses the reader for a table: long or wide.

use super::columns::Meaning;
use super::grid::Grid;
use super::header::Table;
use crate::options::ReadOptions;
use crate::reading::{Candidates, ReadError};
use crate::table::layouts::{long, wide};

/// Reads the contests of a table.
pub(crate) fn read(
    grid: Grid,
    file_name: &str,
    options: &ReadOptions,
) -> Result<Candidates, ReadError> {
    if options.every_days == 0 {
        return Err(ReadError::whole(
            "--every 0 gives contests no order; pass --every 1 or more",
        ));
    }
    let table = Table::new(grid)?;
    let has = |meaning| table.has(meaning);
    let names_contests = has(Meaning::Contest)
        || has(Meaning::ContestId)
        || has(Meaning::Event)
        || has(Meaning::Date);
    let has_results = has(Meaning::Place) || has(Meaning::Score) || has(Meaning::Status);
    if names_contests && has_results {
        return long::read(&table, file_name, options);
    }
    let ranks = has(Meaning::Place) || table.has_surely(Meaning::Score);
    let rounds = wide::rounds(&table, ranks, options);
    if !rounds.columns.is_empty() {
        wide::read(&table, &rounds, options)
    } else if has(Meaning::Place) || has(Meaning::Score) {
        // A single contest, named after the file.
        long::read(&table, file_name, options)
    } else {
        Err(ReadError::new(
            crate::At::Line(table.grid.line(table.header)),
            "no column holds places or scores: head one place or score (one row per result), \
             or give each contest its own column (one row per player)",
        ))
    }
}

//! Reads the rows of a Parquet file into a grid.

use std::collections::HashSet;

use parquet::basic::LogicalType;
use parquet::file::metadata::ParquetMetaData;

use super::batches::ParquetFile;
use super::cells::{WriteCell, cell_writer, may_be_bytes, uuid_writer};
use super::columns::{BatchColumn, ColumnChoice, flatten};
use crate::document::{FileReadError, Location};
use crate::grid::{CellGrid, MAX_COLUMNS, Records};
use crate::headings::{FieldRole, Headings};
use crate::limits::ReadLimits;
use crate::text::too_many_columns;
use ranklore_contest::{Quoted, quote_for_shell, shorten};

/// Reads a Parquet file as a table.
///
/// # Errors
/// [`FileReadError`] if the file is broken, encrypted, or exceeds the limits.
pub fn read_parquet(
    bytes: Vec<u8>,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    ParquetFile::open_with(bytes, |file| read_rows(&file, headings, limits))
}

fn read_rows(
    file: &ParquetFile,
    headings: &dyn Headings,
    limits: ReadLimits,
) -> Result<CellGrid, FileReadError> {
    let columns = ColumnChoice::new(&file.fields);
    if columns.headings.len() > MAX_COLUMNS {
        return Err(FileReadError::whole_document(too_many_columns(0).why));
    }
    let mut unique = HashSet::new();
    if let Some(repeated) = columns.headings.iter().find(|heading| !unique.insert(*heading)) {
        let quoted = Quoted(&shorten(repeated));
        return Err(FileReadError::whole_document(format!(
            "two columns are called {quoted}: give them different names"
        )));
    }
    check_size(&file.metadata, columns.headings.len(), limits)?;
    let schema = file.metadata.file_metadata().schema_descr();
    let mut grid = CellGrid::new(limits);
    grid.records = Some(Records::Rows);
    let error = FileReadError::whole_document;
    grid.begin_row(0).map_err(error)?;
    for heading in &columns.headings {
        grid.push_cell(heading).map_err(error)?;
    }
    let leaves = columns.leaves.iter().map(|&leaf| schema.column(leaf));
    let kinds = columns.headings.iter().zip(leaves).map(|(path, leaf)| {
        let role = headings.field_role(path);
        ColumnKind {
            is_unread: role == Some(FieldRole::Ignored),
            role,
            are_uuids: leaf.max_rep_level() == 0
                && leaf.logical_type_ref() == Some(&LogicalType::Uuid),
        }
    });
    let mut rows = RowWriter {
        grid,
        headings: &columns.headings,
        kinds: kinds.collect(),
        unread_bytes: Vec::new(),
        row: 0,
        cell: String::new(),
    };
    file.read_batches(&columns.leaves, limits, |batch| {
        rows.write(&flatten(batch), batch.num_rows())
    })?;
    Ok(rows.finish(&columns.unread))
}

/// Errors if the file claims too many rows or cells.
fn check_size(
    metadata: &ParquetMetaData,
    columns: usize,
    limits: ReadLimits,
) -> Result<(), FileReadError> {
    let mut rows: u64 = 0;
    for group in metadata.row_groups() {
        let group_rows = u64::try_from(group.num_rows()).unwrap_or(u64::MAX);
        rows = rows.saturating_add(group_rows);
    }
    let (limit, unit) = if rows > limits.results as u64 {
        (limits.results, "rows")
    } else if rows.saturating_mul(columns as u64) > limits.cells as u64 {
        (limits.cells, "cells")
    } else {
        return Ok(());
    };
    Err(FileReadError::whole_document(format!(
        "the table has more than {limit} {unit}: split it into several files"
    )))
}

/// A column of a file.
struct ColumnKind {
    /// True if the user excludes it, or if it has no meaning and values that are not texts.
    is_unread: bool,
    role: Option<FieldRole>,
    are_uuids: bool,
}

/// Writes the rows of batches into a grid.
struct RowWriter<'h> {
    grid: CellGrid,
    headings: &'h [String],
    kinds: Vec<ColumnKind>,
    /// The columns without a meaning that have values which are not texts.
    unread_bytes: Vec<String>,
    row: u64,
    cell: String,
}

impl RowWriter<'_> {
    fn write(&mut self, columns: &[BatchColumn], rows: usize) -> Result<(), FileReadError> {
        let writers: Vec<WriteCell<'_>> = columns
            .iter()
            .zip(&self.kinds)
            .map(|(column, kind)| {
                if kind.are_uuids {
                    uuid_writer(&column.values)
                } else {
                    cell_writer(&column.values, kind.role.is_some_and(FieldRole::names_people))
                }
            })
            .collect();
        for row in 0..rows {
            self.row += 1;
            let number = self.row;
            let full = |reason| FileReadError::new(Location::Cell(format!("row {number}")), reason);
            self.grid.begin_row(number).map_err(full)?;
            for (index, (column, write)) in columns.iter().zip(&writers).enumerate() {
                self.cell.clear();
                let kind = &mut self.kinds[index];
                if !kind.is_unread && !column.is_null(row) {
                    let mut written = write(row, &mut self.cell);
                    if written.is_err() && may_be_bytes(&column.values) {
                        self.cell.clear();
                        let heading = &self.headings[index];
                        if kind.role.is_some() {
                            let ignore = quote_for_shell(&format!("{}=ignore", shorten(heading)));
                            written = written.map_err(|reason| {
                                format!("{reason}: exclude the column with --column {ignore}")
                            });
                        } else {
                            kind.is_unread = true;
                            self.unread_bytes.push(heading.clone());
                            written = Ok(());
                        }
                    }
                    written.and_then(|()| self.grid.check_length(&self.cell, "a text")).map_err(
                        |reason| {
                            let last_row = self.grid.row_count() - 1;
                            FileReadError::new(self.grid.location(last_row, index), reason)
                        },
                    )?;
                }
                self.grid.push_cell(&self.cell).map_err(full)?;
            }
            self.grid.drop_blank_row();
        }
        Ok(())
    }

    fn finish(mut self, unread: &[String]) -> CellGrid {
        for (description, paths) in [
            ("arrays of objects and maps are not read", unread),
            ("values that are neither text nor number are not read", &self.unread_bytes),
        ] {
            self.grid.note_unread(description, paths.iter().map(String::as_str));
        }
        self.grid
    }
}

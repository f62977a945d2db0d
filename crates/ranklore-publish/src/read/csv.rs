//! Reader of untrusted CSV files.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use ::csv::{Reader, ReaderBuilder, StringRecord};

use super::{RowBatches, collect_batches, invalid_value, wrong_columns};
use crate::batch::{RowBatch, Value};
use crate::dictionary::{ColumnKind, ColumnSpec, TableId};
use crate::error::Error;
use crate::text::{parse_value, unescape_formula};

/// Maximum bytes of a row, not counting the read-ahead buffer.
const MAX_ROW_BYTES: usize = 16 << 20;

/// A file reader with a byte budget per row.
struct BoundedFile {
    file: File,
    left: usize,
}

impl Read for BoundedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is longer than 16 MiB"));
        }
        let room = buffer.len().min(self.left);
        let length = self.file.read(&mut buffer[..room])?;
        self.left -= length;
        Ok(length)
    }
}

/// The rows of a file.
struct CsvRows {
    path: PathBuf,
    columns: &'static [ColumnSpec],
    reader: Reader<BoundedFile>,
    record: StringRecord,
    formulas_escaped: bool,
    row: u64,
}

pub(super) fn open(
    path: PathBuf,
    table: TableId,
    columns: &'static [ColumnSpec],
    formulas_escaped: bool,
) -> Result<RowBatches, Error> {
    let file = File::open(&path).map_err(Error::from_io(&path))?;
    let mut reader = ReaderBuilder::new().buffer_capacity(1 << 18).from_reader(BoundedFile {
        file,
        left: MAX_ROW_BYTES,
    });
    let headings = reader
        .headers()
        .map_err(|error| Error::invalid(path.display(), error.to_string()))?;
    if !headings.iter().eq(columns.iter().map(|column| column.name)) {
        return Err(wrong_columns(&path, table));
    }
    let mut rows = CsvRows {
        path,
        columns,
        reader,
        record: StringRecord::new(),
        formulas_escaped,
        row: 0,
    };
    Ok(collect_batches(table, move |batch| rows.read_row(batch)))
}

impl CsvRows {
    fn read_row(&mut self, batch: &mut RowBatch) -> Result<bool, Error> {
        self.row += 1;
        self.reader.get_mut().left = MAX_ROW_BYTES;
        let has_row = self.reader.read_record(&mut self.record).map_err(|error| {
            let place = format!("{}, row {}", self.path.display(), self.row);
            Error::invalid(place, error.to_string())
        })?;
        if has_row {
            let columns = self.columns.iter();
            for ((column, cell), values) in columns.zip(&self.record).zip(&mut batch.columns) {
                let value = parse_cell(cell, column, self.formulas_escaped)
                    .map_err(|reason| invalid_value(&self.path, self.row, column.name, reason))?;
                values.push(value);
            }
            batch.rows += 1;
        }
        Ok(has_row)
    }
}

fn parse_cell<'c>(
    cell: &'c str,
    column: &ColumnSpec,
    has_escapes: bool,
) -> Result<Value<'c>, String> {
    if cell.is_empty() && column.nullable {
        return Ok(Value::Missing);
    }
    if cell.is_empty() && column.kind != ColumnKind::Text {
        return Err("a value is missing".to_owned());
    }
    let cell = match column.kind {
        ColumnKind::Text if has_escapes => unescape_formula(cell).ok_or_else(|| {
            "it begins like a formula, but formulas must be escaped in this file".to_owned()
        })?,
        _ => cell,
    };
    parse_value(cell, column.kind).ok_or_else(|| format!("{cell:?} is no {}", column.kind.as_str()))
}

//! Reader of untrusted CSV files.

use std::fs::File;
use std::io::{self, Read};

use ::csv::{ReaderBuilder, StringRecord};

use super::FileRows;
use crate::batch::Value;
use crate::dictionary::{ColumnKind, ColumnSpec};
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

pub(super) fn read(mut rows: FileRows<'_>) -> Result<(), Error> {
    let source = rows.file;
    let file = source.open()?;
    let mut reader = ReaderBuilder::new().buffer_capacity(1 << 18).from_reader(BoundedFile {
        file,
        left: MAX_ROW_BYTES,
    });
    let headings = reader.headers().map_err(|error| source.invalid(error.to_string()))?;
    source.require_columns(headings.iter().eq(rows.columns.iter().map(|c| c.name)))?;
    let mut record = StringRecord::new();
    loop {
        reader.get_mut().left = MAX_ROW_BYTES;
        let has_row = reader
            .read_record(&mut record)
            .map_err(|error| rows.invalid_next_row(error.to_string()))?;
        if !has_row {
            return rows.emit_batch();
        }
        // All records are as long as the headings.
        rows.push(|index, column| {
            let cell = record.get(index).unwrap_or_default();
            parse_cell(cell, column, source.has_escapes)
        })?;
    }
}

fn parse_cell<'c>(
    cell: &'c str,
    column: &ColumnSpec,
    has_escapes: bool,
) -> Result<Value<'c>, String> {
    if cell.is_empty() && (column.nullable || column.kind != ColumnKind::Text) {
        return Ok(Value::Missing);
    }
    let cell = match column.kind {
        ColumnKind::Text if has_escapes => unescape_formula(cell).ok_or_else(|| {
            "it begins like a formula, but formulas must be escaped in this file".to_owned()
        })?,
        _ => cell,
    };
    parse_value(cell, column.kind).ok_or_else(|| format!("{cell:?} is no {}", column.kind.as_str()))
}

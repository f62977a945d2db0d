//! Reader of untrusted CSV files.

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;

use ::csv::{Reader, ReaderBuilder, StringRecord};

use super::{Batches, batches, wrong};
use crate::batch::{Batch, Value};
use crate::dictionary::{Column, Kind, TableId};
use crate::error::Error;
use crate::text::{fused, read_value};

/// Maximum bytes of a row, not counting the read-ahead buffer.
const LONGEST_ROW: usize = 16 << 20;

/// A file reader with a byte budget per row.
struct Bounded {
    file: File,
    left: usize,
}

impl Read for Bounded {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("the row is longer than 16 MiB"));
        }
        let room = into.len().min(self.left);
        let read = self.file.read(&mut into[..room])?;
        self.left -= read;
        Ok(read)
    }
}

/// The rows of a file.
struct Rows {
    path: PathBuf,
    table: TableId,
    reader: Reader<Bounded>,
    record: StringRecord,
    defused: bool,
    row: u64,
}

pub(super) fn open(path: PathBuf, table: TableId, defused: bool) -> Result<Batches, Error> {
    let file = File::open(&path).map_err(Error::io(&path))?;
    let mut reader = ReaderBuilder::new()
        .buffer_capacity(1 << 18)
        .from_reader(Bounded {
            file,
            left: LONGEST_ROW,
        });
    let invalid = |reason: String| Error::Invalid {
        place: path.display().to_string(),
        reason,
    };
    let headings = reader
        .headers()
        .map_err(|error| invalid(error.to_string()))?;
    if !headings
        .iter()
        .eq(table.table().columns.iter().map(|of| of.name))
    {
        let reason = format!("its columns are not those of the table {}", table.name());
        return Err(invalid(reason));
    }
    let mut rows = Rows {
        path,
        table,
        reader,
        record: StringRecord::new(),
        defused,
        row: 0,
    };
    Ok(Box::new(batches(table, move |batch| rows.take(batch))))
}

impl Rows {
    fn take(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        self.row += 1;
        self.reader.get_mut().left = LONGEST_ROW;
        let read = self.reader.read_record(&mut self.record);
        let more = read.map_err(|error| Error::Invalid {
            place: format!("{}, row {}", self.path.display(), self.row),
            reason: error.to_string(),
        })?;
        if more {
            let columns = self.table.table().columns.iter();
            for ((column, cell), values) in columns.zip(&self.record).zip(&mut batch.columns) {
                let value = value_of(cell, column, self.defused)
                    .map_err(|reason| wrong(&self.path, self.row, column.name, reason))?;
                values.push(value);
            }
            batch.rows += 1;
        }
        Ok(more)
    }
}

fn value_of<'c>(cell: &'c str, column: &Column, defused: bool) -> Result<Value<'c>, String> {
    if cell.is_empty() && (column.nullable || column.kind != Kind::Text) {
        return if column.nullable {
            Ok(Value::Missing)
        } else {
            Err("a value is missing".to_owned())
        };
    }
    let cell = match column.kind {
        Kind::Text if defused => fused(cell).ok_or_else(|| {
            "it begins like a formula, but formulas must be escaped in this file".to_owned()
        })?,
        _ => cell,
    };
    read_value(cell, column.kind).ok_or_else(|| format!("{cell:?} is no {}", column.kind.as_str()))
}

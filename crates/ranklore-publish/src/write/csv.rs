//! CSV (RFC 4180, UTF-8): a line of column names, then a line per row.

use std::fs::File;
use std::io;

use ::csv::{IntoInnerError, Terminator, Writer, WriterBuilder};

use super::RowEncoder;
use crate::batch::{RowBatch, Value};
use crate::dictionary::TableId;
use crate::text::{escape_formula, format_value};

pub(super) struct CsvEncoder {
    writer: Writer<File>,
    escape_formulas: bool,
    cell: String,
}

impl CsvEncoder {
    /// Writes the column names. `escape_formulas` prefixes texts that spreadsheets take for formulas
    /// with an apostrophe.
    pub(super) fn create(
        file: File,
        table: TableId,
        escape_formulas: bool,
    ) -> io::Result<Box<dyn RowEncoder>> {
        let mut writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .buffer_capacity(1 << 18)
            .from_writer(file);
        writer.write_record(table.spec().columns.iter().map(|column| column.name))?;
        Ok(Box::new(Self {
            writer,
            escape_formulas,
            cell: String::new(),
        }))
    }
}

impl RowEncoder for CsvEncoder {
    fn write(&mut self, batch: &RowBatch) -> io::Result<()> {
        for row in 0..batch.rows {
            for values in &batch.columns {
                let cell = match values.get(row) {
                    Value::Text(text) if self.escape_formulas => &*escape_formula(text),
                    Value::Text(text) => text,
                    value => {
                        self.cell.clear();
                        format_value(&mut self.cell, value);
                        &self.cell
                    }
                };
                self.writer.write_field(cell)?;
            }
            self.writer.write_record(None::<&[u8]>)?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        self.writer.into_inner().map_err(IntoInnerError::into_error)
    }
}

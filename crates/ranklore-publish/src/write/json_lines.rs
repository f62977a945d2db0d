//! JSON Lines: one object per row, with all columns in order.

use std::fs::File;
use std::io::{self, BufWriter, IntoInnerError, Write};

use super::RowEncoder;
use crate::batch::{RowBatch, Value};
use crate::text::format_value;

pub(super) struct JsonLinesEncoder {
    writer: BufWriter<File>,
    line: String,
}

impl JsonLinesEncoder {
    pub(super) fn create(file: File) -> Box<dyn RowEncoder> {
        Box::new(Self {
            writer: BufWriter::with_capacity(1 << 18, file),
            line: String::new(),
        })
    }
}

impl RowEncoder for JsonLinesEncoder {
    fn write(&mut self, batch: &RowBatch) -> io::Result<()> {
        let columns = batch.table.spec().columns;
        for row in 0..batch.rows {
            self.line.clear();
            for (index, (column, values)) in columns.iter().zip(&batch.columns).enumerate() {
                self.line.push_str(if index == 0 { "{\"" } else { ",\"" });
                self.line.push_str(column.name);
                self.line.push_str("\":");
                match values.get(row) {
                    Value::Missing => self.line.push_str("null"),
                    // Strings always serialize.
                    Value::Text(text) => {
                        self.line.push_str(&serde_json::to_string(text).unwrap_or_default());
                    }
                    value @ Value::Time(_) => {
                        self.line.push('"');
                        format_value(&mut self.line, value);
                        self.line.push('"');
                    }
                    value => format_value(&mut self.line, value),
                }
            }
            self.line.push_str("}\n");
            self.writer.write_all(self.line.as_bytes())?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<File> {
        self.writer.into_inner().map_err(IntoInnerError::into_error)
    }
}

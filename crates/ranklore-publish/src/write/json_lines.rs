//! Writer of JSON Lines: one object per row, with all columns in order.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{TableWriter, Written, create_each, end_each};
use crate::batch::{Batch, Value};
use crate::describe::Format;
use crate::error::Error;
use crate::scan::piece::Part;
use crate::text::write_value;

/// Writes `jsonl/TABLE.jsonl`.
pub(crate) struct JsonLinesWriter {
    tables: Vec<(PathBuf, BufWriter<File>)>,
    line: String,
}

impl JsonLinesWriter {
    /// Creates a writer below the folder `root`.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let tables = create_each(root, Format::JsonLines)?.into_iter();
        let tables = tables
            .map(|(path, file)| (path, BufWriter::with_capacity(1 << 18, file)))
            .collect();
        Ok(Self {
            tables,
            line: String::new(),
        })
    }
}

impl TableWriter for JsonLinesWriter {
    fn write(&mut self, _: &Part, batch: &Batch) -> Result<(), Error> {
        let (path, writer) = &mut self.tables[batch.table.index()];
        let columns = batch.table.table().columns;
        for row in 0..batch.rows {
            self.line.clear();
            for (index, (column, values)) in columns.iter().zip(&batch.columns).enumerate() {
                self.line.push_str(if index == 0 { "{\"" } else { ",\"" });
                self.line.push_str(column.name);
                self.line.push_str("\":");
                match values.get(row) {
                    Value::Missing => self.line.push_str("null"),
                    Value::Text(text) => push_quoted(&mut self.line, text),
                    value @ Value::Time(_) => {
                        self.line.push('"');
                        write_value(&mut self.line, value);
                        self.line.push('"');
                    }
                    value => write_value(&mut self.line, value),
                }
            }
            self.line.push_str("}\n");
            writer
                .write_all(self.line.as_bytes())
                .map_err(Error::io(path))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error> {
        let ended = self.tables.into_iter().map(|(path, writer)| {
            let file = writer.into_inner();
            (path, file.map_err(std::io::IntoInnerError::into_error))
        });
        end_each(Format::JsonLines, ended)
    }
}

fn push_quoted(line: &mut String, text: &str) {
    // Strings always serialize.
    line.push_str(&serde_json::to_string(text).unwrap_or_default());
}

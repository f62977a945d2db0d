//! Writer of JSON Lines: one object per row, with all columns in order.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{TableWriter, WrittenFile, create_table_files, sync_table_files};
use crate::batch::{RowBatch, Value};
use crate::describe::DatasetFormat;
use crate::error::Error;
use crate::scan::items::Partition;
use crate::text::format_value;

/// Writes `jsonl/TABLE.jsonl`.
pub(crate) struct JsonLinesWriter {
    tables: Vec<(PathBuf, BufWriter<File>)>,
    line: String,
}

impl JsonLinesWriter {
    /// Creates a writer below the folder `root`.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let files = create_table_files(root, DatasetFormat::JsonLines)?.into_iter();
        Ok(Self {
            tables: files
                .map(|(path, file)| (path, BufWriter::with_capacity(1 << 18, file)))
                .collect(),
            line: String::new(),
        })
    }
}

impl TableWriter for JsonLinesWriter {
    fn write(&mut self, _: &Partition, batch: &RowBatch) -> Result<(), Error> {
        let (path, writer) = &mut self.tables[batch.table.index()];
        let columns = batch.table.spec().columns;
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
                        format_value(&mut self.line, value);
                        self.line.push('"');
                    }
                    value => format_value(&mut self.line, value),
                }
            }
            self.line.push_str("}\n");
            writer.write_all(self.line.as_bytes()).map_err(Error::from_io(path))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        let files = self.tables.into_iter().map(|(path, writer)| {
            let file = writer.into_inner();
            (path, file.map_err(std::io::IntoInnerError::into_error))
        });
        sync_table_files(DatasetFormat::JsonLines, files)
    }
}

fn push_quoted(line: &mut String, text: &str) {
    // Strings always serialize.
    line.push_str(&serde_json::to_string(text).unwrap_or_default());
}

//! JSON Lines: one object a row, with all columns in their order.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{TableWriter, Written, place};
use crate::Error;
use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::gather::Part;
use crate::text::write_value;

/// Writes `jsonl/TABLE.jsonl`.
pub(crate) struct JsonLinesWriter {
    tables: Vec<(PathBuf, BufWriter<File>)>,
    line: String,
}

impl JsonLinesWriter {
    /// Below the folder `root`.
    pub(crate) fn new(root: &Path) -> Result<Self, Error> {
        let mut tables = Vec::new();
        for table in TableId::ALL {
            let path = place(root, &path_of(table))?;
            let file = File::create_new(&path).map_err(Error::io(&path))?;
            tables.push((path, BufWriter::with_capacity(1 << 18, file)));
        }
        Ok(Self {
            tables,
            line: String::new(),
        })
    }
}

fn path_of(table: TableId) -> String {
    format!("jsonl/{}.jsonl", table.name())
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
        let mut written = Vec::new();
        for (table, (path, writer)) in TableId::ALL.into_iter().zip(self.tables) {
            let file = writer
                .into_inner()
                .map_err(std::io::IntoInnerError::into_error);
            let file = file.map_err(Error::io(&path))?;
            file.sync_all().map_err(Error::io(&path))?;
            written.push(Written {
                table: Some(table),
                path: path_of(table),
            });
        }
        Ok(written)
    }
}

fn push_quoted(line: &mut String, text: &str) {
    // A text always has a JSON form.
    line.push_str(&serde_json::to_string(text).unwrap_or_default());
}

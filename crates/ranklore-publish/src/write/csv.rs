//! CSV after RFC 4180, in UTF-8: one file a table.

use std::fs::File;
use std::path::{Path, PathBuf};

use ::csv::{Terminator, Writer, WriterBuilder};

use super::{TableWriter, Written, place};
use crate::Error;
use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::gather::Part;
use crate::text::{defused, write_value};

/// Writes `csv/TABLE.csv`.
pub(crate) struct CsvWriter {
    tables: Vec<(PathBuf, Writer<File>)>,
    defuse: bool,
    cell: String,
}

impl CsvWriter {
    /// Below the folder `root`; `defuse` puts an apostrophe before texts that spreadsheets take for
    /// formulas.
    pub(crate) fn new(root: &Path, defuse: bool) -> Result<Self, Error> {
        let mut tables = Vec::new();
        for table in TableId::ALL {
            let path = place(root, &path_of(table))?;
            let file = File::create_new(&path).map_err(Error::io(&path))?;
            let mut writer = WriterBuilder::new()
                .terminator(Terminator::CRLF)
                .buffer_capacity(1 << 18)
                .from_writer(file);
            let headings = table.table().columns.iter().map(|column| column.name);
            writer.write_record(headings).map_err(failed(&path))?;
            tables.push((path, writer));
        }
        Ok(Self {
            tables,
            defuse,
            cell: String::new(),
        })
    }
}

fn path_of(table: TableId) -> String {
    format!("csv/{}.csv", table.name())
}

impl TableWriter for CsvWriter {
    fn write(&mut self, _: &Part, batch: &Batch) -> Result<(), Error> {
        let (path, writer) = &mut self.tables[batch.table.index()];
        for row in 0..batch.rows {
            for values in &batch.columns {
                let cell = match values.get(row) {
                    Value::Text(text) if self.defuse => &*defused(text),
                    Value::Text(text) => text,
                    value => {
                        self.cell.clear();
                        write_value(&mut self.cell, value);
                        &self.cell
                    }
                };
                writer.write_field(cell).map_err(failed(path))?;
            }
            writer.write_record(None::<&[u8]>).map_err(failed(path))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error> {
        let mut written = Vec::new();
        for (table, (path, writer)) in TableId::ALL.into_iter().zip(self.tables) {
            let file = writer
                .into_inner()
                .map_err(::csv::IntoInnerError::into_error);
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

fn failed(path: &Path) -> impl FnOnce(::csv::Error) -> Error + '_ {
    move |error| Error::io(path)(error.into())
}

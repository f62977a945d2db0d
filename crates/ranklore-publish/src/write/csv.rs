//! Writer of CSV (RFC 4180, UTF-8): one file per table.

use std::fs::File;
use std::path::{Path, PathBuf};

use ::csv::{Terminator, Writer, WriterBuilder};

use super::{TableWriter, WrittenFile, create_table_files, sync_table_files};
use crate::batch::{RowBatch, Value};
use crate::describe::DatasetFormat;
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::Partition;
use crate::text::{escape_formula, format_value};

/// Writes `csv/TABLE.csv`.
pub(crate) struct CsvWriter {
    tables: Vec<(PathBuf, Writer<File>)>,
    escape_formulas: bool,
    cell: String,
}

impl CsvWriter {
    /// Creates a writer below the folder `root`; `escape_formulas` prefixes texts that spreadsheets take for
    /// formulas with an apostrophe.
    pub(crate) fn new(root: &Path, escape_formulas: bool) -> Result<Self, Error> {
        let mut tables = Vec::new();
        let files = create_table_files(root, DatasetFormat::Csv)?;
        for (table, (path, file)) in TableId::ALL.into_iter().zip(files) {
            let mut writer = WriterBuilder::new()
                .terminator(Terminator::CRLF)
                .buffer_capacity(1 << 18)
                .from_writer(file);
            let headings = table.spec().columns.iter().map(|column| column.name);
            writer.write_record(headings).map_err(csv_error(&path))?;
            tables.push((path, writer));
        }
        Ok(Self {
            tables,
            escape_formulas,
            cell: String::new(),
        })
    }
}

impl TableWriter for CsvWriter {
    fn write(&mut self, _: &Partition, batch: &RowBatch) -> Result<(), Error> {
        let (path, writer) = &mut self.tables[batch.table.index()];
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
                writer.write_field(cell).map_err(csv_error(path))?;
            }
            writer.write_record(None::<&[u8]>).map_err(csv_error(path))?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error> {
        let files = self.tables.into_iter().map(|(path, writer)| {
            let file = writer.into_inner();
            (path, file.map_err(::csv::IntoInnerError::into_error))
        });
        sync_table_files(DatasetFormat::Csv, files)
    }
}

fn csv_error(path: &Path) -> impl FnOnce(::csv::Error) -> Error + '_ {
    move |error| Error::from_io(path)(error.into())
}

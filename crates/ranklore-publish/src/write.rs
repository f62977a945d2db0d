//! Writers of tables, one per format.

mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::Batch;
use crate::describe::Format;
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::piece::Part;

pub(crate) use contest_files::ContestFileWriter;
pub(crate) use csv::CsvWriter;
pub(crate) use json_lines::JsonLinesWriter;
pub(crate) use parquet::ParquetWriter;
pub(crate) use sqlite::SqliteWriter;

/// Writes the tables of a dataset in one format, below a folder of its own.
pub(crate) trait TableWriter: Send {
    /// Appends rows to a table and partition.
    fn write(&mut self, part: &Part, batch: &Batch) -> Result<(), Error>;

    /// Writes a contest file of a source; ignored by all formats but one.
    fn write_file(&mut self, source: &str, json: &str) -> Result<(), Error> {
        let _ = (source, json);
        Ok(())
    }

    /// Closes all files and lists them.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error>;
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Written {
    /// The table that the file holds; `None` if it holds rows of several.
    pub(crate) table: Option<TableId>,
    /// The path relative to the dataset folder, with slashes.
    pub(crate) path: String,
}

/// Creates a file per table: `FORMAT/TABLE.FORMAT`.
fn create_each(root: &Path, form: Format) -> Result<Vec<(PathBuf, File)>, Error> {
    (TableId::ALL.into_iter())
        .map(|table| {
            let path = place(root, &path_of(form, table))?;
            let file = File::create_new(&path).map_err(Error::io(&path))?;
            Ok((path, file))
        })
        .collect()
}

/// Syncs the files of [`create_table_files`]; each comes with the result of its last write.
fn end_each(
    form: Format,
    files: impl Iterator<Item = (PathBuf, io::Result<File>)>,
) -> Result<Vec<Written>, Error> {
    (TableId::ALL.into_iter().zip(files))
        .map(|(table, (path, file))| {
            let synced = file.and_then(|file| file.sync_all());
            synced.map_err(Error::io(&path))?;
            Ok(Written {
                table: Some(table),
                path: path_of(form, table),
            })
        })
        .collect()
}

fn path_of(form: Format, table: TableId) -> String {
    let form = form.as_str();
    format!("{form}/{}.{form}", table.name())
}

/// Returns the full path of a file and creates its parent folders.
fn place(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let full = root.join(path);
    if let Some(folder) = full.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    Ok(full)
}

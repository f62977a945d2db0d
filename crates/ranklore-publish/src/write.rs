//! Writers of tables, one per format.

mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;
mod table_files;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::batch::RowBatch;
use crate::describe::DatasetFormat;
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::Partition;
use contest_files::ContestFileWriter;
use sqlite::SqliteWriter;
use table_files::TableFilesWriter;

/// Writes the tables of a dataset in one format, below a folder of its own.
pub(crate) trait TableWriter: Send {
    /// Appends rows to a table and partition.
    fn write(&mut self, part: &Partition, batch: &RowBatch) -> Result<(), Error>;

    /// Writes a contest file of a source; ignored by all formats but one.
    fn write_file(&mut self, source: &str, json: &str) -> Result<(), Error> {
        let _ = (source, json);
        Ok(())
    }

    /// Closes all files and lists them.
    fn finish(self: Box<Self>) -> Result<Vec<WrittenFile>, Error>;
}

/// Encodes rows into a file.
trait RowEncoder: Send {
    /// Appends rows.
    fn write(&mut self, batch: &RowBatch) -> io::Result<()>;

    /// Writes what is buffered and returns the file.
    fn finish(self: Box<Self>) -> io::Result<File>;
}

/// Options of the writers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct WriteOptions {
    /// True to partition Parquet by source and year.
    pub(crate) partitioned: bool,
    /// True to prefix CSV texts that spreadsheets take for formulas with an apostrophe.
    pub(crate) escape_formulas: bool,
}

/// Creates the writer of a format below the folder `root`.
pub(crate) fn create_writer(
    format: DatasetFormat,
    options: WriteOptions,
    root: &Path,
) -> Result<Box<dyn TableWriter>, Error> {
    Ok(match format {
        DatasetFormat::Sqlite => Box::new(SqliteWriter::new(root)?),
        DatasetFormat::EloMmr => Box::new(ContestFileWriter::new(root)),
        _ => Box::new(TableFilesWriter::new(format, options, root)),
    })
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WrittenFile {
    /// The table that the file holds; `None` if it holds rows of several.
    pub(crate) table: Option<TableId>,
    /// The path relative to the dataset folder, with slashes.
    pub(crate) path: String,
}

/// Returns the path of a table's file, relative to the dataset folder.
pub(crate) fn table_path(format: DatasetFormat, table: TableId) -> String {
    let extension = format.as_str();
    format!("{extension}/{}.{extension}", table.name())
}

/// Returns the full path of a file and creates its parent folders.
fn create_parent_folders(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let full = root.join(path);
    if let Some(folder) = full.parent() {
        std::fs::create_dir_all(folder).map_err(Error::from_io(folder))?;
    }
    Ok(full)
}

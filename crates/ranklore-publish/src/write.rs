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

use crate::batch::RowBatch;
use crate::describe::DatasetFormat;
use crate::dictionary::TableId;
use crate::error::Error;
use crate::scan::items::Partition;

pub(crate) use contest_files::ContestFileWriter;
pub(crate) use csv::CsvWriter;
pub(crate) use json_lines::JsonLinesWriter;
pub(crate) use parquet::ParquetWriter;
pub(crate) use sqlite::SqliteWriter;

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

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct WrittenFile {
    /// The table that the file holds; `None` if it holds rows of several.
    pub(crate) table: Option<TableId>,
    /// The path relative to the dataset folder, with slashes.
    pub(crate) path: String,
}

/// Creates a file per table: `FORMAT/TABLE.FORMAT`.
fn create_table_files(root: &Path, format: DatasetFormat) -> Result<Vec<(PathBuf, File)>, Error> {
    let mut files = Vec::new();
    for table in TableId::ALL {
        let path = create_parent_folders(root, &table_path(format, table))?;
        let file = File::create_new(&path).map_err(Error::from_io(&path))?;
        files.push((path, file));
    }
    Ok(files)
}

/// Syncs the files of [`create_table_files`]; each comes with the result of its last write.
fn sync_table_files(
    format: DatasetFormat,
    files: impl Iterator<Item = (PathBuf, io::Result<File>)>,
) -> Result<Vec<WrittenFile>, Error> {
    let mut written = Vec::new();
    for (table, (path, file)) in TableId::ALL.into_iter().zip(files) {
        let result = file.and_then(|file| file.sync_all());
        result.map_err(Error::from_io(&path))?;
        written.push(WrittenFile {
            table: Some(table),
            path: table_path(format, table),
        });
    }
    Ok(written)
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

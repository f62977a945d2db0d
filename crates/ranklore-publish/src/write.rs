//! The forms in which a dataset holds its tables.

mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::Error;
use crate::batch::Batch;
use crate::dictionary::TableId;
use crate::gather::Part;

pub(crate) use contest_files::ContestFileWriter;
pub(crate) use csv::CsvWriter;
pub(crate) use json_lines::JsonLinesWriter;
pub(crate) use parquet::ParquetWriter;
pub(crate) use sqlite::SqliteWriter;

/// Writes the tables of a dataset in one form, below a folder of its own.
pub(crate) trait TableWriter: Send {
    /// Writes rows that follow on those of the same table and part that came before.
    fn write(&mut self, part: &Part, batch: &Batch) -> Result<(), Error>;

    /// Writes a contest file of a source, in the form that has these.
    fn write_file(&mut self, source: &str, json: &str) -> Result<(), Error> {
        let _ = (source, json);
        Ok(())
    }

    /// Ends all files, and says which there are.
    fn finish(self: Box<Self>) -> Result<Vec<Written>, Error>;
}

/// A file of a dataset.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Written {
    /// The table whose rows it holds; none for a file that holds rows of several.
    pub(crate) table: Option<TableId>,
    /// Its path below the folder of the dataset, with slashes.
    pub(crate) path: String,
}

/// Where a file goes whose path below the folder of the dataset is this one; the folders that it
/// is in are made.
fn place(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let full = root.join(path);
    if let Some(folder) = full.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    Ok(full)
}

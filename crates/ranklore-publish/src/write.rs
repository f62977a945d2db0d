//! The forms in which a dataset holds its tables.

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

/// A file for each table in a form that has one: `FORM/TABLE.FORM`.
fn create_each(root: &Path, form: Format) -> Result<Vec<(PathBuf, File)>, Error> {
    (TableId::ALL.into_iter())
        .map(|table| {
            let path = place(root, &path_of(form, table))?;
            let file = File::create_new(&path).map_err(Error::io(&path))?;
            Ok((path, file))
        })
        .collect()
}

/// Brings the files that [`create_each`] made to the disk; each is what came of writing its rest.
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

/// Where a file goes whose path below the folder of the dataset is this one; the folders that it
/// is in are made.
fn place(root: &Path, path: &str) -> Result<PathBuf, Error> {
    let full = root.join(path);
    if let Some(folder) = full.parent() {
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
    }
    Ok(full)
}

//! Reading of dataset tables in any format. All input is untrusted: an invalid value is an error
//! that names file and row.

pub(crate) mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::batch::{RowBatch, Value};
use crate::describe::{DatasetFormat, Manifest};
use crate::dictionary::TableId;
use crate::digest::{Digest, TableHasher};
use crate::error::Error;

pub(crate) use parquet::arrow_type;

/// The rows of a table in order, in batches.
pub(crate) type RowBatches = Box<dyn Iterator<Item = Result<RowBatch, Error>> + Send>;

/// The tables of a dataset in one format.
#[derive(Clone, Copy)]
pub(crate) struct DatasetTables<'d> {
    pub(crate) folder: &'d Path,
    pub(crate) manifest: &'d Manifest,
    pub(crate) format: DatasetFormat,
}

impl<'d> DatasetTables<'d> {
    /// Returns the tables in the preferred format.
    pub(crate) fn preferred(folder: &'d Path, manifest: &'d Manifest) -> Self {
        Self {
            folder,
            manifest,
            format: manifest.formats()[0],
        }
    }

    /// Opens a table at its first row.
    pub(crate) fn open(self, table: TableId) -> Result<RowCursor, Error> {
        let mut cursor = RowCursor {
            table,
            ahead: spawn_reader(table, open_table(self, table)?),
            batch: None,
            row: 0,
            rows_before: 0,
            totals: None,
        };
        cursor.fetch_batch()?;
        Ok(cursor)
    }
}

fn open_table(tables: DatasetTables<'_>, table: TableId) -> Result<RowBatches, Error> {
    let manifest = tables.manifest;
    let format = tables.format;
    if format == DatasetFormat::EloMmr {
        // Contest files hold no ratings.
        return Ok(if TableId::RESULTS.contains(&table) {
            contest_files::read_rows(tables.folder, manifest, table)
        } else {
            Box::new(std::iter::empty())
        });
    }
    let files = manifest.files.iter();
    let mut paths: Vec<PathBuf> = files
        .filter(|file| {
            file.format == format && file.table.is_none_or(|file_table| file_table == table)
        })
        .map(|file| tables.folder.join(&file.path))
        .collect();
    // Sorted by folder and name: partitions are ordered by source and year.
    paths.sort();
    if paths.is_empty() {
        let reason = format!("it has no table {} as {}", table.name(), format.as_str());
        return Err(Error::invalid(tables.folder.display(), reason));
    }
    let has_escapes = manifest.formulas_escaped;
    let version = manifest.format_version;
    Ok(Box::new(paths.into_iter().flat_map(move |path| {
        open_file(path, table, format, has_escapes, version)
            .unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
    })))
}

/// Opens a file of a table of a format version. `has_escapes` is true if formulas in texts of CSV
/// have an apostrophe.
pub(crate) fn open_file(
    path: PathBuf,
    table: TableId,
    format: DatasetFormat,
    has_escapes: bool,
    version: u32,
) -> Result<RowBatches, Error> {
    let columns = table.spec().columns_in(version);
    let batches: RowBatches = match format {
        DatasetFormat::Parquet => Box::new(parquet::open(path, table, columns)?),
        DatasetFormat::Csv => csv::open(path, table, columns, has_escapes)?,
        DatasetFormat::JsonLines => json_lines::open(path, table, columns)?,
        DatasetFormat::Sqlite => sqlite::open(path, table, columns),
        DatasetFormat::EloMmr => Box::new(std::iter::empty()),
    };
    let complete = batches.map(|batch| batch.map(RowBatch::with_added_columns));
    Ok(Box::new(complete))
}

/// Iterates over the rows of a table. A thread reads and hashes the rows ahead; it ends when the
/// cursor is dropped.
pub(crate) struct RowCursor {
    pub(crate) table: TableId,
    ahead: Receiver<Result<ReadAhead, Error>>,
    batch: Option<RowBatch>,
    row: usize,
    /// The number of rows before this batch.
    rows_before: u64,
    /// The row count and digest, once all rows are read.
    totals: Option<(u64, Digest)>,
}

/// A message from the reading thread.
enum ReadAhead {
    Rows(RowBatch),
    End(u64, Digest),
}

/// Maximum batches read ahead.
const READ_AHEAD_BATCHES: usize = 2;

fn spawn_reader(table: TableId, batches: RowBatches) -> Receiver<Result<ReadAhead, Error>> {
    let (send, receive) = sync_channel(READ_AHEAD_BATCHES);
    std::thread::spawn(move || {
        let mut hasher = TableHasher::new(table);
        for batch in batches {
            let message = batch.map(|batch| {
                hasher.add(&batch);
                ReadAhead::Rows(batch)
            });
            let has_failed = message.is_err();
            if send.send(message).is_err() || has_failed {
                return;
            }
        }
        // The cursor may be dropped already.
        let _ = send.send(Ok(ReadAhead::End(hasher.rows, hasher.finish())));
    });
    receive
}

impl RowCursor {
    /// True if the cursor is at a row.
    pub(crate) const fn has_row(&self) -> bool {
        self.batch.is_some()
    }

    /// True if the cursor is at a row whose first columns hold these texts.
    pub(crate) fn starts_with(&self, texts: &[&str]) -> bool {
        self.has_row() && (0..).zip(texts).all(|(column, text)| self.text(column) == *text)
    }

    /// Returns the row number, from 1.
    pub(crate) const fn row_number(&self) -> u64 {
        self.rows_before + self.row as u64 + 1
    }

    /// Returns the value of the row in a column; missing at the end.
    pub(crate) fn get(&self, column: usize) -> Value<'_> {
        match &self.batch {
            Some(batch) => batch.get(self.row, column),
            None => Value::Missing,
        }
    }

    /// Returns the text of the row in a column; empty if missing.
    pub(crate) fn text(&self, column: usize) -> &str {
        match self.get(column) {
            Value::Text(text) => text,
            _ => "",
        }
    }

    /// Returns the integer or time of the row in a column.
    pub(crate) fn integer(&self, column: usize) -> Option<i64> {
        match self.get(column) {
            Value::Integer(value) | Value::Time(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the number of the row in a column.
    pub(crate) fn number(&self, column: usize) -> Option<f64> {
        match self.get(column) {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Moves to the next row.
    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        self.row += 1;
        if self.batch.as_ref().is_some_and(|batch| self.row >= batch.rows) {
            self.rows_before += self.row as u64;
            self.fetch_batch()?;
        }
        Ok(())
    }

    /// Moves to the first row of the next batch.
    pub(crate) fn skip_batch(&mut self) -> Result<(), Error> {
        self.rows_before += self.batch.as_ref().map_or(0, |batch| batch.rows as u64);
        self.fetch_batch()
    }

    fn fetch_batch(&mut self) -> Result<(), Error> {
        self.row = 0;
        self.batch = None;
        // The end arrives once; further calls return nothing.
        while self.totals.is_none() {
            // The reading thread died if it sends nothing.
            let message = self.ahead.recv().unwrap_or_else(|_| {
                let place = format!("table {}", self.table.name());
                Err(Error::invalid(place, "reading ended unexpectedly"))
            });
            match message? {
                ReadAhead::Rows(batch) if batch.rows == 0 => {}
                ReadAhead::Rows(batch) => {
                    self.batch = Some(batch);
                    return Ok(());
                }
                ReadAhead::End(rows, digest) => self.totals = Some((rows, digest)),
            }
        }
        Ok(())
    }

    /// Returns the row count and digest; `None` until all rows are read.
    pub(crate) const fn totals(&self) -> Option<(u64, Digest)> {
        self.totals
    }
}

/// Collects the rows of a file into batches until its end or the first error. `push_row` appends a
/// row and returns false at the end.
fn collect_batches(
    table: TableId,
    mut push_row: impl FnMut(&mut RowBatch) -> Result<bool, Error> + Send + 'static,
) -> RowBatches {
    let mut is_ended = false;
    Box::new(std::iter::from_fn(move || {
        let mut batch = RowBatch::new(table);
        while !is_ended && !batch.is_full() {
            match push_row(&mut batch) {
                Ok(has_row) => is_ended = !has_row,
                Err(error) => {
                    is_ended = true;
                    return Some(Err(error));
                }
            }
        }
        (batch.rows > 0).then_some(Ok(batch))
    }))
}

/// Returns the error for an invalid value.
pub(crate) fn invalid_value(
    path: &Path,
    row: u64,
    column: &str,
    reason: impl Into<String>,
) -> Error {
    let place = format!("{}, row {row}, column {column}", path.display());
    Error::invalid(place, reason)
}

/// Returns the error for a file with the columns of another table.
fn wrong_columns(path: &Path, table: TableId) -> Error {
    let reason = format!("its columns are not those of the table {}", table.name());
    Error::invalid(path.display(), reason)
}

/// Declares variables with the indices of columns, each named as its column.
macro_rules! columns {
    ($table:expr => $($name:ident),+ $(,)?) => {
        let [$($name),+] =
            const { $crate::read::column_indices($table, [$(stringify!($name)),+]) };
    };
}
pub(crate) use columns;

/// Returns the indices of columns by name; use [`columns`].
pub(crate) const fn column_indices<const N: usize>(table: TableId, names: [&str; N]) -> [usize; N] {
    let columns = table.spec().columns;
    let mut indices = [usize::MAX; N];
    let mut n = 0;
    while n < N {
        let mut index = 0;
        while index < columns.len() {
            if bytes_equal(columns[index].name.as_bytes(), names[n].as_bytes()) {
                indices[n] = index;
            }
            index += 1;
        }
        assert!(indices[n] != usize::MAX, "a table has this column");
        n += 1;
    }
    indices
}

const fn bytes_equal(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

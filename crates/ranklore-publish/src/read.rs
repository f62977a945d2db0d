//! Reading of dataset tables in any format. All input is untrusted: an invalid value is an error
//! that names file and row.

pub(crate) mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::batch::{RowBatch, Value};
use crate::describe::{DatasetFormat, Manifest};
use crate::dictionary::{ColumnSpec, TableId};
use crate::digest::{Digest, TableHasher};
use crate::error::Error;

pub(crate) use parquet::arrow_type;

/// The callback that takes the batches of a table in order. Its error ends the reading.
pub(crate) type EmitBatch<'e> = &'e mut dyn FnMut(RowBatch) -> Result<(), Error>;

/// Reads all rows of a table.
type ReadTable = Box<dyn FnOnce(EmitBatch<'_>) -> Result<(), Error> + Send>;

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
            ahead: spawn_reader(table, self.table_reader(table)?),
            batch: None,
            row: 0,
            rows_before: 0,
            totals: None,
        };
        cursor.fetch_batch()?;
        Ok(cursor)
    }

    fn table_reader(self, table: TableId) -> Result<ReadTable, Error> {
        let manifest = self.manifest;
        if self.format == DatasetFormat::EloMmr {
            return Ok(contest_files::table_reader(self.folder, manifest, table));
        }
        let entries = manifest.files.iter();
        let mut files: Vec<StoredTable> = entries
            .filter(|file| {
                file.format == self.format && file.table.is_none_or(|held| held == table)
            })
            .map(|file| StoredTable {
                path: self.folder.join(&file.path),
                table,
                format: self.format,
                has_escapes: manifest.formulas_escaped,
                version: manifest.format_version,
            })
            .collect();
        // Sorted by folder and name: partitions are ordered by source and year.
        files.sort_by(|a, b| a.path.cmp(&b.path));
        if files.is_empty() {
            let reason = format!("it has no table {} as {}", table.name(), self.format.as_str());
            return Err(Error::invalid(self.folder.display(), reason));
        }
        Ok(Box::new(move |emit| files.iter().try_for_each(|file| file.read(&mut *emit))))
    }
}

/// A file with rows of a table.
pub(crate) struct StoredTable {
    pub(crate) path: PathBuf,
    pub(crate) table: TableId,
    pub(crate) format: DatasetFormat,
    /// True if formulas in texts of CSV have an apostrophe.
    pub(crate) has_escapes: bool,
    /// The format version.
    pub(crate) version: u32,
}

impl StoredTable {
    /// Reads all rows of the table.
    pub(crate) fn read(&self, emit: EmitBatch<'_>) -> Result<(), Error> {
        let rows = FileRows {
            file: self,
            columns: self.table.spec().columns_in(self.version),
            batch: RowBatch::new(self.table),
            row: 0,
            emit,
        };
        match self.format {
            DatasetFormat::Parquet => parquet::read(rows),
            DatasetFormat::Csv => csv::read(rows),
            DatasetFormat::JsonLines => json_lines::read(rows),
            DatasetFormat::Sqlite => sqlite::read(rows),
            DatasetFormat::EloMmr => Ok(()),
        }
    }

    fn open(&self) -> Result<File, Error> {
        File::open(&self.path).map_err(Error::from_io(&self.path))
    }

    fn invalid(&self, reason: impl Into<String>) -> Error {
        Error::invalid(self.path.display(), reason)
    }

    fn invalid_value(&self, row: u64, column: &ColumnSpec, reason: impl Into<String>) -> Error {
        let place = format!("{}, row {row}, column {}", self.path.display(), column.name);
        Error::invalid(place, reason)
    }

    /// Errors unless the columns of the file are those of the table.
    fn require_columns(&self, are_equal: bool) -> Result<(), Error> {
        if are_equal {
            return Ok(());
        }
        let table = self.table.name();
        Err(self.invalid(format!("its columns are not those of the table {table}")))
    }
}

/// The rows of a file on their way to the callback.
struct FileRows<'f> {
    file: &'f StoredTable,
    columns: &'static [ColumnSpec],
    batch: RowBatch,
    /// The number of rows so far.
    row: u64,
    emit: EmitBatch<'f>,
}

impl FileRows<'_> {
    /// Appends a row. `cell` returns the value in a column, or the reason why it is invalid.
    fn push<'v>(
        &mut self,
        cell: impl Fn(usize, &ColumnSpec) -> Result<Value<'v>, String>,
    ) -> Result<(), Error> {
        self.row += 1;
        let columns = self.columns.iter().zip(&mut self.batch.columns);
        for (index, (column, values)) in columns.enumerate() {
            let value = match cell(index, column) {
                Ok(Value::Missing) if !column.nullable => Err("a value is missing".to_owned()),
                result => result,
            };
            let value = value.map_err(|reason| self.file.invalid_value(self.row, column, reason));
            values.push(value?);
        }
        self.batch.rows += 1;
        if self.batch.is_full() {
            return self.emit_batch();
        }
        Ok(())
    }

    /// Emits the rows since the last batch.
    fn emit_batch(&mut self) -> Result<(), Error> {
        // A file of an earlier version does not have the columns added since.
        for values in &mut self.batch.columns[self.columns.len()..] {
            (0..self.batch.rows).for_each(|_| values.push(Value::Missing));
        }
        (self.emit)(self.batch.take())
    }

    /// Returns the error for the row after those so far.
    fn invalid_next_row(&self, reason: impl Into<String>) -> Error {
        let place = format!("{}, row {}", self.file.path.display(), self.row + 1);
        Error::invalid(place, reason)
    }
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
    pub(crate) totals: Option<(u64, Digest)>,
}

/// A message from the reading thread.
enum ReadAhead {
    Rows(RowBatch),
    End(u64, Digest),
}

/// Maximum batches read ahead.
const READ_AHEAD_BATCHES: usize = 2;

fn spawn_reader(table: TableId, read: ReadTable) -> Receiver<Result<ReadAhead, Error>> {
    let (send, receive) = sync_channel(READ_AHEAD_BATCHES);
    std::thread::spawn(move || {
        let mut hasher = TableHasher::new(table);
        // The cursor may be dropped already; then nobody receives this error.
        let result = read(&mut |batch| {
            hasher.add(&batch);
            send.send(Ok(ReadAhead::Rows(batch))).map_err(|_| Error::Interrupted)
        });
        let _ = send.send(result.map(|()| ReadAhead::End(hasher.rows, hasher.finish())));
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
    match (a, b) {
        ([], []) => true,
        ([a, a_rest @ ..], [b, b_rest @ ..]) => *a == *b && bytes_equal(a_rest, b_rest),
        _ => false,
    }
}

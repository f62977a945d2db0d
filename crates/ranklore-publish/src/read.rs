//! Reading of dataset tables in any format. All input is untrusted: an invalid value is an error
//! that names file and row.

pub(crate) mod contest_files;
mod csv;
mod json_lines;
mod parquet;
mod sqlite;

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, sync_channel};

use crate::batch::{Batch, Value};
use crate::describe::{Format, Manifest};
use crate::dictionary::TableId;
use crate::digest::{Digest, TableHasher};
use crate::error::Error;

/// The rows of a table in order, in batches.
pub(crate) type Batches = Box<dyn Iterator<Item = Result<Batch, Error>> + Send>;

/// Opens a table of the dataset in `folder` in this format.
pub(crate) fn table(
    folder: &Path,
    manifest: &Manifest,
    format: Format,
    table: TableId,
) -> Result<Batches, Error> {
    if format == Format::EloMmr {
        // Contest files hold no ratings.
        return Ok(if TableId::RESULTS.contains(&table) {
            contest_files::rows(folder, manifest, table)
        } else {
            Box::new(std::iter::empty())
        });
    }
    let files = manifest.files.iter();
    let files =
        files.filter(|file| file.format == format && file.table.is_none_or(|of| of == table));
    let mut paths: Vec<PathBuf> = files.map(|file| folder.join(&file.path)).collect();
    // Sorted by folder and name: partitions are ordered by source and year.
    paths.sort();
    if paths.is_empty() {
        return Err(Error::Invalid {
            place: folder.display().to_string(),
            reason: format!("it has no table {} as {}", table.name(), format.as_str()),
        });
    }
    let defused = manifest.defused;
    let mut paths = paths.into_iter();
    let open = move |path: PathBuf| -> Result<Batches, Error> {
        Ok(match format {
            Format::Parquet => Box::new(parquet::open(path, table)?),
            Format::Csv => csv::open(path, table, defused)?,
            Format::JsonLines => json_lines::open(path, table)?,
            Format::Sqlite => sqlite::open(path, table),
            Format::EloMmr => Box::new(std::iter::empty()),
        })
    };
    let mut current: Option<Batches> = None;
    Ok(Box::new(std::iter::from_fn(move || {
        loop {
            if let Some(batch) = current.as_mut().and_then(Iterator::next) {
                return Some(batch);
            }
            match open(paths.next()?) {
                Ok(batches) => current = Some(batches),
                Err(error) => return Some(Err(error)),
            }
        }
    })))
}

/// Iterates over the rows of a table. A thread reads and hashes the rows ahead; it ends when the
/// cursor is dropped.
pub(crate) struct Cursor {
    pub(crate) table: TableId,
    ahead: Receiver<Result<Ahead, Error>>,
    batch: Option<Batch>,
    row: usize,
    /// The number of rows before this batch.
    before: u64,
    /// The row count and digest, once all rows are read.
    whole: Option<(u64, Digest)>,
}

/// A message from the reading thread.
enum Ahead {
    Rows(Batch),
    End(u64, Digest),
}

/// Maximum batches read ahead.
const AHEAD: usize = 2;

fn read_ahead(table: TableId, batches: Batches) -> Receiver<Result<Ahead, Error>> {
    let (send, receive) = sync_channel(AHEAD);
    std::thread::spawn(move || {
        let mut hasher = TableHasher::new(table);
        for batch in batches {
            let ahead = batch.map(|batch| {
                hasher.add(&batch);
                Ahead::Rows(batch)
            });
            let failed = ahead.is_err();
            if send.send(ahead).is_err() || failed {
                return;
            }
        }
        // The cursor may be dropped already.
        let _ = send.send(Ok(Ahead::End(hasher.rows, hasher.finish())));
    });
    receive
}

impl Cursor {
    pub(crate) fn open(
        folder: &Path,
        manifest: &Manifest,
        format: Format,
        of: TableId,
    ) -> Result<Self, Error> {
        let mut cursor = Self {
            table: of,
            ahead: read_ahead(of, table(folder, manifest, format, of)?),
            batch: None,
            row: 0,
            before: 0,
            whole: None,
        };
        cursor.fetch()?;
        Ok(cursor)
    }

    /// True if the cursor is at a row.
    pub(crate) const fn is_there(&self) -> bool {
        self.batch.is_some()
    }

    /// Returns the row number, from 1.
    pub(crate) const fn number(&self) -> u64 {
        self.before + self.row as u64 + 1
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
    pub(crate) fn number_in(&self, column: usize) -> Option<f64> {
        match self.get(column) {
            Value::Number(value) => Some(value),
            _ => None,
        }
    }

    /// Moves to the next row.
    pub(crate) fn advance(&mut self) -> Result<(), Error> {
        self.row += 1;
        if self.batch.as_ref().is_some_and(|of| self.row >= of.rows) {
            self.before += self.row as u64;
            self.fetch()?;
        }
        Ok(())
    }

    /// Moves to the first row of the next batch.
    pub(crate) fn skip_batch(&mut self) -> Result<(), Error> {
        self.before += self.batch.as_ref().map_or(0, |of| of.rows as u64);
        self.fetch()
    }

    fn fetch(&mut self) -> Result<(), Error> {
        self.row = 0;
        self.batch = None;
        // The end arrives once; further calls return nothing.
        while self.whole.is_none() {
            match self
                .ahead
                .recv()
                .unwrap_or_else(|_| Err(self.broken_off()))?
            {
                Ahead::Rows(batch) if batch.rows == 0 => {}
                Ahead::Rows(batch) => {
                    self.batch = Some(batch);
                    return Ok(());
                }
                Ahead::End(rows, digest) => self.whole = Some((rows, digest)),
            }
        }
        Ok(())
    }

    /// Returns the error for a reading thread that died.
    fn broken_off(&self) -> Error {
        Error::Invalid {
            place: format!("table {}", self.table.name()),
            reason: "reading ended unexpectedly".to_owned(),
        }
    }

    /// Returns the row count and digest; `None` until all rows are read.
    pub(crate) const fn whole(&self) -> Option<(u64, Digest)> {
        self.whole
    }
}

/// Collects the rows of a file into batches until its end or the first error. `take` appends a row
/// and returns false at the end.
fn batches(
    table: TableId,
    mut take: impl FnMut(&mut Batch) -> Result<bool, Error>,
) -> impl Iterator<Item = Result<Batch, Error>> {
    let mut ended = false;
    std::iter::from_fn(move || {
        let mut batch = Batch::new(table);
        while !ended && !batch.is_full() {
            match take(&mut batch) {
                Ok(more) => ended = !more,
                Err(error) => {
                    ended = true;
                    return Some(Err(error));
                }
            }
        }
        (batch.rows > 0).then_some(Ok(batch))
    })
}

/// Returns the error for an invalid value.
pub(crate) fn wrong(path: &Path, row: u64, column: &str, reason: impl Into<String>) -> Error {
    Error::Invalid {
        place: format!("{}, row {row}, column {column}", path.display()),
        reason: reason.into(),
    }
}

/// Returns the indices of columns by name.
pub(crate) const fn column<const N: usize>(table: TableId, names: [&str; N]) -> [usize; N] {
    let columns = table.table().columns;
    let mut found = [usize::MAX; N];
    let mut n = 0;
    while n < N {
        let mut at = 0;
        while at < columns.len() {
            if same(columns[at].name.as_bytes(), names[n].as_bytes()) {
                found[n] = at;
            }
            at += 1;
        }
        assert!(found[n] != usize::MAX, "a table has this column");
        n += 1;
    }
    found
}

const fn same(a: &[u8], b: &[u8]) -> bool {
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

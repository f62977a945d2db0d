//! Writing of all tables in all formats, with one thread per format.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::ScopedJoinHandle;

use ranklore_store::Store;

use crate::batch::{Batch, Value};
use crate::describe::Format;
use crate::dictionary::TableId;
use crate::digest::{Digest, TableHasher, snapshot};
use crate::error::Error;
use crate::scan::gather::gather;
use crate::scan::piece::{Part, Piece};
use crate::scan::selection::Selection;
use crate::watch::Watch;
use crate::write::{
    ContestFileWriter, CsvWriter, JsonLinesWriter, ParquetWriter, SqliteWriter, TableWriter,
    Written,
};

/// Capacity of the channel to a writer: enough to keep both sides busy.
const ON_THE_WAY: usize = 3;

/// The tables of an export.
#[derive(Debug)]
pub(crate) struct Tables {
    /// The files, ordered by format and path.
    pub(crate) files: Vec<(Format, Written)>,
    /// The row count and digest by table.
    pub(crate) digests: [(u64, Digest); TableId::ALL.len()],
    /// The totals by source.
    pub(crate) counts: BTreeMap<Arc<str>, Counts>,
}

/// Totals of one source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counts {
    pub(crate) rows: [u64; TableId::ALL.len()],
    /// The times of the first and the last result, in Unix seconds.
    pub(crate) ends_at: Option<(i64, i64)>,
}

/// Writes the selected tables below the folder `root`.
pub(crate) fn write(
    store: &Store,
    selection: &Selection,
    formats: &[Format],
    defuse: bool,
    root: &Path,
    watch: &dyn Watch,
) -> Result<Tables, Error> {
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(ON_THE_WAY);
        let hashing = scope.spawn(move || hash(&receive));
        let mut takers = vec![send];
        let mut forms = Vec::new();
        for &format in formats {
            let writer = writer_of(format, selection, defuse, root)?;
            let (send, receive) = sync_channel(ON_THE_WAY);
            takers.push(send);
            forms.push((format, scope.spawn(move || take(writer, &receive))));
        }
        let files = formats.contains(&Format::EloMmr);
        let mut done = 0;
        let gathered = gather(store, selection, files, &mut |piece| {
            if watch.interrupted() {
                return Err(Error::Interrupted);
            }
            if let Piece::Rows(_, batch) = &piece {
                done += batch.rows as u64;
                watch.advanced(done);
            }
            let piece = Arc::new(piece);
            for taker in &takers {
                // The writer failed; its error is reported by `join_writers`.
                if taker.send(Arc::clone(&piece)).is_err() {
                    return Err(Error::Interrupted);
                }
            }
            Ok(())
        });
        drop(takers);
        let files = end(forms, gathered)?;
        let (hashers, counts) = joined(hashing);
        Ok(Tables {
            files,
            digests: hashers.map(|hasher| (hasher.rows, hasher.finish())),
            counts,
        })
    })
}

/// Digests of all tables of a selection, equal to those of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Identity([Digest; TableId::ALL.len()]);

impl Identity {
    /// Returns the digest that identifies the results.
    #[must_use]
    pub fn snapshot(&self) -> Digest {
        snapshot(|table| self.table(table))
    }

    /// Returns the digest of a table.
    #[must_use]
    pub const fn table(&self, table: TableId) -> Digest {
        self.0[table.index()]
    }
}

/// Computes the digests of a selection without writing files.
///
/// # Errors
/// If the database cannot be read; [`Error::Interrupted`].
pub fn identify(
    store: &Store,
    selection: &Selection,
    watch: &dyn Watch,
) -> Result<Identity, Error> {
    let mut hashers = TableId::ALL.map(TableHasher::new);
    gather(store, selection, false, &mut |piece| {
        if watch.interrupted() {
            return Err(Error::Interrupted);
        }
        if let Piece::Rows(_, batch) = piece {
            hashers[batch.table.index()].add(&batch);
        }
        Ok(())
    })?;
    Ok(Identity(hashers.map(TableHasher::finish)))
}

type Form<'s> = (Format, ScopedJoinHandle<'s, Result<Vec<Written>, Error>>);

/// Waits for all writers. The error of a writer takes precedence over the end of the rows.
fn end(forms: Vec<Form<'_>>, gathered: Result<(), Error>) -> Result<Vec<(Format, Written)>, Error> {
    let mut files = Vec::new();
    let mut failed = None;
    for (format, thread) in forms {
        match joined(thread) {
            Ok(written) => files.extend(written.into_iter().map(|file| (format, file))),
            Err(error) => failed = failed.or(Some(error)),
        }
    }
    match failed {
        Some(error) => Err(error),
        None => gathered.map(|()| files),
    }
}

fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    match thread.join() {
        Ok(outcome) => outcome,
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

type Hashed = (
    [TableHasher; TableId::ALL.len()],
    BTreeMap<Arc<str>, Counts>,
);

/// Hashes and counts all rows.
fn hash(pieces: &Receiver<Arc<Piece>>) -> Hashed {
    let mut hashers = TableId::ALL.map(TableHasher::new);
    let mut counts = BTreeMap::new();
    for piece in pieces {
        if let Piece::Rows(part, batch) = &*piece {
            count(&mut counts, part, batch);
            hashers[batch.table.index()].add(batch);
        }
    }
    (hashers, counts)
}

fn take(
    mut writer: Box<dyn TableWriter>,
    pieces: &Receiver<Arc<Piece>>,
) -> Result<Vec<Written>, Error> {
    for piece in pieces {
        match &*piece {
            Piece::Rows(part, batch) => writer.write(part, batch)?,
            Piece::File(source, json) => writer.write_file(source, json)?,
        }
    }
    writer.finish()
}

fn writer_of(
    format: Format,
    selection: &Selection,
    defuse: bool,
    root: &Path,
) -> Result<Box<dyn TableWriter>, Error> {
    Ok(match format {
        Format::Parquet => Box::new(ParquetWriter::new(root, selection.by_year)),
        Format::Csv => Box::new(CsvWriter::new(root, defuse)?),
        Format::JsonLines => Box::new(JsonLinesWriter::new(root)?),
        Format::Sqlite => Box::new(SqliteWriter::new(root)?),
        Format::EloMmr => Box::new(ContestFileWriter::new(root)),
    })
}

fn count(counts: &mut BTreeMap<Arc<str>, Counts>, part: &Part, batch: &Batch) {
    let Some(source) = &part.source else {
        return;
    };
    let of = counts.entry(Arc::clone(source)).or_default();
    of.rows[batch.table.index()] += batch.rows as u64;
    if batch.table == TableId::Contest {
        let ends_at = (batch.table.table().columns.iter()).position(|of| of.name == "ends_at");
        for row in 0..batch.rows {
            if let Some(Value::Time(at)) = ends_at.map(|column| batch.get(row, column)) {
                let (first, last) = of.ends_at.unwrap_or((at, at));
                of.ends_at = Some((first.min(at), last.max(at)));
            }
        }
    }
}

//! Writing of all tables in all formats, with one thread per format.

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::ScopedJoinHandle;

use ranklore_store::Store;

use crate::batch::{RowBatch, Value};
use crate::describe::{DatasetFormat, TableSummary};
use crate::dictionary::TableId;
use crate::digest::{Digest, TableHasher, snapshot_digest};
use crate::error::Error;
use crate::export::ExportRequest;
use crate::progress::ExportProgress;
use crate::read::columns;
use crate::scan::items::{OutputItem, Partition};
use crate::scan::reader::scan;
use crate::scan::selection::ExportSelection;
use crate::write::{TableWriter, WriteOptions, WrittenFile, create_writer};

/// Capacity of the channel to a writer: enough to keep both sides busy.
const CHANNEL_CAPACITY: usize = 3;

/// The tables of an export.
#[derive(Debug)]
pub(crate) struct WrittenTables {
    /// The files, ordered by format and path.
    pub(crate) files: Vec<(DatasetFormat, WrittenFile)>,
    /// The row count and digest by table.
    pub(crate) digests: [(u64, Digest); TableId::ALL.len()],
    /// The totals by source.
    pub(crate) counts: BTreeMap<Arc<str>, SourceTotals>,
}

impl WrittenTables {
    /// Returns row count and digest of a table.
    pub(crate) const fn summary(&self, table: TableId) -> TableSummary {
        let (rows, digest) = self.digests[table.index()];
        TableSummary {
            table,
            rows,
            digest,
        }
    }
}

/// Totals of one source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SourceTotals {
    pub(crate) rows: [u64; TableId::ALL.len()],
    /// The times of the first and the last result, in Unix seconds.
    pub(crate) ends_at: Option<(i64, i64)>,
}

/// Writes these tables of a request below the folder `root`; the files of all others are empty.
pub(crate) fn write_tables(
    store: &Store,
    request: &ExportRequest<'_>,
    tables: &[TableId],
    root: &Path,
    watch: &dyn ExportProgress,
) -> Result<WrittenTables, Error> {
    std::thread::scope(|scope| {
        let (send, receive) = sync_channel(CHANNEL_CAPACITY);
        let hasher_thread = scope.spawn(move || hash_tables(&receive));
        let mut senders = vec![send];
        let mut writers = Vec::new();
        let options = WriteOptions {
            partitioned: request.selection.by_year,
            escape_formulas: request.escape_formulas,
        };
        for &format in &request.formats {
            let writer = create_writer(format, options, root)?;
            let (send, receive) = sync_channel(CHANNEL_CAPACITY);
            senders.push(send);
            writers.push((format, scope.spawn(move || write_items(writer, &receive))));
        }
        let has_files = request.formats.contains(&DatasetFormat::EloMmr);
        let mut rows = 0;
        let scan_result = scan(store, &request.selection, tables, has_files, &mut |item| {
            if watch.is_interrupted() {
                return Err(Error::Interrupted);
            }
            if let OutputItem::Rows(_, batch) = &item {
                if !tables.contains(&batch.table) {
                    return Ok(());
                }
                rows += batch.rows as u64;
                watch.advance(rows);
            }
            let item = Arc::new(item);
            for sender in &senders {
                // The writer failed; its error is reported by `join_writers`.
                if sender.send(Arc::clone(&item)).is_err() {
                    return Err(Error::Interrupted);
                }
            }
            Ok(())
        });
        drop(senders);
        let files = join_writers(writers, scan_result)?;
        let (hashers, counts) = hasher_thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok(WrittenTables {
            files,
            digests: hashers.map(|hasher| (hasher.rows, hasher.finish())),
            counts,
        })
    })
}

/// Digests of all tables of a selection, equal to those of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DatasetDigests([Digest; TableId::ALL.len()]);

impl DatasetDigests {
    /// Returns the digest that identifies the results.
    #[must_use]
    pub fn snapshot(&self) -> Digest {
        snapshot_digest(|table| self.table(table))
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
pub fn compute_digests(
    store: &Store,
    selection: &ExportSelection,
    watch: &dyn ExportProgress,
) -> Result<DatasetDigests, Error> {
    let mut hashers = TableId::ALL.map(TableHasher::new);
    scan(store, selection, &TableId::ALL, false, &mut |item| {
        if watch.is_interrupted() {
            return Err(Error::Interrupted);
        }
        if let OutputItem::Rows(_, batch) = item {
            hashers[batch.table.index()].add(&batch);
        }
        Ok(())
    })?;
    Ok(DatasetDigests(hashers.map(TableHasher::finish)))
}

type WriterThread<'s> = (DatasetFormat, ScopedJoinHandle<'s, Result<Vec<WrittenFile>, Error>>);

/// Waits for all writers. The error of a writer takes precedence over the end of the rows.
fn join_writers(
    writers: Vec<WriterThread<'_>>,
    scan_result: Result<(), Error>,
) -> Result<Vec<(DatasetFormat, WrittenFile)>, Error> {
    let mut files = Vec::new();
    let mut first_error = None;
    for (format, thread) in writers {
        match thread.join().unwrap_or_else(|panic| resume_unwind(panic)) {
            Ok(writer_files) => files.extend(writer_files.into_iter().map(|file| (format, file))),
            Err(error) => first_error = first_error.or(Some(error)),
        }
    }
    match first_error {
        Some(error) => Err(error),
        None => scan_result.map(|()| files),
    }
}

type HashedTables = ([TableHasher; TableId::ALL.len()], BTreeMap<Arc<str>, SourceTotals>);

/// Hashes and counts all rows.
fn hash_tables(items: &Receiver<Arc<OutputItem>>) -> HashedTables {
    let mut hashers = TableId::ALL.map(TableHasher::new);
    let mut counts = BTreeMap::new();
    for item in items {
        if let OutputItem::Rows(part, batch) = &*item {
            count_rows(&mut counts, part, batch);
            hashers[batch.table.index()].add(batch);
        }
    }
    (hashers, counts)
}

fn write_items(
    mut writer: Box<dyn TableWriter>,
    items: &Receiver<Arc<OutputItem>>,
) -> Result<Vec<WrittenFile>, Error> {
    for item in items {
        match &*item {
            OutputItem::Rows(part, batch) => writer.write(part, batch)?,
            OutputItem::File(source, json) => writer.write_file(source, json)?,
        }
    }
    writer.finish()
}

fn count_rows(counts: &mut BTreeMap<Arc<str>, SourceTotals>, part: &Partition, batch: &RowBatch) {
    columns!(TableId::Contest => ends_at);
    let Some(source) = &part.source else {
        return;
    };
    let totals = counts.entry(Arc::clone(source)).or_default();
    totals.rows[batch.table.index()] += batch.rows as u64;
    if batch.table == TableId::Contest {
        for row in 0..batch.rows {
            if let Value::Time(time) = batch.get(row, ends_at) {
                let (first, last) = totals.ends_at.unwrap_or((time, time));
                totals.ends_at = Some((first.min(time), last.max(time)));
            }
        }
    }
}

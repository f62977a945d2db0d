//! `ranklore prune`

use clap::{Args, ValueEnum};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{PruneReport, PruneRequest, preview_prune, prune};
use ranklore_store::{Error, Store};
use serde::Serialize;

use crate::exit::Exit;
use crate::json::DryRun;
use crate::output::{complain, counted, say, size};
use crate::{Global, words};

/// Delete superseded documents from the archive and shrink the file
///
/// Keeps every document that a contest or a starting rating was read from, so a rebuild still gives
/// the same contests and ratings. It can no longer count the deleted revisions of a contest, nor
/// parse the deleted documents with a later version. This cannot be undone.
#[derive(Debug, Args)]
pub(crate) struct Prune {
    /// Documents to delete
    #[arg(long, value_enum, value_name = "WHICH")]
    documents: Which,
    /// Minimum age in days, weeks or years, such as 90d, 12w or 1y
    #[arg(long, value_name = "AGE", default_value = "90d", value_parser = words::age)]
    older_than: i64,
    /// Only documents of this source
    #[arg(long, value_name = "NAME", value_parser = words::source)]
    source: Option<SourceName>,
    /// Print what would be deleted; write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The documents to delete.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Which {
    /// Documents that a newer document with the same key has replaced
    Superseded,
}

impl Prune {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let Which::Superseded = self.documents;
        let until = words::now().get() - self.older_than;
        let request = PruneRequest {
            source: self.source,
            until: UnixSeconds::new(until).unwrap_or(UnixSeconds::MIN),
        };
        if self.dry_run {
            let pruned = preview_prune(&Store::open_reader(global.db())?, &request)?;
            let (documents, bytes) = (documents(&pruned), size(pruned.bytes));
            let text = format!("dry run, nothing written: {documents} to delete, {bytes}");
            global.show(&DryRun::new(true, pruned), || say(&text))?;
            return Ok(Exit::Done);
        }
        let mut store = global.open_writer("ranklore prune")?;
        let before = store.file_size()?.bytes;
        let pruned = prune(&mut store, &request)?;
        // Includes space that an earlier prune could not give back.
        let due = pruned.documents > 0 || store.file_size()?.needs_compaction();
        let given_back = due && give_back(&mut store)?;
        let after = store.file_size()?.bytes;
        drop(store);
        let result = PruneResult {
            pruned,
            file_bytes_before: before,
            file_bytes: after,
        };
        let text = || {
            if pruned.documents == 0 {
                say("nothing to delete")?;
            } else {
                let (documents, bytes) = (documents(&pruned), size(pruned.bytes));
                say(&format!("{documents} deleted, {bytes}"))?;
            }
            if given_back {
                let (before, after) = (size(before), size(after));
                say(&format!("the file shrank from {before} to {after}"))?;
            }
            if pruned.documents > 0 {
                complain(
                    "a rebuild still gives the same contests and ratings, but counts revisions from \
                     1 again and cannot parse the deleted documents",
                );
            }
            Ok(())
        };
        global.show(&DryRun::new(false, result), text)?;
        Ok(Exit::Done)
    }
}

/// The documents deleted, and the size of the database.
#[derive(Serialize)]
struct PruneResult {
    /// The deleted documents.
    #[serde(flatten)]
    pruned: PruneReport,
    /// The size of the database file before, in bytes.
    file_bytes_before: u64,
    /// The size of the database file after, in bytes.
    file_bytes: u64,
}

fn documents(pruned: &PruneReport) -> String {
    counted(pruned.documents, "superseded document")
}

/// Shrinks the file. Returns false if it must keep its size for now, which is no error.
fn give_back(store: &mut ranklore_store::Writer) -> anyhow::Result<bool> {
    match store.compact() {
        Ok(true) => Ok(true),
        Ok(false) => {
            complain("the file shrinks when its current readers have closed it");
            Ok(false)
        }
        Err(Error::DiskFull { .. } | Error::InUse { .. }) => {
            complain(
                "cannot shrink the file: the disk is full or another process reads the file; new \
                 data fills the free space; run the command again to shrink the file once a \
                 quarter of it or 64 MiB is free",
            );
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

//! `ranklore prune`

use clap::{Args, ValueEnum};
use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{PruneReport, PruneRequest, preview_prune, prune};
use ranklore_store::{Error, Store};
use serde::Serialize;

use crate::exit::Exit;
use crate::json::DryRun;
use crate::output::{format_plural, format_size, print_line, print_note};
use crate::{GlobalArgs, values};

/// Delete superseded documents from the archive and shrink the file
///
/// Keeps every document that a contest or a starting rating was read from, so a rebuild still gives
/// the same contests and ratings. It can no longer count the deleted revisions of a contest, nor
/// parse the deleted documents with a later version. This cannot be undone.
#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    /// Documents to delete
    #[arg(long, value_enum, value_name = "WHICH")]
    documents: PrunedDocuments,
    /// Minimum age in days, weeks or years, such as 90d, 12w or 1y
    #[arg(long, value_name = "AGE", default_value = "90d", value_parser = values::parse_age)]
    older_than: i64,
    /// Only documents of this source
    #[arg(long, value_name = "NAME", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Print what would be deleted; write nothing
    #[arg(long)]
    dry_run: bool,
}

/// The documents to delete.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum PrunedDocuments {
    /// Documents that a newer document with the same key has replaced
    Superseded,
}

impl PruneArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let PrunedDocuments::Superseded = self.documents;
        let until = values::now().get() - self.older_than;
        let request = PruneRequest {
            source: self.source,
            until: UnixSeconds::new(until).unwrap_or(UnixSeconds::MIN),
        };
        if self.dry_run {
            let pruned = preview_prune(&Store::open_reader(global.db())?, &request)?;
            let documents = format_documents(&pruned);
            let bytes = format_size(pruned.bytes);
            let text = format!("dry run, nothing written: {documents} to delete, {bytes}");
            return global.print_result(&DryRun::new(true, pruned), || print_line(&text));
        }
        let mut store = global.open_writer("ranklore prune")?;
        let bytes_before = store.file_size()?.bytes;
        let pruned = prune(&mut store, &request)?;
        // Includes space that an earlier prune could not give back.
        let must_shrink = pruned.documents > 0 || store.file_size()?.needs_compaction();
        let has_shrunk = must_shrink && shrink_file(&mut store)?;
        let result = PruneResult {
            pruned,
            file_bytes_before: bytes_before,
            file_bytes: store.file_size()?.bytes,
        };
        drop(store);
        global.print_result(&DryRun::new(false, &result), || {
            if pruned.documents == 0 {
                print_line("nothing to delete")?;
            } else {
                let documents = format_documents(&pruned);
                let bytes = format_size(pruned.bytes);
                print_line(&format!("{documents} deleted, {bytes}"))?;
            }
            if has_shrunk {
                let before = format_size(bytes_before);
                let after = format_size(result.file_bytes);
                print_line(&format!("the file shrank from {before} to {after}"))?;
            }
            if pruned.documents > 0 {
                print_note(
                    "a rebuild still gives the same contests and ratings, but counts revisions from \
                     1 again and cannot parse the deleted documents",
                );
            }
            Ok(())
        })
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

fn format_documents(pruned: &PruneReport) -> String {
    format_plural(pruned.documents, "superseded document")
}

/// Shrinks the file. Returns false if it must keep its size for now, which is no error.
pub(super) fn shrink_file(store: &mut ranklore_store::Writer) -> anyhow::Result<bool> {
    match store.compact() {
        Ok(true) => Ok(true),
        Ok(false) => {
            print_note("the file shrinks when its current readers have closed it");
            Ok(false)
        }
        Err(Error::DiskFull { .. } | Error::InUse { .. }) => {
            print_note(
                "cannot shrink the file: the disk is full or another process reads the file; new \
                 data fills the free space; run the command again to shrink the file once a \
                 quarter of it or 64 MiB is free",
            );
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}
